"""Expected number of people who are alone, or nearly alone, in bins of equal probability.

Equations 1 to 4 of Benitez and Malin 2010 (doi:10.1136/jamia.2009.000026). Their equation 2 is printed
without the factor i, which their own example needs. With it the sum has a closed form: a person shares a bin
with at most g - 1 of n - 1 others, each of whom falls into it with the probability of that bin.

For a group of n people in b bins, the probability that a person is g-distinct is 0 for small g and 1 for
large g, to the last digit of a floating-point number. Only the values of g between are computed. Where every
g is requested, each probability follows from the previous one by a product, which is faster.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_matrix
from scipy.special import betaincc, xlog1py

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Bools, Floats, Ints


def bins_of_size(size: int, people: ArrayLike, bins: ArrayLike) -> Floats:
    """Expected number of bins with exactly `size` people (equation 1).

    >>> round(float(bins_of_size(1, 200, 365)), 2)
    115.86
    """
    from scipy.stats import binom  # keeps twelve digits, while a difference of log-factorials keeps eight

    n, b = _check(people, bins)
    return np.asarray(b * binom.pmf(size, n, 1 / b))


def distinct_people(size: ArrayLike, people: ArrayLike, bins: ArrayLike) -> Floats:
    """Expected number of people who share their bin with fewer than `size` others (equation 2).

    >>> round(float(distinct_people(5, 200, 365)), 2)
    199.95
    """
    n, b = _check(people, bins)
    return _distinct(np.asarray(size, dtype=np.float64), n, 1 / b)


def distinct_people_uneven(size: ArrayLike, people: ArrayLike, chances: ArrayLike) -> Floats:
    """The same for unequal bins: their `chances`, which add up to 1, are along an added last axis."""
    n, _ = _check(people, 1.0)
    p = np.asarray(chances, dtype=np.float64)
    if np.any(p < 0) or not np.allclose(p.sum(axis=-1), 1.0, rtol=1e-9):
        raise InvalidSetting(
            "The probabilities of the bins do not add up to 1.", hint="Give shares, none below 0."
        )
    g = np.asarray(size, dtype=np.float64)
    return np.asarray((_distinct(g[..., None], n[..., None], p) * p).sum(axis=-1))


def occupied_bins(people: ArrayLike, bins: ArrayLike) -> Floats:
    """Expected number of nonempty bins: the correct matches of an adversary who matches everybody.

    >>> round(3 / 200 * float(occupied_bins(200, 365)), 3)
    2.312
    """
    n, b = _check(people, bins)
    return np.asarray(-b * np.expm1(xlog1py(n, -1 / b)))


def occupied_bins_uneven(people: ArrayLike, chances: ArrayLike) -> Floats:
    """The same for bins of different probabilities."""
    n, _ = _check(people, 1.0)
    p = np.asarray(chances, dtype=np.float64)
    return np.asarray(-np.expm1(xlog1py(n[..., None], -p)).sum(axis=-1))


def _distinct(g: Floats, n: Floats, p: Floats) -> Floats:
    """n times the probability that fewer than g of the n - 1 others are in a bin of probability p.

    The complement of the incomplete beta function keeps sixteen digits; the binomial distribution function of
    the same library keeps eight.
    """
    inside = (g >= 1) & (g < n)
    first, second = np.where(inside, g, 1.0), np.where(inside, n - g, 1.0)
    chance = np.where(inside, betaincc(first, second, p), np.where(g >= n, 1.0, 0.0))
    return np.asarray(n * chance)


def _check(people: ArrayLike, bins: ArrayLike) -> tuple[Floats, Floats]:
    n, b = np.asarray(people, dtype=np.float64), np.asarray(bins, dtype=np.float64)
    if np.any(n < 0) or np.any(b < 1):
        raise InvalidSetting(
            "The number of people must be 0 or more, and the number of bins 1 or more.",
            hint="Check the counts and the bins.",
        )
    return n, b


CELLS = 2_000_000
"""Probabilities computed at a time: about 100 MB."""
MANY = 100_000
"""Number of probabilities from which products are faster."""
LARGEST_LOG = 600.0
"""Bound on -log of the probability to be alone; beyond it, the first product would underflow."""
CERTAIN, IMPOSSIBLE = 39.2, 745.0
"""x at which exp(-x) is negligible beside 1, and at which it underflows."""


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """Groups with the same number of people and of bins. Rows of `members` are areas."""

    people: Floats = field(repr=False)
    bins: Floats = field(repr=False)
    members: csr_matrix = field(repr=False)
    """Number of people at risk in groups of each kind: one row per area, one column per kind."""

    def of(self, chosen: Bools) -> Kinds:
        """Only the chosen kinds."""
        return Kinds(self.people[chosen], self.bins[chosen], self.members[:, np.flatnonzero(chosen)])


def expected_distinct(kinds: Kinds, sizes: Ints) -> Floats:
    """Expected number of g-distinct people: one row per area, one column per g, in ascending order."""
    found: Floats = np.zeros((kinds.members.shape[0], len(sizes)))
    low, high = _uncertain(kinds, sizes)
    by_products = _every_size_requested(kinds, sizes, high)
    if (high - low)[by_products].sum() >= MANY:
        _add_products(found, kinds.of(by_products), high[by_products])
        kinds, low, high = kinds.of(~by_products), low[~by_products], high[~by_products]
    for first, last in _pieces(high - low + 1):
        steps = _steps(kinds, sizes, (first, last), low, high)
        found += (kinds.members[:, first:last] @ steps).toarray()
    return np.asarray(np.cumsum(found, axis=1))


def expected_matches(kinds: Kinds, coverage: float = 1.0) -> Floats:
    """Expected number of correct matches per area, if a share of all people can be matched."""
    bins = kinds.bins / coverage
    return np.asarray(kinds.members @ (coverage * occupied_bins(kinds.people, bins) / kinds.people))


def _every_size_requested(kinds: Kinds, sizes: Ints, high: Ints) -> Bools:
    """Which kinds have all their uncertain sizes in the run 1, 2, 3 ... at the start of the sizes."""
    run = int((sizes == np.arange(1, len(sizes) + 1)).sum())
    alone = xlog1py(kinds.people - 1, -1 / kinds.bins)
    return np.asarray((kinds.bins > 1) & (alone > -LARGEST_LOG) & (high < run))


def _add_products(found: Floats, kinds: Kinds, high: Ints) -> None:
    """Add the probability of sharing a bin with exactly 0, 1, 2 ... others, for the areas of each kind."""
    order = np.argsort(high)
    for first, last in _pieces(np.maximum.accumulate(high[order]) + 1):
        piece = order[first:last]
        people, bins = kinds.people[piece], kinds.bins[piece]
        chance = np.empty((int(high[piece].max()) + 1, len(piece)))
        chance[0] = np.exp(xlog1py(people - 1, -1 / bins))
        for others in range(1, len(chance)):
            chance[others] = chance[others - 1] * (np.maximum(people - others, 0) / (others * (bins - 1)))
        found[:, : len(chance)] += kinds.members[:, piece] @ chance.T


def _uncertain(kinds: Kinds, sizes: Ints) -> tuple[Ints, Ints]:
    """The positions among the sizes from which the probability is above 0, and from which it is 1.

    Chernoff's bounds of the binomial distribution.
    """
    mean = (kinds.people - 1) / kinds.bins
    lowest = mean - np.sqrt(2 * IMPOSSIBLE * mean)
    reach = CERTAIN / 3 + np.sqrt((CERTAIN / 3) ** 2 + 2 * CERTAIN * mean)
    highest = np.where(kinds.bins == 1, kinds.people, np.minimum(kinds.people, np.ceil(mean + reach) + 1))
    high = np.searchsorted(sizes, highest, side="left")
    low = np.searchsorted(sizes, np.floor(lowest), side="left")
    return np.where(kinds.bins == 1, high, np.minimum(low, high)).astype(np.int64), high.astype(np.int64)


def _pieces(lengths: Ints) -> Iterator[tuple[int, int]]:
    """Ranges of kinds whose probabilities together fit into memory."""
    if not len(lengths):
        return
    piece = (np.cumsum(lengths) - 1) // CELLS
    edges = [0, *(np.flatnonzero(np.diff(piece)) + 1).tolist(), len(lengths)]
    yield from pairwise(edges)


def _steps(kinds: Kinds, sizes: Ints, piece: tuple[int, int], low: Ints, high: Ints) -> csr_matrix:
    """The increase of the probability from each size to the next, one row per kind."""
    chosen = slice(*piece)
    lengths = (high - low)[chosen] + 1
    ends = np.cumsum(lengths)
    starts = ends - lengths
    row = np.repeat(np.arange(len(lengths)), lengths)
    column = np.arange(ends[-1]) - starts[row] + low[chosen][row]
    at = column < high[chosen][row]
    chance = np.ones(len(row))
    people, bins = kinds.people[chosen][row[at]], kinds.bins[chosen][row[at]]
    chance[at] = distinct_people(sizes[column[at]], people, bins) / people
    rise = np.diff(chance, prepend=0.0)
    rise[starts] = chance[starts]
    inside = column < len(sizes)
    return csr_matrix(
        (rise[inside], (row[inside], column[inside])), shape=(len(lengths), len(sizes)), dtype=np.float64
    )
