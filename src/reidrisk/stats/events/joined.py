"""Risk of a person over the join of several tables.

Person i is in the static class c(i) and has events E(i), each from one table. The adversary knows S, a subset
of E(i) with |S| = min(p, |E(i)|), counted over all tables together, at most p_t of table t:

    support(i, S) = number of people j with c(j) = c(i) whose events contain S
    risk(i)       = the largest 1 / support(i, S)
    average       = the largest, over compositions (p_1 … p_T) with sum p, of the mean over people of the mean
                    over S with p_t events of table t (all events of a table that has fewer)

The maximum over compositions is needed: if events are pooled, a harmless table lowers the average.

Sources: El Emam et al. 2012, doi:10.2196/jmir.2001; Terrovitis et al. 2008, doi:10.14778/1453856.1453874;
Nergiz et al. 2009, doi:10.1109/TKDE.2008.210.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.events.compositions import Composition, Compositions, counts_of
from reidrisk.stats.events.dated import DatedLists
from reidrisk.stats.events.drawn import draw_people, drawn_supports
from reidrisk.stats.events.lists import EventLists
from reidrisk.stats.events.risk import BUDGET
from reidrisk.stats.events.walk import support_risks
from reidrisk.stats.grouping import grouped
from reidrisk.stats.mean_limit import clopper_pearson
from reidrisk.stats.observed_limit import ObservedRisk

Lists = EventLists | DatedLists
Method = Literal["exact", "sampled"]
CELLS = 2**25
"""People times compositions that are counted at once."""
LEVEL = 0.975


@dataclass(frozen=True, slots=True)
class CompositionAverage:
    """The average risk if the known events are spread over the tables in one way."""

    composition: Composition
    average: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class JoinedKnown:
    """The risk of every person if the adversary knows a given number of events of any tables."""

    known: int
    method: Method
    """`exact`: every set was counted. `sampled`: people and sets were drawn."""
    subsets: int
    """Number of sets that an adversary may know."""
    least: Ints = field(repr=False)
    """By person: the smallest support; an upper limit of it where sampled."""
    floor: Ints = field(repr=False)
    """By person: the support is never smaller than this; the same as `least` if exact."""
    averages: tuple[CompositionAverage, ...]
    drawn: Ints | None = field(default=None, repr=False)
    """The smallest support of each person who was drawn; 0 if there were too many sets to count."""

    @property
    def worst(self) -> CompositionAverage:
        """The composition with the highest average; it decides."""
        return max(self.averages, key=lambda one: (one.high, one.average))

    @property
    def average(self) -> float:
        """The highest average over compositions."""
        return max(one.average for one in self.averages)

    @property
    def average_limits(self) -> tuple[float, float]:
        """Limits of the highest average; a point if every set was counted."""
        return max(one.low for one in self.averages), max(one.high for one in self.averages)

    def share_below(self, cell_size: int) -> tuple[float, float, float]:
        """Share of people whose support may be smaller than the cell size, with its limits."""
        people = len(self.least)
        surely = float(np.count_nonzero(self.least < cell_size)) / people
        possibly = float(np.count_nonzero(self.floor < cell_size)) / people
        if self.drawn is None or surely == possibly:
            return surely, surely, possibly
        below = int(np.count_nonzero(self.drawn < cell_size))
        low, high = clopper_pearson(below, len(self.drawn), LEVEL)
        share = below / len(self.drawn)
        return min(max(share, surely), possibly), max(low, surely), min(high, possibly)

    def to_dict(self) -> dict[str, Any]:
        """How many people have which support, as JSON types: nothing about a single person."""
        return {
            "known": self.known,
            "method": self.method,
            "subsets": self.subsets,
            "least": runs(self.least),
            "floor": runs(self.floor),
            "averages": [[list(one.composition), one.average, one.low, one.high] for one in self.averages],
            "drawn": None if self.drawn is None else runs(self.drawn),
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> JoinedKnown:
        """Read what `to_dict` wrote; people come in the order of their support."""
        drawn = given["drawn"]
        return cls(
            given["known"],
            given["method"],
            given["subsets"],
            repeated(given["least"]).astype(np.int64),
            repeated(given["floor"]).astype(np.int64),
            tuple(CompositionAverage(tuple(row[0]), *row[1:]) for row in given["averages"]),
            None if drawn is None else repeated(drawn).astype(np.int64),
        )


def runs(values: Floats | Ints) -> list[list[Any]]:
    """Different values, smallest first, and how often each occurs."""
    found, number = np.unique(values, return_counts=True)
    return [list(pair) for pair in zip(found.tolist(), number.tolist(), strict=True)]


def repeated(given: Sequence[Sequence[Any]]) -> Floats:
    """The values that `runs` counted."""
    values, number = zip(*given, strict=True) if given else ((), ())
    return np.repeat(np.array(values, dtype=np.float64), number)


@dataclass(frozen=True, slots=True, eq=False)
class JoinedRisk:
    """The risk of people over several tables."""

    by_known: tuple[JoinedKnown, ...]
    without: Ints | None = field(repr=False)
    """By person and table: the smallest support if nothing is known from the table; None if sampled."""
    alone: Ints | None = field(repr=False)
    """By person and table: the smallest support if only events of this table are known; None if sampled."""


def joined_risk(
    lists: Lists,
    known: int,
    *,
    caps: Sequence[int] | None = None,
    among: Bools | None = None,
    seed: int = 7,
    budget: int = BUDGET,
) -> JoinedRisk:
    """Measure the risk for 0, 1, … known events; for a person with fewer events, all are known.

    Averages are over the people `among` only, if that is given; all others still fit what is known.
    """
    if caps is not None and len(caps) != lists.tables:
        raise InvalidSetting(
            f"There are limits for {len(caps)} tables, and events of {lists.tables}.",
            hint="Give one limit per table.",
        )
    given = tuple(min(cap, known) for cap in caps) if caps is not None else (known,) * lists.tables
    comps = Compositions.of(known, given)
    lengths = events_by_table(lists)
    tally = Tally.begin(comps, lists.class_sizes(), lengths, among=among)
    found = [tally.result(0, "exact", lists.people)]
    for size in range(1, comps.largest + 1):
        subsets = count_subsets(lengths, given, size)
        if subsets > budget:
            found += [
                _sampled(lists, tally, one, seed=seed, budget=budget)
                for one in range(size, comps.largest + 1)
            ]
            return JoinedRisk(tuple(found), None, None)
        for columns in _blocks(len(comps.of_size(size)), lists.people):
            tally.add(size, columns[0], *_risks(lists, size, comps, columns))
        found.append(tally.result(size, "exact", subsets))
    return JoinedRisk(tuple(found), tally.without, tally.alone)


def _risks(lists: Lists, size: int, comps: Compositions, columns: tuple[int, int]) -> tuple[Floats, Ints]:
    if isinstance(lists, DatedLists):
        return lists.risks(size, comps, columns)
    found = support_risks(lists, size, comps, columns=columns)
    return found.sums, found.least


def _blocks(columns: int, people: int) -> list[tuple[int, int]]:
    wide = max(1, CELLS // max(people, 1))
    return [(first, min(first + wide, columns)) for first in range(0, columns, wide)]


def events_by_table(lists: Lists) -> Ints:
    """By person and table: the number of different events."""
    slots = lists.slots
    cells = slots.owners * lists.tables + slots.tables
    return np.bincount(cells, minlength=lists.people * lists.tables).reshape(lists.people, lists.tables)


def count_subsets(lengths: Ints, caps: Sequence[int], size: int) -> int:
    """Number of sets that may be known: of `size` events, or of as many as a person has within the limits.

    >>> count_subsets(np.array([[3, 2], [0, 1]]), (1, 2), 2)
    8
    """
    found = grouped(lengths.astype(np.int32), np.ones(len(lengths), dtype=np.int64))
    rows, people = found.codes.astype(np.int64), found.counts
    ways = np.zeros((size + 1, len(rows)), dtype=object)
    ways[0] = 1
    for table, cap in enumerate(caps):
        before = ways.copy()
        chosen = np.ones(len(rows), dtype=object)
        for number in range(1, min(cap, size) + 1):
            chosen = chosen * np.maximum(rows[:, table] - number + 1, 0) // number
            ways[number:] += before[: size + 1 - number] * chosen
    largest = np.where(ways > 0, np.arange(size + 1)[:, None], 0).max(axis=0)
    return int((ways[largest, np.arange(len(rows))] * people).sum())


def ways_of(lengths: Ints, row: Composition) -> Floats:
    """By person: in how many ways events can be chosen by a composition; 0 if there are too few."""
    from scipy.special import comb

    ways = np.ones(len(lengths))
    for table, number in enumerate(counts_of(row, lengths.shape[1])):
        if number:
            ways *= comb(lengths[:, table], number)
    return ways


@dataclass(slots=True, eq=False)
class Tally:
    """Adds up the risks of people over compositions, one size after another."""

    comps: Compositions
    sizes: Ints
    """By person: the number of people in the class."""
    lengths: Ints
    """By person and table: the number of events."""
    least: Ints
    without: Ints
    alone: Ints
    totals: Floats
    """By composition: the sum over people of the mean risk."""
    among: Bools
    """By person: whether the averages include them."""
    values: Floats | None = None
    """By composition and person: the mean risk, if it is kept."""

    @classmethod
    def begin(
        cls,
        comps: Compositions,
        sizes: Ints,
        lengths: Ints,
        *,
        among: Bools | None = None,
        keep: bool = False,
    ) -> Tally:
        """Start with no event known."""
        by_table = np.repeat(sizes[:, None], comps.tables, axis=1)
        values = np.zeros((len(comps.rows), len(sizes))) if keep else None
        totals = np.zeros(len(comps.rows))
        counted = np.ones(len(sizes), dtype=np.bool_) if among is None else among
        tally = cls(comps, sizes, lengths, sizes.copy(), by_table, by_table.copy(), totals, counted, values)
        tally._spread((), 1.0 / sizes, np.ones(len(sizes), dtype=np.bool_))
        return tally

    def add(self, size: int, first: int, sums: Floats, least: Ints) -> None:
        """Add the compositions of one size, from the column `first` on."""
        for place in range(sums.shape[1]):
            row = self.comps.of_size(size)[first + place]
            ways = ways_of(self.lengths, row)
            has = ways > 0
            mean = np.divide(sums[:, place], ways, out=np.zeros(len(ways)), where=has)
            self._spread(row, mean, has)
            found = np.where(has, least[:, place], self.sizes)
            np.minimum(self.least, found, out=self.least)
            for table in range(self.comps.tables):
                if table not in row:
                    np.minimum(self.without[:, table], found, out=self.without[:, table])
            if len(set(row)) == 1:
                np.minimum(self.alone[:, row[0]], found, out=self.alone[:, row[0]])

    def _spread(self, row: Composition, mean: Floats, has: Bools) -> None:
        """Count a mean for each composition for which people have no more events than these."""
        tables = self.comps.tables
        own = counts_of(row, tables)
        for place, other in enumerate(self.comps.rows):
            wanted = counts_of(other, tables)
            if (wanted < own).any():
                continue
            more = np.flatnonzero(wanted > own)
            if self.values is None:
                self.totals[place] += _sum_of(mean, has & self.among, self.lengths, more, own)
            else:
                fits = has & (self.lengths[:, more] == own[more]).all(axis=1)
                self.values[place, fits] = mean[fits]

    def result(self, size: int, method: Method, subsets: int) -> JoinedKnown:
        """Return the risks at this size, all smaller sizes being counted."""
        people = int(np.count_nonzero(self.among))
        first = self.comps.edges[size]
        averages = tuple(
            CompositionAverage(row, *(3 * (float(self.totals[first + place]) / people,)))
            for place, row in enumerate(self.comps.of_size(size))
        )
        return JoinedKnown(size, method, subsets, self.least.copy(), self.least.copy(), averages)


@compiled
def _sum_of(mean: Floats, has: Bools, lengths: Ints, more: Ints, own: Ints) -> float:
    """The sum over people who have exactly their `own` events in the tables `more`."""
    total, lost = 0.0, 0.0
    for person in range(len(mean)):
        fits = has[person]
        for table in more:
            fits = fits and lengths[person, table] == own[table]
        if fits:  # the sum keeps what rounding loses (Kahan)
            term = mean[person] - lost
            higher = total + term
            lost = (higher - total) - term
            total = higher
    return total


def _sampled(lists: Lists, tally: Tally, size: int, *, seed: int, budget: int) -> JoinedKnown:
    """Draw people and walk each exactly; draw sets of all people for a bound, which the tally keeps."""
    comps = tally.comps
    rng = np.random.default_rng([seed, size])
    people = draw_people(lists, tally.lengths, size, rng, np.flatnonzero(tally.among))
    exact = Tally.begin(comps, tally.sizes[people.chosen], tally.lengths[people.chosen], keep=True)
    for number in range(1, size + 1):
        exact.add(number, 0, *people.risks(lists, number, comps))
    least = np.minimum(tally.least, drawn_supports(lists, size, comps, seed), out=tally.least)
    least[people.chosen] = np.where(people.complete, exact.least, least[people.chosen])
    floor = _floor(lists, tally, size, budget)
    floor[people.chosen] = np.where(people.complete, exact.least, floor[people.chosen])
    averages = _averages(exact, comps, size)
    subsets = count_subsets(tally.lengths, comps.caps, size)
    drawn = np.where(people.complete, exact.least, 0)
    return JoinedKnown(size, "sampled", subsets, least.copy(), floor, averages, drawn)


def _averages(exact: Tally, comps: Compositions, size: int) -> tuple[CompositionAverage, ...]:
    """Averages over the people who were drawn, with limits that hold for any distribution."""
    found = []
    for place, row in enumerate(comps.of_size(size), start=comps.edges[size]):
        values = exact.values[place] if exact.values is not None else np.zeros(0)
        low, high = ObservedRisk.of_values(values, np.ones(len(values))).limits(LEVEL)
        found.append(CompositionAverage(row, float(values.mean()), low, high))
    return tuple(found)


def _floor(lists: Lists, tally: Tally, size: int, budget: int) -> Ints:
    """What the tables prove alone, without joining them; 1 where this proves nothing."""
    supports = supports_alone(lists, tally, size, budget)
    if supports is None:
        return np.ones(len(tally.sizes), dtype=np.int64)
    floor = tally.sizes.copy()
    for row in tally.comps.of_size(size):
        used = counts_of(row, tally.comps.tables)
        parts = [supports[number][:, table] for table, number in enumerate(used) if number]
        np.minimum(floor, sum(parts) - (len(parts) - 1) * tally.sizes, out=floor)
    return np.maximum(floor, 1)


def supports_alone(lists: Lists, tally: Tally, size: int, budget: int) -> list[Ints] | None:
    """By number of known events: the smallest support by person and table; None if there are too many."""
    comps, lengths = tally.comps, tally.lengths
    only = [
        np.minimum(comps.caps, np.where(np.arange(comps.tables) == t, size, 0)) for t in range(comps.tables)
    ]
    if sum(count_subsets(lengths, cap.tolist(), size) for cap in only) > budget:
        return None
    sizes = np.repeat(tally.sizes[:, None], comps.tables, axis=1)
    found = [sizes]
    for number in range(1, size + 1):
        found.append(found[-1].copy())
        for table, cap in enumerate(only):
            alone = Compositions.of(number, cap.tolist())
            if not alone.of_size(number):
                continue
            least = _risks(lists, number, alone, (0, 1))[1][:, 0]
            np.minimum(
                found[-1][:, table], np.where(least > 0, least, sizes[:, table]), out=found[-1][:, table]
            )
    return found


def bounds_without_join(people: int, fitting: Sequence[int]) -> tuple[float, float]:
    """Bounds of the risk if n_t people of a class of n fit what is known from part t.

    The largest 1/n_t is the lower bound, and 1 / max(1, sum n_t - (T-1) n) the upper bound.

    >>> bounds_without_join(10, (8, 7))
    (0.14285714285714285, 0.2)
    """
    if not fitting or any(not 1 <= number <= people for number in fitting):
        raise InvalidSetting(
            "Each part must fit between one person and all people of the class.", hint="Check the counts."
        )
    return 1 / min(fitting), 1 / max(1, sum(fitting) - (len(fitting) - 1) * people)
