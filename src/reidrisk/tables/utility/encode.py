"""A column as terms of a model, the same terms for both tables."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.lattice.inputs import Codes
from reidrisk.stats.usefulness.design import DesignBlock, Scale, category_block, number_block
from reidrisk.tables.utility.comparable import Comparable

OTHER, MISSING = "(other)", "(missing)"
MOST_LEVELS = 20
"""Categories of a column in a model; the rarer ones are joined."""


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """By code of each table; NaN for nothing."""

    name: str
    before: Floats = field(repr=False)
    after: Floats = field(repr=False)
    scale: Scale
    """Of the original, for both."""
    has_gaps: bool

    @property
    def width(self) -> int:
        """Terms."""
        return 1 + self.has_gaps

    def block(self, codes: Ints | Codes, *, after: bool) -> DesignBlock:
        """Of some rows."""
        numbers = (self.after if after else self.before)[codes]
        return number_block(self.name, numbers, self.scale, has_gaps=self.has_gaps)


@dataclass(frozen=True, slots=True, eq=False)
class Categories:
    """By code of each table, the place among the labels."""

    name: str
    before: Ints = field(repr=False)
    after: Ints = field(repr=False)
    labels: tuple[str, ...] = field(repr=False)
    base: int
    """The most frequent before."""

    @property
    def width(self) -> int:
        """Terms."""
        return len(self.labels) - 1

    @property
    def classes(self) -> list[int]:
        """Labels that are values of their own."""
        return [at for at, label in enumerate(self.labels) if label not in (OTHER, MISSING)]

    def block(self, codes: Ints | Codes, *, after: bool) -> DesignBlock:
        """Of some rows."""
        return category_block(
            self.name, (self.after if after else self.before)[codes], self.labels, base=self.base
        )


Encoded = Numbers | Categories


def encoded(column: Comparable, *, least: int, most: int = MOST_LEVELS) -> Encoded:
    """Numbers as they are; categories at the released level, those of fewer than `least` records joined."""
    if column.numbers is None:
        return categories(column, least=least, most=most)
    before = column.original_numbers()
    weights = column.before.counts.astype(np.float64)
    counts = column.before.counts, column.after.counts
    gaps = any(
        np.any(np.isnan(numbers) & (count > 0))
        for numbers, count in zip((before, column.numbers), counts, strict=True)
    )
    return Numbers(column.name, before, column.numbers, Scale.of(before, weights), has_gaps=bool(gaps))


def categories(column: Comparable, *, least: int, most: int = MOST_LEVELS) -> Categories:
    """By the values that the release has."""
    groups = column.groups()
    size = len(groups.labels)
    had = _tally(groups.before, column.before.counts, size)
    has = _tally(groups.after, column.after.counts, size)
    named = np.array([label is not None for label in groups.labels], dtype=np.bool_)
    able = np.flatnonzero(named & (has[:size] >= least))
    kept = able[np.lexsort((able, -(had + has)[able]))][:most]
    return _levelled(column.name, groups.before, groups.after, kept, groups.labels, (had, has))


def own_categories(column: Comparable, *, least: int, most: int = MOST_LEVELS) -> Categories:
    """By the values of the original, which alone has them: only for its own models, never shown."""
    codes = np.arange(column.before.values.size + 1, dtype=np.int64)
    codes[-1] = -1
    counts = column.before.counts.astype(np.float64)
    able = np.flatnonzero(counts[:-1] >= least)
    kept = able[np.lexsort((able, -counts[able]))][:most]
    labels = tuple(str(at) for at in range(codes.size - 1))
    had = np.append(counts[:-1], counts[-1])
    return _levelled(column.name, codes, codes, kept, labels, (had, had))


def _tally(groups: Ints, counts: Ints, size: int) -> Floats:
    """Records of each group, and last of none."""
    tally = np.bincount(np.where(groups < 0, size, groups), weights=counts, minlength=size + 1)
    return np.asarray(tally, dtype=np.float64)


def _levelled(
    name: str,
    before: Ints,
    after: Ints,
    kept: Ints,
    labels: tuple[str | None, ...],
    tallies: tuple[Floats, Floats],
) -> Categories:
    """Kept groups in their order, then all others, then the empty cells, where there are any."""
    size = len(labels)
    level = np.full(size + 1, kept.size, dtype=np.int64)
    level[kept] = np.arange(kept.size)
    level[size] = kept.size + 1
    both = tallies[0] + tallies[1]
    used = np.bincount(level, weights=both, minlength=kept.size + 2)
    shown = [str(labels[at]) for at in kept.tolist()]
    for at, text in ((kept.size, OTHER), (kept.size + 1, MISSING)):
        if used[at] > 0:
            shown.append(text)
        elif at == kept.size:
            level[size] -= 1
    had = np.bincount(level, weights=tallies[0], minlength=len(shown))
    base = int(np.argmax(had[: len(shown)])) if shown else 0
    return Categories(name, level[before], level[after], tuple(shown), base)
