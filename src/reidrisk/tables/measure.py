"""Count the equivalence classes of a table once; the risk follows under any threshold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from reidrisk.core.classes import ClassSizes
from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.engine.classes import class_sizes, count_rows, joined_sizes
from reidrisk.engine.listed_codes import count_listed
from reidrisk.engine.table import Table, open_table
from reidrisk.engine.tuples import DistinctTuples, distinct_tuples
from reidrisk.errors import UnknownColumn
from reidrisk.stats.arrays import Ints
from reidrisk.stats.class_risk import MatchedClasses, expected_matches, journalist, prosecutor
from reidrisk.stats.disclosure.limits import SecretLimits
from reidrisk.stats.drivers import sizes_alone, smallest_singling_sets
from reidrisk.tables.deidentify.problem import built_levels, classes_at
from reidrisk.tables.differencing import Releases, compare_releases
from reidrisk.tables.estimated import SampledMeasure, estimate_population, measure_sample
from reidrisk.tables.events import EventKnowledge, EventsFound, measure_events
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.rare import RareCodes, RareFound
from reidrisk.tables.result import Driver, TableRisk
from reidrisk.tables.sampling import Sampling
from reidrisk.tables.secrets import AskedSecrets, SecretFound, measure_secrets
from reidrisk.tables.special import SpecialFound, measure_special


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
            rare=None if rare is None else _rare_from(rare),
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


def _rare_from(given: Mapping[str, Any]) -> RareFound:
    columns = tuple((name, records, codes) for name, records, codes in given["by_column"])
    return RareFound(**{**given, "by_column": columns})


@dataclass(frozen=True, slots=True)
class Asked:
    """What is counted beside the classes of the table."""

    population: Any = None
    rare: RareCodes | None = None
    drivers: bool = True
    """What each column adds, and which columns single people out."""
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    """Every level of these is tried, one column at a time."""
    sampling: Sampling | None = None
    """How the table was drawn from its population."""
    secret_hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    """For the distance between values of secret columns; without any, `hierarchies`."""
    previous: Any = None
    """Another release of the same data, coded alike."""
    special: int | None = None
    """Special uniques by sets of up to so many columns."""
    secrets: SecretLimits | None = None
    """What classes may tell of secret columns; where every row is a record it is told without limits too."""
    events: EventKnowledge | None = None
    """What the adversary knows of the events of each person."""

    @property
    def needs_tuples(self) -> bool:
        """Whether the classes alone are not enough."""
        told = self.drivers or bool(self.hierarchies)
        return told or self.sampling is not None or self.special is not None

    def secret(self, schema: Schema) -> tuple[str, ...]:
        """The secret columns that are looked at: all, unless rows are joined and nothing is asked of them."""
        return schema.sensitive if schema.unit is None or self.secrets is not None else ()

    def columns(self, schema: Schema) -> tuple[str, ...]:
        """Columns that are read beside the quasi-identifiers."""
        weights = None if self.sampling is None else self.sampling.weights
        return (*(() if weights is None else (weights,)), *self.secret(schema))


def measure(opened: Table, records: Table, schema: Schema, *, asked: Asked) -> TableMeasure:
    """Count the classes of the records of an open table."""
    sizes = ClassSizes(class_sizes(records, schema.quasi))
    source, matched = _against(records, asked.population, schema)
    tuples = distinct_tuples(records, schema.quasi) if asked.needs_tuples else None
    sampling = asked.sampling
    sampled = measure_sample(records, tuples, sampling) if tuples and sampling else None
    return TableMeasure(
        sizes=sizes,
        schema=schema,
        rows=count_rows(opened),
        without=tuple(_without(tuples)) if tuples and asked.drivers else (),
        singling=tuple(_singling(tuples)) if tuples and asked.drivers else (),
        steps=tuple(_steps(tuples, asked.hierarchies)) if tuples and asked.hierarchies else (),
        matched=matched,
        rare=_rare(opened, schema, asked.rare, sizes.records) if asked.rare else None,
        inputs=(("table", opened.source), *source, *_listed(asked.rare), *_drawn(sampling)),
        notes=opened.notes,
        sampled=sampled,
        releases=_releases(records, schema, asked.previous),
        special=_special(tuples, asked.special, sampled),
        secrets=measure_secrets(records, schema.quasi, asked.secret(schema), _of_secrets(asked)),
        events=_events(opened, records, schema, asked.events),
    )


def _special(
    tuples: DistinctTuples | None, largest: int | None, sampled: SampledMeasure | None
) -> SpecialFound | None:
    if tuples is None or largest is None:
        return None
    return measure_special(tuples, largest, population=None if sampled is None else sampled.population)


def _events(
    opened: Table, records: Table, schema: Schema, asked: EventKnowledge | None
) -> EventsFound | None:
    return None if asked is None else measure_events(opened, records, schema, asked)


def _releases(records: Table, schema: Schema, previous: Any) -> Releases | None:
    return None if previous is None else compare_releases(records, previous, schema)


def _of_secrets(asked: Asked) -> AskedSecrets:
    return AskedSecrets(asked.secrets or SecretLimits(), asked.secret_hierarchies or asked.hierarchies)


def _histogram(sizes: Ints) -> ClassSizes:
    size, number = np.unique(sizes, return_counts=True)
    return ClassSizes(tuple(zip(size.tolist(), number.tolist(), strict=True)))


def _of(tuples: DistinctTuples, places: tuple[int, ...]) -> SetSizes:
    sizes = sizes_alone(tuples.codes.astype(np.int64), tuples.counts, places)
    return SetSizes(tuple(tuples.columns[place] for place in places), _histogram(sizes))


def _without(tuples: DistinctTuples) -> Iterator[SetSizes]:
    every = range(len(tuples.columns))
    for gone in every:
        yield _of(tuples, tuple(place for place in every if place != gone))


def _singling(tuples: DistinctTuples) -> Iterator[SetSizes]:
    codes = tuples.codes.astype(np.int64)
    for found in smallest_singling_sets(codes, tuples.counts, cell_size=1):
        yield _of(tuples, found.columns)


def _steps(tuples: DistinctTuples, hierarchies: Mapping[str, Hierarchy]) -> Iterator[StepSizes]:
    """One column at a time; no level above its maximum acceptable generalization."""
    known = {name: hierarchies[name] for name in tuples.columns if name in hierarchies}
    levels = built_levels(tuples, known, {})
    every = [levels[name] for name in tuples.columns]
    for place, name in enumerate(tuples.columns):
        recoding = levels[name].recoding
        for level in range(1, recoding.top + 1):
            node = [level if at == place else 0 for at in range(len(every))]
            classes = classes_at(tuples.codes, tuples.counts, every, node)
            yield StepSizes(name, levels[name].names[level], _histogram(classes.counts))


def _listed(rare: RareCodes | None) -> tuple[tuple[str, Any], ...]:
    return (("rare", rare.source), ("rare_columns", list(rare.by_column()))) if rare else ()


def _drawn(sampling: Sampling | None) -> tuple[tuple[str, Any], ...]:
    return (("sampling", sampling.to_dict()),) if sampling else ()


def _rare(table: Table, schema: Schema, rare: RareCodes, records: int) -> RareFound:
    """A unit counts once, however many of its rows hold a listed code."""
    found = count_listed(table, rare.by_column(), unit=schema.unit)
    columns = tuple((name, *numbers) for name, numbers in found.by_column.items())
    return RareFound(found.records, records, rare.listed, found.present, columns, rare.source)


Matched = tuple[tuple[int, int, int], ...]


def _against(
    records: Table, population: Any, schema: Schema
) -> tuple[tuple[tuple[str, Any], ...], Matched | None]:
    """The name of the population without any password, and the classes with their sizes in it."""
    if population is None:
        return (), None
    with open_table(population) as people:
        for column in schema.quasi:
            if column not in people.columns:
                raise UnknownColumn.among(column, people.columns, source=people.source)
        rows = joined_sizes(records, people, schema.quasi)
        matched = tuple((int(sample), int(whole), int(number)) for sample, whole, number in rows)
        return (("population", people.source),), matched
