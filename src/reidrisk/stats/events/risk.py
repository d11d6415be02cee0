"""The risk that an adversary who knows some events of a person finds the person, by how many are known.

Person i is in the static class c(i) and has the events E(i). The adversary knows S, which is part of E(i),
with |S| = min(p, |E(i)|). The support of S is the number of people of the class whose events contain S; the
risk is 1 / support. p is the power of the adversary (El Emam et al. 2012, doi:10.2196/jmir.2001). If no
support is smaller than k, the data are k^m-anonymous within the classes, m being p (Terrovitis et al. 2008,
doi:10.14778/1453856.1453874).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import fsum, hypot, sqrt
from typing import Literal

import numpy as np

from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.events.draw import drawn_risks
from reidrisk.stats.events.lists import EventLists
from reidrisk.stats.events.walk import support_risks

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
