"""Ages and lengths of stay, in bands of days, weeks, months, quarters and years.

A week can lie in two months. So that levels nest, each band belongs to the coarser band that contains
its first day: the week of days 28 to 34 belongs to the month that begins on day 0.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from reidrisk.core.spec import Spec, whole
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats
from reidrisk.tables.hierarchy.levels import Chain, ColumnValues, LevelLabels, Objects, objects
from reidrisk.tables.hierarchy.numbers import floats

DAYS = {"days": 1.0, "weeks": 7.0, "months": 30.4375, "quarters": 91.3125, "years": 365.25}
"""A year is 365.25 days, a month one twelfth of that. All are exact in binary: 12 months are 1 year."""

_SPAN = re.compile(r"(\d+) (days?|weeks?|months?|quarters?|years?)")


@dataclass(frozen=True, slots=True)
class Span:
    """A number of days, weeks, months, quarters or years."""

    number: int
    unit: str

    @classmethod
    def of(cls, given: Any, place: str) -> Span:
        """Read a text such as `1 week`."""
        match = _SPAN.fullmatch(given.strip()) if isinstance(given, str) else None
        if not match or not int(match[1]):
            raise InvalidSetting(
                f"{place} is not a length of time.",
                hint="Write a whole number and days, weeks, months, quarters or years, such as 1 week.",
            )
        return cls(int(match[1]), f"{match[2].removesuffix('s')}s")

    @property
    def days(self) -> float:
        """The length in days."""
        return self.number * DAYS[self.unit]

    def __str__(self) -> str:
        return with_unit(str(self.number), self.unit)


@dataclass(frozen=True, slots=True)
class Pace:
    """Bands of one length, up to an age limit."""

    by: Span
    below: float = math.inf
    """In days."""


@dataclass(frozen=True, slots=True)
class AgeBands:
    """One level: bands that may become longer with age."""

    name: str
    paces: tuple[Pace, ...]

    @property
    def counts_units(self) -> bool:
        """Whether every band is one unit, so that a number alone is a label."""
        return len(self.paces) == 1 and self.paces[0].by.number == 1

    def length_at(self, days: float) -> float:
        """Return the length of the bands at an age."""
        return next(pace.by.days for pace in self.paces if days < pace.below)

    def label(self, pace: int, start: float, end: float) -> str | int:
        """Label a band by its first and last unit."""
        unit = self.paces[pace].by.unit
        first = math.floor(start / DAYS[unit] + 1e-9)
        last = max(first, math.ceil(end / DAYS[unit] - 1e-9) - 1)
        if self.counts_units:
            return first
        text = str(first) if first == last else f"{first}-{last}" if first >= 0 else f"{first} to {last}"
        return text if len(self.paces) == 1 else with_unit(text, unit)


def with_unit(number: str, unit: str) -> str:
    """Write a number with its unit.

    >>> with_unit("1", "weeks"), with_unit("5-9", "years")
    ('1 week', '5-9 years')
    """
    return f"{number} {unit.removesuffix('s') if number == '1' else unit}"


def bands_of(given: Any, place: str) -> AgeBands:
    """Read a level from its settings: a unit, a length such as `5 years`, or a mapping."""
    if isinstance(given, str):
        if given in DAYS:
            return AgeBands(given, (Pace(Span(1, given)),))
        if not _SPAN.fullmatch(given):
            raise InvalidSetting.among(f"{place}, a level of ages,", given, [*DAYS, "5 years"])
        span = Span.of(given, place)
        return AgeBands(str(span), (Pace(span),))
    spec = Spec.of(given, place=place)
    spec.allow(("name", "steps", *DAYS))
    if ("steps" in spec.content) + sum(unit in spec.content for unit in DAYS) != 1:
        raise InvalidSetting(
            f"{place} does not say how long its bands are.",
            hint="Write one of: years: 5, or steps: [{below: 1 year, by: 1 week}, {by: 1 year}].",
        )
    if "steps" in spec.content:
        name = spec.need("name", hint="Name a level whose bands change with age.")
        return AgeBands(spec.text("name", name), _paces(spec))
    [unit] = [unit for unit in DAYS if unit in spec.content]
    span = Span(whole(spec.content[unit], spec.at(unit)), unit)
    return AgeBands(spec.text("name", unit if span.number == 1 else str(span)), (Pace(span),))


def _paces(spec: Spec) -> tuple[Pace, ...]:
    hint = "Write for example steps: [{below: 1 year, by: 1 week}, {by: 1 year}]."
    found: list[Pace] = []
    given = spec.items("steps", hint=hint)
    for place, entry in given:
        step = Spec.of(entry, place=place)
        step.allow(("below", "by"))
        by = Span.of(step.need("by", hint=hint), step.at("by"))
        is_last = place == given[-1][0]
        if is_last != ("below" not in step.content):
            raise InvalidSetting(
                f"{place} {'has' if is_last else 'lacks'} the setting 'below'.",
                hint=f"Every step except the last needs `below`. {hint}",
            )
        below = math.inf if is_last else Span.of(step.content["below"], step.at("below")).days
        if found and below <= found[-1].below:
            raise InvalidSetting(f"{place} ends before the step above it.", hint="Go from young to old.")
        found.append(Pace(by, below))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class AgeLevels:
    """The levels of a column of ages or lengths of stay."""

    unit: str
    """The unit of the values."""
    levels: tuple[AgeBands, ...]
    top: Span | None = None
    """All values from here on form one band."""

    lists_missing = False

    def chain(self, values: ColumnValues) -> Chain:
        """Build the bands that contain the values, each level from the band starts of the level before."""
        at = floats(values) * DAYS[self.unit]
        steps = []
        for level in self.levels:
            at, labels = _band(at, level, self.top)
            steps.append(LevelLabels(level.name, labels))
        return Chain(tuple(steps))


def age_rule(spec: Spec) -> AgeLevels:
    """Read levels of increasingly long bands, finest first."""
    hint = "Write for example levels: [days, weeks, months, years]."
    levels = [bands_of(entry, place) for place, entry in spec.items("levels", hint=hint)]
    known = tuple(DAYS)
    unit = spec.need("unit", hint=f"What does the column count? One of: {', '.join(known)}.")
    if unit not in known:
        raise InvalidSetting.among(spec.at("unit"), str(unit), known)
    for number in range(1, len(levels)):
        _longer(spec, levels, number)
    top = spec.content.get("top")
    return AgeLevels(str(unit), tuple(levels), None if top is None else Span.of(top, spec.at("top")))


def _longer(spec: Spec, levels: list[AgeBands], number: int) -> None:
    finer, coarser = levels[number - 1], levels[number]
    limits = [0.0, *(pace.below for level in (finer, coarser) for pace in level.paces)]
    for days in limits:
        if days < float("inf") and coarser.length_at(days) < finer.length_at(days):
            raise InvalidSetting(
                f"{spec.at('levels')}[{number}] has shorter bands than the level before it"
                f"{f' from {days:g} days on' if days else ''}.",
                hint="Go from short to long bands, at every age.",
            )


def _band(at: Floats, level: AgeBands, top: Span | None) -> tuple[Floats, Objects]:
    """Return where the band of each value starts, and its label."""
    limits = np.array([pace.below for pace in level.paces])
    lengths = np.array([pace.by.days for pace in level.paces])
    paces = np.searchsorted(limits, at, side="right")
    numbers = np.floor(at / lengths[paces] + 1e-9)
    lowest = np.concatenate([[-np.inf], limits[:-1]])[paces]
    starts = np.maximum(numbers * lengths[paces], lowest)
    highest = np.inf if top is None else top.days
    ends = np.minimum(np.minimum((numbers + 1) * lengths[paces], limits[paces]), highest)
    starts = np.where(at >= highest, highest, starts)
    different, first, places = np.unique(starts, return_index=True, return_inverse=True)
    labels = [
        _label(level, int(paces[place]), (start, float(ends[place])), top)
        for start, place in zip(different.tolist(), first.tolist(), strict=True)
    ]
    return starts, objects(labels)[places.reshape(-1)]


def _label(level: AgeBands, pace: int, band: tuple[float, float], top: Span | None) -> str | int:
    if top is None:
        return level.label(pace, *band)
    if band[0] >= top.days:
        alone = len(level.paces) == 1 and level.paces[0].by.unit == top.unit
        return f"{top.number}+" if alone else f"{top.number}+ {top.unit}"
    return str(level.label(pace, *band))
