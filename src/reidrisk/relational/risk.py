"""The risk of people in linked tables: the figures, the verdict, its reasons and remedies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import fsum
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.about import own_version, versions
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import path_text, percent, plural, probability
from reidrisk.engine.opening import open_table
from reidrisk.errors import InvalidSetting
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.database import Database
from reidrisk.relational.exposure import Exposure, JoinDriver, JoinKnowledge, measure_people
from reidrisk.relational.people import People, people_of
from reidrisk.stats.arrays import Ints
from reidrisk.stats.class_risk import CURVE
from reidrisk.stats.events.compositions import Composition
from reidrisk.stats.events.joined import JoinedKnown

USUAL = Threshold.from_cell_size(5, "the usual cell size of 5")
NO_POPULATION = "There is no population to compare with."
ONLY_CLASSES = (
    "An adversary who does not know who is in the data is compared with the population by quasi-identifiers "
    "alone, because the population has no events."
)


@dataclass(frozen=True, slots=True, eq=False)
class PopulationClasses:
    """How many people of the population share the quasi-identifiers of each person."""

    place: str
    sizes: Ints = field(repr=False)

    def to_dict(self, cell_size: int) -> dict[str, Any]:
        """Return the journalist risk by classes alone, as JSON types."""
        return {
            "highest": 1 / int(self.sizes.min()),
            "average": fsum((1 / self.sizes).tolist()) / len(self.sizes),
            "share_above_threshold": float(np.count_nonzero(self.sizes < cell_size)) / len(self.sizes),
            "reason": ONLY_CLASSES,
        }


@dataclass(frozen=True)
class RelationalRisk(Result):
    """Risk of people over all tables, under one threshold."""

    place: str
    exposure: Exposure = field(repr=False)
    threshold: Threshold
    settings: Mapping[str, Any] = field(repr=False)
    uncounted: int = 0
    """Columns of the tables that are neither a quasi-identifier nor part of an event."""
    population: PopulationClasses | None = None
    without_columns: tuple[JoinDriver, ...] = ()
    has_drawn_offsets: bool = True
    """Whether offsets were drawn to measure it, and not those of a release."""

    @property
    def cell_size(self) -> int:
        """The smallest acceptable group."""
        return self.threshold.cell_size

    @property
    def acceptable(self) -> bool:
        """Whether it is proved that every person fits with enough others."""
        return self.exposure.accepts(self.cell_size)

    @property
    def worst(self) -> JoinedKnown:
        """The figures if the adversary knows all the events assumed."""
        return self.exposure.worst

    @property
    def is_bound(self) -> bool:
        """Whether the highest risk is a lower bound, because not all sets were counted."""
        return self.worst.method == "sampled" and bool((self.worst.floor < self.worst.least).any())

    def reasons(self) -> tuple[Reason, ...]:
        """Explain the verdict."""
        return (Reason(self._sentence(), self.acceptable),)

    def _sentence(self) -> str:
        worst, people = self.worst, self.exposure.people
        least = int(worst.least.min())
        others = "nobody else" if least == 1 else f"{plural(least - 1, 'other')}"
        share, low, high = worst.share_below(self.cell_size)
        interval = "" if low == high else f" (95 % limits {percent(low)} to {percent(high)})"
        risk = (
            f"To an adversary who knows {_known_words(self.exposure.knowledge, people)} of a person, the "
            f"most exposed person matches {others}, a risk of "
            f"{'at least ' if self.is_bound else ''}{probability(1 / least)}. {percent(share)}{interval} of "
            f"{len(people):,} people may be in groups smaller than {self.cell_size}"
        )
        if self.is_bound and self.acceptable:
            return (
                f"{risk}. There are too many sets of events to count them all, but the tables alone prove "
                f"that every set fits at least {int(worst.floor.min()):,} people: acceptable."
            )
        if self.is_bound and least >= self.cell_size:
            return (
                f"{risk}. Only a sample of the possible knowledge was examined, which cannot prove that "
                "nobody is above the threshold: not acceptable."
            )
        return f"{risk}: {'acceptable' if self.acceptable else 'not acceptable'}."

    def remedies(self) -> list[dict[str, Any]]:
        """What would lower the risk, the strongest first."""
        if self.acceptable:
            return []
        share = self.worst.share_below(self.cell_size)[0]
        drivers = (*self.exposure.without_tables(self.cell_size), *self.without_columns)
        useful = [one for one in drivers if one.share_above_threshold < share]
        return [
            {
                "text": _remedy(one),
                "table": one.table,
                "column": one.column,
                "share_above_threshold": one.share_above_threshold,
            }
            for one in sorted(useful, key=lambda one: one.share_above_threshold)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types; no value of a person."""
        people, size = self.exposure.people, self.cell_size
        return {
            "kind": "relational_risk",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": dict(self.settings),
            "seed": self.exposure.knowledge.seed,
            "versions": versions(),
            "place": self.place,
            "reasons": texts(self.reasons()),
            "holds": holds(self.reasons()),
            "warnings": self._warnings(),
            "threshold": {**asdict(self.threshold), "cell_size": size},
            "people": len(people),
            "events": len(people.person),
            "highest": 1 / int(self.worst.least.min()),
            "highest_is_lower_bound": self.is_bound,
            "by_known": [self._row(one) for one in self.exposure.found.by_known],
            "classes": self._classes(),
            "journalist": {"reason": NO_POPULATION}
            if self.population is None
            else self.population.to_dict(size),
            "tables": self._tables(),
            "without_columns": [asdict(one) for one in self.without_columns],
            "risk_curve": self._curve(),
            "smallest_supports": self._supports(),
            "remedies": self.remedies(),
            "undefined": {} if self.population is not None else {"journalist": NO_POPULATION},
        }

    def _classes(self) -> dict[str, Any]:
        sizes = np.bincount(self.exposure.people.static)
        return {
            "classes": len(sizes),
            "smallest": int(sizes.min()),
            "columns": list(self.exposure.people.columns),
        }

    def _row(self, one: JoinedKnown) -> dict[str, Any]:
        share, low, high = one.share_below(self.cell_size)
        least = int(one.least.min())
        average_low, average_high = one.average_limits
        return {
            "known": one.known,
            "method": one.method,
            "subsets": one.subsets,
            "highest": 1 / least,
            "highest_limit": 1 / int(one.floor.min()),
            "average": one.average,
            "average_low": average_low,
            "average_high": average_high,
            "average_of": by_table(one.worst.composition, self.exposure.people.tables),
            "share_above_threshold": share,
            "share_low": low,
            "share_high": high,
            "unique_share": float(np.count_nonzero(one.least == 1)) / len(one.least),
            "drawn": None if one.drawn is None else len(one.drawn),
        }

    def _tables(self) -> list[dict[str, Any]]:
        people, knowledge = self.exposure.people, self.exposure.knowledge
        alone = {one.table: one for one in self.exposure.tables_alone(self.cell_size)}
        without = {one.table: one for one in self.exposure.without_tables(self.cell_size)}
        rows = []
        for place, name in enumerate(people.tables):
            mine = people.table == place
            rows.append(
                {
                    "table": name,
                    "columns": list(people.event_columns[place]) if people.event_columns else [],
                    "events": int(np.count_nonzero(mine)),
                    "people": int(np.count_nonzero(np.bincount(people.person[mine]))),
                    "most_known": knowledge.caps(people.tables)[place],
                    "alone": _figures(alone.get(name)),
                    "without": _figures(without.get(name)),
                }
            )
        return rows

    def _curve(self) -> list[dict[str, float]]:
        least = self.worst.least
        return [
            {"risk": risk, "share_of_people": float(np.count_nonzero(least * risk >= 1 - 1e-12)) / len(least)}
            for risk in CURVE
        ]

    def _supports(self) -> list[dict[str, int]]:
        support, people = np.unique(self.worst.least, return_counts=True)
        return [
            {"support": int(size), "people": int(number)}
            for size, number in zip(support, people, strict=True)
        ]

    def _warnings(self) -> list[str]:
        knowledge = self.exposure.knowledge
        found = []
        if self.uncounted:
            found.append(
                f"{plural(self.uncounted, 'column')} of these tables: neither a quasi-identifier nor part of "
                "an event, and not counted. The treatment decides what is released of them."
            )
        if knowledge.intervals and knowledge.most is not None and self.exposure.people.day is not None:
            offsets = (
                f"Offsets of up to {plural(knowledge.most, 'day')} were drawn with the seed; a release is "
                "measured again with its own."
                if self.has_drawn_offsets
                else f"The release's own offsets were used, of up to {plural(knowledge.most, 'day')}."
            )
            found.append(f"Distances between dates count as known. {offsets}")
        return found


