"""Fit a population to published margins if the whole table is not published; it is labeled as modeled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.wording import plural
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.population.axes import Axes, IndexedMargin, common_axes
from reidrisk.population.gather import CountRows, SourceBands, gather_counts
from reidrisk.population.people import AgeGroups, Population
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.proportional_fitting import (
    Margin,
    agreeing,
    fit_table,
    largest_disagreement,
    round_table,
    scale_to,
)

LARGEST_TABLE = 60_000_000
"""Largest number of cells in a block; more would not fit into the memory of a small computer."""


@dataclass(frozen=True, slots=True)
class FitSettings:
    """Settings of the fit."""

    rescale: bool = False
    """Whether to scale a margin that disagrees with an earlier one; otherwise this is an error."""
    tolerance: float = 0.05
    """Largest error of a total, in people, before rounding."""
    rounds: int = 500
    """Largest number of passes over all margins."""
    floor: float = 1e-6
    """Share of the people that a starting table spreads evenly, so that no cell is impossible."""

    def __post_init__(self) -> None:
        if not 0 < self.tolerance < 0.5 or self.rounds < 1 or not 0 < self.floor < 0.1:
            raise InvalidSetting(
                "The settings of the fit are out of range.",
                hint="Allowed: tolerance between 0 and 0.5, rounds of 1 or more, floor between 0 and 0.1.",
            )


@dataclass(slots=True)
class _FitTotals:
    """Figures about the fit over all blocks."""

    rounds: int = 0
    gap: float = 0.0
    rescaled: float = 0.0
    missed: int = 0


def fit_population(
    margins: Sequence[Population],
    *,
    start: Sequence[Population] = (),
    settings: FitSettings | None = None,
    source: str = "The fitted population",
    progress: Callable[[int, int], None] | None = None,
) -> Population:
    """Iterative proportional fitting of a table with all areas, categories and age bands of the margins.

    The first of the `margins` is met exactly, the others as closely as whole numbers of people allow.
    `start` are tables with the starting proportions. Each is used once, in this order, coarsest first;
    they do not need to agree with the margins. The oldest age band of each includes everybody older.
    """
    chosen = settings or FitSettings()
    if not margins:
        raise InvalidSetting("There is no margin to fit.", hint="Give one or more.")
    axes = common_axes(margins, start)
    tally = _FitTotals()
    parts: list[tuple[NDArray[np.intp], Ints]] = []
    blocks = list(_blocks(axes, margins))
    targets, shapes = [axes.indexed(people) for people in margins], [axes.indexed(people) for people in start]
    _refuse_strangers(targets, margins)
    for done, block in enumerate(blocks, start=1):
        agreed = _agreed([one.margin(block) for one in targets], margins, chosen, tally)
        table = _started(axes, block, [one.margin(block) for one in shapes], chosen.floor)
        parts.append((block, _fitted_block(table, agreed, chosen, tally)))
        if progress is not None:
            progress(done, len(blocks))
    return _population(axes, parts, source=source, notes=_notes(tally, len(margins), len(start)))


def _blocks(axes: Axes, margins: Sequence[Population]) -> Iterator[NDArray[np.intp]]:
    """Areas that can be fitted separately: those in one large area, if every margin has it."""
    depth = min(len(people.areas) for people in margins)
    depth = min(depth, 1)
    names = [place[:depth] for place in axes.places]
    for name in dict.fromkeys(names):
        block = np.array([at for at, own in enumerate(names) if own == name], dtype=np.intp)
        if len(block) * int(np.prod(axes.shape[1:])) > LARGEST_TABLE:
            raise BadData(
                "The table to fit has too many cells.",
                hint="Include a large area, such as the state, in every margin, to fit each separately.",
            )
        yield block


def _refuse_strangers(targets: Sequence[IndexedMargin], margins: Sequence[Population]) -> None:
    """Refuse margins with people in areas that the margin with the smallest areas does not have."""
    for target, people in zip(targets, margins, strict=True):
        if target.elsewhere:
            raise BadData(
                f"{people.source} counts {target.elsewhere:,} people in areas that the finest margin lacks.",
                hint="Give every margin for the same areas.",
            )


def _started(axes: Axes, block: NDArray[np.intp], shapes: Sequence[Margin], floor: float) -> Floats:
    """Spread everybody evenly over years, then scale to each starting table once."""
    table = np.ones((len(block), *axes.shape[1:]))
    if len(axes.ages):
        table *= axes.years
    for shape in shapes:
        scale_to(table, _floored(shape, floor))
    return table


def _fitted_block(table: Floats, targets: list[Margin], settings: FitSettings, tally: _FitTotals) -> Ints:
    fitted = fit_table(table, targets, tolerance=settings.tolerance, most_rounds=settings.rounds)
    if not fitted.converged and fitted.largest_gap >= 0.5:
        raise BadData(
            f"The margins cannot be met together: after {plural(fitted.rounds, 'round')} "
            f"a total is still off by {fitted.largest_gap:,.1f} people.",
            hint="Look for margins that contradict each other, or fit fewer of them.",
        )
    whole = round_table(fitted.table, targets)
    tally.rounds = max(tally.rounds, fitted.rounds)
    tally.gap = max(tally.gap, fitted.largest_gap)
    tally.missed += sum(whole.missed)
    return whole.table


def _agreed(
    targets: list[Margin], margins: Sequence[Population], settings: FitSettings, tally: _FitTotals
) -> list[Margin]:
    """Make margins agree with each other, or raise an error that names those that do not."""
    for at, other in combinations(range(len(targets)), 2):
        off = largest_disagreement(targets[at], targets[other])
        if off < 0.5:
            continue
        if not settings.rescale:
            raise BadData(
                f"{margins[at].source} and {margins[other].source} disagree by up to {off:,.0f} people "
                "in the totals that they share.",
                hint="Use figures from the same date, use one of them as start, or allow rescaling, "
                "which scales to the first margin.",
            )
        tally.rescaled = max(tally.rescaled, off)
    if not settings.rescale:
        return targets
    found = targets[:1]
    for target in targets[1:]:
        found.append(agreeing(target, found))
    return found


def _floored(margin: Margin, floor: float) -> Margin:
    everybody = float(margin.totals.sum())
    little = (floor * everybody or 1.0) / margin.totals.size
    return Margin(margin.groups, margin.totals + little)


def _notes(tally: _FitTotals, margins: int, start: int) -> tuple[str, tuple[str, ...]]:
    how = f"iterative proportional fitting of {plural(margins, 'margin')}"
    if start:
        how += f" from {plural(start, 'starting table')}"
    notes = [f"fitted in at most {plural(tally.rounds, 'round')}; totals within {tally.gap:.2g} people"]
    if tally.rescaled:
        notes.append(
            f"margins disagreed by up to {tally.rescaled:,.0f} people and were scaled to earlier margins"
        )
    if tally.missed:
        notes.append(f"after rounding to whole people, totals are off by {tally.missed:,} altogether")
    return how, tuple(notes)


def _population(
    axes: Axes,
    parts: list[tuple[NDArray[np.intp], Ints]],
    *,
    source: str,
    notes: tuple[str, tuple[str, ...]],
) -> Population:
    """Combine all blocks into rows; empty cells are left out."""
    found = [(np.nonzero(table), block, table) for block, table in parts]
    place = np.concatenate([block[where[0]] for where, block, _ in found])
    axis_codes = [np.concatenate([where[at] for where, _, _ in found]) for at in range(1, len(axes.shape))]
    labels: dict[str, tuple[str, ...]] = {}
    codes: dict[str, NDArray[np.int32]] = {}
    for at, name in enumerate(axes.areas):
        values, code = np.unique(np.array([own[at] for own in axes.places]), return_inverse=True)
        labels[name], codes[name] = tuple(map(str, values)), code.astype(np.int32)[place]
    for (name, own), code in zip(axes.labels.items(), axis_codes, strict=False):
        labels[name], codes[name] = own, code.astype(np.int32)
    ages = None
    if len(axes.ages):
        cell = axis_codes[-1]
        ages = AgeGroups(axes.ages.astype(np.int16)[cell], axes.years.astype(np.int16)[cell])
    return Population(
        areas=axes.areas,
        fields=tuple(axes.labels),
        labels=labels,
        codes=codes,
        counts=np.concatenate([table[where] for where, _, table in found]),
        ages=ages,
        source=source,
        modelled=notes[0],
        notes=notes[1],
    )


def margin_of(
    people: Population, *, areas: Sequence[str], fields: Sequence[str], ages: bool = True
) -> Population:
    """Sum a population over everything except some areas and categories, and ages unless excluded."""
    bands = None
    if ages and people.ages is not None:
        first = people.ages.first.astype(np.int64)
        bands = SourceBands(first, first + people.ages.years - 1, np.zeros(len(first), dtype=np.bool_))
    rows = CountRows(people.labels, people.codes, people.counts, bands, distinct=False)
    return gather_counts(rows, areas=areas, fields=fields, source=people.source)
