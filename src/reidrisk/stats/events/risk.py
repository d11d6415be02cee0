"""Risk of people whose events an adversary knows, exactly or from drawn subsets.

Person i is in the static class c(i) and has the events E(i). The adversary knows S, which is part of E(i),
with |S| = min(p, |E(i)|). The support of S is the number of people of the class whose events contain S; the
risk is 1 / support. p is the power of the adversary (El Emam et al. 2012, doi:10.2196/jmir.2001). If no
support is smaller than k, the data are k^m-anonymous within the classes, m being p (Terrovitis et al. 2008,
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
"""Subsets a person, and about how many in all."""
FAR = 20
"""How many times longer a list must be to be searched instead of gone through."""
CHUNK = 20_000
"""People whose random numbers are made at once."""


class Drawn(NamedTuple):
    """What the subsets that were looked at tell of each person."""

    mean: Floats
    """Of 1 / support."""
    variance: Floats
    """Of that mean; 0 where all subsets of a person were looked at."""
    least: Ints
    """The smallest support that was seen; 0 for people with too few events."""
    subsets: int


class _Index(NamedTuple):
    """The people who have each event."""

    edges: Ints
    people: Ints


def drawn_risks(lists: EventLists, known: int, rng: np.random.Generator) -> Drawn:
    """The risks over some subsets of so many events of each person, or all where these are few."""
    draws = int(np.clip(DRAWN // lists.people, LEAST_DRAWS, MOST_DRAWS))
    slots = lists.slots
    order = np.argsort(slots.items, kind="stable")
    edges = np.searchsorted(slots.items[order], np.arange(lists.numbers + 1))
    index = _Index(edges, slots.owners[order])
    found = Drawn(np.zeros(lists.people), np.zeros(lists.people), np.zeros(lists.people, dtype=np.int64), 0)
    looked = 0
    for first in range(0, lists.people, CHUNK):
        last = min(first + CHUNK, lists.people)
        chances = rng.random((last - first, draws, known))
        looked += _draw(slots, index, first, chances, found)
    return found._replace(subsets=looked)


@compiled
def _draw(slots: Slots, index: _Index, first: int, chances: Floats, found: Drawn) -> int:
    """People from `first` on, each with chances of their own; how many subsets were looked at."""
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
            needs = _wanted(slots, begin, chosen, wanted)
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
    """The next combination in order."""
    known = places.size
    at = known - 1
    while places[at] == length - known + at:
        at -= 1
    places[at] += 1
    for later in range(at + 1, known):
        places[later] = places[later - 1] + 1


@compiled
def _pick(chances: Floats, length: int, chosen: Ints) -> None:
    """So many different places, all sets of them equally likely; in order."""
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
def _wanted(slots: Slots, begin: int, chosen: Ints, wanted: Ints) -> int:
    """The events at these places of a person, each with as many copies as were chosen; how many they are."""
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
    """How many people have all of these events; `people` is room for them."""
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
            number = _searched(slots, wanted[n], people, number)
        else:
            number = _merged(index, wanted[n], people, number)
    return number


@compiled
def _searched(slots: Slots, item: int, people: Ints, number: int) -> int:
    """Keep those of a few people who have an event, by looking into their lists."""
    kept = 0
    for i in range(number):
        if _has(slots, people[i], item):
            people[kept] = people[i]
            kept += 1
    return kept


@compiled
def _merged(index: _Index, item: int, people: Ints, number: int) -> int:
    """Keep those who have an event, by going through all who have it; both are in order."""
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
"""Subsets up to which all are walked through."""
DEVIATIONS = 1.959963984540054
Method = Literal["exact", "sampled"]


@dataclass(frozen=True, slots=True, eq=False)
class KnownRisk:
    """The risk of every person if the adversary knows so many events."""

    known: int
    method: Method
    deviation: float
    """Standard error of the average over people; 0 where all subsets were looked at."""
    subsets: int
    """That were looked at."""
    least: Ints = field(repr=False)
    """By person: the smallest support of what may be known; an upper limit of it where it was sampled."""
    mean: Floats = field(repr=False)
    """By person: 1 / support on average over what may be known."""

    @property
    def average(self) -> float:
        """Over people, then over what may be known of each."""
        return fsum(self.mean.tolist()) / len(self.mean)

    @property
    def interval(self) -> tuple[float, float]:
        """Holds the average with 95 % confidence; a point where nothing was sampled."""
        reach = DEVIATIONS * self.deviation
        return max(0.0, self.average - reach), min(1.0, self.average + reach)


def risks_by_known(
    lists: EventLists, known: int, *, seed: int = 7, budget: int = BUDGET
) -> tuple[KnownRisk, ...]:
    """For 0, 1, … events known; whoever has fewer is known by all of them."""
    sizes = lists.class_sizes()
    found = [KnownRisk(0, "exact", 0.0, lists.people, sizes, 1.0 / sizes)]
    for number in range(1, known + 1):
        exact = lists.subsets(number) <= budget
        found.append(_walked(lists, found[-1], number) if exact else _drawn(lists, found[-1], number, seed))
    return tuple(found)


def _walked(lists: EventLists, before: KnownRisk, known: int) -> KnownRisk:
    from scipy.special import comb

    has = lists.lengths >= known
    risks = support_risks(lists, known)
    mean = before.mean.copy()
    mean[has] = risks.sums[has] / comb(lists.lengths[has], known)
    least = np.where(has, risks.least, before.least)
    return KnownRisk(known, *_method(before, has, 0.0), lists.subsets(known), least, mean)


def _drawn(lists: EventLists, before: KnownRisk, known: int, seed: int) -> KnownRisk:
    """A person who was found by fewer events is found by more: what was seen before stays."""
    has = lists.lengths >= known
    drawn = drawn_risks(lists, known, np.random.default_rng([seed, known]))
    mean = np.where(has, drawn.mean, before.mean)
    least = np.where(has, np.minimum(drawn.least, before.least), before.least)
    method, deviation = _method(before, has, sqrt(fsum(drawn.variance.tolist())) / lists.people)
    if drawn.subsets < lists.subsets(known):
        method = "sampled"
    return KnownRisk(known, method, deviation, drawn.subsets, least, mean)


def _method(before: KnownRisk, has: Bools, deviation: float) -> tuple[Method, float]:
    """What was sampled stays so for people who are known by fewer events."""
    if before.method == "exact" or has.all():
        return "exact", deviation
    return "sampled", hypot(deviation, before.deviation)
