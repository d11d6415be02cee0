"""Success rate of an attack, and how much of it is due to the release (Giomi et al. 2023)."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log1p, nan, sqrt

from reidrisk.errors import InvalidSetting


@dataclass(frozen=True, slots=True)
class AttackRate:
    """A rate with the half-width of its confidence interval."""

    value: float
    error: float

    @property
    def low(self) -> float:
        """Lower limit, at least 0."""
        return max(0.0, self.value - self.error)

    @property
    def high(self) -> float:
        """Upper limit, at most 1."""
        return min(1.0, self.value + self.error)


def attack_rate(successes: int, attacks: int, *, level: float = 0.95) -> AttackRate:
    """The center and half-width of Wilson's interval.

    >>> rate = attack_rate(23, 100)
    >>> round(rate.value, 5), round(rate.error, 5)
    (0.23999, 0.08156)
    """
    from scipy.special import ndtri

    if not 0 <= successes <= attacks or attacks < 1 or not 0 < level < 1:
        raise InvalidSetting(
            f"{successes} successes in {attacks} attacks at level {level} are not possible.",
            hint="Give at least one attack, no more successes than attacks, and a level between 0 and 1.",
        )
    z = float(ndtri((1 + level) / 2))
    whole = attacks + z * z
    error = z / whole * sqrt(successes * (attacks - successes) / attacks + z * z / 4)
    return AttackRate((successes + z * z / 2) / whole, error)


def residual_risk(attack: AttackRate, control: AttackRate) -> AttackRate:
    """The gain of an attack over the same attack on people who are not in the release; clipped to [0, 1].

    The result is `nan` if the control attack always succeeds.

    >>> risk = residual_risk(AttackRate(0.9, 0.02), AttackRate(0.85, 0.02))
    >>> round(risk.value, 3), round(risk.error, 2)
    (0.333, 0.16)
    """
    left = 1 - control.value
    if left <= 0:
        return AttackRate(nan, nan)
    error = sqrt((attack.error / left) ** 2 + (control.error * (attack.value - 1) / left**2) ** 2)
    return AttackRate(min(1.0, max(0.0, (attack.value - control.value) / left)), error)


def singling_out_by_chance(records: int, weight: float) -> float:
    """The probability that a predicate that holds for this share of people holds for exactly one record.

    >>> round(singling_out_by_chance(1000, 0.001), 6)
    0.368063
    """
    if weight >= 1:
        return 1.0 if records == 1 else 0.0
    return records * weight * exp((records - 1) * log1p(-weight))
