"""Limits of the mean of a bounded quantity, observed on independent units, without any model of it.

Unit j has the size m_j and the sum Y_j of the quantity over its members. With independent G_j ~ Exp(1), the
distribution behind the limits is C_e(x) = Pr(sum G_j (Y_j - x m_j) + G_0 (e - x) m <= 0): the Bayesian
bootstrap (Rubin 1981) plus one imagined unit of the largest size m with the value e everywhere. The upper
limit imagines a unit that leaks everything, the lower one a unit that leaks nothing (Gaffke 2005;
Learned-Miller and Thomas 2019, arXiv:1905.06208). For units of equal size that leak everything or nothing,
the limits are those of Clopper and Pearson (1934).

The probability is computed by a contour integral through the saddle point, to about 11 digits and without
random numbers.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import betainc, betaincinv, expit, ndtri

from reidrisk.stats.arrays import Floats

MOST_DISTINCT = 512
"""More distinct values than this are split between the points of a grid with as many steps."""
STEP, CHUNK, FARTHEST = 0.15, 24, 60.0
"""Step of the contour integral, steps computed at once, and where it ends at the latest."""
NEGLIGIBLE = 1e-13
CELLS = 2_000_000
"""Cells of the largest array that the contour integral makes."""
HALVINGS = 22


def clopper_pearson(leaking: float, units: float, level: float) -> tuple[float, float]:
    """Lower limit at 1 - `level` and upper limit at `level` of a share; real counts are allowed.

    >>> [round(limit, 8) for limit in clopper_pearson(11, 220, 0.975)]
    [0.02522081, 0.08770114]
    """
    low = 0.0 if leaking <= 0 else float(betaincinv(leaking, units - leaking + 1, 1 - level))
    high = 1.0 if leaking >= units else float(betaincinv(leaking + 1, units - leaking, level))
    return low, high


def chance_not_positive(values: Floats, shapes: Floats) -> Floats:
    """Pr(sum_j G_j a_j <= 0) with independent G_j ~ Gamma(shape_j), for each row of `values`.

    >>> chance_not_positive(np.array([[1.0, -1.0], [-1.0, -2.0], [3.0, -1.0]]), np.ones(2)).round(12).tolist()
    [0.5, 1.0, 0.25]
    """
    held = shapes > 0  # a unit that never occurs must not set the scale of the integral
    values, shapes = values[:, held], shapes[held]
    found = np.empty(len(values))
    rows = max(1, CELLS // (CHUNK * shapes.size))
    for start in range(0, len(values), rows):
        found[start : start + rows] = _not_positive(values[start : start + rows], shapes)
    return found


def _not_positive(values: Floats, shapes: Floats) -> Floats:
    flipped = values @ shapes > 0
    turned = np.where(flipped[:, None], -values, values)
    largest = turned.max(axis=1)
    found = np.where(flipped, 0.0, 1.0)
    mixed = largest > 0
    if mixed.any():
        tail = _tail(turned[mixed] / largest[mixed, None], shapes)
        found[mixed] = np.where(flipped[mixed], tail, 1 - tail)
    return found


def _tail(values: Floats, shapes: Floats) -> Floats:
    """Pr(sum_j G_j a_j > 0) where the mean is at most 0 and the largest a is 1.

    The integral of exp(K(s)) / (2 pi i), K(s) = -sum_j shape_j log(1 - s a_j) - log s, along a path that
    follows the steepest descent from the saddle point between 0 and 1.
    """
    odds = _saddle_point(values, shapes)
    saddle = expit(-odds)[:, None]
    left = (1 - values) + values * expit(odds)[:, None]  # 1 - s a, also where s is almost 1
    pull = values / left
    second = pull**2 @ shapes + 1 / saddle[:, 0] ** 2
    third = 2 * (pull**3 @ shapes) - 2 / saddle[:, 0] ** 3
    width, bend = second**-0.5, third / (3 * second**2)
    peak = -np.log(left) @ shapes - np.log(saddle[:, 0])
    total = np.zeros(len(values))
    start = 0
    while start * STEP < FARTHEST:
        v = STEP * np.arange(start, start + CHUNK, dtype=float)
        terms = _terms(v, pull, shapes, saddle, (width[:, None], bend[:, None]))
        if start == 0:
            terms[:, 0] /= 2
        total += terms.sum(axis=1)
        start += CHUNK
        if np.all(np.abs(terms[:, -1]) <= NEGLIGIBLE * np.abs(total)):
            break
    return np.asarray(STEP / np.pi * np.exp(peak) * total, dtype=float)


def _saddle_point(values: Floats, shapes: Floats) -> Floats:
    """log(1/s - 1) at the root s of K'; the path need not pass exactly there."""
    low, high = np.full(len(values), -40.0), np.full(len(values), 40.0)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        slope = (values / (1 - values + np.exp(middle)[:, None])) @ shapes - 1
        low, high = np.where(slope > 0, middle, low), np.where(slope > 0, high, middle)
    return np.asarray((low + high) / 2, dtype=float)


