"""How often an attack succeeded, compared with its control and with guessing."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import Any

from reidrisk.core.estimate import Estimate
from reidrisk.stats.attack_rate import AttackRate, attack_rate, residual_risk


@dataclass(frozen=True, slots=True)
class GuessCount:
    """A number of guesses, and how many of them were correct."""

    successes: int
    guesses: int

    def rate(self, level: float) -> AttackRate:
        """Return the success rate with Wilson's interval."""
        return attack_rate(self.successes, self.guesses, level=level)

    def to_dict(self, level: float) -> dict[str, Any]:
        """Return JSON types."""
        rate = self.rate(level)
        return {
            "successes": self.successes,
            "guesses": self.guesses,
            "value": rate.value,
            "low": rate.low,
            "high": rate.high,
            "level": level,
        }


@dataclass(frozen=True, slots=True)
class AttackResult:
    """The result of one attack: on people in the release, on people not in it, and by guessing."""

    attack: str
    columns: tuple[str, ...]
    level: float
    main: GuessCount | None = None
    """None if the attack was not possible."""
    control: GuessCount | None = None
    baseline: GuessCount | None = None
    reason: str = ""
    """Why there is no figure."""
    is_impossible: bool = False
    """Whether the release gives the attack nothing to try, so that it cannot succeed."""
    right: int | None = None
    """Number of successes that found the target's own record, if known."""
    allowance: float | None = None
    """How much more often the attack may succeed against the whole release; None if it was attacked whole."""

    @property
    def risk(self) -> Estimate | None:
        """What the release adds: the success minus that of the control, or all of it without a control.

        None without guesses, or if the control always succeeds. If a sample says nothing about the whole
        release, everything is possible.
        """
        if self.main is None:
            return None if self.allowance is None else Estimate(0.0, 0.0, self.allowance, self.level)
        rate = self.main.rate(self.level)
        if self.control is not None:
            rate = residual_risk(rate, self.control.rate(self.level))
        if isnan(rate.value):
            return None
        high = rate.high if self.allowance is None else min(1.0, rate.high + self.allowance)
        return Estimate(min(1.0, rate.value), min(rate.low, rate.high), high, self.level)

    @property
    def is_weak(self) -> bool:
        """Whether guessing did as well, so that a low figure proves nothing."""
        if self.main is None or self.baseline is None:
            return False
        return self.main.rate(self.level).value <= self.baseline.rate(self.level).value

    @property
    def succeeds(self) -> bool | None:
        """Whether the attack beats its control, or guessing without a control, by more than chance."""
        if self.main is None:
            return False if self.is_impossible else None
        if self.control is not None:
            risk = self.risk
            return None if risk is None else risk.low > 0
        if self.baseline is None:
            return self.main.successes > 0
        return self.main.rate(self.level).low > self.baseline.rate(self.level).high

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        risk = self.risk
        tallies = {name: getattr(self, name) for name in ("main", "control", "baseline")}
        return {
            "attack": self.attack,
            "columns": list(self.columns),
            **{name: tally.to_dict(self.level) if tally else None for name, tally in tallies.items()},
            "risk": risk.to_dict() if risk else None,
            "right": self.right,
            "succeeds": self.succeeds,
            "weak": self.is_weak,
            "reason": self.reason or None,
            **({} if self.allowance is None else {"allowance": self.allowance}),
        }
