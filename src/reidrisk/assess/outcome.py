"""A part with what was measured and how it was judged; and all of them together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reidrisk.assess.judge.choose import judge
from reidrisk.assess.judge.judged import Judged
from reidrisk.assess.measuring import Measurement
from reidrisk.assess.parts.part import Part
from reidrisk.context.score import ContextScore


@dataclass(frozen=True, slots=True)
class Outcome:
    """One part in the context of the release."""

    measurement: Measurement
    judged: Judged | None
    """None if it could not be measured."""

    @property
    def part(self) -> Part:
        """The part."""
        return self.measurement.part

    @property
    def acceptable(self) -> bool:
        """A part that could not be judged never speaks for a release."""
        return self.judged is not None and self.judged.acceptable

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        part, judged, failure = self.part, self.judged, self.measurement.failure
        return {
            "name": part.name,
            "kind": part.kind,
            "task": "compare" if part.given.get("compare") else part.task,
            "status": "failed" if judged is None else "measured",
            "error": None if failure is None else failure.to_dict(),
            "inputs": [one.to_dict() for one in self.measurement.inputs],
            "judged": _unjudged(failure.problem if failure else "") if judged is None else judged.to_dict(),
            "initial": judged.initial.to_dict() if judged and judged.initial else None,
            "final": judged.final.to_dict() if judged and judged.final else None,
            "measures": list(judged.measures) if judged else [],
            "result": judged.result if judged else None,
        }


def _unjudged(problem: str) -> dict[str, Any]:
    names = ("acceptable", "statistic", "risk", "low", "high", "attempt", "overall", "threshold", "cell_size")
    return {**dict.fromkeys(names), "sentence": f"Could not be judged: {problem}"}


@dataclass(frozen=True, slots=True)
class Judgement:
    """Every part of a release in one context."""

    score: ContextScore
    outcomes: tuple[Outcome, ...]
    seed: int

    @classmethod
    def of(
        cls, measurements: Sequence[Measurement], score: ContextScore, *, seed: int, quick: bool = False
    ) -> Judgement:
        """Judge what was measured; nothing is read."""
        return cls(score, tuple(_outcome(one, score, seed, quick=quick) for one in measurements), seed)

    @property
    def acceptable(self) -> bool:
        """Every part is, and none failed."""
        return all(outcome.acceptable for outcome in self.outcomes)

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """Parts that could not be judged."""
        return tuple(outcome for outcome in self.outcomes if outcome.judged is None)

    @property
    def refused(self) -> tuple[Outcome, ...]:
        """Parts whose risk is too high, the worst first."""
        too_high = [outcome for outcome in self.outcomes if outcome.judged and not outcome.judged.acceptable]
        return tuple(sorted(too_high, key=lambda outcome: -(outcome.judged.ratio if outcome.judged else 0.0)))

    def of_part(self, name: str) -> Judged | None:
        """How a part was judged."""
        return next(outcome.judged for outcome in self.outcomes if outcome.part.name == name)


def _outcome(one: Measurement, score: ContextScore, seed: int, *, quick: bool) -> Outcome:
    if one.measured is None:
        return Outcome(one, None)
    return Outcome(one, judge(one.part, one.measured, score, seed=seed, quick=quick))
