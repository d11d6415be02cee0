"""Levels of numbers: intervals, cut points, quantiles and rounding."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np

from reidrisk.core.spec import Spec, number, positive, whole
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.tables.hierarchy.levels import (
    Chain,
    ColumnValues,
    LevelLabels,
    Objects,
    label_each,
    refuse_values,
)

_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")


def floats(values: ColumnValues) -> Floats:
    """Return the values as numbers; texts that contain numbers are accepted too."""
    present = values.present
    kinds = {type(value) for value in present.tolist()}
    if kinds <= {int, float, Decimal}:
        found = present.astype(np.float64)
    else:
        found = np.array([_float(value) for value in present.tolist()], dtype=np.float64)
    refuse_values(
        values,
        ~np.isfinite(found),
        "not in the form of a number",
        hint="Correct the column, or give it another kind of hierarchy.",
    )
    return found


def _float(value: Any) -> float:
    if isinstance(value, bool):
        return np.nan
    if isinstance(value, str):
        return float(value) if _NUMBER.fullmatch(value) else np.nan
    return float(value) if isinstance(value, int | float | Decimal) else np.nan


@dataclass(frozen=True, slots=True, eq=False)
class NumberValues:
    """The values of a column and the state of the level before."""

    values: Floats
    counts: Ints
    """Number of rows with each value."""
    rounded: Floats
    """The values after the last rounding."""
    lower: Floats
    """Where the group of each value begins at the level before."""
    whole: bool
    """Whether all values are whole numbers."""


@dataclass(frozen=True, slots=True)
class OpenEnds:
    """Bottom and top coding: all values below `bottom` form one group, all values from `top` on another."""

    bottom: float = -math.inf
    top: float = math.inf

    @property
    def are_set(self) -> bool:
        """Whether there is an open end."""
        return self.bottom > -math.inf or self.top < math.inf

    def named(self, values: Floats, labels: Objects) -> Objects:
        """Replace the labels of values that lie in an open end."""
        if not self.are_set:
            return labels
        texts = np.array([str(label) for label in labels.tolist()], dtype=np.object_)
        texts[values < self.bottom] = f"<{number_text(self.bottom)}"
        texts[values >= self.top] = f">={number_text(self.top)}"
        return texts


@dataclass(frozen=True, slots=True)
class Width:
    """Intervals of equal width; one of them begins at the origin."""

    name: str
    width: float
    origin: float = 0.0

    def group(self, numbers: NumberValues, ends: OpenEnds) -> tuple[Floats, Objects]:
        """Return where the interval of each value begins, and its label."""
        places = np.floor((numbers.values - self.origin) / self.width)
        # 0.3 / 0.1 is slightly less than 3: the boundaries as printed decide.
        places += numbers.values >= self._border(places + 1)
        places -= numbers.values < self._border(places)
        lower = self._border(places)
        unit = numbers.whole and self.width == 1 and self.origin.is_integer()

        def label(low: float) -> str | int:
            if unit:
                return int(low)
            high = min(round(low + self.width, 10), ends.top)
            return interval(max(low, ends.bottom), high, whole=numbers.whole)

        return lower, ends.named(numbers.values, label_each(lower, label))

    def _border(self, places: Floats) -> Floats:
        return np.asarray(np.round(self.origin + places * self.width, 10)) + 0.0


@dataclass(frozen=True, slots=True)
class Cuts:
    """Intervals between given cut points; the first and the last are open."""

    name: str
    cuts: tuple[float, ...]

    def group(self, numbers: NumberValues, ends: OpenEnds) -> tuple[Floats, Objects]:
        """Return where the interval of each value begins, and its label."""
        inside = [cut for cut in self.cuts if ends.bottom < cut < ends.top]
        borders = [-math.inf, ends.bottom, *inside, ends.top, math.inf]
        borders = sorted(set(borders))
        places = np.searchsorted(borders, numbers.values, side="right") - 1

        def label(place: int) -> str:
            return interval(borders[place], borders[place + 1], whole=numbers.whole)

        return np.array(borders)[places], label_each(places, label)


@dataclass(frozen=True, slots=True)
class Quantiles:
    """Intervals with about the same number of rows, built from the groups of the level before."""

    name: str
    parts: int

    def group(self, numbers: NumberValues, ends: OpenEnds) -> tuple[Floats, Objects]:
        """Return where the interval of each value begins, and its label."""
        starts, places = np.unique(numbers.lower, return_inverse=True)
        rows = np.bincount(places.reshape(-1), weights=numbers.counts, minlength=starts.size)
        middle = np.cumsum(rows) - rows / 2
        part = np.floor(middle / max(rows.sum(), 1) * self.parts)
        begins = np.flatnonzero(np.diff(part)) + 1
        return Cuts(self.name, tuple(starts[begins].tolist())).group(numbers, ends)


@dataclass(frozen=True, slots=True)
class Rounding:
    """Round to the nearest multiple, halves up; a further rounding starts from the rounded number."""

    name: str
    to: float

    def group(self, numbers: NumberValues, ends: OpenEnds) -> tuple[Floats, Objects]:
        """Return where the values that round to the same number begin, and that number."""
        rounded = self.again(numbers.rounded)
        whole = bool(np.all(rounded == np.floor(rounded)))
        label: Callable[[float], str | int] = int if whole else number_text
        lower = np.full(rounded.size, np.inf)
        _, places = np.unique(rounded, return_inverse=True)
        np.minimum.at(lower, places.reshape(-1), numbers.values)
        return lower[places.reshape(-1)], ends.named(numbers.values, label_each(rounded, label))

    def again(self, rounded: Floats) -> Floats:
        """Round numbers that are already rounded."""
        multiples = np.floor(np.round(rounded / self.to, 9) + 0.5)
        return np.asarray(np.round(multiples * self.to, 10))


@dataclass(frozen=True, slots=True)
class UnchangedNumbers:
    """Values unchanged, except in the open ends."""

    name: str

    def group(self, numbers: NumberValues, ends: OpenEnds) -> tuple[Floats, Objects]:
        """Put each value into its own group."""
        return numbers.values, ends.named(numbers.values, label_each(numbers.values, number_text))


Level = Width | Cuts | Quantiles | Rounding | UnchangedNumbers


def interval(low: float, high: float, *, whole: bool) -> str:
    """Write an interval that includes its lower end.

    >>> interval(20, 30, whole=True), interval(2.5, 5, whole=False), interval(90, math.inf, whole=True)
    ('20-29', '[2.5, 5)', '>=90')
    >>> interval(-10, 0, whole=True), interval(7, 8, whole=True), interval(-math.inf, 18, whole=True)
    ('-10 to -1', '7', '<18')
    """
    if low == -math.inf:
        return "all" if high == math.inf else f"<{number_text(high)}"
    if high == math.inf:
        return f">={number_text(low)}"
    if not (whole and float(low).is_integer() and float(high).is_integer()):
        return f"[{number_text(low)}, {number_text(high)})"
    first, last = int(low), int(high) - 1
    if first == last:
        return str(first)
    return f"{first}-{last}" if first >= 0 else f"{first} to {last}"


def number_text(number: float) -> str:
    """Write a number without superfluous digits.

    >>> number_text(90.0), number_text(2.5)
    ('90', '2.5')
    """
    return str(int(number)) if float(number).is_integer() else repr(float(number))


WAYS = ("width", "cuts", "quantiles", "round")
HINT = "Write for example levels: [5, {width: 10, origin: 1}, {cuts: [18, 65]}, {quantiles: 4}]."


@dataclass(frozen=True, slots=True)
class NumberLevels:
    """The levels of a column of numbers."""

    levels: tuple[Level, ...]
    ends: OpenEnds

    lists_missing = False

    def chain(self, values: ColumnValues) -> Chain:
        """Build the groups that contain the values."""
        given = floats(values)
        counts = np.ones(given.size, dtype=np.int64) if values.counts is None else values.counts
        here = NumberValues(given, counts, given, given, whole=bool(np.all(given == np.floor(given))))
        steps = []
        for level in self.levels:
            lower, labels = level.group(here, self.ends)
            steps.append(LevelLabels(level.name, labels))
            rounded = level.again(here.rounded) if isinstance(level, Rounding) else here.rounded
            here = replace(here, lower=_with_ends(lower, given, self.ends), rounded=rounded)
        return Chain(tuple(steps))


def _with_ends(lower: Any, given: Any, ends: OpenEnds) -> Any:
    """Let groups that are cut by `bottom` or `top` begin there."""
    inner = np.maximum(lower, ends.bottom)
    return np.where(given < ends.bottom, -math.inf, np.where(given >= ends.top, ends.top, inner))


def number_rule(spec: Spec) -> NumberLevels:
    """Read the levels, finest first; with open ends only, there is one level."""
    ends = _ends(spec)
    if "levels" not in spec.content and ends.are_set:
        return NumberLevels((UnchangedNumbers("open ends"),), ends)
    levels = [_level(entry, place) for place, entry in spec.items("levels", hint=HINT)]
    for at in range(1, len(levels)):
        _nested(spec, levels, at)
    return NumberLevels(tuple(levels), ends)


def _ends(spec: Spec) -> OpenEnds:
    bottom, top = spec.number("bottom"), spec.number("top")
    ends = OpenEnds(-math.inf if bottom is None else bottom, math.inf if top is None else top)
    if ends.bottom >= ends.top:
        raise InvalidSetting(f"{spec.at('bottom')} is not below top.", hint="Swap the two.")
    return ends


def _level(given: Any, place: str) -> Level:
    if not isinstance(given, dict | str):
        width = positive(given, place)
        return Width(f"width {number_text(width)}", width)
    if isinstance(given, str):
        raise InvalidSetting(f"{place} has no width, cuts, quantiles or rounding.", hint=HINT)
    spec = Spec.of(given, place=place)
    ways = [way for way in WAYS if way in spec.content]
    spec.allow(("name", "origin", *WAYS))
    if len(ways) != 1 or ("origin" in spec.content and ways != ["width"]):
        raise InvalidSetting(f"{place} needs one of: {', '.join(WAYS)}; origin goes with width.", hint=HINT)
    return _of_way(spec, ways[0])


def _of_way(spec: Spec, way: str) -> Level:
    given, place = spec.content[way], spec.at(way)
    if way == "width":
        width = positive(given, place)
        return Width(spec.text("name", f"width {number_text(width)}"), width, spec.number("origin") or 0.0)
    if way == "round":
        to = positive(given, place)
        return Rounding(spec.text("name", f"round {number_text(to)}"), to)
    if way == "quantiles":
        parts = whole(given, place, least=2)
        return Quantiles(spec.text("name", f"{parts} quantiles"), parts)
    cuts = tuple(number(entry, where) for where, entry in spec.items("cuts", hint=HINT))
    if list(cuts) != sorted(set(cuts)):
        raise InvalidSetting(
            f"{place} is not in ascending order.", hint="Write the cuts from small to large."
        )
    return Cuts(spec.text("name", f"cuts {', '.join(number_text(cut) for cut in cuts)}"), cuts)


def _nested(spec: Spec, levels: list[Level], at: int) -> None:
    """Refuse levels that cannot nest for any data; the rest is checked on the data."""
    finer, coarser = levels[at - 1], levels[at]
    borders: tuple[float, ...] = ()
    if isinstance(coarser, Width) and isinstance(finer, Width):
        borders = (coarser.origin, coarser.origin + coarser.width)
    elif isinstance(coarser, Cuts) and isinstance(finer, Width | Cuts):
        borders = coarser.cuts
    if not all(_is_border(border, finer) for border in borders):
        raise InvalidSetting(
            f"{spec.at('levels')}[{at}] ({coarser.name}) has boundaries inside groups of the level before it "
            f"({finer.name}).",
            hint="Choose boundaries that are also boundaries of the finer level, such as widths 5, 10, 20.",
        )


def _is_border(border: float, level: Level) -> bool:
    if isinstance(level, Width):
        steps = (border - level.origin) / level.width
        return abs(steps - round(steps)) < 1e-9
    return isinstance(level, Cuts) and border in level.cuts
