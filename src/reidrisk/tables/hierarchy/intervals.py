"""One level of numbers: how its borders are found and its groups are named."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.tables.hierarchy.chain import Objects, labelled


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """The values of a column on their way up the levels."""

    values: Floats
    counts: Ints
    """Rows with each value."""
    rounded: Floats
    """As the last rounding has left them."""
    lower: Floats
    """Where the group of each value begins on the last level."""
    whole: bool
    """Whether all values are whole numbers."""


@dataclass(frozen=True, slots=True)
class Ends:
    """Open ends: below `bottom` and from `top` on values are not told apart."""

    bottom: float = -math.inf
    top: float = math.inf

    @property
    def are_set(self) -> bool:
        """Whether there is one."""
        return self.bottom > -math.inf or self.top < math.inf

    def named(self, values: Floats, labels: Objects) -> Objects:
        """The labels, or the end that a value lies in."""
        if not self.are_set:
            return labels
        texts = np.array([str(label) for label in labels.tolist()], dtype=np.object_)
        texts[values < self.bottom] = f"<{plain(self.bottom)}"
        texts[values >= self.top] = f">={plain(self.top)}"
        return texts


@dataclass(frozen=True, slots=True)
class Width:
    """Intervals of one width, one of which begins at the origin."""

    name: str
    width: float
    origin: float = 0.0

    def group(self, numbers: Numbers, ends: Ends) -> tuple[Floats, Objects]:
        """Where the interval of each value begins, and its label."""
        places = np.floor((numbers.values - self.origin) / self.width)
        # 0.3 / 0.1 is a little less than 3: the borders as they are printed decide.
        places += numbers.values >= self._border(places + 1)
        places -= numbers.values < self._border(places)
        lower = self._border(places)
        unit = numbers.whole and self.width == 1 and self.origin.is_integer()

        def label(low: float) -> str | int:
            if unit:
                return int(low)
            high = min(round(low + self.width, 10), ends.top)
            return interval(max(low, ends.bottom), high, whole=numbers.whole)

        return lower, ends.named(numbers.values, labelled(lower, label))

    def _border(self, places: Floats) -> Floats:
        return np.asarray(np.round(self.origin + places * self.width, 10)) + 0.0


@dataclass(frozen=True, slots=True)
class Cuts:
    """Intervals between given numbers; the first and the last are open."""

    name: str
    cuts: tuple[float, ...]

    def group(self, numbers: Numbers, ends: Ends) -> tuple[Floats, Objects]:
        """Where the interval of each value begins, and its label."""
        inside = [cut for cut in self.cuts if ends.bottom < cut < ends.top]
        borders = [-math.inf, ends.bottom, *inside, ends.top, math.inf]
        borders = sorted(set(borders))
        places = np.searchsorted(borders, numbers.values, side="right") - 1

        def label(place: int) -> str:
            return interval(borders[place], borders[place + 1], whole=numbers.whole)

        return np.array(borders)[places], labelled(places, label)


@dataclass(frozen=True, slots=True)
class Quantiles:
    """Intervals of about equally many rows, made of the groups of the level before."""

    name: str
    parts: int

    def group(self, numbers: Numbers, ends: Ends) -> tuple[Floats, Objects]:
        """Where the interval of each value begins, and its label."""
        starts, places = np.unique(numbers.lower, return_inverse=True)
        rows = np.bincount(places.reshape(-1), weights=numbers.counts, minlength=starts.size)
        middle = np.cumsum(rows) - rows / 2
        part = np.floor(middle / max(rows.sum(), 1) * self.parts)
        begins = np.flatnonzero(np.diff(part)) + 1
        return Cuts(self.name, tuple(starts[begins].tolist())).group(numbers, ends)


@dataclass(frozen=True, slots=True)
class Rounded:
    """The nearest multiple, halves up; rounding again starts from the rounded number."""

    name: str
    to: float

    def group(self, numbers: Numbers, ends: Ends) -> tuple[Floats, Objects]:
        """Where the values that round alike begin, and the rounded number."""
        rounded = self.again(numbers.rounded)
        whole = bool(np.all(rounded == np.floor(rounded)))
        label: Callable[[float], str | int] = int if whole else plain
        lower = np.full(rounded.size, np.inf)
        _, places = np.unique(rounded, return_inverse=True)
        np.minimum.at(lower, places.reshape(-1), numbers.values)
        return lower[places.reshape(-1)], ends.named(numbers.values, labelled(rounded, label))

    def again(self, rounded: Floats) -> Floats:
        """Round what is rounded already."""
        multiples = np.floor(np.round(rounded / self.to, 9) + 0.5)
        return np.asarray(np.round(multiples * self.to, 10))


@dataclass(frozen=True, slots=True)
class Kept:
    """Values as they are but for the open ends."""

    name: str

    def group(self, numbers: Numbers, ends: Ends) -> tuple[Floats, Objects]:
        """Each value is its own group."""
        return numbers.values, ends.named(numbers.values, labelled(numbers.values, plain))


Level = Width | Cuts | Quantiles | Rounded | Kept


def interval(low: float, high: float, *, whole: bool) -> str:
    """An interval that holds its lower end.

    >>> interval(20, 30, whole=True), interval(2.5, 5, whole=False), interval(90, math.inf, whole=True)
    ('20-29', '[2.5, 5)', '>=90')
    >>> interval(-10, 0, whole=True), interval(7, 8, whole=True), interval(-math.inf, 18, whole=True)
    ('-10 to -1', '7', '<18')
    """
    if low == -math.inf:
        return "all" if high == math.inf else f"<{plain(high)}"
    if high == math.inf:
        return f">={plain(low)}"
    if not (whole and float(low).is_integer() and float(high).is_integer()):
        return f"[{plain(low)}, {plain(high)})"
    first, last = int(low), int(high) - 1
    if first == last:
        return str(first)
    return f"{first}-{last}" if first >= 0 else f"{first} to {last}"


def plain(number: float) -> str:
    """A number without needless digits.

    >>> plain(90.0), plain(2.5)
    ('90', '2.5')
    """
    return str(int(number)) if float(number).is_integer() else repr(float(number))
