"""What an adversary who knows some events learns, counted and held against a threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from reidrisk.core.schema import Schema
from reidrisk.core.wording import plural, probability
from reidrisk.engine.table import Table
from reidrisk.stats.class_risk import CURVE
from reidrisk.stats.events.lists import EventLists
from reidrisk.stats.events.risk import KnownRisk, risks_by_known
from reidrisk.tables.events.knowledge import EventKnowledge
from reidrisk.tables.events.read import read_lists


@dataclass(frozen=True, slots=True)
class KnownSizes:
    """People by the smallest number of people whom what is known of them fits."""

    known: int
    method: str
    subsets: int
    """That were looked at."""
    average: float
    low: float
    high: float
    sizes: tuple[tuple[int, int], ...]
    """Smallest support, and how many people have it; smallest first."""

    @property
    def smallest(self) -> int:
        """Of the most exposed person."""
        return self.sizes[0][0]

    def below(self, cell_size: int) -> int:
        """People who may be found among fewer than the cell size."""
        return sum(people for support, people in self.sizes if support < cell_size)

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        names = ("known", "method", "subsets", "average", "low", "high")
        return {
            **{name: getattr(self, name) for name in names},
            "sizes": [list(pair) for pair in self.sizes],
        }


@dataclass(frozen=True, slots=True)
class EventsFound:
    """Everything that was counted; no threshold is in it."""

    knowledge: EventKnowledge
    persons: int
    events: int
    without: int
    """Persons without an event."""
    most: int
    """Events of the person who has the most."""
    by_known: tuple[KnownSizes, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        asked = self.knowledge
        return {
            "knowledge": {**asked.said(), "seed": asked.seed, "budget": asked.budget},
            **{name: getattr(self, name) for name in ("persons", "events", "without", "most")},
            "by_known": [one.to_dict() for one in self.by_known],
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> EventsFound:
        """What `to_dict` wrote."""
        rows = (
            KnownSizes(**{**row, "sizes": tuple((size, people) for size, people in row["sizes"])})
            for row in given["by_known"]
        )
        said = {**given, "knowledge": EventKnowledge(**given["knowledge"]), "by_known": tuple(rows)}
        return cls(**said)

    def held(self, cell_size: int) -> Longitudinal:
        """Against the smallest group that is accepted."""
        return Longitudinal(self, cell_size)


@dataclass(frozen=True, slots=True)
class Longitudinal:
    """The risk of people of whom some events are known, under a threshold."""

    found: EventsFound
    cell_size: int

    @property
    def worst(self) -> KnownSizes:
        """With all events that the adversary knows."""
        return self.found.by_known[-1]

    @property
    def is_bound(self) -> bool:
        """Whether the highest risk may be higher, since not all subsets were looked at."""
        return self.worst.method == "sampled"

    @property
    def acceptable(self) -> bool:
        """Whether it is shown that nobody is found among fewer people than the cell size."""
        return self.worst.smallest >= self.cell_size and not self.is_bound

    def reason(self) -> str:
        """In a sentence of the verdict."""
        worst, asked = self.worst, self.found.knowledge
        number = f"also knows {plural(asked.known, 'event')}" if asked.known else "knows no event"
        what = f"{number} of a person ({', '.join(asked.columns)})"
        alike = "nobody else" if worst.smallest == 1 else f"{worst.smallest - 1:,} others"
        below = worst.below(self.cell_size)
        few = "1 person" if below == 1 else f"{below:,} people"
        said = (
            f"To an adversary who {what}, the most exposed person is like {alike}, a risk of "
            f"{'at least ' if self.is_bound else ''}{probability(1 / worst.smallest)}; "
            f"{few} of {self.found.persons:,} may be found among fewer than {self.cell_size}: "
        )
        if self.is_bound and worst.smallest >= self.cell_size:
            return (
                f"{said}only a sample of what may be known was looked at, which cannot show that nobody is "
                "above the threshold: not acceptable."
            )
        return f"{said}{'acceptable' if self.acceptable else 'not acceptable'}."

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        found, worst = self.found, self.worst
        curve = [
            (risk, sum(people for size, people in worst.sizes if size * risk >= 1 - 1e-12)) for risk in CURVE
        ]
        return {
            **found.knowledge.said(),
            "persons": found.persons,
            "events": found.events,
            "persons_without_events": found.without,
            "most_events": found.most,
            "seed": found.knowledge.seed,
            "cell_size": self.cell_size,
            "acceptable": self.acceptable,
            "highest_is_lower_bound": self.is_bound,
            "by_known": [self._row(one) for one in found.by_known],
            "risk_curve": [{"risk": risk, "share_of_persons": n / found.persons} for risk, n in curve],
            "smallest_supports": [{"support": size, "persons": people} for size, people in worst.sizes],
        }

    def _row(self, one: KnownSizes) -> dict[str, Any]:
        unique = one.sizes[0][1] if one.smallest == 1 else 0
        return {
            "known": one.known,
            "highest": 1 / one.smallest,
            "average": one.average,
            "average_low": one.low,
            "average_high": one.high,
            "share_above_threshold": one.below(self.cell_size) / self.found.persons,
            "unique_share": unique / self.found.persons,
            "method": one.method,
            "subsets": one.subsets,
        }


def measure_events(table: Table, records: Table, schema: Schema, asked: EventKnowledge) -> EventsFound:
    """Supports of all that an adversary may know, from a table of events and its people."""
    asked.check(schema)
    unit = schema.unit or ""
    lists = read_lists(table, records, unit, schema.quasi, asked.columns, counted=asked.counted)
    return events_in(lists, asked)


def events_in(lists: EventLists, asked: EventKnowledge) -> EventsFound:
    """The same from lists of events."""
    risks = risks_by_known(lists, asked.known, seed=asked.seed, budget=asked.budget)
    lengths = lists.lengths
    return EventsFound(
        knowledge=asked,
        persons=lists.people,
        events=int(lengths.sum()),
        without=int(np.count_nonzero(lengths == 0)),
        most=int(lengths.max()),
        by_known=tuple(_sizes(risk) for risk in risks),
    )


def _sizes(risk: KnownRisk) -> KnownSizes:
    support, people = np.unique(risk.least, return_counts=True)
    low, high = risk.interval
    sizes = tuple(zip(support.tolist(), people.tolist(), strict=True))
    return KnownSizes(risk.known, risk.method, risk.subsets, risk.average, low, high, sizes)
