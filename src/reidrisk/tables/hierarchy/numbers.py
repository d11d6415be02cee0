"""Numbers by intervals of a width, given cuts, quantiles or rounding."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reidrisk.core.spec import Spec, number, positive, whole
from reidrisk.errors import InvalidSetting
from reidrisk.tables.hierarchy.chain import Chain, Step, Values
from reidrisk.tables.hierarchy.intervals import (
    Cuts,
    Ends,
    Kept,
    Level,
    Numbers,
    Quantiles,
    Rounded,
    Width,
    plain,
)
from reidrisk.tables.hierarchy.measures import floats

WAYS = ("width", "cuts", "quantiles", "round")
HINT = "Write for example levels: [5, {width: 10, origin: 1}, {cuts: [18, 65]}, {quantiles: 4}]."


@dataclass(frozen=True, slots=True)
class NumberLevels:
    """Levels of a column of numbers."""

    levels: tuple[Level, ...]
    ends: Ends

    lists_missing = False

    def chain(self, values: Values) -> Chain:
        """The groups that the values lie in."""
        given = floats(values)
        counts = np.ones(given.size, dtype=np.int64) if values.counts is None else values.counts
        here = Numbers(given, counts, given, given, whole=bool(np.all(given == np.floor(given))))
        steps = []
        for level in self.levels:
            lower, labels = level.group(here, self.ends)
            steps.append(Step(level.name, labels))
            rounded = level.again(here.rounded) if isinstance(level, Rounded) else here.rounded
            here = replace(here, lower=_with_ends(lower, given, self.ends), rounded=rounded)
        return Chain(tuple(steps))


def _with_ends(lower: Any, given: Any, ends: Ends) -> Any:
    """Groups that end at `bottom` or `top` begin there, too."""
    inner = np.maximum(lower, ends.bottom)
    return np.where(given < ends.bottom, -math.inf, np.where(given >= ends.top, ends.top, inner))


def number_rule(spec: Spec) -> NumberLevels:
    """Levels, finest first; with open ends only, one level that has them."""
    ends = _ends(spec)
    if "levels" not in spec.content and ends.are_set:
        return NumberLevels((Kept("open ends"),), ends)
    levels = [_level(entry, place) for place, entry in spec.items("levels", hint=HINT)]
    for at in range(1, len(levels)):
        _nested(spec, levels, at)
    return NumberLevels(tuple(levels), ends)


def _ends(spec: Spec) -> Ends:
    bottom, top = spec.number("bottom"), spec.number("top")
    ends = Ends(-math.inf if bottom is None else bottom, math.inf if top is None else top)
    if ends.bottom >= ends.top:
        raise InvalidSetting(f"{spec.at('bottom')} is not below top.", hint="Swap the two.")
    return ends


def _level(given: Any, place: str) -> Level:
    if not isinstance(given, dict | str):
        width = positive(given, place)
        return Width(f"width {plain(width)}", width)
    if isinstance(given, str):
        raise InvalidSetting(f"{place} says no width, cuts, quantiles or rounding.", hint=HINT)
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
        return Width(spec.text("name", f"width {plain(width)}"), width, spec.number("origin") or 0.0)
    if way == "round":
        to = positive(given, place)
        return Rounded(spec.text("name", f"round {plain(to)}"), to)
    if way == "quantiles":
        parts = whole(given, place, least=2)
        return Quantiles(spec.text("name", f"{parts} quantiles"), parts)
    cuts = tuple(number(entry, where) for where, entry in spec.items("cuts", hint=HINT))
    if list(cuts) != sorted(set(cuts)):
        raise InvalidSetting(f"{place} does not ascend.", hint="Write the cuts from small to large.")
    return Cuts(spec.text("name", f"cuts {', '.join(plain(cut) for cut in cuts)}"), cuts)


def _nested(spec: Spec, levels: list[Level], at: int) -> None:
    """Refuse what cannot nest whatever the data; the rest is checked on the data."""
    finer, coarser = levels[at - 1], levels[at]
    borders: tuple[float, ...] = ()
    if isinstance(coarser, Width) and isinstance(finer, Width):
        borders = (coarser.origin, coarser.origin + coarser.width)
    elif isinstance(coarser, Cuts) and isinstance(finer, Width | Cuts):
        borders = coarser.cuts
    if not all(_is_border(border, finer) for border in borders):
        raise InvalidSetting(
            f"{spec.at('levels')}[{at}] ({coarser.name}) has borders within groups of the level before it "
            f"({finer.name}).",
            hint="Choose borders that are also borders of the finer level, such as widths 5, 10, 20.",
        )


def _is_border(border: float, level: Level) -> bool:
    if isinstance(level, Width):
        steps = (border - level.origin) / level.width
        return abs(steps - round(steps)) < 1e-9
    return isinstance(level, Cuts) and border in level.cuts
