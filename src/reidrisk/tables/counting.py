"""Count the classes of a table: as it is, without each column, after each single generalization."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from reidrisk.core.classes import ClassSizes
from reidrisk.core.schema import Schema
from reidrisk.engine.classes import class_sizes, count_rows, joined_sizes
from reidrisk.engine.listed_codes import count_listed
from reidrisk.engine.table import Table, open_table
from reidrisk.engine.tuples import DistinctTuples, distinct_tuples
from reidrisk.errors import UnknownColumn
from reidrisk.stats.arrays import Ints
from reidrisk.stats.disclosure.limits import SecretLimits
from reidrisk.stats.drivers import sizes_alone, smallest_singling_sets
from reidrisk.tables.deidentify.problem import built_levels, classes_at
from reidrisk.tables.differencing import Releases, compare_releases
from reidrisk.tables.events.found import EventsFound, measure_events
from reidrisk.tables.events.knowledge import EventKnowledge
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.measured import SetSizes, StepSizes, TableMeasure
from reidrisk.tables.rare import RareCodes, RareFound
from reidrisk.tables.sampled import SampledMeasure, measure_sample
from reidrisk.tables.sampling import Sampling
from reidrisk.tables.secrets import AskedSecrets, measure_secrets
from reidrisk.tables.special import SpecialFound, measure_special


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
