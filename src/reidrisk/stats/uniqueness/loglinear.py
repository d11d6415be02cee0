"""Risk of each record from a log-linear model of the sample (Skinner and Shlomo).

Skinner and Shlomo 2008 (doi:10.1198/016214507000001328): too simple a model overestimates the risk, too rich
a model underestimates it, so terms are added one by one until there is no sign of underfitting. The test used
here is our own second-order expansion of the bias of tau 1, in their spirit: with the fitted population mean
L of a cell and its residual e = f - pi L, a cell adds

    exp(-L) (1 - pi) [ L e + (1 - pi L - L (1 - pi) / 2) (e^2 - f) / pi ].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import prod, sqrt

import numpy as np

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.proportional_fitting import Margin, fit_table


@dataclass(frozen=True, slots=True)
class ExpectedMatches:
    """Expected matches among the records that are unique in the sample."""

    population_uniques: float
    """tau 1: how many are also unique in the population."""
    correct_matches: float
    """tau 2: how many are matched correctly by an adversary who picks one person of the population class."""


def expected_matches(means: Floats, fraction: float) -> ExpectedMatches:
    """Compute from the fitted sample means of the cells that hold one record.

    The people of such a cell who were not sampled are Poisson with mean mu (1 - pi) / pi. Without the
    division by pi, as in one public program, the result is many times too high.
    """
    if not 0 < fraction <= 1 or np.any(means <= 0):
        raise InvalidSetting(
            f"The sampling fraction {fraction} and the fitted means are not compatible.",
            hint="The fraction must be above 0 and up to 1, every fitted mean of a record's cell above 0.",
        )
    others = means * (1 - fraction) / fraction
    share = np.where(others > 0, -np.expm1(-others) / np.where(others > 0, others, 1), 1.0)
    return ExpectedMatches(float(np.exp(-others).sum()), float(share.sum()))


def independent_matches(codes: Ints, number: Ints, fraction: float) -> ExpectedMatches:
    """Expected matches under the log-linear model of independent columns.

    The tuples are distinct, one row each, with `number` records. The means are products of margins, so the
    full table is not needed, however many cells it has.

    >>> found = independent_matches(np.array([[0, 0], [0, 1], [1, 0]]), np.array([1, 1, 2]), 1.0)
    >>> found.population_uniques
    2.0
    """
    records, unique = float(number.sum()), number == 1
    means = np.full(int(unique.sum()), records)
    for column in codes.T:
        margin = np.bincount(column, weights=number)
        means *= margin[column[unique]] / records
    return expected_matches(means, fraction)


MOST_CELLS = 5_000_000
SIGN = 1.645
"""A standardized bias above this is a sign of underfitting, at the one-sided level of 5 %."""
CLEAR = 6.0
"""Standard deviations of a margin's misfit that chance cannot explain."""
Term = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class SampleCells:
    """The full cross-classification of a sample."""

    counts: Floats = field(repr=False)
    """One axis per quasi-identifier; cells without records are 0."""
    fraction: float

    @classmethod
    def of(cls, codes: Ints, number: Ints, fraction: float, *, most: int = MOST_CELLS) -> SampleCells:
        """Build from distinct tuples of codes, one row each, and how often each occurs."""
        shape = tuple(int(top) + 1 for top in codes.max(axis=0))
        if prod(shape) > most:
            raise BadData(
                f"The quasi-identifiers have {prod(shape):,} combinations; a log-linear model allows up to "
                f"{most:,}.",
                hint="Generalize the columns with the most values first, or leave some out.",
            )
        counts = np.zeros(shape)
        np.add.at(counts, tuple(codes.T), number)
        return cls(counts, fraction)


@dataclass(frozen=True, eq=False)
class LogLinear:
    """A fitted model: its terms, the expected matches, and whether it fits."""

    terms: tuple[Term, ...]
    matches: ExpectedMatches
    bias: float
    """Estimated bias of tau 1; above 0, the model is too simple and overestimates."""
    standardised: float
    converged: bool
    means: Floats = field(repr=False)

    @property
    def underfits(self) -> bool:
        """Whether the model shows signs of being too simple."""
        return self.standardised > SIGN


def fit_loglinear(cells: SampleCells, terms: Sequence[Term]) -> LogLinear:
    """The model with these margins; main effects of columns that no term names are added."""
    axes = range(cells.counts.ndim)
    if any(axis not in axes for term in terms for axis in term):
        raise InvalidSetting(
            "A term refers to a column that does not exist.", hint="Columns are numbered from 0."
        )
    named = {axis for term in terms for axis in term}
    full = (*terms, *((axis,) for axis in axes if axis not in named))
    start = np.full(cells.counts.shape, cells.counts.sum() / cells.counts.size)
    fitted = fit_table(start, [_margin(cells.counts, term) for term in full], tolerance=1e-6)
    bias, spread = _bias(cells, fitted.table)
    unique = fitted.table[cells.counts == 1]
    matches = expected_matches(np.maximum(unique, np.finfo(float).tiny), cells.fraction)
    return LogLinear(full, matches, bias, bias / spread if spread else 0.0, fitted.converged, fitted.table)


def select_loglinear(cells: SampleCells) -> tuple[LogLinear, ...]:
    """Models from main effects on, each adding the two-way term with the worst fit.

    It ends when the model no longer seems too simple: it shows no sign of underfitting, and either no two-way
    margin is clearly misfitted or the estimated bias has changed sign.
    """
    models = [fit_loglinear(cells, ())]
    pairs = list(combinations(range(cells.counts.ndim), 2))
    while pairs and models[-1].standardised > 0:
        last = models[-1]
        worst = max(pairs, key=lambda pair: _misfit(cells.counts, last.means, pair))
        if not last.underfits and _misfit(cells.counts, last.means, worst) < CLEAR:
            break
        pairs.remove(worst)
        kept = [term for term in last.terms if len(term) == 2]
        models.append(fit_loglinear(cells, (*kept, worst)))
    return tuple(models)


def _margin(counts: Floats, term: Term) -> Margin:
    groups = tuple(np.arange(size) if axis in term else None for axis, size in enumerate(counts.shape))
    return Margin(groups, _sums(counts, term))


def _sums(counts: Floats, term: Term) -> Floats:
    rest = tuple(axis for axis in range(counts.ndim) if axis not in term)
    return np.asarray(counts.sum(axis=rest, keepdims=True))


def _misfit(counts: Floats, means: Floats, term: Term) -> float:
    """Pearson's statistic of a margin, in standard deviations above what chance gives."""
    seen, expected = _sums(counts, term), _sums(means, term)
    there = expected > 0
    freedom: int = prod(max(1, counts.shape[axis] - 1) for axis in term)
    statistic = float(((seen - expected)[there] ** 2 / expected[there]).sum())
    return (statistic - freedom) / sqrt(2 * freedom)


def _bias(cells: SampleCells, means: Floats) -> tuple[float, float]:
    """The estimated bias of tau 1 and the standard deviation of that estimate."""
    pi = cells.fraction
    people, left = means / pi, cells.counts - means
    curved = (1 - means - people * (1 - pi) / 2) * (left**2 - cells.counts) / pi
    parts = np.exp(-people) * (1 - pi) * (people * left + curved)
    return float(parts.sum()), sqrt(float((parts**2).sum()))
