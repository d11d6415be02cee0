"""Risk of people some of whose events an adversary knows, exactly or from sampled subsets.

Person i is in the static class c(i) and has the events E(i). The adversary knows S, a subset of E(i) with |S|
= min(p, |E(i)|). The support of S is the number of people in the class whose events contain S; the risk is 1
/ support. p is the power of the adversary (El Emam et al. 2012, doi:10.2196/jmir.2001). If no support is
smaller than k, the data are k^m-anonymous within the classes, with m = p (Terrovitis et al. 2008,
doi:10.14778/1453856.1453874).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import fsum, hypot, sqrt
from typing import Literal, NamedTuple

import numpy as np

from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.events.lists import EventLists, Slots
from reidrisk.stats.events.walk import support_risks

LEAST_DRAWS, MOST_DRAWS, DRAWN = 4, 64, 1_000_000
"""Subsets per person (least and most), and about how many in all."""
FAR = 20
"""How many times longer a list must be for a search to replace a scan."""
CHUNK = 20_000
"""People whose random numbers are drawn at once."""


class SubsetRisks(NamedTuple):
    """The risk of each person over the subsets examined."""

    mean: Floats
    """Mean of 1 / support."""
    variance: Floats
    """Variance of that mean; 0 where all subsets of a person were examined."""
    least: Ints
    """The smallest support found; 0 for people with too few events."""
    subsets: int


class _Index(NamedTuple):
    """The people who have each event."""

    edges: Ints
    people: Ints


def sample_risks(lists: EventLists, known: int, rng: np.random.Generator) -> SubsetRisks:
    """Risks over a sample of subsets of `known` events of each person, or over all if they are few."""
    draws = int(np.clip(DRAWN // lists.people, LEAST_DRAWS, MOST_DRAWS))
    slots = lists.slots
    order = np.argsort(slots.items, kind="stable")
    edges = np.searchsorted(slots.items[order], np.arange(lists.numbers + 1))
    index = _Index(edges, slots.owners[order])
    found = SubsetRisks(
        np.zeros(lists.people), np.zeros(lists.people), np.zeros(lists.people, dtype=np.int64), 0
    )
    looked = 0
    for first in range(0, lists.people, CHUNK):
        last = min(first + CHUNK, lists.people)
        chances = rng.random((last - first, draws, known))
        looked += _draw(slots, index, first, chances, found)
    return found._replace(subsets=looked)


@compiled
def _draw(slots: Slots, index: _Index, first: int, chances: Floats, found: SubsetRisks) -> int:
    """Sample subsets for people from `first` on; returns the number of subsets examined."""
    people, draws, known = chances.shape
    chosen, places = np.zeros(known, dtype=np.int64), np.zeros(known, dtype=np.int64)
    wanted, others = np.zeros(known, dtype=np.int64), np.zeros(slots.starts.size, dtype=np.int64)
    looked = 0
    for i in range(people):
        begin = slots.starts[first + i]
        length = slots.starts[first + i + 1] - begin
        if length < known:
            continue
        ways = _ways(length, known)
        all_of_them = ways <= draws
        for place in range(known):
            places[place] = place
        number = int(ways) if all_of_them else draws
        total, squares, least = 0.0, 0.0, 0
        for turn in range(number):
            if all_of_them:
                if turn > 0:
                    _next(places, length)
                chosen[:] = places
            else:
                _pick(chances[i, turn], length, chosen)
            needs = _collect_events(slots, begin, chosen, wanted)
            support = _support(slots, index, wanted[:needs], others)
            total += 1.0 / support
            squares += 1.0 / support**2
            if least == 0 or support < least:
                least = support
        looked += number
        mean = total / number
        found.mean[first + i], found.least[first + i] = mean, least
        if not all_of_them:
            spread = max(squares / number - mean * mean, 0.0) * number / (number - 1)
            found.variance[first + i] = spread / number
    return looked


@compiled
def _ways(length: int, known: int) -> float:
    ways = 1.0
    for i in range(known):
        ways *= (length - i) / (i + 1)
    return float(np.round(ways))


@compiled
def _next(places: Ints, length: int) -> None:
    """The next combination in lexicographic order."""
    known = places.size
    at = known - 1
    while places[at] == length - known + at:
        at -= 1
    places[at] += 1
    for later in range(at + 1, known):
        places[later] = places[later - 1] + 1


@compiled
def _pick(chances: Floats, length: int, chosen: Ints) -> None:
    """Draw distinct positions in ascending order; all sets are equally likely."""
    for n in range(chosen.size):
        place = min(int(chances[n] * (length - n)), length - n - 1)
        at = n
        for earlier in range(n):
            if place >= chosen[earlier]:
                place += 1
            else:
                at = earlier
                break
        for later in range(n, at, -1):
            chosen[later] = chosen[later - 1]
        chosen[at] = place


@compiled
def _collect_events(slots: Slots, begin: int, chosen: Ints, wanted: Ints) -> int:
    """The events at these positions with the copies chosen; returns how many distinct events there are."""
    needs, run, before = 0, 0, -1
    for place in chosen:
        slot = begin + place
        first = slots.items[slot] - slots.ordinals[slot] + 1
        run = run + 1 if first == before else 1
        needs += run == 1
        wanted[needs - 1] = first + run - 1
        before = first
    return needs


@compiled
def _support(slots: Slots, index: _Index, wanted: Ints, people: Ints) -> int:
    """Number of people who have all of these events; `people` is scratch space."""
    rarest = 0
    for n in range(1, wanted.size):
        if _size(index, wanted[n]) < _size(index, wanted[rarest]):
            rarest = n
    number = _size(index, wanted[rarest])
    people[:number] = index.people[index.edges[wanted[rarest]] : index.edges[wanted[rarest] + 1]]
    for n in range(wanted.size):
        if n == rarest:
            continue
        if _size(index, wanted[n]) > FAR * number:
            number = _keep_by_search(slots, wanted[n], people, number)
        else:
            number = _keep_by_merge(index, wanted[n], people, number)
    return number


@compiled
def _keep_by_search(slots: Slots, item: int, people: Ints, number: int) -> int:
    """Keep those of a few people who have an event, by a search in their lists."""
    kept = 0
    for i in range(number):
        if _has(slots, people[i], item):
            people[kept] = people[i]
            kept += 1
    return kept


@compiled
def _keep_by_merge(index: _Index, item: int, people: Ints, number: int) -> int:
    """Keep those who have an event, by a merge with all who have it; both lists are sorted."""
    kept, i, other, end = 0, 0, index.edges[item], index.edges[item + 1]
    while i < number and other < end:
        if people[i] == index.people[other]:
            people[kept] = people[i]
            kept += 1
            i += 1
            other += 1
        elif people[i] < index.people[other]:
            i += 1
        else:
            other += 1
    return kept


@compiled
def _size(index: _Index, item: int) -> int:
    return int(index.edges[item + 1] - index.edges[item])


@compiled
def _has(slots: Slots, person: int, item: int) -> bool:
    """Binary search in the person's list."""
    low, high = slots.starts[person], slots.starts[person + 1]
    end = high
    while low < high:
        middle = (low + high) // 2
        if slots.items[middle] < item:
            low = middle + 1
        else:
            high = middle
    return bool(low < end and slots.items[low] == item)


