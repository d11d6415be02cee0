"""From recall to the probability of re-identification: equations 3 to 19.

Source: doi:10.1016/j.jbi.2016.07.015. `recognition` is that paper's h, the probability that an adversary
distinguishes a leaked original from a surrogate; `attempt` is the probability that somebody tries.
"""

from __future__ import annotations

from math import ceil, floor
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, gammainc

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.choices import Mode

MODES: tuple[Mode, ...] = get_args(Mode)


def total_reidentification(leak: float, *, given_catch: float = 0.0, given_leak: float = 1.0) -> float:
    """Re-identification through leaked or caught values: equation 7, or equation 8 if `given_leak` is 1.

    >>> round(total_reidentification(0.08, given_catch=0.05), 3)
    0.126
    """
    return given_catch * (1 - leak) + given_leak * leak


def direct_risk(
    weights: ArrayLike,
    recalls: ArrayLike,
    *,
    recognition: ArrayLike = 1.0,
    gates: Bools | None = None,
    attempt: float = 1.0,
) -> float:
    """Probability that a document reveals a direct identifier: equations 11, 14, 16 and 18.

    There is one entry per type: `weights` is the share of documents that hold it, `recalls` its
    all-or-nothing recall. Recognition counts where the gate is open (everywhere without gates). A type that
    no document holds adds nothing, whatever its recall.

    >>> round(direct_risk([1.0], [0.4], recognition=0.1), 2)
    0.06
    """
    weight, missed = np.asarray(weights, dtype=float), 1 - np.asarray(recalls, dtype=float)
    exposure = np.broadcast_to(np.asarray(recognition, dtype=float), weight.shape)
    if gates is not None:
        exposure = np.where(gates, exposure, 1.0)
    leak = np.where(weight > 0, exposure * weight * missed, 0.0)
    return attempt * any_of(leak)


def any_of(probabilities: Floats) -> float:
    """Probability that at least one of several independent events happens, exact for tiny probabilities."""
    with np.errstate(divide="ignore"):
        return float(-np.expm1(np.sum(np.log1p(-probabilities)))) + 0.0


def value_leak(recall: ArrayLike, instances: ArrayLike, *, independent: bool = True) -> Floats:
    """Probability that a quasi-identifier value leaks somewhere: 1 - recall ** instances.

    If `independent` is false, all instances leak or none does: 1 - recall.

    >>> round(float(value_leak(0.9, 2)), 2)
    0.19
    """
    # A recall below 0, which an unclipped normal distribution may draw, catches nothing.
    caught = np.maximum(np.asarray(recall, dtype=float), 0.0)
    times = np.asarray(instances, dtype=float)
    if not independent:
        return np.where(times > 0, 1 - caught, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(times > 0, -np.expm1(times * np.log(caught)), 0.0) + 0.0


def at_least(needed: int, values: ArrayLike, leak: ArrayLike) -> Floats:
    """Pr(X >= needed) for X binomial with a possibly fractional number of values; 0 if too few.

    >>> round(float(at_least(2, 10, 0.153)), 4)
    0.4667
    """
    n, p = np.broadcast_arrays(np.asarray(values, dtype=float), np.asarray(leak, dtype=float))
    enough = n > needed - 1
    return np.where(enough, betainc(needed, np.where(enough, n - needed + 1, 1.0), p), 0.0)


def at_least_fast(needed: int, values: Floats, leak: Floats) -> Floats:
    """Same as `at_least`, for large grids; relative error 1e-16 / leak."""
    if needed != 2:
        return at_least(needed, values, leak)
    with np.errstate(divide="ignore", invalid="ignore"):
        others = values - 1
        tail = -np.expm1(others * np.log1p(-leak) + np.log1p(others * leak))
    return np.where((values > 1) & (tail > 0), tail, 0.0)


def mean_at_least(needed: int, values: Floats, chances: Floats, leak: Floats) -> Floats:
    """Mean of `at_least_fast` over numbers of values with their chances."""
    total = np.zeros_like(leak)
    if needed != 2:
        for number, chance in zip(values, chances, strict=True):
            total += chance * at_least(needed, number, leak)
        return total
    with np.errstate(divide="ignore", invalid="ignore"):
        spared = np.log1p(-leak)  # the same for every number
        for others, chance in zip(values - 1, chances, strict=True):
            if others > 0:
                tail = -np.expm1(others * spared + np.log1p(others * leak))
                total += chance * np.fmax(tail, 0.0)
    return total


def quasi_leak(values: float, leak: float, *, needed: int = 2, mode: Mode = "continuous") -> float:
    """Equation 12 for a mean number of `values` that need not be whole."""
    if mode == "poisson":
        return float(gammainc(needed, values * leak))
    if mode == "interpolate":
        below, part = floor(values), values - floor(values)
        ends = at_least(needed, [below, below + 1], leak)
        return float((1 - part) * ends[0] + part * ends[1])
    if mode not in MODES:
        raise InvalidSetting.among("The mode of the quasi-identifier formula", mode, MODES)
    whole = {"continuous": values, "ceil": ceil(values), "floor": floor(values), "round": floor(values + 0.5)}
    return float(at_least(needed, whole[mode], leak))


def quasi_leak_by_document(
    values: Ints, instances: Ints, recall: float, *, needed: int = 2, exposure: float = 1.0
) -> float:
    """Mean over documents of the probability that `needed` or more of a document's own values leak.

    `values` is the number of distinct values of each document (0 counts too), `instances` how often each of
    them occurs, document after document. `exposure` is the recognition after its gate.
    """
    leak = exposure * value_leak(recall, instances)
    return float(np.mean(poisson_binomial_tails(leak, values, needed=needed)))


def poisson_binomial_tails(probabilities: Floats, sizes: Ints, *, needed: int) -> Floats:
    """For each group of consecutive events: the probability of at least `needed` of them.

    It processes the k-th event of all groups at once, and sums the probability that the decisive event occurs
    at each position, so that nothing cancels.
    """
    order = np.argsort(-sizes, kind="stable")
    starts = (np.cumsum(sizes) - sizes)[order]
    growing = -sizes[order]
    exactly = np.zeros((needed, sizes.size))
    exactly[0] = 1.0
    tails = np.zeros(sizes.size)
    for place in range(int(sizes.max(initial=0))):
        active = int(np.searchsorted(growing, -place, side="left"))
        chance = probabilities[starts[:active] + place]
        tails[:active] += exactly[-1, :active] * chance
        exactly[1:, :active] += (exactly[:-1, :active] - exactly[1:, :active]) * chance
        exactly[0, :active] *= 1 - chance
    return tails[np.argsort(order, kind="stable")]
