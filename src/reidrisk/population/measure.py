"""Count the groups that an attack distinguishes, and the expected number of distinct people in them."""

from __future__ import annotations

from collections.abc import Sequence
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
"""Up to this number of areas times kinds, a dense matrix is used."""


@dataclass(frozen=True, slots=True, eq=False)
class AtRisk:
    """The people whose risk is measured: rows with an area, a group and a number of people."""

    areas: int
    """Number of areas."""

    area: Ints = field(repr=False)
    group: Ints = field(repr=False)
    people: Ints = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class AttackGroups:
    """The groups of a population that an attack distinguishes."""

    groups: KeyGroups = field(repr=False)
    people: Ints = field(repr=False)
    """Number of people in each group."""
    years: Ints = field(repr=False)
    """Number of years of birth in each group."""


@dataclass(frozen=True, slots=True, eq=False)
class Figures:
    """Expected numbers of people, one row per area."""

    distinct: Floats = field(repr=False)
    """Expected g-distinct people, one column per g."""
    matched: Floats = field(repr=False)
    """Expected re-identifications: the total risk."""
    kinds: tuple[tuple[float, Kinds], ...] = field(default=(), repr=False)
    """The groups behind these numbers, each with its share of the dates of birth."""


def group_people(population: Population, attack: Attack) -> AttackGroups:
    """Group people whom the attack cannot distinguish, except by day of birth."""
    rows = len(population.counts)
    found = groups(group_columns(population, attack), rows)
    people = np.bincount(found.of, weights=population.counts, minlength=found.number).astype(np.int64)
    years = np.ones(found.number, dtype=np.int64)
    if attack.birth is not None and population.ages is not None:
        years[found.of] = population.ages.years
    return AttackGroups(found, people, years)


def everybody(population: Population, found: AttackGroups, area: NDArray[np.integer] | None = None) -> AtRisk:
    """The whole population, by area if areas are given."""
    rows = len(population.counts)
    where = np.zeros(rows, dtype=np.int64) if area is None else area.astype(np.int64)
    return AtRisk(int(where.max(initial=0)) + 1, where, found.groups.of, population.counts)


def measure_attack(
    found: AttackGroups, attack: Attack, at_risk: AtRisk, *, dates: BirthDates, sizes: Ints, coverage: float
) -> Figures:
    """Expected number of people at risk who are g-distinct, and who are matched correctly, by area.

    If the list covers only a share of the people, each with the same probability, then g-distinct people
    are those in the list who match at most g - 1 other people, in the list or not. Matched people are
    those whom an attacker identifies correctly by guessing among the matching people in the list.
    """
    spans, span = rank_keys(found.years)
    key, kind = rank_keys(found.people * len(spans) + span)
    people, years = (key // len(spans)).astype(np.float64), spans[key % len(spans)].astype(np.float64)
    members = _members(at_risk, kind, len(key))
    distinct = np.zeros((at_risk.areas, len(sizes)))
    matched = np.zeros(at_risk.areas)
    found_kinds = []
    for share, bins in dates.spread(attack.birth):
        kinds = Kinds(people, years * attack.slots * bins, members)
        found_kinds.append((share, kinds))
        distinct += share * coverage * expected_distinct(kinds, sizes)
        matched += share * expected_matches(kinds, coverage)
    listed = coverage * np.asarray(members.sum(axis=1)).reshape(-1)
    return Figures(np.minimum(distinct, listed[:, None]), np.minimum(matched, listed), tuple(found_kinds))


UNLIKELY = 0.05
"""A smaller group is ruled out if at most this many people are expected in one, as in SPEC 14.1."""


def smallest_group(kinds: Sequence[tuple[float, Kinds]]) -> int | None:
    """The smallest number of people who match a person at risk; None if nobody is at risk.

    Counted where the fields of the attack are counted. Where days of birth are modeled, it is the smallest
    size for which more than `UNLIKELY` people are expected in groups of at most that size, so that the
    chance of a smaller group is at most `UNLIKELY` (Markov's inequality). People outside of the attacker's
    list count as well.
    """
    together = [
        (share, Kinds(one.people, one.bins, csr_matrix(one.members.sum(axis=0)))) for share, one in kinds
    ]
    if not any(one.members.sum() for _, one in together):
        return None
    low, high = 1, max(int(one.people.max()) for _, one in together if len(one.people))
    while low < high:
        size = (low + high) // 2
        expected = sum(share * expected_distinct(one, np.array([size]))[0, 0] for share, one in together)
        low, high = (low, size) if expected > UNLIKELY else (size + 1, high)
    return low


def _members(at_risk: AtRisk, kind: Ints, kinds: int) -> csr_matrix:
    """Number of people at risk in groups of each kind, one row per area."""
    of = kind[at_risk.group]
    shape = (at_risk.areas, kinds)
    if at_risk.areas * kinds > DENSE:
        return csr_matrix((at_risk.people.astype(np.float64), (at_risk.area, of)), shape=shape)
    size = at_risk.areas * kinds
    return csr_matrix(np.bincount(at_risk.area * kinds + of, at_risk.people, size).reshape(shape))
