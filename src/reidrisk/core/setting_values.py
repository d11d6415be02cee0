"""Values of declared settings that come from Python, or as texts NAME=VALUE."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from reidrisk.core.settings import (
    NumberSetting,
    Setting,
    SettingType,
    TextSetting,
    WholeNumber,
    YesNo,
    check_settings,
)
from reidrisk.errors import InvalidSetting

_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_TYPES: tuple[tuple[type[SettingType], tuple[type, ...]], ...] = (
    (YesNo, (bool,)),
    (WholeNumber, (int,)),
    (NumberSetting, (int, float)),
    (TextSetting, (str,)),
)


def check_values(settings: Iterable[Setting], holder: Any) -> None:
    """Check type, choice and range of the values that an object holds under the names of settings."""
    declared = tuple(settings)
    for one in declared:
        _check_type(one, getattr(holder, one.name))
    check_settings(declared, holder)


def read_changes(settings: Iterable[Setting], changes: Mapping[str, Any], *, what: str) -> dict[str, Any]:
    """Return changed settings by name, with each text converted to the type of its setting."""
    known = {one.name: one for one in settings}
    for name in changes:
        if name not in known:
            raise InvalidSetting.among(what, name, known)
    return {
        name: value_of(known[name], value) if isinstance(value, str) else value
        for name, value in changes.items()
    }


def value_of(setting: Setting, text: str) -> Any:
    """Return the value that a text such as the VALUE of NAME=VALUE stands for.

    >>> value_of(Setting("known", WholeNumber(), "Number of events."), "2")
    2
    """
    try:
        if isinstance(setting.kind, YesNo):
            return _TRUTHS[text.casefold()]
        if isinstance(setting.kind, WholeNumber):
            return _whole_number(text)
        return float(text) if isinstance(setting.kind, NumberSetting) else text
    except (KeyError, ValueError):
        raise _wrong_type(setting, text) from None


def _whole_number(text: str) -> int:
    """Return a whole number, also if it is written as 1e5 or 100.0."""
    number = float(text)
    if not number.is_integer():
        raise ValueError(text)
    return int(text) if text.strip().lstrip("+-").isdigit() else int(number)


def _check_type(setting: Setting, value: Any) -> None:
    """Refuse a value of another type; None only stands for a default that is None."""
    if value is None and setting.default is None:
        return
    for kind, allowed in _TYPES:
        if isinstance(setting.kind, kind):
            is_right = isinstance(value, allowed) and (kind is YesNo or not isinstance(value, bool))
            if not is_right:
                raise _wrong_type(setting, value)


def _wrong_type(setting: Setting, value: Any) -> InvalidSetting:
    wanted = "yes or no" if isinstance(setting.kind, YesNo) else f"a {setting.kind.takes}"
    usual = f", {setting.shown_default}" if setting.shown_default else ""
    return InvalidSetting(
        f"The setting {setting.name} takes {wanted}, not {value!r}.",
        hint=f"Leave it out for the default{usual}.",
    )
