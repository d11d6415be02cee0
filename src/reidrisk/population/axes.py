"""The common table to which all margins of a population belong: areas, categories and age cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.population.people import Population
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.proportional_fitting import Groups, Margin


@dataclass(frozen=True, slots=True, eq=False)
class Axes:
    """The axes of the table: one for the smallest areas, one for each category, one for ages."""

    areas: tuple[str, ...]
    places: tuple[tuple[str, ...], ...] = field(repr=False)
    """The smallest areas, each with its labels from the largest area down."""
    labels: dict[str, tuple[str, ...]] = field(repr=False)
    """The categories of each field."""
    ages: Ints = field(repr=False)
    """The youngest age of each cell; empty if ages are unknown."""
    top_years: int
    """Number of years in the last cell."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the table."""
        ages = (len(self.ages),) if len(self.ages) else ()
        return (len(self.places), *(len(own) for own in self.labels.values()), *ages)

    @property
    def years(self) -> Ints:
        """Number of years of birth in each age cell."""
        return np.append(np.diff(self.ages), self.top_years) if len(self.ages) else self.ages

    def indexed(self, people: Population) -> IndexedMargin:
        """Find the cell of the table for each row of a population."""
        groups: list[Groups | None] = []
        cell = np.zeros(len(people.counts), dtype=np.intp)
        sizes: list[int] = []
        for group, size, code in self._inner(people):
            groups.append(group)
            sizes.append(size)
            cell = cell * size + code
        numbers, area = self._areas(people)
        order = np.argsort(area, kind="stable")
        return IndexedMargin(
            tuple(groups), tuple(sizes), numbers, area[order], cell[order], people.counts[order]
        )

    def _inner(self, people: Population) -> Iterator[tuple[Groups | None, int, Groups]]:
        """For categories and ages: the groups on the axis, their number, and the group of each row."""
        nowhere = np.zeros(len(people.counts), dtype=np.intp)
        for name, own in self.labels.items():
            if name in people.fields:
                yield np.arange(len(own)), len(own), self._categories(people, name)
            else:
                yield None, 1, nowhere
        if len(self.ages):
            band, code = self._bands(people)
            yield band, 1 if band is None else int(max(band.max(), code.max())) + 1, code

    def _areas(self, people: Population) -> tuple[Groups | None, Groups]:
        """The area, at the population's own level, of each smallest area and of each row; -1 if none."""
        depth = len(people.areas)
        if not depth:
            return None, np.zeros(len(people.counts), dtype=np.intp)
        known: dict[tuple[str, ...], int] = {}
        numbers = np.array([known.setdefault(place[:depth], len(known)) for place in self.places])
        tuples, back = _distinct_areas(people)
        found = np.array([known.get(labels, -1) for labels in tuples], dtype=np.intp)
        return numbers.astype(np.intp), found[back]

    def _categories(self, people: Population, name: str) -> Groups:
        own = {label: at for at, label in enumerate(self.labels[name])}
        odd = [label for label in people.labels[name] if label not in own]
        if odd:
            raise BadData(
                f"{people.source}: {name} has {plural(len(odd), 'value')} that other margins do not have, "
                f"such as {odd[0]!r}.",
                hint=f"Use the same categories everywhere: {', '.join(own)}.",
            )
        return np.array([own[label] for label in people.labels[name]], dtype=np.intp)[people.codes[name]]

    def _bands(self, people: Population) -> tuple[Groups | None, Groups]:
        """The band of each age cell and of each row; the oldest band includes everybody older."""
        if people.ages is None:
            return None, np.zeros(len(people.counts), dtype=np.intp)
        first, place = np.unique(people.ages.first, return_inverse=True)
        years = np.zeros(len(first), dtype=np.int64)
        np.maximum.at(years, place, people.ages.years)
        if np.any(first[:-1] + years[:-1] > first[1:]):
            raise BadData(
                f"{people.source}: the age bands differ between groups.",
                hint="Use the same age bands in all groups.",
            )
        band = np.searchsorted(first, self.ages, side="right") - 1
        beyond = (band < 0) | ((self.ages >= first[band] + years[band]) & (band < len(first) - 1))
        return np.where(beyond, len(first), band).astype(np.intp), place.reshape(-1).astype(np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class IndexedMargin:
    """The rows of a population with their cells in the common table, sorted by area."""

    groups: tuple[Groups | None, ...] = field(repr=False)
    """One entry for each axis except areas."""
    sizes: tuple[int, ...]
    numbers: Groups | None = field(repr=False)
    """The area of each smallest area; None if the population has no areas."""
    area: Groups = field(repr=False)
    cell: Groups = field(repr=False)
    """The flat index among categories and ages."""
    counts: Ints = field(repr=False)

    @property
    def elsewhere(self) -> int:
        """Number of people in areas that the table does not have."""
        return int(self.counts[self.area < 0].sum())

    def margin(self, inside: Groups) -> Margin:
        """The margin for a contiguous range of areas."""
        if self.numbers is None:
            return Margin((None, *self.groups), self._totals(0, 1))
        own = self.numbers[inside]
        low, high = int(own.min()), int(own.max()) + 1
        return Margin((own - low, *self.groups), self._totals(low, high))

    def _totals(self, low: int, high: int) -> Floats:
        rows = slice(*np.searchsorted(self.area, (low, high)))
        size = int(np.prod(self.sizes))
        places = (self.area[rows] - low) * size + self.cell[rows]
        counted = np.bincount(places, weights=self.counts[rows], minlength=(high - low) * size)
        return counted.astype(np.float64).reshape(high - low, *self.sizes)


def _distinct_areas(people: Population) -> tuple[list[tuple[str, ...]], Groups]:
    """The distinct areas, with labels from the largest area down, and the area of each row."""
    packed = np.zeros(len(people.counts), dtype=np.int64)
    for name in people.areas:
        packed = packed * len(people.labels[name]) + people.codes[name]
    _, rows, back = np.unique(packed, return_index=True, return_inverse=True)
    columns = [[people.labels[name][code] for code in people.codes[name][rows]] for name in people.areas]
    return list(zip(*columns, strict=True)), back.reshape(-1).astype(np.intp)


def common_axes(margins: Sequence[Population], start: Sequence[Population]) -> Axes:
    """The smallest areas of all margins, all categories, and ages cut where any band begins or ends."""
    finest = max(margins, key=lambda people: len(people.areas))
    for people in (*margins, *start):
        if people.areas != finest.areas[: len(people.areas)]:
            raise InvalidSetting(
                f"{people.source} has the areas {', '.join(people.areas)}, "
                f"but the finest margin has {', '.join(finest.areas) or 'none'}.",
                hint="In every margin, list areas from large to small under the same names.",
            )
    labels: dict[str, tuple[str, ...]] = {}
    for people in (*margins, *start):
        for name in people.fields:
            labels.setdefault(name, people.labels[name])
    return Axes(finest.areas, _places(margins, finest), labels, *_age_cells((*margins, *start)))


def _places(margins: Sequence[Population], finest: Population) -> tuple[tuple[str, ...], ...]:
    found: set[tuple[str, ...]] = set()
    for people in margins:
        if people.areas and people.areas == finest.areas:
            found |= set(_distinct_areas(people)[0])
    return tuple(sorted(found)) or ((),)


def _age_cells(people: Sequence[Population]) -> tuple[Ints, int]:
    edges: set[int] = set()
    tops: dict[int, int] = {}
    for one in people:
        if one.ages is not None:
            edges |= set(np.unique(one.ages.first).tolist())
            top = int(one.ages.first.max())
            ends = np.unique(one.ages.first.astype(np.int64) + one.ages.years)
            edges |= {int(end) for end in ends if end <= top}
            years = int(one.ages.years[one.ages.first == top].min())
            tops[top] = min(tops.get(top, years), years)
    cells = np.array(sorted(edges), dtype=np.int64)
    return cells, tops.get(int(cells[-1]), 1) if len(cells) else 1