def _figures(one: JoinDriver | None) -> dict[str, float] | None:
    if one is None:
        return None
    return {"highest": one.highest, "share_above_threshold": one.share_above_threshold}


def _driver_name(one: JoinDriver) -> str:
    if one.column is None:
        return f"the table {one.table}"
    return f"the column {one.column}" if one.table is None else f"{one.table}.{one.column}"


def _remedy(one: JoinDriver) -> str:
    left = one.share_above_threshold
    then = (
        f"{percent(left)} of people would stay above the threshold"
        if left
        else "the risk would be acceptable"
    )
    return f"Leave out {_driver_name(one)}, or generalize it: without it, {then}."


def by_table(row: Composition, tables: tuple[str, ...]) -> dict[str, int]:
    """Return how many known events come from which table."""
    return {tables[place]: row.count(place) for place in sorted(set(row))}


def _known_words(knowledge: JoinKnowledge, people: People) -> str:
    static = "the quasi-identifiers"
    if not knowledge.total or not people.tables:
        return static
    tables = len(people.tables)
    from_tables = (
        f"{plural(knowledge.total, 'event')} from {'the table' if tables == 1 else f'any of {tables} tables'}"
    )
    days = " with the distances between their dates" if knowledge.intervals and people.day is not None else ""
    return f"{static} and {from_tables}{days}"


