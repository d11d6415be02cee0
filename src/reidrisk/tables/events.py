"""Risk of people whose events an intruder knows, in tables with several rows per person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from reidrisk.core.reason import Reason
from reidrisk.core.schema import Schema
from reidrisk.core.wording import plural, probability
from reidrisk.engine.plans import DistinctTuples
from reidrisk.engine.protocol import Table
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Bools, Ints
from reidrisk.stats.class_risk import CURVE
from reidrisk.stats.events.lists import EventLists, Pairs, event_lists
from reidrisk.stats.events.risk import BUDGET, KnownRisk, risks_by_known
from reidrisk.stats.grouping import packed
from reidrisk.tables.settings import COUNT_EVENTS, KNOWN, MOST_KNOWN


@dataclass(frozen=True, slots=True)
class EventKnowledge:
    """The columns that form an event, and how many events of a person the adversary knows."""

    columns: tuple[str, ...]
    """An event is a combination of their values, such as a diagnosis and a month."""
    known: int = KNOWN.default
    """Number of known events per person, in addition to the quasi-identifiers."""
    counted: bool = COUNT_EVENTS.default
    """Whether the adversary also knows how often the same event happened."""
    seed: int = 7
    """Seed for sampling subsets if there are too many."""
    budget: int = BUDGET
    """Largest number of subsets that are all examined."""

    def __post_init__(self) -> None:
        if isinstance(self.columns, str):
            raise InvalidSetting(
                "events takes several column names, not one text.", hint=f'Write columns=["{self.columns}"].'
            )
        object.__setattr__(self, "columns", tuple(self.columns))
        if not self.columns or len(set(self.columns)) < len(self.columns):
            raise InvalidSetting(
                "Events have no column, or the same column twice.",
                hint="Name each once, such as diagnosis,month.",
            )
        if (
            isinstance(self.known, bool)
            or not isinstance(self.known, int)
            or not 0 <= self.known <= MOST_KNOWN
        ):
            raise InvalidSetting(
                f"The number of known events cannot be {self.known}.", hint=f"Choose 0 to {MOST_KNOWN}."
            )

    def check(self, schema: Schema) -> None:
        """Check that rows belong to people, and that columns of events have no other role."""
        if schema.unit is None:
            raise InvalidSetting(
                "Events need a column that shows which rows belong to one person.",
                hint="Name the column with --unit, or unit: in a file.",
            )
        others = (*schema.quasi, *schema.direct, *schema.sensitive, schema.unit)
        twice = [name for name in self.columns if name in others]
        if twice:
            raise InvalidSetting(
                f"A column has only one role: {', '.join(twice)} is a column of events and something else.",
                hint="A quasi-identifier is constant within a person; an event varies.",
            )

    def settings(self) -> dict[str, Any]:
        """Return the settings as JSON types."""
        return {"columns": list(self.columns), "known": self.known, "counted": self.counted}


def event_knowledge(columns: Any, known: int | None, *, counted: bool = False) -> EventKnowledge | None:
    """Build from settings that may be missing; None without events."""
    if columns is None:
        if known is not None or counted:
            raise InvalidSetting(
                "Known events need columns that form an event.",
                hint="Name them with --events, or events: in a file.",
            )
        return None
    return EventKnowledge(columns, KNOWN.default if known is None else known, counted)


@dataclass(frozen=True, slots=True, eq=False)
class EventRows:
    """The events of each person, with how often each occurs."""

    tuples: DistinctTuples = field(repr=False)
    """Tuples of the unit, which is the first column, and the columns of events."""

    @property
    def people(self) -> int:
        """Number of people, with or without events."""
        return len(self.tuples.values[0])

    @property
    def empty(self) -> Bools:
        """Rows without an event: all columns are missing."""
        missing = [
            self.tuples.codes[:, place] == len(values) - 1
            if values[-1] is None
            else np.zeros(len(self.tuples), dtype=np.bool_)
            for place, values in enumerate(self.tuples.values[1:], start=1)
        ]
        empty: Bools = np.logical_and.reduce(missing)
        return empty

    def pairs(self, codes: Ints | None = None) -> Pairs:
        """Return pairs of person and event; `codes` replaces the values of each row by others."""
        held = ~self.empty
        values = self.tuples.codes[:, 1:].astype(np.int64) if codes is None else codes
        person = self.tuples.codes[held, 0].astype(np.int64)
        return joined_pairs(person, values[held], self.tuples.counts[held])


def joined_pairs(person: Ints, values: Ints, copies: Ints) -> Pairs:
    """Return distinct pairs from rows that may repeat."""
    _, event = np.unique(packed(values, range(values.shape[1])), return_inverse=True)
    width = int(event.max(initial=0)) + 1
    keys, at = np.unique(person * width + event, return_inverse=True)
    number = np.bincount(at, weights=copies, minlength=len(keys)).astype(np.int64)
    return Pairs(keys // width, keys % width, number)


def event_rows(table: Table, unit: str, columns: Sequence[str]) -> EventRows:
    """Count distinct combinations of person and event in the database."""
    return EventRows(table.tuples((unit, *columns)))


def static_classes(records: Table, unit: str, quasi: Sequence[str]) -> Ints:
    """Return the class of every person, in the order of the events."""
    tuples = records.tuples((unit, *quasi))
    _, of = np.unique(packed(tuples.codes, range(1, len(quasi) + 1)), return_inverse=True)
    return of.astype(np.int64)


def read_lists(
    table: Table, records: Table, unit: str, quasi: Sequence[str], columns: Sequence[str], *, counted: bool
) -> EventLists:
    """Read the lists of events of all people in their static classes."""
    pairs = event_rows(table, unit, columns).pairs()
    return event_lists(pairs, static_classes(records, unit, quasi), counted=counted)


@dataclass(frozen=True, slots=True)
class KnownSizes:
    """People by their smallest support: how many people fit what the adversary may know about them."""

    known: int
    method: str
    subsets: int
    """Number of subsets examined."""
    average: float
    low: float
    high: float
    sizes: tuple[tuple[int, int], ...]
    """Smallest support, and the number of people with it; smallest first."""

    @property
    def smallest(self) -> int:
        """Support of the most exposed person."""
        return self.sizes[0][0]

    def below(self, cell_size: int) -> int:
        """Return the number of people in groups smaller than the cell size."""
        return sum(people for support, people in self.sizes if support < cell_size)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        names = ("known", "method", "subsets", "average", "low", "high")
        return {
            **{name: getattr(self, name) for name in names},
            "sizes": [list(pair) for pair in self.sizes],
        }


@dataclass(frozen=True, slots=True)
class EventMeasure:
    """Everything that was counted; independent of any threshold."""

    knowledge: EventKnowledge
    persons: int
    events: int
    without: int
    """Number of persons without an event."""
    most: int
    """Number of events of the person who has the most."""
    by_known: tuple[KnownSizes, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        own = self.knowledge
        return {
            "knowledge": {**own.settings(), "seed": own.seed, "budget": own.budget},
            **{name: getattr(self, name) for name in ("persons", "events", "without", "most")},
            "by_known": [one.to_dict() for one in self.by_known],
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> EventMeasure:
        """Read what `to_dict` wrote."""
        rows = (
            KnownSizes(**{**row, "sizes": tuple((size, people) for size, people in row["sizes"])})
            for row in given["by_known"]
        )
        knowledge = EventKnowledge(**given["knowledge"])
        return cls(**{**given, "knowledge": knowledge, "by_known": tuple(rows)})

    def at_cell_size(self, cell_size: int) -> Longitudinal:
        """Judge the risk by the smallest acceptable group."""
        return Longitudinal(self, cell_size)


@dataclass(frozen=True, slots=True)
class Longitudinal:
    """The risk of people about whom some events are known, under a threshold."""

    found: EventMeasure
    cell_size: int

    @property
    def worst(self) -> KnownSizes:
        """The figures if the adversary knows all the events assumed."""
        return self.found.by_known[-1]

    @property
    def is_bound(self) -> bool:
        """Whether the highest risk is a lower bound, because not all subsets were examined."""
        return self.worst.method == "sampled"

    @property
    def acceptable(self) -> bool:
        """Whether it is proved that nobody is in a group smaller than the cell size."""
        return self.worst.smallest >= self.cell_size and not self.is_bound

    def reason(self) -> Reason:
        """Explain the risk in the verdict."""
        return Reason(self._sentence(), self.acceptable)

    def _sentence(self) -> str:
        worst, own = self.worst, self.found.knowledge
        number = f"also knows {plural(own.known, 'event')}" if own.known else "knows no event"
        what = f"{number} of a person ({', '.join(own.columns)})"
        others = "nobody else" if worst.smallest == 1 else f"{worst.smallest - 1:,} others"
        below = worst.below(self.cell_size)
        few = "1 person" if below == 1 else f"{below:,} people"
        risk = (
            f"To an adversary who {what}, the most exposed person matches {others}, a risk of "
            f"{'at least ' if self.is_bound else ''}{probability(1 / worst.smallest)}; "
            f"{few} of {self.found.persons:,} may be in groups smaller than {self.cell_size}: "
        )
        if self.is_bound and worst.smallest >= self.cell_size:
            return (
                f"{risk}only a sample of the possible knowledge was examined, which cannot prove that "
                "nobody is above the threshold: not acceptable."
            )
        return f"{risk}{'acceptable' if self.acceptable else 'not acceptable'}."

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        found, worst = self.found, self.worst
        curve = [
            (risk, sum(people for size, people in worst.sizes if size * risk >= 1 - 1e-12)) for risk in CURVE
        ]
        return {
            **found.knowledge.settings(),
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


def measure_events(table: Table, records: Table, schema: Schema, knowledge: EventKnowledge) -> EventMeasure:
    """Count how many people fit each thing an adversary may know, in a table of events and its people."""
    knowledge.check(schema)
    unit = schema.unit or ""
    lists = read_lists(table, records, unit, schema.quasi, knowledge.columns, counted=knowledge.counted)
    return events_in(lists, knowledge)


def events_in(lists: EventLists, knowledge: EventKnowledge) -> EventMeasure:
    """Count the same from lists of events."""
    risks = risks_by_known(lists, knowledge.known, seed=knowledge.seed, budget=knowledge.budget)
    lengths = lists.lengths
    return EventMeasure(
        knowledge=knowledge,
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
