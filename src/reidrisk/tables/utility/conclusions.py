"""Coefficients before and after: whether they say the same."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from reidrisk.stats.usefulness.distances import ConfidenceInterval, overlap


class Coefficient(NamedTuple):
    """Of a fitted model."""

    value: float
    error: float
    """NaN where there is none."""
    reach: float
    """Errors from the value to an end of its interval."""


@dataclass(frozen=True, slots=True)
class TermChange:
    """A coefficient before and after with its interval, and whether the conclusion is the same."""

    outcome: str | None
    """The category that is foretold."""
    term: str
    before: float | None
    before_ends: tuple[float, float] | None
    after: float | None
    after_ends: tuple[float, float] | None
    overlap: float | None
    changes: bool | None
    """Whether sign or significance differ; None if they cannot be compared."""
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        ends = {name: None if at is None else list(at) for name, at in self._ends()}
        return {**asdict(self), **ends}

    def _ends(self) -> list[tuple[str, tuple[float, float] | None]]:
        return [("before_ends", self.before_ends), ("after_ends", self.after_ends)]


def term_change(
    outcome: str | None, name: str, unit: float, found: tuple[Coefficient | None, Coefficient | None]
) -> TermChange:
    """Both sides of one term, divided by its unit."""
    values: list[float | None] = []
    ends: list[ConfidenceInterval | None] = []
    for one in found:
        values.append(None if one is None else one.value / unit)
        if one is None or np.isnan(one.error):
            ends.append(None)
        else:
            half = one.error * one.reach
            ends.append(ConfidenceInterval((one.value - half) / unit, (one.value + half) / unit))
    before, after = ends
    if before is None or after is None:
        return TermChange(outcome, name, values[0], before, values[1], after, None, None, _why(found))
    changes = before.says != after.says
    return TermChange(outcome, name, values[0], before, values[1], after, overlap(before, after), changes)


def untold(outcome: str | None, name: str, least: int) -> TermChange:
    """A coefficient of so few people that it would tell what they have."""
    reason = f"Fewer than {least} records of the original differ in it: the coefficient would be theirs."
    return TermChange(outcome, name, None, None, None, None, None, None, reason)


def _why(found: tuple[Coefficient | None, Coefficient | None]) -> str:
    """Why a coefficient is missing, or has no interval, on the side where it is."""
    where = ("original", "release")
    for one, side in zip(found, where, strict=True):
        if one is None:
            return f"In the {side} it does not occur, or follows from the terms before it."
        if np.isnan(one.error):
            return f"In the {side} all its records have one outcome: the coefficient has no end."
    raise AssertionError("Both sides have an interval.")  # pragma: no cover
