"""What if: a release file with some of its settings changed."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from reidrisk.assess.form.release import FORM
from reidrisk.context.changes import changed_content
from reidrisk.core.place import CHANGED
from reidrisk.core.yaml_file import KeyPath, read_yaml
from reidrisk.errors import InvalidSetting


@dataclass(frozen=True, slots=True)
class Changed:
    """The content of a release file, and the line of every key."""

    source: str
    folder: Path
    content: Any
    lines: Mapping[KeyPath, int] = field(repr=False)


def changed_release(given: Changed, changes: Mapping[str, Any]) -> Changed:
    """Apply changes such as context.controls, release.date, seed or parts.NAME.KEY."""
    content, lines = deepcopy(dict(given.content)), dict(given.lines)
    inside: dict[str, Any] = {}
    for key, value in changes.items():
        first, _, rest = key.partition(".")
        if first not in FORM.entries:
            raise InvalidSetting.among("The beginning of a change", first, FORM.entries)
        if first == "context" and rest:
            inside[rest] = typed(value)
            lines[("context", *rest.split("."))] = CHANGED
        elif first == "parts":
            lines[_change_part(content, rest, value)] = CHANGED
        else:
            path = key.split(".")
            _put(content, path, typed(value))
            lines[tuple(path)] = CHANGED
    if inside:
        content["context"] = changed_content(_listed(content.get("context"), given.folder, inside), inside)
    return Changed(given.source, given.folder, content, lines)


def typed(value: Any) -> Any:
    """A text of the command line as YAML would read it: numbers, lists, true and false, null.

    >>> typed("0.1"), typed("[5, 3]"), typed("high"), typed("yes"), typed("null")
    (0.1, [5, 3], 'high', 'yes', None)
    """
    if not isinstance(value, str) or value in {"yes", "no", "on", "off"}:
        return value
    try:
        found = yaml.safe_load(value)
    except yaml.YAMLError:
        return value
    return found if value.strip() else value


def _listed(context: Any, folder: Path, changes: Mapping[str, Any]) -> Any:
    """A checklist in a file of its own is read where one of its answers is changed."""
    if not isinstance(context, Mapping) or not any(key.startswith("checklist.") for key in changes):
        return context
    sheet = context.get("checklist")
    return {**context, "checklist": read_yaml(folder / sheet)} if isinstance(sheet, str) else context


def _change_part(content: dict[str, Any], rest: str, value: Any) -> KeyPath:
    """parts.NAME.KEY, where NAME is a part's name or its number."""
    name, _, key = rest.partition(".")
    parts = content.get("parts")
    if not isinstance(parts, list) or not key:
        raise InvalidSetting(f"parts.{rest} names no setting of a part.", hint="Write parts.NAME.KEY=value.")
    names = [str(part.get("name")) for part in parts if isinstance(part, Mapping)]
    if name not in names:
        raise InvalidSetting.among("The name of a part", name, names)
    at = names.index(name)
    parts[at] = dict(parts[at])
    path = key.split(".")
    _put(parts[at], path, typed(value))
    return ("parts", at, *path)


def _put(inside: dict[str, Any], path: list[str], value: Any) -> None:
    *folders, last = path
    for name in folders:
        below = inside.get(name)
        if below is not None and not isinstance(below, Mapping):
            raise InvalidSetting(
                f"{name} holds no settings with names of their own.", hint=f"Set it as a whole: {name}=..."
            )
        inside[name] = below = dict(below) if isinstance(below, Mapping) else {}
        inside = below
    inside[last] = value