BUDGET = 500_000_000
"""Number of subsets up to which all are enumerated."""
DEVIATIONS = 1.959963984540054
Method = Literal["exact", "sampled"]


@dataclass(frozen=True, slots=True, eq=False)
class KnownRisk:
    """The risk of every person if the adversary knows a given number of events."""

    known: int
    method: Method
    deviation: float
    """Standard error of the average over people; 0 where all subsets were examined."""
    subsets: int
    """Number of subsets examined."""
    least: Ints = field(repr=False)
    """By person: the smallest support of the known subsets; an upper limit of it where sampled."""
    mean: Floats = field(repr=False)
    """By person: the mean of 1 / support over the known subsets."""

    @property
    def average(self) -> float:
        """Mean over people of the mean over subsets."""
        return fsum(self.mean.tolist()) / len(self.mean)

    @property
    def interval(self) -> tuple[float, float]:
        """95 % confidence interval of the average; a point where nothing was sampled."""
        reach = DEVIATIONS * self.deviation
        return max(0.0, self.average - reach), min(1.0, self.average + reach)


def risks_by_known(
    lists: EventLists, known: int, *, seed: int = 7, budget: int = BUDGET
) -> tuple[KnownRisk, ...]:
    """Risks for 0, 1, … known events; for a person with fewer events, all are known."""
    sizes = lists.class_sizes()
    found = [KnownRisk(0, "exact", 0.0, lists.people, sizes, 1.0 / sizes)]
    for number in range(1, known + 1):
        exact = lists.subsets(number) <= budget
        found.append(
            _enumerate_subsets(lists, found[-1], number)
            if exact
            else _sample_subsets(lists, found[-1], number, seed)
        )
    return tuple(found)


def _enumerate_subsets(lists: EventLists, before: KnownRisk, known: int) -> KnownRisk:
    from scipy.special import comb

    has = lists.lengths >= known
    risks = support_risks(lists, known)
    mean = before.mean.copy()
    mean[has] = risks.sums[has, 0] / comb(lists.lengths[has], known)
    least = np.where(has, risks.least[:, 0], before.least)
    return KnownRisk(known, *_method(before, has, 0.0), lists.subsets(known), least, mean)


def _sample_subsets(lists: EventLists, before: KnownRisk, known: int, seed: int) -> KnownRisk:
    """Sample subsets; knowing more events cannot raise a person's smallest support."""
    has = lists.lengths >= known
    drawn = sample_risks(lists, known, np.random.default_rng([seed, known]))
    mean = np.where(has, drawn.mean, before.mean)
    least = np.where(has, np.minimum(drawn.least, before.least), before.least)
    method, deviation = _method(before, has, sqrt(fsum(drawn.variance.tolist())) / lists.people)
    if drawn.subsets < lists.subsets(known):
        method = "sampled"
    return KnownRisk(known, method, deviation, drawn.subsets, least, mean)


def _method(before: KnownRisk, has: Bools, deviation: float) -> tuple[Method, float]:
    """The method and its error; results that were sampled for fewer events stay sampled."""
    if before.method == "exact" or has.all():
        return "exact", deviation
    return "sampled", hypot(deviation, before.deviation)
