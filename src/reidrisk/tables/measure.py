"""Count the equivalence classes of a table once; the risk follows under any threshold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reidrisk.core.classes import ClassSizes
from reidrisk.core.inventory import Inventory
from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.engine.opening import open_table
from reidrisk.engine.plans import DistinctTuples
from reidrisk.engine.protocol import Table
from reidrisk.errors import UnknownColumn
from reidrisk.stats.arrays import Ints
from reidrisk.stats.class_risk import MatchedClasses, expected_matches, journalist, prosecutor
from reidrisk.stats.disclosure.limits import SensitiveLimits
from reidrisk.tables.differencing import ReleaseComparison, compare_releases
from reidrisk.tables.drivers import DriverLimits, SetSizes, count_drivers
from reidrisk.tables.hierarchy.readable import with_readable
from reidrisk.tables.inventory import ColumnUse, table_inventory
from reidrisk.tables.rare import RareCodes, RareRecords
from reidrisk.tables.repeated import repeated_people
from reidrisk.tables.result import TableRisk
from reidrisk.tables.sensitive import (
    AttributeDisclosure,
    DisclosureSettings,
    measure_disclosure,
    with_sensitive_dates,
)

if TYPE_CHECKING:
    from reidrisk.tables.estimated import SampledMeasure
    from reidrisk.tables.events import EventKnowledge, EventMeasure
    from reidrisk.tables.hierarchy.hierarchy import Hierarchy
    from reidrisk.tables.sampling import Sampling
    from reidrisk.tables.special import SpecialUniqueCounts


@dataclass(frozen=True, slots=True)
class StepSizes:
    """The classes if one column were generalized to one level and all others unchanged."""

    column: str
    level: str
    sizes: ClassSizes


@dataclass(frozen=True, slots=True)
class TableMeasure:
    """Everything that was counted; independent of any threshold."""

    sizes: ClassSizes
    schema: Schema
    rows: int
    without: tuple[SetSizes, ...] = ()
    singling: tuple[SetSizes, ...] = ()
    singling_complete: bool = True
    """Whether every smallest set that singles out was found."""
    steps: tuple[StepSizes, ...] = ()
    matched: tuple[tuple[int, int, int], ...] | None = field(default=None, repr=False)
    """Size in the table, size in the population, number of such classes; None without a population."""
    rare: RareRecords | None = None
    inputs: tuple[tuple[str, Any], ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    """What makes the figures misleading."""
    inventory: Inventory = field(default_factory=Inventory)
    """Everything that leaves with the table."""
    sampled: SampledMeasure | None = None
    """The table as a sample of its population; None if nothing is known about sampling."""
    disclosure: tuple[AttributeDisclosure, ...] = ()
    special: SpecialUniqueCounts | None = None
    releases: ReleaseComparison | None = None
    """The comparison with another release of the same data."""
    events: EventMeasure | None = None
    """What an intruder who knows events of people learns; None if the table has no events."""

    def risk(self, threshold: Threshold) -> TableRisk:
        """Compute the risk and compare it with a threshold."""
        size, number = np.array(self.sizes.counts).T
        cell_size = threshold.cell_size
        matched = None if self.matched is None else MatchedClasses(*np.array(self.matched, dtype=np.int64).T)
        estimate = None
        if self.sampled is not None:
            from reidrisk.tables.population_estimate import estimate_population

            estimate = estimate_population(self.sampled, self.sizes, cell_size=cell_size)
        known = journalist(matched, cell_size=cell_size) if matched else None
        expected = expected_matches(matched) if matched else float(self.sizes.classes)
        if known is None and estimate is not None and estimate.journalist is not None:
            known, expected = estimate.journalist, estimate.journalist.average * self.sizes.records
        return TableRisk(
            sizes=self.sizes,
            schema=self.schema,
            threshold=threshold,
            prosecutor=prosecutor(size, number, cell_size=cell_size),
            journalist=known,
            expected_matches=expected,
            without=tuple(one.driver(threshold, self.sizes) for one in self.without),
            singling_sets=tuple(one.driver(threshold, self.sizes) for one in self.singling),
            singling_complete=self.singling_complete,
            rows=self.rows,
            rare=self.rare,
            inputs=self.inputs,
            notes=self.notes,
            warnings=self.warnings,
            inventory=self.inventory,
            estimate=estimate,
            disclosure=self.disclosure,
            special=self.special,
            differencing=self.releases.at_cell_size(cell_size) if self.releases else None,
            longitudinal=self.events.at_cell_size(cell_size) if self.events else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {
            "sizes": _pairs(self.sizes),
            "schema": _schema(self.schema),
            "rows": self.rows,
            "without": [one.to_dict() for one in self.without],
            "singling": [one.to_dict() for one in self.singling],
            **({} if self.singling_complete else {"singling_complete": False}),
            "steps": [
                {"column": one.column, "level": one.level, "sizes": _pairs(one.sizes)} for one in self.steps
            ],
            "matched": None if self.matched is None else [list(row) for row in self.matched],
            "rare": None if self.rare is None else asdict(self.rare),
            "inputs": [list(pair) for pair in self.inputs],
            "notes": list(self.notes),
            "warnings": list(self.warnings),
            "inventory": [one.to_dict() for one in self.inventory.items],
            "sampled": None if self.sampled is None else self.sampled.to_dict(),
            "secrets": [one.to_dict() for one in self.disclosure],
            "releases": None if self.releases is None else self.releases.to_dict(),
            "special": None if self.special is None else self.special.to_dict(),
            "events": None if self.events is None else self.events.to_dict(),
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> TableMeasure:
        """Read what `to_dict` wrote."""
        from reidrisk.tables.estimated import SampledMeasure
        from reidrisk.tables.events import EventMeasure
        from reidrisk.tables.special import SpecialUniqueCounts

        rare, sampled = given["rare"], given["sampled"]
        return cls(
            sizes=_sizes(given["sizes"]),
            schema=Schema(**given["schema"]),
            rows=given["rows"],
            without=tuple(SetSizes.from_dict(row) for row in given["without"]),
            singling=tuple(SetSizes.from_dict(row) for row in given["singling"]),
            singling_complete=given.get("singling_complete", True),
            steps=tuple(
                StepSizes(row["column"], row["level"], _sizes(row["sizes"])) for row in given["steps"]
            ),
            matched=_triples(given["matched"]),
            rare=None if rare is None else _rare_from(rare),
            inputs=tuple((name, value) for name, value in given["inputs"]),
            notes=tuple(given["notes"]),
            warnings=tuple(given.get("warnings", ())),
            inventory=Inventory.from_list(given["inventory"]),
            sampled=None if sampled is None else SampledMeasure.from_dict(sampled),
            releases=None if given["releases"] is None else ReleaseComparison.from_dict(given["releases"]),
            special=None if given["special"] is None else SpecialUniqueCounts.from_dict(given["special"]),
            events=None if given["events"] is None else EventMeasure.from_dict(given["events"]),
            disclosure=tuple(AttributeDisclosure.from_dict(one) for one in given["secrets"]),
        )


def _schema(schema: Schema) -> dict[str, Any]:
    """Return a schema as JSON types."""
    lists = {name: list(getattr(schema, name)) for name in ("quasi", "direct", "sensitive")}
    mappings = {name: dict(getattr(schema, name)) for name in ("reduce", "text", "other")}
    return {**lists, "unit": schema.unit, **mappings}


def _pairs(sizes: ClassSizes) -> list[list[int]]:
    return [list(pair) for pair in sizes.counts]


def _sizes(pairs: list[list[int]]) -> ClassSizes:
    return ClassSizes(tuple((size, number) for size, number in pairs))


def _triples(rows: list[list[int]] | None) -> tuple[tuple[int, int, int], ...] | None:
    return None if rows is None else tuple((one, two, three) for one, two, three in rows)


def _rare_from(given: Mapping[str, Any]) -> RareRecords:
    columns = tuple((name, records, codes) for name, records, codes in given["by_column"])
    return RareRecords(**{**given, "by_column": columns})


@dataclass(frozen=True, slots=True)
class MeasureSettings:
    """What to count in addition to the classes of the table."""

    population: Any = None
    rare: RareCodes | None = None
    drivers: bool = True
    """Whether to measure what each column adds and which columns single people out."""
    driver_limits: DriverLimits = field(default_factory=DriverLimits)
    """When that is estimated from a sample of classes."""
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    """Every level of these hierarchies is tried, one column at a time."""
    sampling: Sampling | None = None
    """How the table was sampled from its population."""
    sensitive_hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    """For the distance between values of sensitive columns; `hierarchies` if empty."""
    previous: Any = None
    """Another release of the same data with the same coding."""
    special: int | None = None
    """Count special uniques in sets of up to this number of columns."""
    sensitive_limits: SensitiveLimits | None = None
    """What classes may reveal about sensitive columns; measured without limits if every row is a record."""
    events: EventKnowledge | None = None
    """What the adversary knows about the events of each person."""
    use: ColumnUse = field(default_factory=ColumnUse)
    """What happens to columns before the release, for the inventory."""
    record_chances: str | Path | None = None
    """File for each record's chance of being unique in the population; needs `sampling`."""

    @property
    def needs_tuples(self) -> bool:
        """Whether the distinct tuples are needed, not only the classes."""
        return bool(self.hierarchies) or self.sampling is not None or self.special is not None

    @property
    def column_use(self) -> ColumnUse:
        """What happens to columns, with those of events and weights."""
        events = () if self.events is None else self.events.columns
        weights = None if self.sampling is None else self.sampling.weights
        return replace(self.use, events=events, weights=weights)

    def sensitive(self, schema: Schema) -> tuple[str, ...]:
        """Return the sensitive columns to measure: all, unless rows are combined and no limit is set."""
        return schema.sensitive if schema.unit is None or self.sensitive_limits is not None else ()

    def columns(self, schema: Schema) -> tuple[str, ...]:
        """Return the columns to read in addition to the quasi-identifiers."""
        weights = None if self.sampling is None else self.sampling.weights
        return (*(() if weights is None else (weights,)), *self.sensitive(schema))


