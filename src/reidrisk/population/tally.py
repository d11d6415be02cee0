"""Add up the risk of groups by area, one part of the population at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from reidrisk.errors import InvalidSetting, UnknownColumn
from reidrisk.population.attack import (
    Attack,
    attack,
    check_columns,
    known_areas,
    path_to,
    with_coarser,
    without_coarser,
)
from reidrisk.population.attacker import Attacker
from reidrisk.population.fields import Fields
from reidrisk.population.measure import Figures
from reidrisk.population.people import Population
from reidrisk.population.policy import Policy
from reidrisk.population.results import AreaRisk, Exposure
from reidrisk.population.settings import LAST_G
from reidrisk.population.voters import VoterLists
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.distinctness import Kinds
from reidrisk.stats.keys import KeyGroups, groups


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """Areas of a population, or the whole population as one area."""

    column: str | None
    path: tuple[str, ...]
    """The area column and the columns of the larger areas that contain it."""
    labels: tuple[str, ...]
    state: Ints = field(repr=False)
    """For each area: the code of its state or other known area; -1 if there is none."""
    groups: KeyGroups = field(repr=False)

    @property
    def of(self) -> Ints:
        """The area of each row of the population."""
        return self.groups.of


def areas_by(population: Population, by: str | None) -> Areas:
    """The areas of a column; without a column, one area with everybody."""
    rows = len(population.counts)
    if by is None:
        return Areas(None, (), ("all",), np.zeros(1, dtype=np.int64), groups([], rows))
    if by not in population.areas:
        raise UnknownColumn.among(by, population.areas, source=f"{population.source} (areas)")
    path = path_to(population, by)
    found = groups([population.codes[name] for name in path], rows)
    first = np.zeros(found.number, dtype=np.int64)
    first[found.of] = np.arange(rows)
    known = known_areas(population)[-1:]
    told = bool(known) and known[0] in path
    state = population.codes[known[0]][first].astype(np.int64) if told else np.full(found.number, -1)
    names = [_labels(population, path[at:], first) for at in range(len(path))]
    labels = next((unique for unique in reversed(names) if len(set(unique)) == len(unique)), names[0])
    return Areas(by, path, labels, state, found)


def _labels(population: Population, path: tuple[str, ...], rows: Ints) -> tuple[str, ...]:
    parts = [[population.labels[name][code] for code in population.codes[name][rows]] for name in path]
    return tuple(" ".join(names) for names in zip(*parts, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class PopulationSlice:
    """Some of the states, or the whole population, with the same usable fields."""

    attackers: Mapping[int | None, Attacker]
    """Attackers by state code; the key None is for everybody."""
    fields: Fields | None
    """Fields that can be used; None if unknown."""
    attack: Attack | None
    unknown: str | None = None
    rows: Bools | None = field(default=None, repr=False)
    """Rows of the population; None for all."""

    @property
    def coverage(self) -> float:
        """Share of the people in the list."""
        covered = next(iter(self.attackers.values())).coverage
        return 1.0 if covered is None else covered

    def attacker_of(self, state: int) -> Attacker | None:
        """The attacker of a state, if it is in this part."""
        return self.attackers.get(None, self.attackers.get(state))


def parts_of(
    population: Population, policy: Policy, attacker: Attacker | VoterLists, *, across: bool
) -> tuple[PopulationSlice, ...]:
    """One part, or with voter lists one part for each kind of list."""
    policy = replace(policy, fields=with_coarser(population, policy.fields, across=across))
    if isinstance(attacker, Attacker):
        if attacker.fields is not None:
            check_columns(population, attacker.fields)
        return (_part(population, policy, {None: attacker}, across=across),)
    if across or not known_areas(population):
        raise InvalidSetting(
            "Voter lists are for single states, but here the attacker does not know the state.",
            hint="Give a population with a column state, and leave `across` out.",
        )
    return _by_state(population, policy, attacker)


def _by_state(population: Population, policy: Policy, lists: VoterLists) -> tuple[PopulationSlice, ...]:
    column = known_areas(population)[-1]
    kinds: dict[str, dict[int | None, Attacker]] = {}
    for code in np.unique(population.codes[column]).tolist():
        found = _list_of(lists, population.labels[column][code])
        usable = _nested(population, found, across=False).usable(policy)
        reason = found.doubts(policy) or found.fields is None
        kinds.setdefault(f"{usable} {reason} {found.coverage}", {})[code] = found
    return tuple(
        _part(
            population,
            policy,
            attackers,
            across=False,
            rows=None if len(kinds) == 1 else _rows(population, attackers),
        )
        for attackers in kinds.values()
    )


def _rows(population: Population, attackers: Mapping[int | None, Attacker]) -> Bools:
    return np.isin(
        population.codes[known_areas(population)[-1]], [code for code in attackers if code is not None]
    )


def _list_of(lists: VoterLists, label: str) -> Attacker:
    found = lists.of(label)
    if found is not None:
        return found
    unsure = frozenset({"birth", "sex", "race", "county"})
    return Attacker(
        f"voter list of {label}",
        Fields(),
        source=f"not in {lists.source}",
        unknown=unsure,
        answered=frozenset(),
    )


def _part(
    population: Population,
    policy: Policy,
    attackers: Mapping[int | None, Attacker],
    *,
    across: bool,
    rows: Bools | None = None,
) -> PopulationSlice:
    one = next(iter(attackers.values()))
    usable = _nested(population, one, across=across).usable(policy)
    if usable is None:
        names = ", ".join(one.doubts(policy))
        single = f"It is unknown whether the {one.name} contains: {names}."
        several = f"It is unknown whether {len(attackers)} voter lists contain: {names}."
        return PopulationSlice(attackers, None, None, single if len(attackers) == 1 else several, rows)
    fields = without_coarser(population, usable)
    return PopulationSlice(attackers, fields, attack(population, fields, across=across), None, rows)


def _nested(population: Population, attacker: Attacker, *, across: bool) -> Attacker:
    """The same attacker, with the larger areas that contain a known area."""
    if attacker.fields is None:
        return attacker
    return replace(attacker, fields=with_coarser(population, attacker.fields, across=across))


POINTS = 80
"""Number of points of the curve over g."""
NEARLY_ALL = 0.99999


@dataclass(frozen=True, slots=True, eq=False)
class RiskTally:
    """Sums with one row per area and one column per group size."""

    people: Floats = field(repr=False)
    distinct: Floats = field(repr=False)
    matched: Floats = field(repr=False)
    groups: int = 0
    crowded: int = 0
    """Number of groups with more records than people."""
    kinds: tuple[tuple[float, Kinds], ...] = field(default=(), repr=False)
    """The groups of all parts, for the smallest."""

    @classmethod
    def empty(cls, areas: int, sizes: int) -> RiskTally:
        """A tally without people."""
        return cls(np.zeros(areas), np.zeros((areas, sizes)), np.zeros(areas))

    @classmethod
    def of_people(cls, area: Ints, people: Ints, areas: int, sizes: int) -> RiskTally:
        """A tally of people whose risk is unknown."""
        number: Floats = np.bincount(area, people, areas).astype(np.float64)
        return replace(cls.empty(areas, sizes), people=number)

    @property
    def everybody(self) -> int:
        """Number of people at risk."""
        return round(float(self.people.sum()))

    def with_figures(self, figures: Figures, *, groups: int, crowded: int) -> RiskTally:
        """The same tally with the risk of the people."""
        return RiskTally(self.people, figures.distinct, figures.matched, groups, crowded, figures.kinds)

    def __add__(self, other: RiskTally) -> RiskTally:
        return RiskTally(
            self.people + other.people,
            self.distinct + other.distinct,
            self.matched + other.matched,
            self.groups + other.groups,
            self.crowded + other.crowded,
            (*self.kinds, *other.kinds),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """The values of g to compute."""

    every: Ints = field(repr=False)
    asked: tuple[int, ...]
    places: Ints = field(repr=False)
    """Positions of the requested values among all."""
    small: Ints = field(repr=False)
    """Positions of the values from 1 to `LAST_G`."""
    drawn: Ints = field(repr=False)
    """Positions of the points of the curve, which the requested values are part of."""

    @classmethod
    def of(cls, population: Population, asked: Sequence[int]) -> Sizes:
        """The requested values, all small ones, and points of a curve up to the largest possible group."""
        points = np.geomspace(1, population.people, POINTS).astype(np.int64).tolist()
        small = range(1, LAST_G + 1)
        every = np.array(sorted({*small, *asked, *points}), dtype=np.int64)
        places = [
            np.searchsorted(every, np.array(found)) for found in (asked, small, sorted({1, *asked, *points}))
        ]
        return cls(every, tuple(asked), *places)


def curve_of(tally: RiskTally, every: Sizes) -> tuple[tuple[int, float], ...]:
    """Shares of distinct people by g, until nearly all are distinct, with as many points as a chart needs."""
    sizes = every.every[every.drawn]
    shares = tally.distinct.sum(axis=0)[every.drawn] / max(tally.everybody, 1)
    full = np.flatnonzero(shares >= NEARLY_ALL * shares[-1])
    last = int(full[0]) if len(full) else len(sizes) - 1
    wanted = {0, last, *np.searchsorted(sizes[: last + 1], np.geomspace(1, sizes[last], POINTS)).tolist()}
    return tuple((int(sizes[at]), float(shares[at])) for at in sorted(wanted) if at <= last)


def exposure_of(tally: RiskTally, sizes: Sizes, area: int | None = None) -> Exposure:
    """The figures of one area, or of all."""
    rows = slice(None) if area is None else slice(area, area + 1)
    return Exposure(
        round(float(tally.people[rows].sum())),
        sizes.asked,
        tally.distinct[rows].sum(axis=0)[sizes.places],
        float(tally.matched[rows].sum()),
        tally.distinct[rows].sum(axis=0)[sizes.small],
    )


def risks_of_areas(
    tally: RiskTally, areas: Areas, parts: Sequence[PopulationSlice], sizes: Sizes
) -> tuple[AreaRisk, ...]:
    """The risk of each area with people at risk, in the order of their labels."""
    found = []
    for at in np.argsort(np.array(areas.labels), kind="stable").tolist():
        part = next(one for one in parts if one.attacker_of(int(areas.state[at])) is not None)
        attacker = part.attacker_of(int(areas.state[at]))
        if attacker is None or not tally.people[at]:
            continue
        known = part.fields is not None
        reason = part.unknown if part.unknown is None else f"Not all fields of the {attacker.name} are known."
        found.append(
            AreaRisk(
                areas.labels[at],
                round(float(tally.people[at])),
                exposure_of(tally, sizes, at) if known else None,
                attacker,
                tuple(part.fields.texts()) if part.fields else (),
                reason,
            )
        )
    return tuple(found)