def _terms(v: Floats, pull: Floats, shapes: Floats, saddle: Floats, path: tuple[Floats, Floats]) -> Floats:
    """Re[exp(K(s(v)) - K(s0)) s'(v) / i] with s(v) = s0 + i width sinh v + bend (cosh v - 1)."""
    width, bend = path
    real, imaginary = bend * (np.cosh(v) - 1), width * np.sinh(v)
    size, angle = _log_one_minus(
        real[:, :, None] * pull[:, None, :], imaginary[:, :, None] * pull[:, None, :]
    )
    own_size, own_angle = _log_one_minus(-real / saddle, -imaginary / saddle)
    height = np.exp(-(size @ shapes) - own_size)
    phase = -(angle @ shapes) - own_angle
    across, along = width * np.cosh(v), bend * np.sinh(v)
    return np.asarray(height * (across * np.cos(phase) + along * np.sin(phase)), dtype=float)


def _log_one_minus(real: Floats, imaginary: Floats) -> tuple[Floats, Floats]:
    """Real and imaginary part of log(1 - z), exact for small z too."""
    size = 0.5 * np.log1p(real * (real - 2) + imaginary**2)
    return size, np.arctan2(-imaginary, 1 - real)


def quantile_of(
    chance: Callable[[float], float], level: float, *, top: float, near: tuple[float, float]
) -> float:
    """The point in [0, top] at which a distribution function reaches a level, probably within `near`.

    The search follows the normal score of the chance, which is almost a straight line.
    """
    from scipy.optimize import brentq  # slow to load

    def score(x: float) -> float:
        return float(ndtri(np.clip(chance(x), 1e-16, 1 - 1e-16)) - ndtri(level))

    low, high = max(0.0, near[0]), min(top, near[1])
    if low > 0 and score(low) >= 0:
        low, high = 0.0, low
    elif high < top and score(high) < 0:
        low, high = high, top
    if low == 0 and chance(0.0) >= level:
        return 0.0
    if high == top and chance(top * (1 - 1e-12)) < level:
        return top
    return float(brentq(score, low, high, xtol=1e-300, rtol=1e-12))


def merge_units(sizes: Floats, sums: Floats, counts: Floats) -> tuple[Floats, Floats, Floats]:
    """Merge units of equal size and sum; `sums` has one row per value of whatever the sums depend on.

    Units are equal if their first and last sums are.
    """
    keys = [sizes.round(14), sums[0].round(14), *([sums[-1].round(14)] if len(sums) > 1 else [])]
    order = np.lexsort(keys)
    changes = np.any([np.diff(key[order]) != 0 for key in keys], axis=0)
    starts = np.concatenate([[0], np.flatnonzero(changes) + 1])
    first = order[starts]
    return sizes[first], sums[:, first], np.add.reduceat(counts[order], starts)


def split_on_grid(values: Floats, counts: Floats, *, top: float) -> tuple[Floats, Floats]:
    """Many values as the points of a grid from 0 to `top`, each split between two neighbors.

    This keeps the mean and slightly raises the spread, so that the limits become slightly wider.
    """
    place = np.clip(values / top, 0.0, 1.0) * MOST_DISTINCT
    cell = np.minimum(place.astype(np.int64), MOST_DISTINCT - 1)
    part = place - cell
    number = np.bincount(cell, weights=(1 - part) * counts, minlength=MOST_DISTINCT + 1)
    number += np.bincount(cell + 1, weights=part * counts, minlength=MOST_DISTINCT + 1)
    held = number > 0
    return top * np.flatnonzero(held) / MOST_DISTINCT, np.asarray(number[held], dtype=float)


def beta_chance(x: Floats, leaking: Floats, units: float, *, upper: bool) -> Floats:
    """C_e(x) for units of equal size that leak everything or nothing, as shares of the largest value."""
    inside = np.clip(x, 0.0, 1.0)
    extra = 1.0 if upper else 0.0
    first, second = leaking + extra, units - leaking + 1 - extra
    with np.errstate(invalid="ignore"):
        found = betainc(first, second, inside)
    found = np.where(first == 0, 1.0, np.where(second == 0, inside >= 1, found))
    return np.where(x < 0, 0.0, np.where(x >= 1, 1.0, found))
