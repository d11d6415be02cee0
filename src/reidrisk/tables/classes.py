"""The riskiest equivalence classes of a table, and why each of them is so small.

A class is explained by what an intruder learns step by step: how many records share its sex, how many of
these its age, and so on. Values are not part of a result unless they are requested.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from reidrisk.core.about import own_version, versions
from reidrisk.core.limits import Limits, limited
from reidrisk.core.reading import TableReading
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.schema import Roles, Schema
from reidrisk.core.wording import percent, plural
from reidrisk.engine.opening import open_table
from reidrisk.engine.plans import DistinctTuples
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints
from reidrisk.stats.grouping import grouped, packed
from reidrisk.tables.deidentify.describe import label_text
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.prepare import check_columns, prepare
from reidrisk.tables.deidentify.problem import build_levels, tuples_of
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.readable import with_readable
from reidrisk.tables.risk import check_known, records_of

MOST_CLASSES = 1000


@dataclass(frozen=True, slots=True)
class ClassStep:
    """One more thing that an intruder knows."""

    column: str
    records: int
    """Records that still match."""
    value: str | None = None
    """The value of the class in this column; None unless values were requested."""


@dataclass(frozen=True, slots=True)
class RiskyClass:
    """One equivalence class and how it becomes so small."""

    number: int
    """Its rank; the same for the same table and columns."""
    records: int
    steps: tuple[ClassStep, ...]

    @property
    def risk(self) -> float:
        """The risk of each of its records."""
        return 1 / self.records

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "number": self.number,
            "records": self.records,
            "risk": self.risk,
            "steps": [asdict(step) for step in self.steps],
        }


@dataclass(frozen=True)
class RiskyClasses(Result):
    """The smallest equivalence classes, the most exposed first."""

    _main_table = "classes"
    classes: tuple[RiskyClass, ...]
    table: str
    quasi: tuple[str, ...]
    unit: str | None
    records: int
    cell_size: int
    below: tuple[int, int]
    """Number of classes smaller than the cell size, and of their records."""
    values: bool
    notes: tuple[str, ...] = ()
    levels: Mapping[str, int] = field(default_factory=dict)
    """The numbers of the levels to which columns were generalized first."""

    @property
    def acceptable(self) -> bool:
        """Always False: this list decides nothing."""
        return False

    def to_dict(self) -> dict[str, Any]:
        """Return everything a report needs, as JSON types."""
        reasons = self._reasons()
        return {
            "kind": "table_classes",
            "version": own_version(),
            "acceptable": None,
            "settings": {
                "table": self.table,
                "quasi": list(self.quasi),
                "unit": self.unit,
                "cell_size": self.cell_size,
                "levels": dict(self.levels),
                "values": self.values,
                "read_as": list(self.notes),
            },
            "seed": None,
            "versions": versions(),
            "reasons": texts(reasons),
            "holds": holds(reasons),
            "records": self.records,
            "classes_below": self.below[0],
            "records_below": self.below[1],
            "classes": [one.to_dict() for one in self.classes],
            "notes": list(self.notes),
        }

    def _reasons(self) -> list[Reason]:
        number, records = self.below
        share = percent(records / self.records)
        classes = "1 class" if number == 1 else f"{number:,} classes"
        found = [
            f"Of {plural(self.records, 'record')}, {records:,} ({share}) are in {classes} smaller than "
            f"{self.cell_size}."
        ]
        if self.classes:
            worst = self.classes[0]
            found.append(
                f"Class {worst.number} has {plural(worst.records, 'record')}, a risk of 1/{worst.records:,}."
            )
        return [Reason(text, None) for text in found]


@dataclass(frozen=True, slots=True, eq=False)
class CountedClasses:
    """The distinct combinations of a table, counted once, to list and explain classes from."""

    tuples: DistinctTuples = field(repr=False)
    table: str
    unit: str | None
    notes: tuple[str, ...] = ()
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict, repr=False)

    def riskiest(
        self,
        *,
        columns: Sequence[str] | None = None,
        levels: Mapping[str, int] | None = None,
        cell_size: int = 5,
        most: int = 20,
        only: int | None = None,
        values: bool = False,
    ) -> RiskyClasses:
        """List the smallest classes of some columns, in the order in which an intruder learns them.

        `levels` generalizes columns first, by the number of a level of their hierarchies.
        `only` is the number of one class to explain. `values` adds what the records have in each column.
        """
        _check(cell_size, most, only)
        tuples = self.tuples if columns is None else tuples_of(self.tuples, columns)
        if levels:
            tuples = _generalized(tuples, self.hierarchies, levels)
        alike = _alike(tuples)
        order = np.lexsort((*alike.T[:-1][::-1], alike.sum(axis=1), tuples.counts))
        small = tuples.counts < cell_size
        wanted = range(1, min(most, len(order)) + 1) if only is None else (only,)
        if only is not None and only > len(order):
            raise InvalidSetting(
                f"There are {len(order):,} classes, so none has the number {only:,}.", hint="Choose one."
            )
        found = tuple(_explained(tuples, alike, int(order[at - 1]), at, values=values) for at in wanted)
        return RiskyClasses(
            found,
            self.table,
            tuples.columns,
            self.unit,
            tuples.records,
            cell_size,
            (int(small.sum()), int(tuples.counts[small].sum())),
            values,
            self.notes,
            dict(levels or {}),
        )


def _generalized(
    tuples: DistinctTuples, hierarchies: Mapping[str, Hierarchy], levels: Mapping[str, int]
) -> DistinctTuples:
    """The tuples after generalization; equal ones are merged."""
    built = build_levels(tuples, hierarchies, {})
    codes, values = tuples.codes.copy(), list(tuples.values)
    for column, level in levels.items():
        if column not in tuples.columns:
            raise InvalidSetting.among("A quasi-identifier with levels", column, tuples.columns)
        own, place = built[column], tuples.columns.index(column)
        if not 0 <= level < len(own.names):
            raise InvalidSetting(
                f"{column} has no level {level}.", hint=f"Its levels are 0 to {len(own.names) - 1}."
            )
        general = own.recoding.levels[level]
        codes[:, place] = general[tuples.codes[:, place]]
        labels = np.empty(int(general.max(initial=0)) + 1, dtype=object)
        labels[general] = own.labels[level]
        values[place] = labels
    merged = grouped(codes, tuples.counts)
    return DistinctTuples(tuples.columns, tuple(values), merged.codes, merged.counts)


def _check(cell_size: int, most: int, only: int | None) -> None:
    if cell_size < 1:
        raise InvalidSetting(f"A cell size must be 1 or more, not {cell_size}.", hint="5 is in common use.")
    if not 1 <= most <= MOST_CLASSES:
        raise InvalidSetting(f"From 1 to {MOST_CLASSES:,} classes can be listed.", hint="20 are usual.")
    if only is not None and only < 1:
        raise InvalidSetting("Classes are numbered from 1.", hint="The first is the riskiest.")


def _alike(tuples: DistinctTuples) -> Ints:
    """By tuple and number of columns known, in their order: how many records match."""
    found = np.empty(tuples.codes.shape, dtype=np.int64)
    for width in range(1, tuples.codes.shape[1] + 1):
        _, of = np.unique(packed(tuples.codes, range(width)), return_inverse=True)
        found[:, width - 1] = np.bincount(of, weights=tuples.counts).astype(np.int64)[of]
    return found


def _explained(tuples: DistinctTuples, alike: Ints, at: int, number: int, *, values: bool) -> RiskyClass:
    steps = tuple(
        ClassStep(
            column,
            int(alike[at, place]),
            label_text(tuples.values[place][tuples.codes[at, place]]) if values else None,
        )
        for place, column in enumerate(tuples.columns)
    )
    return RiskyClass(number, int(tuples.counts[at]), steps)


@limited
def count_classes(  # noqa: PLR0913 - the data, their roles, how they are read
    table: Any,
    schema: Roles | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    *,
    quasi: Sequence[str] | None = None,
    direct: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    unit: str | None = None,
    options: DeidentifyOptions | None = None,
    seed: int = 7,
    reading: TableReading | None = None,
    limits: Limits | None = None,  # noqa: ARG001 - for the decorator
) -> CountedClasses:
    """Count the distinct combinations of the quasi-identifiers once, for `CountedClasses.riskiest`.

    `schema` lists the quasi-identifiers, or is a `Schema`; instead of it, name the columns by role. With
    `options`, the table is prepared as for a de-identification, with its derived variables.

    >>> import pyarrow as pa
    >>> counted = count_classes(pa.table({"age": [34, 34, 51], "sex": ["F", "F", "M"]}), ["age", "sex"])
    >>> [row["records"] for row in counted.riskiest().to_dict()["classes"]]
    [1, 2]
    """
    schema = Schema.of(schema, quasi=quasi, direct=direct, sensitive=sensitive, unit=unit)
    with open_table(table, reading=reading) as opened:
        if options is None:
            check_known(opened, schema.columns)
            records = records_of(with_readable(opened, hierarchies or {}, schema.quasi), schema, ())
            tuples = records.tuples(schema.quasi)
        else:
            check_columns(opened.columns, schema, options, source=opened.source)
            tuples = prepare(opened, schema, options, seed=seed, hierarchies=hierarchies).tuples
        return CountedClasses(tuples, opened.source, schema.unit, opened.notes, hierarchies or {})


@limited
def risky_classes(  # noqa: PLR0913 - as `count_classes`, and what to list
    table: Any,
    schema: Roles | None = None,
    *,
    quasi: Sequence[str] | None = None,
    unit: str | None = None,
    cell_size: int = 5,
    most: int = 20,
    values: bool = False,
    reading: TableReading | None = None,
    limits: Limits | None = None,
) -> RiskyClasses:
    """List the smallest equivalence classes, and for each how every further column narrows it down.

    Without `values`, the result names columns and counts only.

    >>> import pyarrow as pa
    >>> table = pa.table({"age": [34, 34, 51], "sex": ["F", "F", "M"]})
    >>> risky_classes(table, ["age", "sex"], cell_size=2)
    <RiskyClasses: Riskiest classes; records: 3; in small classes: 1>
    """
    counted = count_classes(table, schema, quasi=quasi, unit=unit, reading=reading, limits=limits)
    return counted.riskiest(cell_size=cell_size, most=most, values=values)


@limited
def explain_class(  # noqa: PLR0913 - as `risky_classes`
    table: Any,
    schema: Roles | None = None,
    number: int = 1,
    *,
    quasi: Sequence[str] | None = None,
    unit: str | None = None,
    cell_size: int = 5,
    values: bool = False,
    reading: TableReading | None = None,
    limits: Limits | None = None,
) -> RiskyClasses:
    """Explain one class by its number in the list of `risky_classes`.

    >>> import pyarrow as pa
    >>> table = pa.table({"age": [34, 34, 51], "sex": ["F", "F", "M"]})
    >>> explain_class(table, ["age", "sex"]).to_dict()["classes"][0]["records"]
    1
    """
    counted = count_classes(table, schema, quasi=quasi, unit=unit, reading=reading, limits=limits)
    return counted.riskiest(cell_size=cell_size, only=number, values=values)