def with_needed_dates(opened: Table, schema: Schema, settings: MeasureSettings) -> Table:
    """Return the table with dates where hierarchies or distances need them; refuse cells that are none."""
    table = with_readable(opened, settings.hierarchies, schema.quasi)
    found = _disclosure_settings(settings)
    return with_sensitive_dates(table, settings.sensitive(schema), found.limits, found.hierarchies)


def measure(opened: Table, records: Table, schema: Schema, *, settings: MeasureSettings) -> TableMeasure:
    """Count the classes of the records of an open table."""
    drivers = count_drivers(records, schema.quasi, settings.driver_limits) if settings.drivers else None
    sizes = drivers.sizes if drivers else ClassSizes(records.class_sizes(schema.quasi))
    source, matched = _against(records, settings.population, schema)
    path = settings.record_chances
    recodable = path is not None
    tuples = records.tuples(schema.quasi, recodable=recodable) if settings.needs_tuples else None
    sampling = settings.sampling
    sampled = None
    if tuples and sampling:
        from reidrisk.tables.estimated import measure_sample, write_record_chances

        sampled = measure_sample(records, tuples, sampling, every_tuple=recodable)
        if path is not None:
            write_record_chances(records, tuples, sampled, path)
    return TableMeasure(
        sizes=sizes,
        schema=schema,
        rows=sizes.records if schema.unit is None else opened.count(),
        without=drivers.without if drivers else (),
        singling=drivers.singling if drivers else (),
        singling_complete=drivers.complete if drivers else True,
        steps=tuple(_steps(tuples, settings.hierarchies)) if tuples and settings.hierarchies else (),
        matched=matched,
        rare=_rare(opened, schema, settings.rare, sizes.records) if settings.rare else None,
        inputs=(("table", opened.source), *source, *_listed(settings.rare), *_drawn(sampling)),
        notes=opened.notes,
        warnings=repeated_people(opened, schema),
        sampled=sampled,
        releases=_releases(records, schema, settings.previous),
        special=_special(tuples, settings.special, sampled),
        disclosure=measure_disclosure(
            records, schema.quasi, settings.sensitive(schema), _disclosure_settings(settings)
        ),
        events=_events(opened, records, schema, settings.events),
        inventory=table_inventory(opened, schema, settings.column_use),
    )


