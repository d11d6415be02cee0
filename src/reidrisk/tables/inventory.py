"""The inventory of a table: each column that leaves, what happens to it, and whether it is measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reidrisk.core.inventory import METADATA, NO_SIGN, ORDER_OF_ROWS, ROLES, Inventory, InventoryItem
from reidrisk.core.schema import TREATMENTS, Schema
from reidrisk.engine.protocol import Table
from reidrisk.errors import InvalidSetting, UnknownColumn
from reidrisk.tables.column_kinds import kind_of_name
from reidrisk.tables.column_role import SAMPLE_ROWS, ColumnSuggestion, expressions, suggest_role

ITEMS = (ORDER_OF_ROWS, METADATA)
"""What leaves with a table beside its columns, as `other` may name it."""
SURE = ("certain", "likely")
STOPPING = {
    "direct identifier": "direct identifier",
    "quasi-identifier": "quasi-identifier",
    "text": "free text",
}
"""Suggested roles that stop a verdict if nobody mentioned the column."""
CODES = ("medical_record_number", "study_subject", "visit_number", "record_number")
"""Kinds of columns whose values may be codes that mean nothing outside the data."""
REPLACED = {"pseudonym": "replaced by a pseudonym", "number": "replaced by a number", "drop": "removed"}
PLAIN_FILES = (".csv", ".tsv", ".txt", ".gz", ".zst", ".json", ".jsonl")
"""Formats that contain the table and nothing else."""


@dataclass(frozen=True, slots=True)
class ColumnUse:
    """What a table command does to the columns, beside their roles."""

    treatments: Mapping[str, str] = field(default_factory=dict)
    """What happens to direct identifiers and the unit."""
    events: Sequence[str] = ()
    weights: str | None = None
    """The column of survey weights."""
    changed: Sequence[str] = ()
    """Columns that are derived, replaced by derived ones, or changed by a step."""
    dropped: Sequence[str] = ()
    """Columns without a role of their own that are not released, such as those of another layout."""
    writes: bool = False
    """Whether a new table is written; otherwise the table is released as it is."""
    keeps_order: bool = True
    """Whether the rows leave in the order of the source."""
    confirmed: bool = True
    """Whether a person confirmed the roles."""

    def __post_init__(self) -> None:
        for column, treatment in self.treatments.items():
            if treatment not in TREATMENTS:
                raise InvalidSetting.among(f"The treatment of {column!r}", str(treatment), TREATMENTS)


def check_accepted(columns: Sequence[str], schema: Schema, *, source: str) -> None:
    """Refuse a reason for something that does not leave with the table, such as a misspelled column."""
    for name in schema.other:
        if name not in columns and name not in ITEMS:
            raise UnknownColumn.among(name, [*columns, *ITEMS], source=source)


def table_inventory(table: Table, schema: Schema, use: ColumnUse | None = None) -> Inventory:
    """List everything that leaves with a table, and what the verdict does not cover.

    A column that nobody mentioned stops the verdict if it is likely or certain to be an identifier, or
    contains free text. Patterns are searched for in its first rows.
    """
    use = use or ColumnUse()
    check_accepted(table.columns, schema, source=table.source)
    listed = {one.item: one for one in _with_roles(schema, use)}
    unmentioned = [name for name in table.columns if name not in listed]
    suggested = _suggestions(table, unmentioned)
    columns = [listed.get(name) or _unmentioned(suggested[name]) for name in table.columns]
    derived = [one for name, one in listed.items() if name not in (*table.columns, *ITEMS)]
    return Inventory((*columns, *derived, *_beside_columns(table, schema, use)))


def _suggestions(table: Table, columns: Sequence[str]) -> dict[str, ColumnSuggestion]:
    """Suggest roles for the columns that nobody mentioned; the others are not read."""
    if not columns:
        return {}
    profiles = table.profiles(expressions(), sample_rows=SAMPLE_ROWS, only=columns)
    return {one.name: suggest_role(one) for one in profiles}


def _with_roles(schema: Schema, use: ColumnUse) -> Iterator[InventoryItem]:
    """Yield the columns that a person gave a role; a later entry replaces an earlier one."""
    for name, reason in schema.other.items():
        yield InventoryItem(name, "other", "kept", "accepted", reason)
    for name in (*use.dropped, *use.changed):
        done = "removed" if name in use.dropped else "changed by a step"
        yield InventoryItem(name, "other", done, "removed" if name in use.dropped else "measured", _BY_PLAN)
    if use.weights is not None:
        yield InventoryItem(
            use.weights, "survey weight", "kept", "measured", "used to estimate the population"
        )
    if schema.unit is not None:
        yield _unit(schema.unit, schema, use)
    for name in schema.sensitive:
        yield InventoryItem(name, "sensitive", "kept", "measured", "intruders want to learn it")
    for name in use.events:
        yield InventoryItem(name, "event", _done(use), "measured", "counted as an event that may be known")
    for name in schema.quasi:
        yield InventoryItem(name, "quasi-identifier", _done(use), "measured", "counted in the classes")
    for name in schema.text:
        yield _text(name, schema)
    for name in dict.fromkeys((*schema.direct, *use.treatments)):
        if name not in (*schema.quasi, *use.events):
            yield _direct(name, schema, use)


_BY_PLAN = "settled by the settings of this run"


def _done(use: ColumnUse) -> str:
    return "generalized or suppressed" if use.writes else "kept"


def _text(name: str, schema: Schema) -> InventoryItem:
    treatment = schema.text[name]
    if treatment == "drop":
        return InventoryItem(name, "text", "removed", "removed", "free text is not released")
    done = "identifiers replaced by the detector" if treatment == "deidentify" else "kept"
    if name in schema.other:
        return InventoryItem(name, "text", done, "accepted", schema.other[name])
    reason = "the recall of the detector on this text was not measured"
    return InventoryItem(
        name,
        "text",
        done,
        "unmeasured",
        reason if treatment == "deidentify" else "free text was not measured",
    )


def _direct(name: str, schema: Schema, use: ColumnUse) -> InventoryItem:
    treatment, role = use.treatments.get(name, "drop"), "direct identifier"
    if treatment != "keep":
        said = "" if use.writes else ", as stated; no table was written"
        role = "unit" if name == schema.unit else role
        return InventoryItem(name, role, REPLACED[treatment], "removed", f"{REPLACED[treatment]}{said}")
    if name in schema.other:
        return InventoryItem(name, role, "kept", "accepted", schema.other[name])
    return InventoryItem(name, role, "kept", "unmeasured", "a direct identifier is kept without a reason")


def _unit(name: str, schema: Schema, use: ColumnUse) -> InventoryItem:
    """The column of people: a code only links rows; a name or an insurance number is not a code."""
    if use.writes:
        return InventoryItem(name, "unit", REPLACED["number"], "removed", REPLACED["number"])
    match = kind_of_name(name)
    if match and match.kind.strong and match.kind.key not in CODES and name not in schema.other:
        return InventoryItem(
            name, "unit", "kept", "unmeasured", f"it would leave as it is, and seems to be {match.kind.says}"
        )
    reason = schema.other.get(name, "links the rows of one person; must be a code that nobody else knows")
    return InventoryItem(name, "unit", "kept", "accepted", reason)


def _unmentioned(found: ColumnSuggestion) -> InventoryItem:
    if found.confidence in SURE and found.role in STOPPING:
        reason = f"nobody mentioned it, and {found.reason}"
        return InventoryItem(found.name, STOPPING[found.role], "kept", "unmeasured", reason)
    return InventoryItem(found.name, "other", "kept", "accepted", NO_SIGN)


def _beside_columns(table: Table, schema: Schema, use: ColumnUse) -> Iterator[InventoryItem]:
    """Yield the order of the rows, the metadata of the file, and the roles if nobody confirmed them."""
    yield _order(schema, use)
    if not use.writes and _has_metadata(table.source):
        reason = schema.other.get(
            METADATA, "not examined; a file that reidrisk writes has none of the source"
        )
        yield InventoryItem(METADATA, "metadata", "kept", "accepted", reason)
    if not use.confirmed:
        reason = "roles were suggested and no person confirmed them; read them, then write confirmed: true"
        yield InventoryItem(ROLES, "suggestion", "kept", "unmeasured", reason)


def _order(schema: Schema, use: ColumnUse) -> InventoryItem:
    stated = schema.other.get(ORDER_OF_ROWS)
    if not use.keeps_order:
        return InventoryItem(
            ORDER_OF_ROWS, "order", "random", "removed", "it follows from the released rows alone"
        )
    if use.writes and stated is None:
        reason = "rows in the order of the source can be joined with another release of the same data"
        return InventoryItem(ORDER_OF_ROWS, "order", "kept", "unmeasured", reason)
    reason = stated or "the table is released as it is; rows of another release in this order could be joined"
    return InventoryItem(ORDER_OF_ROWS, "order", "kept", "accepted", reason)


def _has_metadata(source: str) -> bool:
    """Whether a file may contain more than its table, such as an author or other sheets."""
    suffix = Path(source.partition("?")[0]).suffix.lower()
    return bool(suffix) and suffix not in PLAIN_FILES and "://" not in source


def identifiers_among(items: Iterable[InventoryItem]) -> tuple[str, ...]:
    """Return the unmentioned columns that stop a verdict and that could be left out."""
    found = (one for one in items if one.status == "unmeasured" and one.treatment == "kept")
    return tuple(one.item for one in found if one.role in STOPPING.values())
