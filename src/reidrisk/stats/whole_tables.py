"""Rounding a fitted table to whole numbers that still have its margins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.proportional_fitting import Margin

Places = NDArray[np.intp]
GOLDEN = (5**0.5 - 1) / 2
"""Multiples of it spread evenly between 0 and 1: where each total begins to round, so that the only person
of a small group is not always of the same age."""


@dataclass(frozen=True, slots=True, eq=False)
class WholeTable:
    """Whole numbers near a fitted table."""

    table: Ints = field(repr=False)
    missed: tuple[int, ...]
    """For each margin the sum of what its totals are off; the first is always met."""


def rounded_table(table: Floats, margins: Sequence[Margin]) -> WholeTable:
    """Round so that the first margin is met exactly and the others as far as single moves can.

    Within each total of the first margin cumulative sums are rounded, each from a beginning of its own,
    which keeps every cell within 1 of its value and favours none. Then, margin by margin, people move from
    cells of a total that has too many to cells of one that has too few, always within the totals of the
    margins before.
    """
    flat = np.maximum(table.reshape(-1), 0.0)
    places = [margin.flat(table.shape) for margin in margins]
    totals = [np.rint(margin.totals.reshape(-1)).astype(np.int64) for margin in margins]
    whole = _cumulative(flat, places[0], totals[0])
    for at in range(1, len(margins)):
        _repair(whole, flat, places[: at + 1], totals[at])
    missed = tuple(
        int(np.abs(np.bincount(place, weights=whole, minlength=len(total)) - total).sum())
        for place, total in zip(places, totals, strict=True)
    )
    return WholeTable(whole.reshape(table.shape), missed)


def _cumulative(flat: Floats, place: Places, totals: Ints) -> Ints:
    order = np.argsort(place, kind="stable")
    groups = place[order]
    sums = np.bincount(place, weights=flat, minlength=len(totals))
    scale = np.divide(totals, sums, out=np.zeros(len(totals)), where=sums > 0)
    running = np.cumsum(flat[order] * scale[groups])
    new = np.append(True, groups[1:] != groups[:-1])
    firsts = np.flatnonzero(new)
    before = np.where(firsts > 0, running[firsts - 1], 0.0)[np.cumsum(new) - 1]
    offsets = np.clip(np.mod((groups + 1) * GOLDEN, 1.0), 0.001, 0.999)
    inside = np.minimum(np.floor(running - before + offsets).astype(np.int64), totals[groups])
    steps = np.diff(inside, prepend=0)
    steps[firsts] = inside[firsts]
    whole = np.empty(len(flat), dtype=np.int64)
    whole[order] = steps
    return whole


def _repair(whole: Ints, flat: Floats, places: Sequence[Places], totals: Ints) -> None:
    own = places[-1]
    surplus = np.bincount(own, weights=whole, minlength=len(totals)).astype(np.int64) - totals
    if not surplus.any():
        return
    kept = _together(places[:-1])
    order = np.argsort(kept, kind="stable")
    starts = np.searchsorted(kept[order], np.arange(int(kept.max()) + 2))
    doubtful = np.flatnonzero((surplus[own] > 0) & (whole > 0))
    for cell in doubtful[np.argsort(flat[doubtful] - whole[doubtful], kind="stable")]:
        family = order[starts[kept[cell]] : starts[kept[cell] + 1]]
        while surplus[own[cell]] > 0 and whole[cell] > 0:
            takers = family[(surplus[own[family]] < 0) & (flat[family] > 0)]
            if not len(takers):
                break
            taker = takers[np.argmax(flat[takers] - whole[takers])]
            whole[cell] -= 1
            whole[taker] += 1
            surplus[own[cell]] -= 1
            surplus[own[taker]] += 1


def _together(places: Sequence[Places]) -> Places:
    """Which cells belong to the same totals of all the margins."""
    packed = np.zeros(len(places[0]), dtype=np.int64)
    for place in places:
        packed = packed * (int(place.max()) + 1) + place
        _, packed = np.unique(packed, return_inverse=True)
    return packed.astype(np.intp)