def relational_risk(  # noqa: PLR0913 - the tables and their roles, then what is known, then what decides
    source: str | Path | Database,
    config: RelationalConfig,
    *,
    known: int | None = None,
    threshold: Threshold | None = None,
    population: str | Path | None = None,
    seed: int = 7,
    drivers: bool = True,
) -> RelationalRisk:
    """Measure the risk of people over all tables of a folder, as they are.

    `known` is the number of events of a person that the adversary knows, over all tables together; otherwise
    the settings decide. With a population, the journalist risk of the classes is shown as well.
    """
    if isinstance(source, Database):
        return _measured(source, config, known, threshold, population, seed, drivers=drivers)
    with Database.of(config, source) as database:
        return _measured(database, config, known, threshold, population, seed, drivers=drivers)


def _measured(  # noqa: PLR0913 - as `relational_risk`
    database: Database,
    config: RelationalConfig,
    known: int | None,
    threshold: Threshold | None,
    population: str | Path | None,
    seed: int,
    *,
    drivers: bool,
) -> RelationalRisk:
    from reidrisk.relational.plan import completed

    config = completed(database, config)
    if not config.quasi and not config.events:
        raise InvalidSetting(
            "The settings name no quasi-identifiers and no events.",
            hint="Write quasi: [TABLE.COLUMN] and events: {TABLE: [COLUMN]}, or a profile.",
        )
    people = people_of(database, config)
    knowledge = JoinKnowledge.of(config, known=known, seed=seed)
    return risk_of(
        people,
        knowledge,
        place=database.place,
        threshold=threshold,
        uncounted=_uncounted(database, config),
        population=None if population is None else population_classes(people, population),
        drivers=drivers,
    )


def risk_of(  # noqa: PLR0913 - what is measured, then what decides
    people: People,
    knowledge: JoinKnowledge,
    *,
    place: str,
    threshold: Threshold | None = None,
    shift: Ints | None = None,
    uncounted: int = 0,
    population: PopulationClasses | None = None,
    drivers: bool = True,
) -> RelationalRisk:
    """Measure people whose events are numbers already."""
    Threshold.check(threshold)
    limit = threshold or USUAL
    exposure = measure_people(people, knowledge, shift=shift)
    return RelationalRisk(
        place=place,
        exposure=exposure,
        threshold=limit,
        settings={
            "quasi": list(people.columns),
            "events": {
                name: list(people.event_columns[place]) if people.event_columns else []
                for place, name in enumerate(people.tables)
            },
            "known": {"total": knowledge.total, **knowledge.by_table},
            "know": "intervals" if knowledge.intervals else "values",
            "offset": knowledge.most,
            "budget": knowledge.budget,
        },
        uncounted=uncounted,
        population=population,
        without_columns=tuple(exposure.without_columns(limit.cell_size)) if drivers else (),
        has_drawn_offsets=shift is None,
    )


def _uncounted(database: Database, config: RelationalConfig) -> int:
    counted = {(one.column.table.lower(), one.column.column.lower()) for one in config.attributes()}
    counted |= {(table.lower(), name.lower()) for table, names in config.events.items() for name in names}
    counted |= {(at.table.lower(), at.column.lower()) for pair in config.keys.items() for at in pair}
    counted.add((config.person.table.lower(), config.person.column.lower()))
    return sum((at.table.lower(), at.column.lower()) not in counted for at in database.columns())


def population_classes(people: People, path: str | Path) -> PopulationClasses:
    """Count the people of a population who share each person's quasi-identifiers.

    The table has a column for each quasi-identifier, named like it, with or without its table.
    """
    if not people.columns:
        raise InvalidSetting(
            "A population is compared by quasi-identifiers, and there are none.", hint="Write quasi:."
        )
    with open_table(path) as table:
        names = [_population_column(name, table.columns) for name in people.columns]
        tuples = table.tuples(names)
        texts_of = [[_text(value) for value in values] for values in tuples.values]
        counts: dict[tuple[str | None, ...], int] = {}
        for row, number in zip(tuples.codes.tolist(), tuples.counts.tolist(), strict=True):
            key = tuple(values[code] for values, code in zip(texts_of, row, strict=True))
            counts[key] = counts.get(key, 0) + number
    labels = [people.labels[name] for name in people.columns]
    own = np.stack(list(people.columns.values()), axis=1)
    first = np.unique(people.static, return_index=True)[1]
    in_data = np.bincount(people.static)
    sizes = np.empty(len(first), dtype=np.int64)
    for place, person in enumerate(first):
        key = tuple(_text(values[code]) for values, code in zip(labels, own[person].tolist(), strict=True))
        sizes[place] = max(counts.get(key, 0), int(in_data[place]))
    return PopulationClasses(path_text(path), sizes[people.static])


def _population_column(name: str, columns: Any) -> str:
    for one in (name, name.rpartition(".")[2]):
        found = next((column for column in columns if str(column).lower() == one.lower()), None)
        if found is not None:
            return str(found)
    raise InvalidSetting(
        f"The population has no column for {name}.", hint="Name its columns like the quasi-identifiers."
    )


def _text(value: Any) -> str | None:
    if value is None:
        return None
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