def _special(
    tuples: DistinctTuples | None, largest: int | None, sampled: SampledMeasure | None
) -> SpecialUniqueCounts | None:
    if tuples is None or largest is None:
        return None
    from reidrisk.tables.special import measure_special

    return measure_special(tuples, largest, population=None if sampled is None else sampled.population)


def _events(
    opened: Table, records: Table, schema: Schema, knowledge: EventKnowledge | None
) -> EventMeasure | None:
    if knowledge is None:
        return None
    from reidrisk.tables.events import measure_events

    return measure_events(opened, records, schema, knowledge)


def _releases(records: Table, schema: Schema, previous: Any) -> ReleaseComparison | None:
    return None if previous is None else compare_releases(records, previous, schema)


def _disclosure_settings(settings: MeasureSettings) -> DisclosureSettings:
    return DisclosureSettings(
        settings.sensitive_limits or SensitiveLimits(), settings.sensitive_hierarchies or settings.hierarchies
    )


def _histogram(sizes: Ints) -> ClassSizes:
    size, number = np.unique(sizes, return_counts=True)
    return ClassSizes(tuple(zip(size.tolist(), number.tolist(), strict=True)))


def _steps(tuples: DistinctTuples, hierarchies: Mapping[str, Hierarchy]) -> Iterator[StepSizes]:
    """Try one column at a time, up to its maximum acceptable generalization."""
    from reidrisk.tables.deidentify.problem import build_levels, classes_at

    known = {name: hierarchies[name] for name in tuples.columns if name in hierarchies}
    levels = build_levels(tuples, known, {})
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


def _rare(table: Table, schema: Schema, rare: RareCodes, records: int) -> RareRecords:
    """Count each unit once, even if several of its rows have a listed code."""
    found = table.search.listed(rare.by_column(), unit=schema.unit)
    columns = tuple((name, *numbers) for name, numbers in found.by_column.items())
    return RareRecords(found.records, records, rare.listed, found.present, columns, rare.source)


Matched = tuple[tuple[int, int, int], ...]


def _against(
    records: Table, population: Any, schema: Schema
) -> tuple[tuple[tuple[str, Any], ...], Matched | None]:
    """Return the source of the population without any password, and the classes with their sizes in it."""
    if population is None:
        return (), None
    with open_table(population, reading=records.reading.for_other()) as people:
        for column in schema.quasi:
            if column not in people.columns:
                raise UnknownColumn.among(column, people.columns, source=people.source)
        rows = records.joined_sizes(people, schema.quasi)
        matched = tuple((int(sample), int(whole), int(number)) for sample, whole, number in rows)
        return (("population", people.source),), matched
