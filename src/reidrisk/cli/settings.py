"""Options of the command line that follow from declared settings."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Any

import click

from reidrisk.cli import options
from reidrisk.cli.help import OptionFactory, option
from reidrisk.core.settings import (
    COLUMNS,
    AnyOf,
    Choice,
    ListOf,
    MappingOf,
    NumberSetting,
    Setting,
    SettingType,
    WholeNumber,
    YesNo,
)


class WordChoice(click.Choice[str]):
    """A choice of words that suggests the word that was probably meant."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Name the words, and the nearest one."""
        near = difflib.get_close_matches(str(value), self.choices, n=1)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        return f"{super().get_invalid_choice_message(value, ctx)}{meant}"


def setting_options(settings: Iterable[Setting]) -> tuple[OptionFactory, ...]:
    """One option per setting, with its range, default and help."""
    return tuple(setting_option(one) for one in settings)


def setting_option(
    setting: Setting, *, required: bool = False, filled: bool = False, repeats: bool | None = None
) -> OptionFactory:
    """The option of a setting; it has no default value, so that a file can give one, unless `filled`.

    An option that takes NAME=VALUE may be repeated, unless `repeats` says otherwise.
    """
    name = option_name(setting)
    if isinstance(setting.kind, YesNo):
        return option(name, setting.name, is_flag=True, help=_help(setting))
    takes: dict[str, Any] = {"type": _click_type(setting)}
    if setting.metavar:
        takes["metavar"] = setting.metavar
    if setting.shown_default:
        takes["show_default"] = setting.shown_default
    if filled:
        takes["default"] = setting.default
    if _takes_pairs(setting.kind) if repeats is None else repeats:
        takes["multiple"] = True
    return option(name, setting.name, help=_help(setting), required=required, **takes)


def setting_values(given: dict[str, Any], settings: Iterable[Setting]) -> dict[str, Any]:
    """The values that options give, by setting, in the form of a configuration file."""
    return {one.name: _value(one, given[one.name]) for one in settings if _is_given(given[one.name])}


def option_name(setting: Setting) -> str:
    """The name of the option, such as --max-level."""
    return setting.option or _dashed(setting.name)


def _help(setting: Setting) -> str:
    """The help with options in place of the names of settings, and how to give several values."""

    def as_option(name: re.Match[str]) -> str:
        return setting.metavar if name[1] == setting.name else _dashed(name[1])

    text = re.sub(r"`(\w+)`", as_option, setting.help)
    if setting.kind == COLUMNS:
        return f"{text.removesuffix('.')}, separated by commas."
    return f"{text.removesuffix('.')}; may be repeated." if isinstance(setting.kind, MappingOf) else text


def _takes_pairs(kind: SettingType) -> bool:
    """Whether the option takes NAME=VALUE."""
    return isinstance(kind, MappingOf) or (isinstance(kind, AnyOf) and any(map(_takes_pairs, kind.kinds)))


def _dashed(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _click_type(setting: Setting) -> click.ParamType[Any] | None:
    kind = setting.kind
    if isinstance(kind, Choice):
        return WordChoice(list(kind.words))
    if isinstance(kind, WholeNumber):
        return click.IntRange(kind.least, kind.most)
    if isinstance(kind, NumberSetting):
        return click.FloatRange(kind.low, kind.high, min_open=kind.above, max_open=kind.below)
    return None


def _is_given(value: Any) -> bool:
    """Whether an option was used: one that may be repeated is an empty tuple otherwise, a flag is False."""
    return value is not None and value is not False and value != ()


def _value(setting: Setting, value: Any) -> Any:
    kind, name = setting.kind, option_name(setting)
    if isinstance(kind, ListOf):
        number = isinstance(kind.of, WholeNumber)
        return options.whole_numbers(value, option=name) if number else options.columns(value, option=name)
    if isinstance(kind, MappingOf):
        texts = options.pairs(value, option=name)
        if isinstance(kind.of, NumberSetting):
            return {column: options.real(text, option=name) for column, text in texts.items()}
        return texts
    return value
