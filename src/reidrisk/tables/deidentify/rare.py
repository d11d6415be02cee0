"""Treat records with a code listed as rare and visible: suppress, generalize or remove."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reidrisk.core.schema import Schema
from reidrisk.core.wording import plural
from reidrisk.engine.protocol import Table, known_columns
from reidrisk.engine.results import Code
from reidrisk.errors import FailedCheck
from reidrisk.tables.deidentify.settings import RARE_TREATMENT, RareTreatment
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.levels import STAR
from reidrisk.tables.rare import RareCodes

WORDS: dict[RareTreatment, str] = {
    "suppress": "codes listed as rare and visible are suppressed",
    "generalize": "codes listed as rare and visible are generalized until they are not listed, or suppressed",
    "remove": "records with a code listed as rare and visible are removed",
}


@dataclass(frozen=True, slots=True)
class TreatedColumn:
    """What happened to the listed codes of a column."""

    column: str
    cells: int
    """Cells with a listed code."""
    generalized: int = 0
    """Those that have a less exact code now; the others are suppressed or removed."""


@dataclass(frozen=True, slots=True)
class TreatedRare:
    """What was done to records with a listed code; never shows which records."""

    treatment: RareTreatment
    listed: int
    present: int
    records: int
    of: int
    columns: tuple[TreatedColumn, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        gone = self.treatment == "remove"
        return {
            "treatment": self.treatment,
            "codes_listed": self.listed,
            "codes_present": self.present,
            "records": self.records,
            "share": self.records / self.of if self.of else 0.0,
            "records_removed": self.records if gone else 0,
            "cells_suppressed": 0 if gone else sum(one.cells - one.generalized for one in self.columns),
            "cells_generalized": sum(one.generalized for one in self.columns),
            "by_column": [
                {"column": one.column, "cells": one.cells, "cells_generalized": one.generalized}
                for one in self.columns
            ],
        }

    def sentence(self) -> str:
        """Say what was done."""
        if not self.records:
            return f"No record has a code on the list of rare codes ({self.listed:,} listed)."
        done = self.to_dict()
        what = {
            "remove": f"{plural(done['records_removed'], 'record')} removed",
            "suppress": f"{plural(done['cells_suppressed'], 'cell')} suppressed",
            "generalize": (
                f"{plural(done['cells_generalized'], 'cell')} generalized, "
                f"{plural(done['cells_suppressed'], 'cell')} suppressed"
            ),
        }[self.treatment]
        return (
            f"{plural(self.records, 'record')} of {self.of:,} had a code listed as rare and visible: {what}."
        )

    def describe(self, column: str) -> str | None:
        """Say in the codebook what was done to a column, without counts; None if nothing was."""
        if not any(one.column == column and one.cells for one in self.columns):
            return None
        return WORDS[self.treatment]


@dataclass(frozen=True, slots=True)
class RarePlan:
    """A list of codes and what to do with records that have one."""

    codes: RareCodes
    treatment: RareTreatment = RARE_TREATMENT.default
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    """For codes that are generalized; de-identification fills them in."""

    def __post_init__(self) -> None:
        RARE_TREATMENT.check(self.treatment)

    def check(self, columns: Sequence[str], *, source: str) -> None:
        """Refuse a list for columns that the table does not have."""
        known_columns(self.codes.by_column(), columns, source=source)

    def apply(self, table: Table, schema: Schema, searched: Sequence[str]) -> tuple[Table, TreatedRare]:
        """Treat the table; the codes of columns in `searched` are suppressed and not generalized.

        A search needs values that its hierarchy knows, so it cannot have less exact ones among them.
        """
        wanted = self.codes.by_column()
        found = table.search.listed(wanted, unit=schema.unit)
        values = {name: table.search.listed_values(name, codes) for name, codes in wanted.items()}
        treated, columns = table, []
        for name in wanted:
            labels = self._labels(table, name, values[name], is_searched=name in searched)
            general = [value for value, label in labels.items() if label is not None]
            cells = table.search.listed_rows(name, values[name])
            columns.append(TreatedColumn(name, cells, table.search.listed_rows(name, general)))
            if self.treatment != "remove" and labels:
                treated = treated.edit.replaced(name, labels, note="rare codes treated")
        if self.treatment == "remove" and found.records:
            treated = table.edit.without_listed(values, unit=schema.unit, note="rare records removed")
        if treated.search.listed(wanted, unit=schema.unit).records:
            raise FailedCheck(
                f"{table.source}: codes listed as rare remain after their treatment.",
                hint="This is a bug in reidrisk: please report it with the settings, without the data.",
            )
        of = table.count() if schema.unit is None else table.search.distinct_values(schema.unit)
        numbers = self.codes.listed, found.present, found.records, of
        return treated, TreatedRare(self.treatment, *numbers, tuple(columns))

    def _labels(
        self, table: Table, name: str, values: Sequence[str], *, is_searched: bool
    ) -> dict[str, str | None]:
        """Return what each listed value becomes; None empties the cell."""
        labels: dict[str, str | None] = dict.fromkeys(values)
        hierarchy = self.hierarchies.get(name)
        if self.treatment == "generalize" and hierarchy is not None and not is_searched:
            labels |= _less_exact(table, hierarchy, values, self.codes.by_column()[name])
        return labels


def _less_exact(
    table: Table, hierarchy: Hierarchy, values: Sequence[str], codes: Sequence[Code]
) -> dict[str, str]:
    """Return the label of each value at the first level where it is no longer listed."""
    if not values:
        return {}
    levels = hierarchy.on(sorted(values)).labels[1:]
    texts = [str(label) for labels in levels for label in labels if label is not None]
    listed = {STAR, *table.search.listed_texts(texts, codes)}
    found: dict[str, str] = {}
    for place, value in enumerate(sorted(values)):
        labels = (str(one[place]) for one in levels if one[place] is not None)
        label = next((text for text in labels if text not in listed), None)
        if label is not None:
            found[value] = label
    return found
