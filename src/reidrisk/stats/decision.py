"""Accept, refuse or leave undecided by the limits of an observed risk, and how many more documents would do.

A risk is accepted if its upper limit does not exceed the threshold, and refused if its lower limit does.
Otherwise too few documents were examined to decide.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import ceil, sqrt
from typing import Any, Literal

import numpy as np
from scipy.special import betainc, ndtri

from reidrisk.stats.observed_limit import ObservedRisk
from reidrisk.stats.sample_size import documents_for_chance, fewest_documents

Decision = Literal["accepted", "refused", "undecided"]
TOLERANCE = 1 + 1e-9
"""Limits that differ by less than this factor count as equal: the benchmark must pass its own test."""
CHANCE = 0.9
MOST = 100_000
"""Larger numbers of documents are not considered: nobody annotates more."""


def decide(low: float, high: float, threshold: float) -> Decision:
    """The decision that follows from both limits.

    >>> [decide(*limits, 0.2) for limits in ((0.1, 0.2), (0.1, 0.3), (0.21, 0.3))]
    ['accepted', 'undecided', 'refused']
    """
    if high <= threshold * TOLERANCE:
        return "accepted"
    return "refused" if low > threshold * TOLERANCE else "undecided"


def passes(risk: ObservedRisk, threshold: float, level: float) -> bool:
    """Whether the upper limit does not exceed a threshold, without computing the limit."""
    if risk.top <= threshold * TOLERANCE:
        return True
    return risk.chance(threshold * TOLERANCE, upper=True) >= level


@dataclass(frozen=True, slots=True)
class UnitsNeeded:
    """How many documents (or clusters) in total would lead to acceptance; None if no number would do."""

    if_nothing_more_leaks: int | None
    if_share_stays: int | None
    with_chance: int | None
    """Acceptance then has the probability `chance`, if the observed share is the true one."""
    chance: float = CHANCE

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return asdict(self)


NONE_NEEDED = UnitsNeeded(None, None, None)


def units_needed(risk: ObservedRisk, threshold: float, level: float) -> UnitsNeeded:
    """How many documents an undecided risk needs; nothing helps if the estimate is above the threshold."""
    if risk.estimate >= threshold:
        return NONE_NEEDED
    inner = inner_threshold(risk, threshold)
    known = risk.leaking is not None and len(risk.tops) == 1 and risk.attempt.is_constant
    if known and risk.leaking is not None:
        leaking, share = float(risk.leaking[0]), inner / float(risk.tops[0])
        number = round(risk.units)
        return UnitsNeeded(
            _smallest_share(lambda n: np.full(n.shape, leaking), number, share, level),
            _smallest_share(lambda n: np.ceil(n * leaking / number - 1e-9), number, share, level),
            _with_chance(risk, inner, level),
        )
    size = ceil(risk.units)
    return UnitsNeeded(
        _smallest(lambda n: passes(risk.with_more(n - risk.units), threshold, level), size),
        _smallest(lambda n: passes(risk.times(n / risk.units), threshold, level), size),
        _with_chance(risk, inner, level),
    )


def inner_threshold(risk: ObservedRisk, threshold: float) -> float:
    """The threshold before catch and attempt, with the mean of the attempt."""
    if risk.given_catch == 1 or risk.attempt.mean == 0:
        return 0.0
    return (threshold / risk.attempt.mean - risk.given_catch) / (1 - risk.given_catch)


def fewest_units(risk: ObservedRisk, threshold: float, level: float) -> int | None:
    """The fewest units of equal size that would be accepted if nothing leaked in any of them."""
    top = float(risk.weights @ risk.tops)
    if top == 0:
        return 1
    share = min(inner_threshold(risk, threshold) / top, 1 - 1e-12)
    return None if share <= 0 else fewest_documents(0, upper=share, level=level)


def _smallest_share(leaking: Callable[[Any], Any], start: int, threshold: float, level: float) -> int | None:
    """The smallest number of documents, of which `leaking` leak, whose upper limit is low enough.

    All numbers are tried, because the limit may rise where one more document leaks.
    """
    if threshold <= 0:
        return None
    if threshold >= 1:
        return start
    at, block = start, 256
    while at <= MOST:
        numbers = np.arange(at, min(at + block, MOST + 1), dtype=float)
        known = leaking(numbers)
        fit = (known < numbers) & (
            betainc(known + 1, np.maximum(numbers - known, 0.5), min(threshold * TOLERANCE, 1.0)) >= level
        )
        if fit.any():
            return int(numbers[np.argmax(fit)])
        at, block = at + block, block * 2
    return None


def _smallest(enough: Callable[[int], bool], start: int) -> int | None:
    """The smallest number for which a condition holds that also holds for all larger ones."""
    low, high = start - 1, start
    while not enough(high):
        if high >= MOST:
            return None
        low, high = high, min(2 * high, MOST)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _with_chance(risk: ObservedRisk, inner: float, level: float) -> int | None:
    """The number of units that are accepted with the probability CHANCE.

    For shares exact, with the true share (k + 1/2) / (n + 1); otherwise by the normal approximation.
    """
    top, units = float(risk.weights @ risk.tops), risk.units
    mean = risk.share
    if risk.leaking is not None or mean == 0:
        leaking = 0.0 if risk.leaking is None else float(risk.weights @ risk.leaking)
        share = (leaking + 0.5) / (units + 1)
        found = documents_for_chance(share, upper=inner / top, chance=CHANCE, level=level) if top else None
        return None if found is None else max(found, ceil(units))
    if mean >= inner:
        return None
    spread = _spread(risk)
    at_threshold = spread * sqrt(max(inner * (top - inner), 0.0) / (mean * (top - mean)))
    found = ((ndtri(level) * at_threshold + ndtri(CHANCE) * spread) / (inner - mean)) ** 2
    return max(ceil(found), ceil(units)) if found <= MOST else None


def _spread(risk: ObservedRisk) -> float:
    """Standard deviation of the observed risk of a unit, relative to its mean size."""
    size = float(risk.sizes @ risk.counts) / risk.units
    sums = risk.weights @ risk.sums
    off = (sums - risk.share * risk.sizes) / size
    return sqrt(float(off**2 @ risk.counts) / max(risk.units - 1, 1.0))
