"""Columns that a rule reduces to one value per person, and the rows that this overwrites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from reidrisk.core.schema import Schema
from reidrisk.core.wording import plural
from reidrisk.tables.deidentify.prepare import PreparedTable


@dataclass(frozen=True, slots=True)
class ReducedColumn:
    """A column that varies within people and is released with one value per person."""

    column: str
    rule: str
    people: int
    """Number of people within whom it varies."""
    rows_changed: int
    """Number of rows that get a value other than their own."""
    rows: int

    @property
    def note(self) -> str:
        """Say what is overwritten, and how to keep it."""
        who = "1 person" if self.people == 1 else f"{self.people:,} people"
        return (
            f"--reduce {self.column}={self.rule} overwrites {self._rows} with the {self.rule} value of the "
            f"person, within {who}; if rows describe events such as visits, name the column with --events "
            f"{self.column} instead, which keeps the value of each row"
        )

    @property
    def done(self) -> str:
        """What the rows contain, for the codebook; a shared one leaves out what follows the colon."""
        return f"every row has the {self.rule} value of the person: {self._rows} overwritten"

    @property
    def _rows(self) -> str:
        return f"{plural(self.rows_changed, 'row')} of {self.rows:,}"

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return asdict(self)


def reduced_columns(
    prepared: PreparedTable, schema: Schema, quasi: Sequence[str]
) -> tuple[ReducedColumn, ...]:
    """Count the rows that each rule for a released quasi-identifier overwrites."""
    rules = {name: rule for name, rule in schema.reduce.items() if name in quasi}
    if schema.unit is None or not rules:
        return ()
    changed = prepared.table.rows.overwritten(prepared.records, schema.unit, rules)
    people = prepared.table.varying(schema.unit, rules)
    return tuple(
        ReducedColumn(name, rule, people[name], changed[name], prepared.rows) for name, rule in rules.items()
    )
