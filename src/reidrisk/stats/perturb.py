"""Random changes to values: noise and post-randomization, and the protection they give.

The noise is correlated like the columns (Kim 1986), so that correlations are preserved. Post-randomization
(PRAM) keeps a category or changes it to another with known probabilities (Gouweleeuw et al. 1998).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.arrays import Floats, Ints


def with_noise(values: Floats, share: float, rng: np.random.Generator) -> Floats:
    """Add normal noise with `share` of the variance, then rescale to the original mean and variance.

    The noise has the covariance of the columns over rows without missing values; NaN stays.
    """
    whole = values[~np.isnan(values).any(axis=1)]
    refuse_few(len(whole))
    covariance = np.atleast_2d(np.cov(whole, rowvar=False))
    return add_noise(values, share, rng, mean=np.nanmean(values, axis=0), covariance=covariance)


def refuse_few(rows: int) -> None:
    """Refuse columns with fewer than two rows without missing values."""
    if rows < 2:
        raise NothingToMeasure(
            "Fewer than two rows have a number in every column.",
            hint="Choose columns without missing values.",
        )


def add_noise(
    values: Floats, share: float, rng: np.random.Generator, *, mean: Floats, covariance: Floats
) -> Floats:
    """Add the noise to some rows; the mean and the covariance are those of all rows.

    Blocks of rows that follow each other get the noise that they would get together.
    """
    if not 0 < share < np.inf:
        raise InvalidSetting(
            f"Noise cannot be {share} of the variance.", hint="Give a number above 0, such as 0.1."
        )
    noise = rng.multivariate_normal(np.zeros(values.shape[1]), share * covariance, len(values), method="eigh")
    return np.asarray(mean + (values - mean + noise) / np.sqrt(1 + share))


@dataclass(frozen=True, slots=True)
class ColumnChange:
    """Comparison of a column before and after; None where undefined, as for a column that does not vary."""

    share_changed: float | None
    """Share of changed values among those present before and after."""
    variance_ratio: float | None
    """Variance after divided by variance before."""
    correlation: float | None
    """Correlation of the column after with the column before."""
    information_loss: float | None
    """Mean change in standard deviations of the original, divided by the square root of two."""


def column_change(before: Floats, after: Floats) -> ColumnChange:
    """Compare the rows that have a value before and after.

    The loss is IL1s of Yancey, Winkler and Creecy (LNCS 2316, 2002). It is 0 for the same numbers; an
    independent draw from the same normal distribution loses about 0.8.

    >>> found = column_change(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 5.0]))
    >>> round(found.share_changed, 3), round(found.variance_ratio, 3), round(found.information_loss, 3)
    (0.333, 4.333, 0.471)
    """
    known = ~np.isnan(before) & ~np.isnan(after)
    x, y = before[known], after[known]
    if not x.size:
        return ColumnChange(None, None, None, None)
    changed = float((x != y).mean())
    if x.size < 2 or np.ptp(x) == 0:
        return ColumnChange(changed, None, None, None)
    spread = float(np.std(x, ddof=1))
    varies = np.ptp(y) > 0
    return ColumnChange(
        changed,
        float(np.var(y, ddof=1)) / spread**2,
        float(np.corrcoef(x, y)[0, 1]) if varies else None,
        float(np.abs(x - y).mean() / (np.sqrt(2) * spread)),
    )


def correlation_change(before: Floats, after: Floats) -> float | None:
    """The largest change of a correlation between two columns; None unless at least two columns vary.

    >>> x = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    >>> round(correlation_change(x, x * [1, -1]), 6)
    2.0
    """
    known = ~np.isnan(before).any(axis=1) & ~np.isnan(after).any(axis=1)
    x, y = before[known], after[known]
    if len(x) < 2:
        return None
    varies = (np.ptp(x, axis=0) > 0) & (np.ptp(y, axis=0) > 0)
    if varies.sum() < 2:
        return None
    change = np.corrcoef(x[:, varies], rowvar=False) - np.corrcoef(y[:, varies], rowvar=False)
    return float(np.abs(change).max())


WELL_CONDITIONED = 1e6
"""Condition number from which the inverse of a matrix is mostly error."""


def redraw_matrix(counts: Ints, keep: float) -> Floats:
    """The matrix by which a value stays with probability `keep`, and is otherwise drawn from all values.

    The shares of the values stay the same in expectation.

    >>> redraw_matrix(np.array([3, 1]), 0.8).round(2).tolist()
    [[0.95, 0.05], [0.15, 0.85]]
    """
    if not 0 <= keep <= 1:
        raise InvalidSetting(
            f"The probability to keep a value cannot be {keep}.",
            hint="Give a number from 0 to 1, such as 0.8.",
        )
    shares = counts / counts.sum()
    return np.asarray(keep * np.eye(len(counts)) + (1 - keep) * shares[None, :])


def check_matrix(matrix: Floats) -> Floats:
    """Check a transition matrix: square, not negative, every row adding up to 1."""
    square = matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1]
    if not square or not np.isfinite(matrix).all() or matrix.min(initial=0) < 0:
        raise InvalidSetting(
            "The matrix is not square, or has entries that are not probabilities.",
            hint="Give one row per value, with numbers from 0 to 1.",
        )
    if np.abs(matrix.sum(axis=1) - 1).max(initial=0) > 1e-9:
        raise InvalidSetting(
            "A row of the matrix does not add up to 1.", hint="The probabilities of a row must add up to 1."
        )
    return matrix


def invariant(matrix: Floats, counts: Ints) -> Floats:
    """The matrix followed by its own reversal, which preserves the shares in expectation.

    The two-stage form of Kooiman, Willenborg and Gouweleeuw 1997. Values that no record has stay unchanged.
    """
    shares = counts / counts.sum()
    after = shares @ matrix
    back = np.where(
        after[:, None] > 0, (shares[:, None] * matrix).T / np.maximum(after, 1e-300)[:, None], 0.0
    )
    unseen = after == 0
    back[unseen, unseen] = 1.0
    return np.asarray(matrix @ back)


def randomize(codes: Ints, matrix: Floats, rng: np.random.Generator) -> Ints:
    """Redraw every value by its row of the matrix; codes below 0 stay."""
    limits = np.cumsum(check_matrix(matrix), axis=1)
    limits[:, -1] = 1.0
    drawn = rng.random(len(codes))
    found = codes.copy()
    for value in range(len(matrix)):
        rows = codes == value
        found[rows] = np.searchsorted(limits[value], drawn[rows], side="right")
    return found


def least_certain(matrix: Floats, counts: Ints) -> float:
    """The lowest probability, over the values, that a released value is the original one.

    >>> round(least_certain(redraw_matrix(np.array([3, 1]), 0.8), np.array([3, 1])), 2)
    0.85
    """
    shares = counts / counts.sum()
    after = shares @ matrix
    seen = after > 0
    return float((shares[seen] * np.diag(matrix)[seen] / after[seen]).min())


def expected_change(matrix: Floats, counts: Ints) -> float:
    """The expected share of values that change.

    >>> round(expected_change(redraw_matrix(np.array([3, 1]), 0.8), np.array([3, 1])), 3)
    0.075
    """
    return float(1 - (counts / counts.sum()) @ np.diag(matrix))


def is_correctable(matrix: Floats) -> bool:
    """Whether the original shares can be computed from the released ones: the matrix has an inverse.

    An ill-conditioned matrix counts as having none: the error of the shares would be larger than the shares.

    >>> [is_correctable(redraw_matrix(np.array([3, 1]), keep)) for keep in (0.8, 0.0)]
    [True, False]
    """
    return bool(np.linalg.cond(matrix) < WELL_CONDITIONED)
