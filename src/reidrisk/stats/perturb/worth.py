"""What is left of numbers after they were changed: moments, correlations, information."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.stats.arrays import Floats


@dataclass(frozen=True, slots=True)
class Kept:
    """One column before and after; None where nothing can be told, as of a column that does not vary."""

    share_changed: float | None
    """Of the values that are known before and after."""
    variance_ratio: float | None
    """After over before."""
    correlation: float | None
    """Of the column with itself before."""
    information_loss: float | None
    """Mean change in standard deviations of the original, over the root of two."""


def kept(before: Floats, after: Floats) -> Kept:
    """Rows that have a value before and after are compared.

    The loss is IL1s of Yancey, Winkler and Creecy (LNCS 2316, 2002): 0 for the same numbers; a draw of the
    same distribution without any regard to the person loses about 0.8 if it is normal.

    >>> found = kept(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 5.0]))
    >>> round(found.share_changed, 3), round(found.variance_ratio, 3), round(found.information_loss, 3)
    (0.333, 4.333, 0.471)
    """
    known = ~np.isnan(before) & ~np.isnan(after)
    x, y = before[known], after[known]
    if not x.size:
        return Kept(None, None, None, None)
    changed = float((x != y).mean())
    if x.size < 2 or np.ptp(x) == 0:
        return Kept(changed, None, None, None)
    spread = float(np.std(x, ddof=1))
    varies = np.ptp(y) > 0
    return Kept(
        changed,
        float(np.var(y, ddof=1)) / spread**2,
        float(np.corrcoef(x, y)[0, 1]) if varies else None,
        float(np.abs(x - y).mean() / (np.sqrt(2) * spread)),
    )


def correlation_change(before: Floats, after: Floats) -> float | None:
    """The largest change of a correlation between two columns; None where there are no two that vary.

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
