"""The roles of the columns of a table part: what the release file says, what is suggested, and changes.

Every column gets a role before a person confirms them: nothing leaves that nobody has named.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from reidrisk.assess.drafting import draft_parts
from reidrisk.assess.editing import REMOVED, edit_release
from reidrisk.assess.paths import is_inside
from reidrisk.assess.sketch import DraftedColumn
from reidrisk.core.schema import TEXT_TREATMENTS, TREATMENTS
from reidrisk.core.trail import RELEASE_FILE
from reidrisk.core.wording import path_text
from reidrisk.core.yaml_file import KeyPath, read_yaml
from reidrisk.errors import BadData, InvalidSetting, UnknownColumn
from reidrisk.tables.hierarchy.draft import suppressed_hierarchy

OPEN, QUASI, SENSITIVE, EVENT, UNIT, OTHER = "open", "quasi", "sensitive", "event", "unit", "other"
DROP = "direct:drop"
ROLE_WORDS: Mapping[str, str] = {
    QUASI: "quasi-identifier",
    DROP: "direct: drop",
    "direct:number": "direct: number instead",
    "direct:pseudonym": "direct: pseudonym instead",
    "direct:keep": "direct: kept on purpose",
    SENSITIVE: "sensitive",
    "text:drop": "free text: drop",
    "text:deidentify": "free text: de-identify",
    "text:keep": "free text: kept on purpose",
    EVENT: "event",
    UNIT: "person or visit",
    OTHER: "other",
}
"""Every role that a column can have in a release file."""
ROLE_MEANINGS: Mapping[str, str] = {
    "quasi-identifier": "Others may know it about a person, such as sex, age or place. It is measured.",
    "direct": "It identifies a person or numbers a record, or nobody needs it.",
    "sensitive": "Others do not know it, but would learn it about a person who is recognized.",
    "free text": "Sentences, which may name anybody.",
    "event": "Others may know one of its values of a person who has several rows.",
    "person or visit": "Rows with the same value belong to one person or visit.",
    "other": "It may leave without being measured, for a reason that every report prints.",
}
_DRAFTED = {"direct": DROP, "dropped": DROP, "text": "text:drop"}
_OF_EVENTS = ("events", "known", "count_events")


@dataclass(frozen=True, slots=True)
class ColumnRole:
    """A column, its role in the release file, and the role that is suggested."""

    name: str
    role: str
    """A key of ROLE_WORDS, or `open`: nobody has named it."""
    suggested: str
    """A key of ROLE_WORDS."""
    seems: str
    """What the column seems to be, in the words of the field."""
    confidence: str
    reason: str
    why: str | None = None
    """Of role `other`: why it may leave without being measured."""

    @property
    def chosen(self) -> str:
        """The role in the release file, or the suggested one."""
        return self.suggested if self.role == OPEN else self.role


@dataclass(frozen=True, slots=True)
class PartRoles:
    """The columns of a table part."""

    part: str
    confirmed: bool
    columns: tuple[ColumnRole, ...]
    config: str | None = None
    """The file that has the roles instead; they are changed there."""

    @property
    def open(self) -> tuple[str, ...]:
        """Columns that nobody has named."""
        return tuple(one.name for one in self.columns if one.role == OPEN)

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {"kind": "part_roles", **json.loads(json.dumps(asdict(self))), "open": list(self.open)}

    def __str__(self) -> str:
        lines = [f"{self.part}: {'confirmed' if self.confirmed else 'not confirmed yet'}"]
        lines += [f"  The roles are in {self.config}."] if self.config else []
        width = max((len(one.name) for one in self.columns), default=0)
        lines += [
            f"  {one.name:<{width}}  {one.role if one.role != OPEN else f'open, suggested: {one.suggested}'}"
            f" ({one.seems}, {one.confidence}: {one.reason})"
            for one in self.columns
        ]
        return "\n".join(lines)


def part_roles(folder: str | Path, part: str) -> PartRoles:
    """The roles of a part of the release in a folder; suggestions are made once for every table."""
    place = Path(folder)
    settings = _settings(place, part)
    confirmed = settings.get("confirmed", True) is True
    if settings.get("config") is not None:
        return PartRoles(part, confirmed, (), str(settings["config"]))
    table = place / str(settings.get("table", ""))
    if not is_inside(table, place) or not table.is_file():
        raise InvalidSetting(
            f"{path_text(settings.get('table', ''))} is not a file in the folder of the release.",
            hint="Write the roles into the release file.",
        )
    drafted = draft_parts(place, [table])
    columns = next((one.columns for one in drafted.parts if one.kind == "table"), None)
    if columns is None:
        reason = drafted.unknown[0] if drafted.unknown else None
        raise BadData(
            reason.problem if reason else f"The table of {part} is taken for something else.",
            hint=reason.hint if reason else "Write the roles into the release file.",
        )
    has_unit = settings.get("unit") is not None
    return PartRoles(part, confirmed, tuple(_column(one, settings, has_unit=has_unit) for one in columns))


def set_roles(
    folder: str | Path,
    part: str,
    roles: Mapping[str, str],
    *,
    reasons: Mapping[str, str] | None = None,
    confirm: bool = False,
    expected_sha256: str,
) -> str:
    """Change roles of columns, and with `confirm` say that a person has read all of them.

    A column that is still open gets its suggested role when the part is confirmed. `reasons` say why
    columns of role `other` may leave without being measured. Returns the new hash of the release file;
    refused if it is not the expected one, as by `edit_release`.
    """
    place = Path(folder)
    found = part_roles(place, part)
    names = [one.name for one in found.columns]
    for name in roles:
        if name not in names:
            raise UnknownColumn.among(name, names, source=f"The table of {part}")
    wanted = dict(roles)
    if confirm:
        wanted = {**{one.name: one.suggested for one in found.columns if one.role == OPEN}, **wanted}
    why = {one.name: one.reason for one in found.columns} | dict(reasons or {})
    changes = role_changes(_settings(place, part), found.columns, wanted, why)
    if confirm:
        changes["confirmed"] = True
    paths: dict[KeyPath, Any] = {("parts", part, key): value for key, value in changes.items()}
    return edit_release(place / RELEASE_FILE, paths, expected_sha256=expected_sha256)


def role_changes(
    settings: Mapping[str, Any],
    columns: Sequence[ColumnRole],
    wanted: Mapping[str, str],
    why: Mapping[str, str],
) -> dict[str, Any]:
    """The settings of a part that change with the roles of some columns, by their keys."""
    now = {one.name: one.role for one in columns}
    moved = {name: role for name, role in wanted.items() if role != now[name]}
    new = _Lists.of(settings)
    for name, role in moved.items():
        if role not in ROLE_WORDS:
            raise InvalidSetting.among(f"The role of {name!r}", role, ROLE_WORDS)
        new.remove(name)
    units = [name for name, role in moved.items() if role == UNIT]
    if len(units) + (new.unit is not None) > 1:
        raise InvalidSetting(
            "Only one column can say which rows are one person or visit.",
            hint="Give the other column another role first.",
        )
    for name, role in moved.items():
        new.add(name, role, why.get(name, ""), may_suppress=settings.get("deidentify") is True)
    for name in (name for name, role in wanted.items() if role == OTHER and role == now[name]):
        if why.get(name, "").strip():
            new.other[name] = why[name].strip()
    return new.changes(settings)


@dataclass(slots=True)
class _Lists:
    """The settings that have roles, while columns are moved between them."""

    quasi: list[str]
    sensitive: list[str]
    events: list[str]
    direct: dict[str, str]
    text: dict[str, str]
    other: dict[str, str]
    unit: str | None
    reduce: dict[str, Any]
    hierarchies: dict[str, Any] | None
    """None if they are in a file of their own."""

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> _Lists:
        hierarchies = settings.get("hierarchies")
        return cls(
            quasi=_list(settings.get("quasi")),
            sensitive=_list(settings.get("sensitive")),
            events=_list(settings.get("events")),
            direct=_mapping(settings.get("direct")),
            text=_mapping(settings.get("text")),
            other=_mapping(settings.get("other")),
            unit=None if settings.get("unit") is None else str(settings["unit"]),
            reduce=dict(settings.get("reduce") or {}),
            hierarchies=dict(hierarchies or {}) if isinstance(hierarchies, Mapping | None) else None,
        )

    def remove(self, name: str) -> None:
        for names in (self.quasi, self.sensitive, self.events):
            if name in names:
                names.remove(name)
        for found in (self.direct, self.text, self.other, self.reduce, self.hierarchies or {}):
            found.pop(name, None)
        self.unit = None if self.unit == name else self.unit

    def add(self, name: str, role: str, why: str, *, may_suppress: bool) -> None:
        group, _, treatment = role.partition(":")
        if group in ("direct", "text"):
            (self.direct if group == "direct" else self.text)[name] = treatment
        elif role == OTHER:
            self.other[name] = why.strip()
        elif role == UNIT:
            self.unit = name
        else:
            {QUASI: self.quasi, SENSITIVE: self.sensitive, EVENT: self.events}[role].append(name)
        if role in (QUASI, EVENT) and may_suppress and self.hierarchies is not None:
            self.hierarchies[name] = dict(suppressed_hierarchy(name).settings)

    def changes(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        before, found = _Lists.of(settings), {}
        for key in (
            "quasi",
            "sensitive",
            "events",
            "direct",
            "text",
            "other",
            "unit",
            "reduce",
            "hierarchies",
        ):
            value = getattr(self, key)
            if value != getattr(before, key):
                is_empty = not value and key != "quasi"
                found[key] = REMOVED if is_empty else value
        if found.get("events") is REMOVED:
            found |= {key: REMOVED for key in _OF_EVENTS if key in settings}
        return {key: value for key, value in found.items() if value is not REMOVED or key in settings}


def _list(given: Any) -> list[str]:
    return [given] if isinstance(given, str) else [str(one) for one in given or ()]


def _mapping(given: Any) -> dict[str, str]:
    if isinstance(given, Mapping):
        return {str(name): str(value) for name, value in given.items()}
    return dict.fromkeys(_list(given), "drop")


def _settings(folder: Path, part: str) -> Mapping[str, Any]:
    content = read_yaml(folder / RELEASE_FILE)
    parts = content.get("parts") if isinstance(content, Mapping) else None
    listed = [one for one in parts if isinstance(one, Mapping)] if isinstance(parts, list) else []
    for one in listed:
        if one.get("name") == part and one.get("kind") == "table":
            return one
    tables = [str(one.get("name")) for one in listed if one.get("kind") == "table"]
    raise InvalidSetting.among("The name of a table part", part, tables)


def _column(one: DraftedColumn, settings: Mapping[str, Any], *, has_unit: bool) -> ColumnRole:
    lists = _Lists.of(settings)
    role = _role_of(one.name, lists)
    return ColumnRole(
        name=one.name,
        role=role,
        suggested=_suggested(one, has_unit=has_unit),
        seems=one.suggested,
        confidence=one.confidence,
        reason=one.reason,
        why=lists.other.get(one.name),
    )


def _role_of(name: str, lists: _Lists) -> str:
    if name == lists.unit:
        return UNIT
    if lists.direct.get(name) in TREATMENTS:
        return f"direct:{lists.direct[name]}"
    if lists.text.get(name) in TEXT_TREATMENTS:
        return f"text:{lists.text[name]}"
    groups = {QUASI: lists.quasi, EVENT: lists.events, SENSITIVE: lists.sensitive, OTHER: lists.other}
    return next((role for role, names in groups.items() if name in names), OPEN)


def _suggested(one: DraftedColumn, *, has_unit: bool) -> str:
    """The drafted role; what the draft leaves open is dropped if it may be known to others, else it is other.

    A column that others may know can only count where every record is a row: otherwise it may vary within a
    person, which a person must look into.
    """
    if one.role != OPEN:
        return _DRAFTED.get(one.role, one.role)
    if one.suggested != "quasi-identifier":
        return OTHER
    return DROP if has_unit else QUASI
