"""Agreement between annotators: kappa, and gamma over spans.

Gamma follows Mathet, Widlöcher and Métivier 2015, doi:10.1162/COLI_a_00227: the spans of both annotators are
aligned so that the disorder is least. This disorder is compared with that of randomly placed annotations. The
weights are those of the paper's examples: position, category and a missing span count equally.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import ArrayLike

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.recall import ratio


def cohen_kappa(pairs: Mapping[tuple[str, str], int]) -> float:
    """Cohen's kappa, from how often each pair of labels (first annotator, second annotator) occurs.

    Source: doi:10.1177/001316446002000104. The result is `nan` where chance alone would always agree.

    >>> cohen_kappa({("yes", "yes"): 20, ("yes", "no"): 5, ("no", "yes"): 10, ("no", "no"): 15})
    0.4
    """
    total = sum(pairs.values())
    if not total:
        return nan
    first: dict[str, int] = {}
    second: dict[str, int] = {}
    for (one, two), times in pairs.items():
        first[one] = first.get(one, 0) + times
        second[two] = second.get(two, 0) + times
    # In whole numbers, so that perfect agreement is exactly 1.
    seen = total * sum(times for (one, two), times in pairs.items() if one == two)
    chance = sum(times * second.get(one, 0) for one, times in first.items())
    return ratio(seen - chance, total * total - chance)


def fleiss_kappa(counts: ArrayLike, times: ArrayLike | None = None) -> float:
    """Fleiss' kappa: one row per item, one column per category, holding how many annotators chose it.

    Source: doi:10.1037/h0031619. `times` is how often each row occurs. The result is `nan` where chance alone
    would always agree.

    >>> round(fleiss_kappa([[3, 0], [0, 3], [2, 1], [1, 2]]), 4)
    0.3333
    """
    table = np.asarray(counts, dtype=np.int64)
    often = np.ones(len(table), dtype=np.int64) if times is None else np.asarray(times, dtype=np.int64)
    things = int(often.sum())
    if not things:
        return nan
    raters = int(table[0].sum())
    pairs = (table * (table - 1)).sum(axis=1)
    seen = float(often @ pairs) / (things * raters * (raters - 1))
    shares = (often @ table) / (things * raters)
    chance = float(np.sum(shares**2))
    return nan if chance >= 1 else (seen - chance) / (1 - chance)


MISSING = 1.0
"""Cost of a span that the other annotator does not have."""
ALIGNMENTS = 2000
"""Number of random documents to align; each document is used at most 30 times."""


@dataclass(frozen=True, eq=False)
class Spans:
    """The spans of one annotator in one document."""

    start: Ints
    end: Ints
    category: Ints

    @classmethod
    def of(cls, spans: Iterable[tuple[int, int, int]]) -> Spans:
        """Build from the start, end and category of each span."""
        table = np.array(sorted(spans), dtype=np.int64).reshape(-1, 3)
        return cls(table[:, 0], table[:, 1], table[:, 2])

    @property
    def size(self) -> int:
        """Number of spans."""
        return int(self.start.size)

    def only(self, category: int) -> Spans:
        """The spans of one category."""
        own = self.category == category
        return Spans(self.start[own], self.end[own], self.category[own])

    def shift(self, by: int, length: int) -> Spans:
        """All spans shifted to the right, wrapping around at the end; lengths and distances stay the same."""
        start = (self.start + by) % max(length, 1)
        return Spans(start, start + self.end - self.start, self.category)


@dataclass(frozen=True, eq=False)
class PairedDocument:
    """The spans of two annotators in a document, and the document's length in characters."""

    first: Spans
    second: Spans
    length: int


def gamma(documents: Sequence[PairedDocument], *, rng: np.random.Generator) -> float:
    """1 for identical annotations, about 0 for chance agreement, below 0 for less; `nan` without any span."""
    used = [one for one in documents if one.first.size or one.second.size]
    units = sum(one.first.size + one.second.size for one in used) / 2
    if not units:
        return nan
    observed = sum(disorder(one.first, one.second) for one in used) / units
    expected = _by_chance(used, rng)
    return 1 - observed / expected if expected > 0 else nan


def disorder(first: Spans, second: Spans) -> float:
    """Least cost of an alignment: a pair costs its dissimilarity, an unpaired span costs `MISSING`."""
    from scipy.optimize import linear_sum_assignment  # slow to load

    alone = abs(first.size - second.size) * MISSING
    if not (first.size and second.size):
        return alone
    costs = np.minimum(dissimilarity(first, second), 2 * MISSING)
    rows, columns = linear_sum_assignment(costs)
    return float(costs[rows, columns].sum()) + alone


def dissimilarity(first: Spans, second: Spans) -> Floats:
    """Dissimilarity of every two spans: in position, relative to their lengths, and in category."""
    apart = np.abs(first.start[:, None] - second.start) + np.abs(first.end[:, None] - second.end)
    lengths = (first.end - first.start)[:, None] + (second.end - second.start)
    differs = first.category[:, None] != second.category
    return np.asarray((apart / lengths) ** 2 + differs, dtype=float)


def _by_chance(documents: Sequence[PairedDocument], rng: np.random.Generator) -> float:
    """Mean disorder when each side is the annotation of either annotator, shifted to a random position."""
    rounds = int(np.clip(ALIGNMENTS // len(documents), 1, 30))
    total, units = 0.0, 0.0
    for document in documents:
        both = (document.first, document.second)
        picks, moves = (
            rng.integers(2, size=(rounds, 2)),
            rng.integers(max(document.length, 1), size=(rounds, 2)),
        )
        for pick, move in zip(picks, moves, strict=True):
            one, two = (both[p].shift(int(m), document.length) for p, m in zip(pick, move, strict=True))
            total += disorder(one, two)
            units += (one.size + two.size) / 2
    return total / units if units else 0.0
