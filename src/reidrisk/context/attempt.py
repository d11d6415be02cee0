"""How likely a recipient tries to re-identify somebody on purpose."""

from __future__ import annotations

from collections.abc import Mapping

from reidrisk.context.levels import Level
from reidrisk.stats.uncertain import Triangular

ATTEMPT: Mapping[tuple[Level, Level], float] = {
    ("high", "low"): 0.05,
    ("high", "medium"): 0.1,
    ("high", "high"): 0.2,
    ("medium", "low"): 0.2,
    ("medium", "medium"): 0.3,
    ("medium", "high"): 0.4,
    ("low", "low"): 0.4,
    ("low", "medium"): 0.5,
    ("low", "high"): 0.6,
}
"""By controls, then motives and capacity: IPC Ontario 2016, p. 15, after El Emam 2013, p. 208."""
STEPS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
LOWEST, HIGHEST = 0.05, 0.75
"""The ends of what is published; 0.75 is the highest in Kniola 2016."""


def deliberate(controls: Level, motives: Level) -> float:
    """The chance of an attempt that the table gives.

    >>> deliberate("medium", "low")
    0.2
    """
    return ATTEMPT[controls, motives]


def spread(value: float) -> Triangular:
    """A value of the table with its neighbours as limits; this spread is ours.

    >>> spread(0.1)
    Triangular(low=0.05, mode=0.1, high=0.2)
    """
    lower = [step for step in STEPS if step < value]
    higher = [step for step in STEPS if step > value]
    return Triangular(max(lower, default=LOWEST), value, min(higher, default=HIGHEST))
