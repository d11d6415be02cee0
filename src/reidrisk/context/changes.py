"""Change settings of a context, for what-if questions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import deepcopy
from typing import Any

from reidrisk.errors import InvalidSetting

INSTEAD = {
    "controls": ("checklist",),
    "checklist": ("controls",),
    "preset": ("variant", "rule"),
    "threshold.cell_size": ("threshold.probability", "threshold.reason"),
    "threshold.probability": ("threshold.cell_size", "threshold.reason"),
}
"""Settings that a change removes, because they contradict it."""


def change_settings(content: Mapping[str, Any] | None, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a context after changes such as `controls` or `threshold.cell_size`.

    >>> change_settings({"checklist": {"training": "yes"}}, {"controls": "high"})
    {'controls': 'high'}
    """
    found = without_contradictions(content, changes)
    for key, value in changes.items():
        _put(found, key.split("."), plain_value(value), key)
    return found


def without_contradictions(content: Mapping[str, Any] | None, changed: Collection[str]) -> dict[str, Any]:
    """The settings of a context without those that contradict what will be changed.

    >>> without_contradictions({"checklist": {"training": "yes"}, "motives": "low"}, {"controls"})
    {'motives': 'low'}
    """
    found: dict[str, Any] = deepcopy(dict(content or {}))
    for key in changed:
        for other in INSTEAD.get(key, INSTEAD.get(key.split(".")[0], ()) if "." in key else ()):
            if other not in changed:
                _remove(found, other.split("."))
    return found


def plain_value(value: Any) -> Any:
    """Convert text from the command line to a number if it is one.

    >>> plain_value("5"), plain_value("0.27"), plain_value("high")
    (5, 0.27, 'high')
    """
    if not isinstance(value, str):
        return value
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value


def _remove(inside: dict[str, Any], path: list[str]) -> None:
    *folders, last = path
    for name in folders:
        inside = inside.get(name, {})
        if not isinstance(inside, dict):
            return
    inside.pop(last, None)


def _put(inside: dict[str, Any], path: list[str], value: Any, key: str) -> None:
    *folders, last = path
    for name in folders:
        below = inside.setdefault(name, {})
        if not isinstance(below, dict):
            below = inside[name] = {}
        inside = below
    if not last:
        raise InvalidSetting(f"{key!r} does not name a setting.", hint="For example, write controls=high.")
    inside[last] = value
