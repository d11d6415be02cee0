"""Iterative proportional fitting of a table to its margins, and rounding to whole people.

Deming and Stephan 1940 (doi:10.1214/aoms/1177731829). Margins may sum over axes and over groups of levels,
such as single years of age into bands. If the margins agree, the result is, among all tables with these
margins, the one with the least relative entropy to the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.stats.arrays import Floats, Ints

Groups = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Margin:
    """Sums of a table over some axes and over groups of levels of the others."""

    groups: tuple[Groups | None, ...] = field(repr=False)
    """For each axis of the table the group of every level, from 0; None sums over the whole axis."""
    totals: Floats = field(repr=False)
    """As many axes as the table: length 1 where it is summed over, the number of groups elsewhere."""

    def __post_init__(self) -> None:
        sizes = tuple(1 if group is None else int(group.max()) + 1 for group in self.groups)
        if self.totals.ndim != len(sizes) or any(
            have < need for have, need in zip(self.totals.shape, sizes, strict=True)
        ):
            raise InvalidSetting("A margin does not match its groups.", hint="Give one total for each group.")
        if not np.all(np.isfinite(self.totals)) or np.any(self.totals < 0):
            raise InvalidSetting("A margin has totals below 0.", hint="Totals must be 0 or more.")

    def of(self, table: Floats) -> Floats:
        """The same sums of another table."""
        for axis, group in enumerate(self.groups):
            if group is None:
                table = table.sum(axis=axis, keepdims=True)
            elif not _each(group, self.totals.shape[axis]):
                ones = np.zeros((len(group), self.totals.shape[axis]))
                ones[np.arange(len(group)), group] = 1.0
                table = np.moveaxis(np.moveaxis(table, axis, -1) @ ones, -1, axis)
        return table

    def spread(self, factors: Floats) -> Floats:
        """A number for each total, repeated at every cell that it sums; axes summed over stay short."""
        for axis, group in enumerate(self.groups):
            if group is not None and not _each(group, self.totals.shape[axis]):
                factors = np.take(factors, group, axis=axis)
        return factors

    def flat(self, shape: tuple[int, ...]) -> NDArray[np.intp]:
        """For every cell of a table of this shape, the index of its total; both are flattened."""
        places = np.arange(self.totals.size).reshape(self.totals.shape).astype(np.float64)
        return np.broadcast_to(self.spread(places), shape).reshape(-1).astype(np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class FittedTable:
    """The result of a fit."""

    table: Floats = field(repr=False)
    rounds: int
    largest_gap: float
    """The largest difference between a total and the sum of its cells."""
    converged: bool


def fit_table(
    start: Floats, margins: Sequence[Margin], *, tolerance: float = 0.01, most_rounds: int = 1000
) -> FittedTable:
    """Scale the table to each margin in turn until every total is met within `tolerance`."""
    table = np.array(start, dtype=np.float64)
    if np.any(table < 0) or not np.all(np.isfinite(table)):
        raise InvalidSetting("A starting table has cells below 0.", hint="Every cell must be 0 or more.")
    for margin in margins:
        _refuse_impossible(table, margin)
    gap = np.inf
    for done in range(1, most_rounds + 1):
        for margin in margins:
            scale_to(table, margin)
        gap = max((float(np.abs(margin.of(table) - margin.totals).max()) for margin in margins), default=0.0)
        if gap <= tolerance:
            return FittedTable(table, done, gap, converged=True)
    return FittedTable(table, most_rounds, gap, converged=False)


def scale_to(table: Floats, margin: Margin) -> None:
    """Scale to one margin, in place; empty cells stay empty."""
    sums = margin.of(table)
    ratios = np.divide(margin.totals, sums, out=np.zeros_like(sums), where=sums > 0)
    table *= margin.spread(ratios)


def largest_disagreement(first: Margin, second: Margin) -> float:
    """The largest difference between the sums that two margins have in common."""
    shared = _common_sums(first, second)
    return float(np.abs(shared[0] - shared[1]).max())


def agreeing(margin: Margin, others: Sequence[Margin], *, rounds: int = 50) -> Margin:
    """The margin, scaled so that it agrees with the others in all sums they have in common."""
    totals = margin.totals.copy()
    for _ in range(rounds):
        for other in others:
            own, theirs, groups = _common_sums(Margin(margin.groups, totals), other)
            ratios = np.divide(theirs, own, out=np.zeros_like(own), where=own > 0)
            for axis, group in enumerate(groups):
                ratios = np.take(ratios, group, axis=axis)
            totals = totals * ratios
        if len(others) == 1:
            break
    return Margin(margin.groups, totals)


def _each(group: Groups, size: int) -> bool:
    """Whether every level is a group of its own, in order."""
    return len(group) == size and bool(np.array_equal(group, np.arange(size)))


def _common_sums(first: Margin, second: Margin) -> tuple[Floats, Floats, list[Groups]]:
    """The sums of both over the finest groups they have in common, and how to map the first to them."""
    own, theirs = first.totals, second.totals
    ways: list[Groups] = []
    for axis, (mine, other) in enumerate(zip(first.groups, second.groups, strict=True)):
        one, two = _common(mine, other, own.shape[axis], theirs.shape[axis])
        own, theirs = _add_up(own, one, axis), _add_up(theirs, two, axis)
        size = max(own.shape[axis], theirs.shape[axis])
        own, theirs = _pad(own, size, axis), _pad(theirs, size, axis)
        ways.append(one)
    return own, theirs, ways


def _common(first: Groups | None, second: Groups | None, ones: int, twos: int) -> tuple[Groups, Groups]:
    """For the groups of each, the number of the smallest union of groups that both have in common."""
    if first is None or second is None:
        return np.zeros(ones, dtype=np.intp), np.zeros(twos, dtype=np.intp)
    if _each(first, ones) and _each(second, twos) and ones == twos:
        return first, second
    name = np.arange(ones + twos)
    for one, two in {(int(a), int(b) + ones) for a, b in zip(first, second, strict=True)}:
        name[name == name[two]] = name[one]
    _, number = np.unique(name, return_inverse=True)
    return number[:ones].astype(np.intp), number[ones:].astype(np.intp)


def _add_up(totals: Floats, groups: Groups, axis: int) -> Floats:
    ones = np.zeros((len(groups), int(groups.max()) + 1))
    ones[np.arange(len(groups)), groups] = 1.0
    return np.moveaxis(np.moveaxis(totals, axis, -1) @ ones, -1, axis)


def _pad(totals: Floats, size: int, axis: int) -> Floats:
    room = [(0, size - totals.shape[axis] if at == axis else 0) for at in range(totals.ndim)]
    return np.pad(totals, room)


def _refuse_impossible(table: Floats, margin: Margin) -> None:
    impossible = int(np.count_nonzero((margin.of(table) <= 0) & (margin.totals > 0)))
    if impossible:
        raise BadData(
            f"{impossible:,} totals of a margin are above 0 where the starting table is 0.",
            hint="Give every cell of the starting table a small positive number.",
        )


Places = NDArray[np.intp]
GOLDEN = (5**0.5 - 1) / 2
"""Multiples of it spread evenly between 0 and 1.

They set where the rounding of each total begins, so that the only person of a small group does not always
have the same age.
"""


@dataclass(frozen=True, slots=True, eq=False)
class WholeTable:
    """Whole numbers near a fitted table."""

    table: Ints = field(repr=False)
    missed: tuple[int, ...]
    """For each margin, the sum of the deviations of its totals; the first margin is always met."""


def round_table(table: Floats, margins: Sequence[Margin]) -> WholeTable:
    """Round so that the first margin is met exactly, and the others as far as single moves can.

    Within each total of the first margin, cumulative sums are rounded, each from its own starting point. This
    keeps every cell within 1 of its value and favors none. Then, margin by margin, people move from cells of
    a total that has too many to cells of one that has too few, always within the totals of the previous
    margins.
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
