"""Encode a column as terms of a model, the same terms for both tables."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.lattice.inputs import Codes
from reidrisk.stats.usefulness.design import Block, Scale, category_block, number_block
from reidrisk.tables.utility.data import ComparedColumn

OTHER, MISSING = "(other)", "(missing)"
MOST_LEVELS = 20
"""Largest number of categories of a column in a model; rarer ones are combined."""


@dataclass(frozen=True, slots=True, eq=False)
class NumberTerms:
    """The numbers of a column by code of each table; NaN if missing."""

    name: str
    before: Floats = field(repr=False)
    after: Floats = field(repr=False)
    scale: Scale
    """The scale of the original, used for both tables."""
    has_gaps: bool

    @property
    def width(self) -> int:
        """Number of terms."""
        return 1 + self.has_gaps

    def block(self, codes: Ints | Codes, *, after: bool) -> Block:
        """Return the terms of some rows."""
        numbers = (self.after if after else self.before)[codes]
        return number_block(self.name, numbers, self.scale, has_gaps=self.has_gaps)


@dataclass(frozen=True, slots=True, eq=False)
class CategoryTerms:
    """The categories of a column: the index of the label by code of each table."""

    name: str
    before: Ints = field(repr=False)
    after: Ints = field(repr=False)
    labels: tuple[str, ...] = field(repr=False)
    base: int
    """The most frequent category of the original."""

    @property
    def width(self) -> int:
        """Number of terms."""
        return len(self.labels) - 1

    @property
    def classes(self) -> list[int]:
        """Labels that are real categories."""
        return [at for at, label in enumerate(self.labels) if label not in (OTHER, MISSING)]

    def block(self, codes: Ints | Codes, *, after: bool) -> Block:
        """Return the terms of some rows."""
        return category_block(
            self.name, (self.after if after else self.before)[codes], self.labels, base=self.base
        )


ModelTerms = NumberTerms | CategoryTerms


def encode_column(column: ComparedColumn, *, least: int, most: int = MOST_LEVELS) -> ModelTerms:
    """Keep numbers unchanged; use categories at the released level, combining those below `least` records."""
    if column.numbers is None:
        return categories(column, least=least, most=most)
    before = column.original_numbers()
    weights = column.before.counts.astype(np.float64)
    counts = column.before.counts, column.after.counts
    gaps = any(
        np.any(np.isnan(numbers) & (count > 0))
        for numbers, count in zip((before, column.numbers), counts, strict=True)
    )
    return NumberTerms(column.name, before, column.numbers, Scale.of(before, weights), has_gaps=bool(gaps))


def categories(column: ComparedColumn, *, least: int, most: int = MOST_LEVELS) -> CategoryTerms:
    """Encode categories by the values of the release."""
    groups = column.groups()
    size = len(groups.labels)
    had = _tally(groups.before, column.before.counts, size)
    has = _tally(groups.after, column.after.counts, size)
    named = np.array([label is not None for label in groups.labels], dtype=np.bool_)
    able = np.flatnonzero(named & (has[:size] >= least))
    kept = able[np.lexsort((able, -(had + has)[able]))][:most]
    return _build_terms(column.name, groups.before, groups.after, kept, groups.labels, (had, has))


def own_categories(column: ComparedColumn, *, least: int, most: int = MOST_LEVELS) -> CategoryTerms:
    """Encode categories by the values of the original: only for its own models, never shown."""
    codes = np.arange(column.before.values.size + 1, dtype=np.int64)
    codes[-1] = -1
    counts = column.before.counts.astype(np.float64)
    able = np.flatnonzero(counts[:-1] >= least)
    kept = able[np.lexsort((able, -counts[able]))][:most]
    labels = tuple(str(at) for at in range(codes.size - 1))
    had = np.append(counts[:-1], counts[-1])
    return _build_terms(column.name, codes, codes, kept, labels, (had, had))


def _tally(groups: Ints, counts: Ints, size: int) -> Floats:
    """Count the records of each group, and last those without a group."""
    tally = np.bincount(np.where(groups < 0, size, groups), weights=counts, minlength=size + 1)
    return np.asarray(tally, dtype=np.float64)


def _build_terms(
    name: str,
    before: Ints,
    after: Ints,
    kept: Ints,
    labels: tuple[str | None, ...],
    tallies: tuple[Floats, Floats],
) -> CategoryTerms:
    """Use the kept groups in order, then all others, then empty cells, if there are any."""
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
    return CategoryTerms(name, level[before], level[after], tuple(shown), base)
