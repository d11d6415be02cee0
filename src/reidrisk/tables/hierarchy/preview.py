"""Preview the levels of hierarchies on a table before you choose any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.about import own_version, versions
from reidrisk.core.limits import Limits, limited
from reidrisk.core.reading import TableReading
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.engine.opening import open_table
from reidrisk.engine.protocol import Table
from reidrisk.errors import InvalidSetting, UnknownColumn
from reidrisk.stats.arrays import Ints
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.levels import Levels
from reidrisk.tables.hierarchy.matching import written
from reidrisk.tables.hierarchy.readable import with_readable

MOST_EXAMPLES = 5
REASONS = (Reason("This preview of hierarchies does not decide about a release.", holds=True),)


@dataclass(frozen=True, slots=True)
class LevelPreview:
    """A column at one level."""

    level: str
    number: int
    values: int
    """Number of distinct values, including a missing one."""
    smallest_group: int
    """Number of rows with the rarest value."""
    share_below_cell_size: float
    """Share of rows whose value occurs less often than the cell size."""
    allowed: bool
    """Whether the level is between the minimum and the maximum acceptable generalization."""
    examples: tuple[str, ...]
    """Frequent labels; a label with fewer rows than the cell size is never shown."""


@dataclass(frozen=True, slots=True)
class ColumnPreview:
    """The levels of one column."""

    column: str
    max_level: str | None
    """The maximum acceptable generalization."""
    min_level: str | None
    reason: str
    levels: tuple[LevelPreview, ...]


@dataclass(frozen=True)
class HierarchyPreview(Result):
    """The levels of the hierarchies for the columns of one table."""

    _main_table = "columns"
    columns: tuple[ColumnPreview, ...]
    rows: int
    cell_size: int
    table: str
    """Source of the table."""
    notes: tuple[str, ...] = ()

    @property
    def acceptable(self) -> bool:
        """Always False: a preview decides nothing."""
        return False

    def to_dict(self) -> dict[str, Any]:
        """Return everything a report needs, as JSON types."""
        return {
            "kind": "table_hierarchies",
            "version": own_version(),
            "acceptable": None,
            "settings": {
                "table": self.table,
                "cell_size": self.cell_size,
                "read_as": list(self.notes),
            },
            "seed": None,
            "versions": versions(),
            "reasons": texts(REASONS),
            "holds": holds(REASONS),
            "rows": self.rows,
            "columns": [_listed(column) for column in self.columns],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True, eq=False)
class CountedValues:
    """The distinct values of some columns and their numbers of rows: enough to preview any hierarchy.

    Counting takes a second or more; a preview from it does not, so that an editor can show every change.
    """

    columns: Mapping[str, tuple[NDArray[np.object_], Ints]] = field(repr=False)
    rules: Mapping[str, type]
    """By column: the kind of hierarchy that it was read for."""
    source: str
    notes: tuple[str, ...] = ()

    def serves(self, hierarchies: Mapping[str, Hierarchy]) -> bool:
        """Whether the columns were read as these hierarchies need them."""
        return all(self.rules.get(name) is type(one.rule) for name, one in hierarchies.items())


@limited
def count_values(
    table: Any,
    hierarchies: Mapping[str, Hierarchy],
    *,
    reading: TableReading | None = None,
    limits: Limits | None = None,  # noqa: ARG001 - for the decorator
) -> CountedValues:
    """Count the values of the columns that have a hierarchy, once for many previews."""
    if not hierarchies:
        raise InvalidSetting("There is no hierarchy to show.", hint="Name a file or folder of hierarchies.")
    with open_table(table, reading=reading) as source:
        for column in hierarchies:
            if column not in source.columns:
                raise UnknownColumn.among(column, source.columns, source=source.source)
        opened = with_readable(source, hierarchies, hierarchies)
        counted = {name: _counted(opened, name) for name in hierarchies}
        rules = {name: type(one.rule) for name, one in hierarchies.items()}
        return CountedValues(counted, rules, opened.source, opened.notes)


def _counted(table: Table, column: str) -> tuple[NDArray[np.object_], Ints]:
    tuples = table.tuples([column])
    [values] = tuples.values
    counts = np.zeros(values.size, dtype=np.int64)
    counts[tuples.codes[:, 0]] = tuples.counts
    return values, counts


@limited
def preview_hierarchies(
    table: Any,
    hierarchies: Mapping[str, Hierarchy],
    *,
    cell_size: int = 5,
    reading: TableReading | None = None,
    limits: Limits | None = None,  # noqa: ARG001 - for the decorator
) -> HierarchyPreview:
    """Count the values at each level and how rare they are, with examples of frequent ones.

    `table` may be the result of `count_values`: then no data are read.

    >>> import pyarrow as pa
    >>> from reidrisk import Hierarchy
    >>> ages = pa.table({"age": [*range(20, 60)]})
    >>> shown = preview_hierarchies(ages, {"age": Hierarchy.numbers("age", [10, 20])}).to_dict()
    >>> [(level["level"], level["values"]) for level in shown["columns"][0]["levels"]]
    [('exact', 40), ('width 10', 4), ('width 20', 2), ('suppressed', 1)]
    """
    if cell_size < 1:
        raise InvalidSetting(
            f"A cell size must be 1 or more, not {cell_size}.", hint="5 and 11 are in common use."
        )
    if not hierarchies:
        raise InvalidSetting("There is no hierarchy to show.", hint="Name a file or folder of hierarchies.")
    counted = table if isinstance(table, CountedValues) else count_values(table, hierarchies, reading=reading)
    for column in hierarchies:
        if column not in counted.columns:
            raise UnknownColumn.among(column, list(counted.columns), source=counted.source)
    found = [_column(counted.columns[name], one, cell_size) for name, one in hierarchies.items()]
    return HierarchyPreview(
        tuple(column for column, _ in found), found[0][1], cell_size, counted.source, counted.notes
    )


def _column(
    counted: tuple[NDArray[np.object_], Ints], hierarchy: Hierarchy, cell_size: int
) -> tuple[ColumnPreview, int]:
    values, counts = counted
    levels = hierarchy.on(values, counts)
    recoding, names = levels.recoding, levels.names
    shown = ColumnPreview(
        hierarchy.column,
        None if recoding.highest is None else names[recoding.highest],
        names[recoding.lowest] if recoding.lowest else None,
        hierarchy.reason,
        tuple(_level(levels, number, counts, cell_size) for number in range(len(names))),
    )
    return shown, int(counts.sum())


def _level(levels: Levels, number: int, counts: Ints, cell_size: int) -> LevelPreview:
    codes, recoding = levels.recoding.levels[number], levels.recoding
    different, first, places = np.unique(codes, return_index=True, return_inverse=True)
    groups = np.bincount(places.reshape(-1), weights=counts, minlength=different.size).astype(np.int64)
    below = int(groups[groups < cell_size].sum())
    labels = levels.labels[number][first]
    frequent = np.argsort(-groups, kind="stable")[: MOST_EXAMPLES + 1]
    examples = [written(labels[at]) for at in frequent if groups[at] >= cell_size and labels[at] is not None]
    return LevelPreview(
        level=levels.names[number],
        number=number,
        values=int(different.size),
        smallest_group=int(groups.min()) if groups.size else 0,
        share_below_cell_size=below / max(int(counts.sum()), 1),
        allowed=recoding.lowest <= number <= recoding.top,
        examples=tuple(examples[:MOST_EXAMPLES]),
    )


def _listed(column: ColumnPreview) -> dict[str, Any]:
    levels = [{**asdict(level), "examples": list(level.examples)} for level in column.levels]
    return {**asdict(column), "levels": levels}
