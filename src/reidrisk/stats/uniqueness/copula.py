"""The probability of every combination of values, by a Gaussian copula of the columns.

Each category is an interval of a standard normal variable, and the variables are correlated: Rocher,
Hendrickx and de Montjoye 2019 (doi:10.1038/s41467-019-10933-3). The correlations are polychoric (Olsson 1979,
doi:10.1007/BF02296207), one pair of columns at a time. The probability of a rectangle is that of Genz 1992
(doi:10.1080/10618600.1992.10477010), on a fixed set of points, so that the same table gives the same result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import erfc, log, sqrt

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.uniqueness.margins import Shares, margin_shares, order_categories, singleton_ratio
from reidrisk.stats.uniqueness.record_risk import legendre

NODES = 5
"""Gauss-Legendre nodes within each row of a table of two columns."""
GRID = np.linspace(-0.96, 0.96, 13)
STRONGEST = 0.99
"""Correlations beyond this are not searched: the tables of two columns no longer tell them apart."""
EXACT = 1e-3
LEAST_EIGENVALUE = 1e-3
LEAST_CELL = 1e-12
POINTS = 200
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71)


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """The cells of two columns that occur, with their records; margins are shares of the sample."""

    row: Ints
    column: Ints
    records: Floats
    row_bounds: Floats
    column_bounds: Floats

    @classmethod
    def of(cls, table: Floats) -> PairTable:
        """Build from a full table."""
        row, column = np.nonzero(table)
        bounds = [np.concatenate([[0.0], np.cumsum(table.sum(axis=axis))]) / table.sum() for axis in (1, 0)]
        return cls(row, column, table[row, column], *bounds)

    def cells(self, rho: float) -> Floats:
        """The probability of every cell at a correlation, by quadrature within its row."""
        from scipy.special import ndtr, ndtri

        node, weight = legendre(NODES)
        width = np.diff(self.row_bounds)
        at = ndtri(self.row_bounds[:-1, None] + width[:, None] * (1 + node) / 2)[self.row]
        limits = ndtri(np.clip(self.column_bounds, 0.0, 1.0))
        rest = sqrt(1 - rho * rho)
        above, below = limits[self.column + 1, None], limits[self.column, None]
        inside = ndtr((above - rho * at) / rest) - ndtr((below - rho * at) / rest)
        return np.asarray(inside @ (weight / 2) * width[self.row])

    def correlation(self) -> float:
        """The correlation of the greatest likelihood: a grid, then a search around its best point."""
        from scipy.optimize import minimize_scalar

        def loss(rho: float) -> float:
            return -float(self.records @ np.log(np.maximum(self.cells(rho), LEAST_CELL)))

        best = float(GRID[int(np.argmin([loss(rho) for rho in GRID]))])
        step = GRID[1] - GRID[0]
        bounds = (max(best - step, -STRONGEST), min(best + step, STRONGEST))
        return float(minimize_scalar(loss, bounds=bounds, method="bounded", options={"xatol": EXACT}).x)


def cell_table(row_shares: Floats, column_shares: Floats, rho: float) -> Floats:
    """The table of two columns with these shares and this latent correlation."""
    row, column = (axis.ravel() for axis in np.indices((len(row_shares), len(column_shares))))
    bounds = [np.concatenate([[0.0], np.cumsum(shares)]) for shares in (row_shares, column_shares)]
    pair = PairTable(row, column, np.ones(row.size), *bounds)
    return pair.cells(rho).reshape(len(row_shares), len(column_shares))


def latent_correlation(table: Floats) -> float:
    """The polychoric correlation of a table of two ordered columns.

    >>> round(abs(latent_correlation(np.array([[20.0, 20.0], [20.0, 20.0]]))), 2)
    0.0
    """
    return PairTable.of(table).correlation()


def correlation_matrix(codes: Ints, number: Ints) -> Floats:
    """Correlations of all pairs of columns; eigenvalues are raised to at least 0.001.

    The codes are places in the order of the categories.
    """
    width = codes.shape[1]
    found = np.eye(width)
    bounds = [_sample_bounds(column, number) for column in codes.T]
    for one, other in combinations(range(width), 2):
        wide = len(bounds[other]) - 1
        pairs, place = np.unique(codes[:, one] * wide + codes[:, other], return_inverse=True)
        records = np.bincount(place, weights=number).astype(np.float64)
        pair = PairTable(pairs // wide, pairs % wide, records, bounds[one], bounds[other])
        found[one, other] = found[other, one] = pair.correlation()
    return positive(found)


def positive(matrix: Floats) -> Floats:
    """The matrix with its eigenvalues raised to the least one, and ones on its diagonal again."""
    values, vectors = np.linalg.eigh(matrix)
    raised = (vectors * np.maximum(values, LEAST_EIGENVALUE)) @ vectors.T
    scale = 1 / np.sqrt(np.diag(raised))
    return np.asarray(raised * scale[:, None] * scale[None, :])


def _sample_bounds(column: Ints, number: Ints) -> Floats:
    counts = np.bincount(column, weights=number)
    return np.asarray(np.concatenate([[0.0], np.cumsum(counts)]) / counts.sum())


@dataclass(frozen=True, slots=True, eq=False)
class ClassChances:
    """For each distinct tuple, the chance that another person has it."""

    by_copula: Floats
    independent: Floats
    """The product of the shares of its categories."""
    cautious: Floats
    """By the copula, with smaller shares of categories of one record where few have two."""
    order: tuple[Ints, ...]
    """The categories of every column in the order that was used, of columns with more than one category."""
    correlation: Floats


def class_chances(
    codes: Ints, number: Ints, *, ordinal: Sequence[bool], only: Ints | None = None
) -> ClassChances:
    """Fit margins, orders and correlations to a sample, and compute the chance of every tuple in it.

    Columns with one category are left out. With one column left, the chance is the share of its category.
    `only` are the places of the tuples whose chances are wanted, if not all.
    """
    wanted = np.arange(len(codes)) if only is None else only
    varies = [place for place in range(codes.shape[1]) if codes[:, place].max() > 0]
    if not varies:
        one = np.ones(len(wanted))
        return ClassChances(one, one, one, (), np.eye(0))
    kept = np.ascontiguousarray(codes[:, varies])
    order = order_categories(kept, number, ordinal=tuple(ordinal[place] for place in varies))
    for place, categories in enumerate(order):
        rank = np.empty(len(categories), dtype=np.int64)
        rank[categories] = np.arange(len(categories))
        kept[:, place] = rank[kept[:, place]]
    counts = [np.bincount(column, weights=number).astype(np.int64) for column in kept.T]
    shares = [margin_shares(one) for one in counts]
    some = kept[wanted]
    ratio = np.ones(len(some))
    for column, held, share in zip(some.T, counts, shares, strict=True):
        ratio[held[column] == 1] *= singleton_ratio(held, share)
    independent = np.prod([one.seen[column] for one, column in zip(shares, some.T, strict=True)], axis=0)
    if len(varies) == 1:
        return ClassChances(independent, independent, independent * ratio, order, np.eye(1))
    correlation = correlation_matrix(kept, number)
    means = [number @ np.log(one.seen[column]) for one, column in zip(shares, kept.T, strict=True)]
    found = _by_rectangles(some, np.argsort(means, kind="stable"), shares, correlation)
    copula = np.maximum(found, LEAST_CELL * independent)
    return ClassChances(copula, independent, copula * ratio, order, correlation)


def _by_rectangles(codes: Ints, columns: Ints, shares: Sequence[Shares], correlation: Floats) -> Floats:
    """The rectangle of every tuple; `columns` in their order, that with the least mean log share first."""
    from scipy.special import ndtri

    limits = [ndtri(np.minimum(shares[place].bounds, 1.0)) for place in columns]
    sequence = np.lexsort(tuple(codes[:, place] for place in columns[::-1]))
    placed = codes[np.ix_(sequence, columns)]
    lower = np.stack([limit[placed[:, at]] for at, limit in enumerate(limits)], axis=1)
    upper = np.stack([limit[placed[:, at] + 1] for at, limit in enumerate(limits)], axis=1)
    found = np.empty(len(codes))
    found[sequence] = rectangles(lower, upper, correlation[np.ix_(columns, columns)])
    return found


def rectangles(lower: Floats, upper: Floats, correlation: Floats) -> Floats:
    """The probability of each rectangle of correlated standard normal variables (Genz 1992).

    Rows that follow each other and share their first limits share the work for these.
    """
    factor = np.asarray(np.linalg.cholesky(correlation), dtype=np.float64)
    return _rectangles(np.ascontiguousarray(lower), np.ascontiguousarray(upper), factor, _points(len(factor)))


def _points(width: int) -> Floats:
    """Points of a lattice with irrational steps, folded: |2 frac(i sqrt(prime) + 1/2) - 1|."""
    primes = [*PRIMES, *(number for number in range(73, 2000) if _is_prime(number))]
    steps = np.sqrt(np.array(primes[: max(width - 1, 1)], dtype=np.float64))
    lattice = np.arange(1, POINTS + 1)[:, None] * steps + 0.5
    return np.asarray(np.abs(2 * (lattice - np.floor(lattice)) - 1).T.copy())


def _is_prime(number: int) -> bool:
    return all(number % divisor for divisor in range(2, int(sqrt(number)) + 1))


SQRT_HALF = sqrt(0.5)
TINY, NEARLY_ONE = 1e-300, 1 - 1e-16
MIDDLE = np.array(
    [
        (2509.0809287301226727, 5226.495278852545925),
        (33430.575583588128105, 28729.085735721942674),
        (67265.770927008700853, 39307.89580009271061),
        (45921.953931549871457, 21213.794301586595867),
        (13731.693765509461125, 5394.1960214247511077),
        (1971.5909503065514427, 687.1870074920579083),
        (133.14166789178437745, 42.313330701600911252),
        (3.387132872796366608, 1.0),
    ]
)
TAIL = np.array(
    [
        (7.7454501427834140764e-4, 1.05075007164441684324e-9),
        (0.0227238449892691845833, 5.475938084995344946e-4),
        (0.24178072517745061177, 0.0151986665636164571966),
        (1.27045825245236838258, 0.14810397642748007459),
        (3.64784832476320460504, 0.68976733498510000455),
        (5.7694972214606914055, 1.6763848301838038494),
        (4.6303378461565452959, 2.05319162663775882187),
        (1.42343711074968357734, 1.0),
    ]
)
FAR_TAIL = np.array(
    [
        (2.01033439929228813265e-7, 2.04426310338993978564e-15),
        (2.71155556874348757815e-5, 1.4215117583164458887e-7),
        (0.0012426609473880784386, 1.8463183175100546818e-5),
        (0.026532189526576123093, 7.868691311456132591e-4),
        (0.29656057182850489123, 0.0148753612908506148525),
        (1.7848265399172913358, 0.13692988092273580531),
        (5.4637849111641143699, 0.59983220655588793769),
        (6.6579046435011037772, 1.0),
    ]
)
"""Numerators and denominators of Wichura 1988 (algorithm AS 241), highest power first."""


@compiled
def _ratio(point: float, terms: Floats) -> float:
    top = low = 0.0
    for term in range(terms.shape[0]):
        top = top * point + terms[term, 0]
        low = low * point + terms[term, 1]
    return top / low


@compiled
def normal_quantile(share: float) -> float:
    """The quantile of the standard normal distribution, for compiled loops (algorithm AS 241)."""
    p = min(max(share, TINY), NEARLY_ONE)
    q = p - 0.5
    if abs(q) <= 0.425:
        return q * _ratio(0.180625 - q * q, MIDDLE)
    r = sqrt(-log(min(p, 1 - p)))
    far = _ratio(r - 1.6, TAIL) if r <= 5.0 else _ratio(r - 5.0, FAR_TAIL)
    return far if q > 0 else -far


@compiled
def _rectangles(lower: Floats, upper: Floats, factor: Floats, points: Floats) -> Floats:
    rows, width = lower.shape
    many = points.shape[1]
    inner = np.zeros((width, many))
    product = np.ones((width + 1, many))
    found = np.empty(rows)
    for row in range(rows):
        first = 0
        if row > 0:
            while (
                first < width - 1
                and lower[row, first] == lower[row - 1, first]
                and upper[row, first] == upper[row - 1, first]
            ):
                first += 1
        for at in range(first, width):
            own = factor[at, at]
            for point in range(many):
                shift = 0.0
                for before in range(at):
                    shift += factor[at, before] * inner[before, point]
                low = 0.5 * erfc(-(lower[row, at] - shift) / own * SQRT_HALF)
                part = 0.5 * erfc(-(upper[row, at] - shift) / own * SQRT_HALF) - low
                product[at + 1, point] = product[at, point] * part
                if at < width - 1:
                    inner[at, point] = normal_quantile(low + points[at, point] * part)
        total = 0.0
        for point in range(many):
            total += product[width, point]
        found[row] = total / many
    return found
