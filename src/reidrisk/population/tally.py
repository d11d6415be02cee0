"""What the parts of a population add up to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from reidrisk.population.areas import Areas
from reidrisk.population.measure import Figures
from reidrisk.population.parts import Part
from reidrisk.population.people import Population
from reidrisk.population.results import AreaRisk, Exposure
from reidrisk.stats.arrays import Floats, Ints

POINTS = 80
"""Of the curve over g."""
NEARLY_ALL = 0.99999


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """Sums; one row an area, one column a size."""

    people: Floats = field(repr=False)
    distinct: Floats = field(repr=False)
    matched: Floats = field(repr=False)
    groups: int = 0
    crowded: int = 0
    """Groups with more records than people."""

    @classmethod
    def empty(cls, areas: int, sizes: int) -> Tally:
        """Nobody yet."""
        return cls(np.zeros(areas), np.zeros((areas, sizes)), np.zeros(areas))

    @classmethod
    def of_people(cls, area: Ints, people: Ints, areas: int, sizes: int) -> Tally:
        """People of whose risk nothing is known."""
        number: Floats = np.bincount(area, people, areas).astype(np.float64)
        return replace(cls.empty(areas, sizes), people=number)

    @property
    def everybody(self) -> int:
        """All people at risk."""
        return round(float(self.people.sum()))

    def with_figures(self, figures: Figures, *, groups: int, crowded: int) -> Tally:
        """The same people with their risk."""
        return Tally(self.people, figures.distinct, figures.matched, groups, crowded)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.people + other.people,
            self.distinct + other.distinct,
            self.matched + other.matched,
            self.groups + other.groups,
            self.crowded + other.crowded,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """The g that are computed."""

    every: Ints = field(repr=False)
    asked: tuple[int, ...]
    places: Ints = field(repr=False)
    """Of those asked for among all."""

    @classmethod
    def of(cls, population: Population, asked: Sequence[int]) -> Sizes:
        """Those asked for, 1, and points of a curve up to the largest group there can be."""
        points = np.geomspace(1, population.people, POINTS).astype(np.int64).tolist()
        every = np.array(sorted({1, *asked, *points}), dtype=np.int64)
        return cls(every, tuple(asked), np.searchsorted(every, np.array(asked)))


def curve_of(tally: Tally, sizes: Ints) -> tuple[tuple[int, float], ...]:
    """Shares of the people by g, until nearly all are distinct; no more points than a chart can show."""
    shares = tally.distinct.sum(axis=0) / max(tally.everybody, 1)
    full = np.flatnonzero(shares >= NEARLY_ALL * shares[-1])
    last = int(full[0]) if len(full) else len(sizes) - 1
    wanted = {0, last, *np.searchsorted(sizes[: last + 1], np.geomspace(1, sizes[last], POINTS)).tolist()}
    return tuple((int(sizes[at]), float(shares[at])) for at in sorted(wanted) if at <= last)


def exposure_of(tally: Tally, sizes: Sizes, area: int | None = None) -> Exposure:
    """The sums of an area, or of all."""
    rows = slice(None) if area is None else slice(area, area + 1)
    return Exposure(
        round(float(tally.people[rows].sum())),
        sizes.asked,
        tally.distinct[rows].sum(axis=0)[sizes.places],
        float(tally.matched[rows].sum()),
    )


def risks_of_areas(tally: Tally, areas: Areas, parts: Sequence[Part], sizes: Sizes) -> tuple[AreaRisk, ...]:
    """One risk for each area with people at risk, in the order of their labels."""
    found = []
    for at in np.argsort(np.array(areas.labels), kind="stable").tolist():
        part = next(one for one in parts if one.attacker_of(int(areas.state[at])) is not None)
        attacker = part.attacker_of(int(areas.state[at]))
        if attacker is None or not tally.people[at]:
            continue
        known = part.fields is not None
        reason = part.unknown if part.unknown is None else f"Nobody knows all fields of the {attacker.name}."
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
