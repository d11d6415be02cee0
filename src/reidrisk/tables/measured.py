"""What was counted in a table: sizes of classes, from which the risk follows under any threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from reidrisk.core.classes import ClassSizes
from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.stats.class_risk import MatchedClasses, expected_matches, journalist, prosecutor
from reidrisk.tables.differencing import Releases
from reidrisk.tables.estimated import estimate_population
from reidrisk.tables.events.found import EventsFound
from reidrisk.tables.rare import RareFound
from reidrisk.tables.result import Driver, TableRisk
from reidrisk.tables.sampled import SampledMeasure
from reidrisk.tables.secrets import SecretFound
from reidrisk.tables.special import SpecialFound


@dataclass(frozen=True, slots=True)
class SetSizes:
    """Columns, and the classes that they alone make."""

    columns: tuple[str, ...]
    sizes: ClassSizes

    def driver(self, threshold: Threshold) -> Driver:
        """What the columns give away."""
        records = self.sizes.records
        return Driver(
            self.columns, self.sizes.unique_share, self.sizes.records_below(threshold.cell_size) / records
        )


@dataclass(frozen=True, slots=True)
class StepSizes:
    """The classes if one column were generalized to one level, all others as they are."""

    column: str
    level: str
    sizes: ClassSizes


@dataclass(frozen=True, slots=True)
class TableMeasure:
    """Everything that was counted; no threshold is in it."""

    sizes: ClassSizes
    schema: Schema
    rows: int
    without: tuple[SetSizes, ...] = ()
    singling: tuple[SetSizes, ...] = ()
    steps: tuple[StepSizes, ...] = ()
    matched: tuple[tuple[int, int, int], ...] | None = field(default=None, repr=False)
    """Size in the table, size in the population, number of such classes; None without a population."""
    rare: RareFound | None = None
    inputs: tuple[tuple[str, Any], ...] = ()
    notes: tuple[str, ...] = ()
    unnamed: tuple[str, ...] = ()
    """Columns of the table of which nothing is said, where they were asked for."""
    sampled: SampledMeasure | None = None
    """The table as a sample of its population; None if nothing is said of that."""
    secrets: tuple[SecretFound, ...] = ()
    special: SpecialFound | None = None
    releases: Releases | None = None
    """Another release of the same data beside this one."""
    events: EventsFound | None = None
    """What who knows events of people learns; None if the table is not one of events."""

    def risk(self, threshold: Threshold) -> TableRisk:
        """The risk, held against a threshold."""
        size, number = np.array(self.sizes.counts).T
        cell_size = threshold.cell_size
        matched = None if self.matched is None else MatchedClasses(*np.array(self.matched, dtype=np.int64).T)
        estimate = None
        if self.sampled is not None:
            estimate = estimate_population(self.sampled, self.sizes, cell_size=cell_size)
        known = journalist(matched, cell_size=cell_size) if matched else None
        expected = expected_matches(matched) if matched else float(self.sizes.classes)
        if known is None and estimate is not None:
            known, expected = estimate.journalist, estimate.journalist.average * self.sizes.records
        return TableRisk(
            sizes=self.sizes,
            schema=self.schema,
            threshold=threshold,
            prosecutor=prosecutor(size, number, cell_size=cell_size),
            journalist=known,
            expected_matches=expected,
            without=tuple(one.driver(threshold) for one in self.without),
            singling_sets=tuple(one.driver(threshold) for one in self.singling),
            rows=self.rows,
            rare=self.rare,
            inputs=self.inputs,
            notes=self.notes,
            estimate=estimate,
            secrets=self.secrets,
            special=self.special,
            differencing=self.releases.held(cell_size) if self.releases else None,
            longitudinal=self.events.held(cell_size) if self.events else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return {
            "sizes": _pairs(self.sizes),
            "schema": _schema(self.schema),
            "rows": self.rows,
            "without": [{"columns": list(one.columns), "sizes": _pairs(one.sizes)} for one in self.without],
            "singling": [{"columns": list(one.columns), "sizes": _pairs(one.sizes)} for one in self.singling],
            "steps": [
                {"column": one.column, "level": one.level, "sizes": _pairs(one.sizes)} for one in self.steps
            ],
            "matched": None if self.matched is None else [list(row) for row in self.matched],
            "rare": None if self.rare is None else asdict(self.rare),
            "inputs": [list(pair) for pair in self.inputs],
            "notes": list(self.notes),
            "unnamed": list(self.unnamed),
            "sampled": None if self.sampled is None else self.sampled.to_dict(),
            "secrets": [one.to_dict() for one in self.secrets],
            "releases": None if self.releases is None else self.releases.to_dict(),
            "special": None if self.special is None else self.special.to_dict(),
            "events": None if self.events is None else self.events.to_dict(),
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> TableMeasure:
        """What `to_dict` wrote."""
        rare, sampled = given["rare"], given["sampled"]
        return cls(
            sizes=_sizes(given["sizes"]),
            schema=Schema(**given["schema"]),
            rows=given["rows"],
            without=tuple(SetSizes(tuple(row["columns"]), _sizes(row["sizes"])) for row in given["without"]),
            singling=tuple(
                SetSizes(tuple(row["columns"]), _sizes(row["sizes"])) for row in given["singling"]
            ),
            steps=tuple(
                StepSizes(row["column"], row["level"], _sizes(row["sizes"])) for row in given["steps"]
            ),
            matched=_triples(given["matched"]),
            rare=None if rare is None else _rare(rare),
            inputs=tuple((name, value) for name, value in given["inputs"]),
            notes=tuple(given["notes"]),
            unnamed=tuple(given["unnamed"]),
            sampled=None if sampled is None else SampledMeasure.from_dict(sampled),
            releases=None if given["releases"] is None else Releases.from_dict(given["releases"]),
            special=None if given["special"] is None else SpecialFound.from_dict(given["special"]),
            events=None if given["events"] is None else EventsFound.from_dict(given["events"]),
            secrets=tuple(SecretFound.from_dict(one) for one in given["secrets"]),
        )


def _schema(schema: Schema) -> dict[str, Any]:
    """A schema as JSON types."""
    lists = {name: list(getattr(schema, name)) for name in ("quasi", "direct", "sensitive")}
    return {**lists, "unit": schema.unit, "reduce": dict(schema.reduce)}


def _pairs(sizes: ClassSizes) -> list[list[int]]:
    return [list(pair) for pair in sizes.counts]


def _sizes(pairs: list[list[int]]) -> ClassSizes:
    return ClassSizes(tuple((size, number) for size, number in pairs))


def _triples(rows: list[list[int]] | None) -> tuple[tuple[int, int, int], ...] | None:
    return None if rows is None else tuple((one, two, three) for one, two, three in rows)


def _rare(given: Mapping[str, Any]) -> RareFound:
    columns = tuple((name, records, codes) for name, records, codes in given["by_column"])
    return RareFound(**{**given, "by_column": columns})
