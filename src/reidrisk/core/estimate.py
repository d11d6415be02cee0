"""A number with its confidence interval."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

from reidrisk.core.wording import probability
from reidrisk.errors import InvalidSetting


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its confidence limits at the stated level."""

    value: float
    low: float
    high: float
    level: float = 0.95

    def __post_init__(self) -> None:
        if isnan(self.value) or isnan(self.low) or isnan(self.high) or self.low > self.high:
            raise InvalidSetting(
                f"{self.value} with limits {self.low} and {self.high} is not an estimate.",
                hint="Give a number with a lower and an upper limit, in that order.",
            )

    def to_dict(self) -> dict[str, float]:
        """The numbers as JSON types."""
        return {"value": self.value, "low": self.low, "high": self.high, "level": self.level}

    def __str__(self) -> str:
        return f"{probability(self.value)} ({probability(self.low)} to {probability(self.high)})"
