"""Count the groups of an attack, and add up how distinct the people in them are."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from reidrisk.population.attack import Attack, group_columns
from reidrisk.population.dates import BirthDates
from reidrisk.population.people import Population
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.distinctness import Kinds, expected_distinct, expected_matches
from reidrisk.stats.keys import KeyGroups, groups, rank_keys

DENSE = 2**24
"""Areas times kinds up to which all of them are counted at once."""


@dataclass(frozen=True, slots=True, eq=False)
class AtRisk:
    """Those whose risk is asked: rows of an area, a group and a number of people."""

    areas: int
    """How many there are."""

    area: Ints = field(repr=False)
    group: Ints = field(repr=False)
    people: Ints = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """The groups of an attack on a population."""

    groups: KeyGroups = field(repr=False)
    people: Ints = field(repr=False)
    """In each group."""
    years: Ints = field(repr=False)
    """Of birth, in each group."""


@dataclass(frozen=True, slots=True, eq=False)
class Figures:
    """Expected numbers of people; one row an area."""

    distinct: Floats = field(repr=False)
    """One column each g."""
    matched: Floats = field(repr=False)
    """The total risk."""


def grouped(population: Population, attack: Attack) -> Grouped:
    """Put people together whom the attack cannot tell apart but by the day of birth."""
    rows = len(population.counts)
    found = groups(group_columns(population, attack), rows)
    people = np.bincount(found.of, weights=population.counts, minlength=found.number).astype(np.int64)
    years = np.ones(found.number, dtype=np.int64)
    if attack.birth is not None and population.ages is not None:
        years[found.of] = population.ages.years
    return Grouped(found, people, years)


def everybody(population: Population, found: Grouped, area: NDArray[np.integer] | None = None) -> AtRisk:
    """The whole population, by area if one is given."""
    rows = len(population.counts)
    where = np.zeros(rows, dtype=np.int64) if area is None else area.astype(np.int64)
    return AtRisk(int(where.max(initial=0)) + 1, where, found.groups.of, population.counts)


def measured(
    found: Grouped, attack: Attack, at_risk: AtRisk, *, dates: BirthDates, sizes: Ints, coverage: float
) -> Figures:
    """How many of those at risk are g-distinct and how many are matched rightly, area by area.

    With a list that only a share of the people is in, each by the same chance: g-distinct are those
    who are in the list and like at most g - 1 other people, whether these are in it or not. Matched
    are those whom an attacker gets right who guesses among the people of the list.
    """
    spans, span = rank_keys(found.years)
    key, kind = rank_keys(found.people * len(spans) + span)
    people, years = (key // len(spans)).astype(np.float64), spans[key % len(spans)].astype(np.float64)
    members = _members(at_risk, kind, len(key))
    distinct = np.zeros((at_risk.areas, len(sizes)))
    matched = np.zeros(at_risk.areas)
    for share, bins in dates.spread(attack.birth):
        kinds = Kinds(people, years * attack.slots * bins, members)
        distinct += share * coverage * expected_distinct(kinds, sizes)
        matched += share * expected_matches(kinds, coverage)
    listed = coverage * np.asarray(members.sum(axis=1)).reshape(-1)
    return Figures(np.minimum(distinct, listed[:, None]), np.minimum(matched, listed))


def _members(at_risk: AtRisk, kind: Ints, kinds: int) -> csr_matrix:
    """How many of those at risk are in groups of each kind: one row an area."""
    of = kind[at_risk.group]
    shape = (at_risk.areas, kinds)
    if at_risk.areas * kinds > DENSE:
        return csr_matrix((at_risk.people.astype(np.float64), (at_risk.area, of)), shape=shape)
    size = at_risk.areas * kinds
    return csr_matrix(np.bincount(at_risk.area * kinds + of, at_risk.people, size).reshape(shape))
