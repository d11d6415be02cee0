"""How many people fit what an adversary may know of a person, over all tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from reidrisk.engine.linked import NO_DAY
from reidrisk.errors import InvalidSetting
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.people import People
from reidrisk.stats.arrays import Bools, Ints
from reidrisk.stats.events.dated import DatedLists, DatedRows
from reidrisk.stats.events.joined import JoinedKnown, JoinedRisk, joined_risk
from reidrisk.stats.events.lists import EventLists, Pairs, event_lists
from reidrisk.stats.events.risk import BUDGET
from reidrisk.stats.grouping import packed
from reidrisk.stats.keys import distinct

MOST_KNOWN = 5


@dataclass(frozen=True, slots=True)
class JoinKnowledge:
    """What the adversary knows of a person beside the quasi-identifiers."""

    total: int = 2
    """Number of events, over all tables together."""
    by_table: Mapping[str, int] = field(default_factory=dict)
    """The most events from a table, if there is a limit."""
    intervals: bool = False
    """Whether dates were moved by one offset per person, so that only distances are known."""
    most: int | None = None
    """The largest offset in days; None if any is possible."""
    seed: int = 7
    budget: int = BUDGET
    """Number of sets of events up to which all are counted."""

    def __post_init__(self) -> None:
        if not 0 <= self.total <= MOST_KNOWN:
            raise InvalidSetting(
                f"The number of known events cannot be {self.total}.", hint=f"Choose 0 to {MOST_KNOWN}."
            )

    @classmethod
    def of(cls, config: RelationalConfig, *, known: int | None = None, seed: int = 7) -> JoinKnowledge:
        """From the settings of a release; `known` replaces the total."""
        dates = config.dates
        total = config.known.total if known is None else known
        by_table = {name.lower(): number for name, number in config.known.by_table.items()}
        return cls(total, by_table, dates.know == "intervals", dates.offset, seed)

    def caps(self, tables: Sequence[str]) -> tuple[int, ...]:
        """By table: the most events that are known from it."""
        wrong = [name for name in self.by_table if name not in tables]
        if wrong:
            raise InvalidSetting(
                f"known names {wrong[0]!r}, which is no table of events.",
                hint=f"Tables of events are: {', '.join(tables) or 'none'}.",
            )
        return tuple(min(self.by_table.get(name, self.total), self.total) for name in tables)


@dataclass(frozen=True, slots=True)
class JoinDriver:
    """The risk that would remain without a table or a column."""

    table: str | None
    """None for a quasi-identifier of people."""
    column: str | None
    """None for a whole table."""
    highest: float
    average: float | None
    """None if only the highest risk was counted."""
    share_above_threshold: float


@dataclass(frozen=True, slots=True, eq=False)
class Exposure:
    """The risk of every person over the join of all tables."""

    people: People = field(repr=False)
    knowledge: JoinKnowledge
    found: JoinedRisk = field(repr=False)
    shift: Ints | None = field(default=None, repr=False)

    @property
    def worst(self) -> JoinedKnown:
        """The figures if the adversary knows all the events assumed."""
        return self.found.by_known[-1]

    def accepts(self, cell_size: int) -> bool:
        """Whether it is proved that nobody fits with fewer people than the cell size."""
        return int(self.worst.floor.min()) >= cell_size

    def without_columns(self, cell_size: int) -> Iterator[JoinDriver]:
        """Measure again without each quasi-identifier, and without each column of events that have several.

        Nothing is measured if the sets of events of all runs together are too many.
        """
        runs = len(self.people.columns) + sum(
            len(columns) for columns in self.people.event_columns if len(columns) > 1
        )
        if self.worst.method != "exact" or runs * self.worst.subsets > self.knowledge.budget:
            return
        for name in self.people.columns:
            yield self._driver(None, name, without_attribute(self.people, name), cell_size)
        for place, columns in enumerate(self.people.event_columns):
            for column in columns if len(columns) > 1 else ():
                fewer = without_event_column(self.people, place, column)
                yield self._driver(self.people.tables[place], column, fewer, cell_size)

    def _driver(self, table: str | None, column: str, people: People, cell_size: int) -> JoinDriver:
        worst = measure_people(people, self.knowledge, shift=self.shift).worst
        share = worst.share_below(cell_size)[0]
        return JoinDriver(table, column, 1 / int(worst.least.min()), worst.average, share)

    def tables_alone(self, cell_size: int) -> list[JoinDriver]:
        """The risk through each table alone; nothing if sets were sampled."""
        return self._by_table(self.found.alone, cell_size)

    def without_tables(self, cell_size: int) -> list[JoinDriver]:
        """The risk without each table; nothing if sets were sampled."""
        return self._by_table(self.found.without, cell_size)

    def _by_table(self, least: Ints | None, cell_size: int) -> list[JoinDriver]:
        if least is None:
            return []
        return [
            JoinDriver(
                name,
                None,
                1 / int(least[:, place].min()),
                None,
                float(np.count_nonzero(least[:, place] < cell_size)) / len(least),
            )
            for place, name in enumerate(self.people.tables)
        ]


def measure_people(
    people: People, knowledge: JoinKnowledge, *, shift: Ints | None = None, among: Bools | None = None
) -> Exposure:
    """Count who fits what may be known of each person; averages are over the people `among`, if given.

    `shift` is the offset of each person's dates. Without it, offsets are drawn with the seed, since those of
    a release are secret; the release is measured again with its own.
    """
    if not people.tables:
        lists: EventLists | DatedLists = event_lists(_no_events(), people.static)
        return Exposure(people, knowledge, joined_risk(lists, 0, among=among))
    if knowledge.intervals and people.day is not None:
        moved = drawn_offsets(len(people), knowledge) if shift is None else shift
        lists = DatedLists.of(_dated_rows(people, knowledge, moved), people.static)
    else:
        moved, lists = None, event_lists(_pairs(people), people.static)
    found = joined_risk(
        lists,
        knowledge.total,
        caps=knowledge.caps(people.tables),
        among=among,
        seed=knowledge.seed,
        budget=knowledge.budget,
    )
    return Exposure(people, knowledge, found, moved)


def drawn_offsets(people: int, knowledge: JoinKnowledge) -> Ints:
    """Offsets as a release would draw them: up to the largest, in both directions, never 0."""
    if knowledge.most is None:
        return np.zeros(people, dtype=np.int64)
    rng = np.random.default_rng([knowledge.seed, 365])
    days = rng.integers(1, knowledge.most + 1, people)
    return np.where(rng.random(people) < 0.5, -days, days)


def _no_events() -> Pairs:
    nothing = np.zeros(0, dtype=np.int64)
    return Pairs(nothing, nothing, nothing)


def tables_of_events(people: People) -> Ints:
    """By code of an event: the place of its table; one entry more, so that the last table is there."""
    of = np.zeros(int(people.event.max(initial=-1)) + 2, dtype=np.int64)
    of[people.event] = people.table
    of[-1] = len(people.tables) - 1
    return of


def _pairs(people: People) -> Pairs:
    of = tables_of_events(people)
    keys = distinct(people.person * len(of) + people.event)
    return Pairs(keys // len(of), keys % len(of), np.ones(len(keys), dtype=np.int64), of)


def _dated_rows(people: People, knowledge: JoinKnowledge, shift: Ints) -> DatedRows:
    day = people.day if people.day is not None else np.full(len(people.person), NO_DAY, dtype=np.int64)
    dated = day != NO_DAY
    return DatedRows(
        people.person,
        people.event,
        tables_of_events(people),
        np.where(dated, day, 0),
        dated,
        shift,
        knowledge.most,
    )


def static_of(columns: Mapping[str, Ints], people: int) -> Ints:
    """The class of every person by these attributes."""
    if not columns:
        return np.zeros(people, dtype=np.int64)
    codes = np.stack(list(columns.values()), axis=1)
    _, of = np.unique(packed(codes, range(codes.shape[1])), return_inverse=True)
    return of.astype(np.int64)


def without_attribute(people: People, name: str) -> People:
    """The same people without a quasi-identifier."""
    left = {other: codes for other, codes in people.columns.items() if other != name}
    return replace(people, columns=left, static=static_of(left, len(people)))


def without_event_column(people: People, table: int, column: str) -> People:
    """The same people without a column of the events of a table."""
    place = people.event_columns[table].index(column)
    codes: dict[tuple[int, tuple[str | None, ...]], int] = {}
    new = np.empty(len(people.events), dtype=np.int64)
    for old, (of, values) in enumerate(people.events):
        left = (*values[:place], *values[place + 1 :]) if of == table else values
        new[old] = codes.setdefault((of, left), len(codes))
    named = list(people.event_columns)
    named[table] = tuple(name for name in named[table] if name != column)
    return replace(people, event=new[people.event], events=tuple(codes), event_columns=tuple(named))
