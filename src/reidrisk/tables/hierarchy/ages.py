"""Ages and lengths of stay, by days, weeks, months, quarters and years.

A week can lie in two months. So that levels nest all the same, a band goes where its first day
goes: the week of days 28 to 34 belongs to the month that begins on day 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.core.spec import Spec
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats
from reidrisk.tables.hierarchy.chain import Chain, Objects, Step, Values, objects
from reidrisk.tables.hierarchy.measures import floats
from reidrisk.tables.hierarchy.spans import DAYS, Bands, Span, bands_of


@dataclass(frozen=True, slots=True)
class Ages:
    """Levels of a column that holds lengths of time."""

    unit: str
    """What the column counts."""
    levels: tuple[Bands, ...]
    top: Span | None = None
    """From here on all are one band."""

    lists_missing = False

    def chain(self, values: Values) -> Chain:
        """The bands that the values lie in, each level from the band starts of the one before."""
        at = floats(values) * DAYS[self.unit]
        steps = []
        for level in self.levels:
            at, labels = _banded(at, level, self.top)
            steps.append(Step(level.name, labels))
        return Chain(tuple(steps))


def age_rule(spec: Spec) -> Ages:
    """Levels of bands that become longer, finest first."""
    hint = "Write for example levels: [days, weeks, months, years]."
    levels = [bands_of(entry, place) for place, entry in spec.items("levels", hint=hint)]
    known = tuple(DAYS)
    unit = spec.need("unit", hint=f"What does the column count? One of: {', '.join(known)}.")
    if unit not in known:
        raise InvalidSetting.among(spec.at("unit"), str(unit), known)
    for number in range(1, len(levels)):
        _longer(spec, levels, number)
    top = spec.content.get("top")
    return Ages(str(unit), tuple(levels), None if top is None else Span.of(top, spec.at("top")))


def _longer(spec: Spec, levels: list[Bands], number: int) -> None:
    finer, coarser = levels[number - 1], levels[number]
    limits = [0.0, *(pace.below for level in (finer, coarser) for pace in level.paces)]
    for days in limits:
        if days < float("inf") and coarser.length_at(days) < finer.length_at(days):
            raise InvalidSetting(
                f"{spec.at('levels')}[{number}] has shorter bands than the level before it"
                f"{f' from {days:g} days on' if days else ''}.",
                hint="Go from short to long bands, at every age.",
            )


def _banded(at: Floats, level: Bands, top: Span | None) -> tuple[Floats, Objects]:
    """Where the band of each value starts, and its label."""
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


def _label(level: Bands, pace: int, band: tuple[float, float], top: Span | None) -> str | int:
    if top is None:
        return level.label(pace, *band)
    if band[0] >= top.days:
        alone = len(level.paces) == 1 and level.paces[0].by.unit == top.unit
        return f"{top.number}+" if alone else f"{top.number}+ {top.unit}"
    return str(level.label(pace, *band))
