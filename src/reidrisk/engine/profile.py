"""What the columns of a table look like: types, distinct values, empty cells and patterns, never a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from reidrisk.engine.classes import MOMENTS, NUMBERS, count_distinct, count_nulls, count_rows
from reidrisk.engine.failures import without_values
from reidrisk.engine.names import literal, quoted
from reidrisk.engine.table import Table

Shape = Literal["text", "whole number", "number", "date", "yes or no", "other"]
AT_ONCE = 16
"""Columns in one query, so that wide tables do not need all their values in memory together."""
WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """One column in counts."""

    name: str
    type: str
    """As the engine calls it."""
    rows: int
    distinct: int
    """Values that differ; an empty cell is none."""
    missing: int
    looked_at: int = 0
    """Filled cells of the sample in which patterns were sought."""
    patterns: Mapping[str, int] = field(default_factory=dict)
    """How many of them have each pattern."""

    @property
    def filled(self) -> int:
        """Cells with a value."""
        return self.rows - self.missing

    @property
    def shape(self) -> Shape:
        """The family of the type."""
        return shape_of(self.type)

    @property
    def distinct_share(self) -> float:
        """Distinct values for each filled cell; 1 if no two cells are alike, 0 without any."""
        return self.distinct / self.filled if self.filled else 0.0

    def share(self, pattern: str) -> float:
        """Share of the cells looked at that have the pattern."""
        return self.patterns.get(pattern, 0) / self.looked_at if self.looked_at else 0.0


def shape_of(kind: str) -> Shape:
    """The family of an engine type.

    >>> [shape_of(kind) for kind in ("VARCHAR", "UBIGINT", "DECIMAL(9,2)", "TIMESTAMP WITH TIME ZONE")]
    ['text', 'whole number', 'number', 'date']
    """
    plain = kind.removeprefix("U")
    if kind.endswith("]"):
        return "other"
    if kind.startswith(("VARCHAR", "ENUM", "UUID")):
        return "text"
    if plain.startswith(WHOLE):
        return "whole number"
    if plain.startswith(NUMBERS):
        return "number"
    if kind.startswith(MOMENTS):
        return "date"
    return "yes or no" if kind == "BOOLEAN" else "other"


def column_profiles(
    table: Table, patterns: Mapping[str, str], *, sample_rows: int, only: Sequence[str] | None = None
) -> tuple[ColumnProfile, ...]:
    """Every column: distinct values and empty cells over all rows, patterns over the first rows.

    `patterns` are regular expressions by name, sought in texts and whole numbers. `only` names the columns
    to look at, if not all.
    """
    rows = count_rows(table)
    found: list[ColumnProfile] = []
    with without_values(table.source), table.session.kept_for_now(table.relation.limit(sample_rows)) as head:
        sample = table.derived(head, note="the first rows")
        for names in _batches(table.columns if only is None else only):
            nulls, distinct = count_nulls(table, names), count_distinct(table, names)
            seen = _patterns(sample, names, patterns)
            for name in names:
                values = distinct[name] - (nulls[name] > 0)
                found.append(ColumnProfile(name, table.types[name], rows, values, nulls[name], *seen[name]))
    return tuple(found)


def _batches(columns: Sequence[str]) -> Iterator[Sequence[str]]:
    for at in range(0, len(columns), AT_ONCE):
        yield columns[at : at + AT_ONCE]


def _patterns(
    sample: Table, columns: Sequence[str], patterns: Mapping[str, str]
) -> dict[str, tuple[int, dict[str, int]]]:
    sought = [name for name in columns if shape_of(sample.types[name]) in ("text", "whole number")]
    parts = [f"count({quoted(name)})" for name in sought]
    for name in sought:
        text = f"trim(CAST({quoted(name)} AS VARCHAR))"
        parts += [
            f"count(*) FILTER (WHERE regexp_matches({text}, {literal(pattern)}))"
            for pattern in patterns.values()
        ]
    numbers = sample.relation.aggregate(", ".join(parts)).fetchone() if parts else ()
    filled, counts = list(numbers or ())[: len(sought)], list(numbers or ())[len(sought) :]
    found: dict[str, tuple[int, dict[str, int]]] = {name: (0, {}) for name in columns}
    for place, name in enumerate(sought):
        own = counts[place * len(patterns) : (place + 1) * len(patterns)]
        found[name] = filled[place], dict(zip(patterns, own, strict=True))
    return found
