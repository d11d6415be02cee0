"""The verdicts on all parts of a release in one context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reidrisk.assess.kind import PartCase, ReleasePart
from reidrisk.assess.measurement import Measurement
from reidrisk.assess.verdict import PartVerdict
from reidrisk.context.score import ContextScore
from reidrisk.core.evidence import part_evidence, weakest_grade
from reidrisk.core.inventory import Inventory


@dataclass(frozen=True, slots=True)
class PartAssessment:
    """One part with its measurement and its verdict."""

    measurement: Measurement
    verdict: PartVerdict | None
    """None if the part could not be measured."""

    @property
    def part(self) -> ReleasePart:
        """The part."""
        return self.measurement.part

    @property
    def acceptable(self) -> bool:
        """A part without a verdict is not acceptable."""
        return self.verdict is not None and self.verdict.acceptable

    @property
    def inventory(self) -> Inventory:
        """Everything that leaves with the part; empty if it could not be measured."""
        return Inventory() if self.verdict is None else self.verdict.inventory

    @property
    def is_risky(self) -> bool:
        """Whether the figures of the part are above their limits, whatever was not measured."""
        return self.verdict is not None and not self.verdict.figures_acceptable

    @property
    def is_undecided(self) -> bool:
        """Whether too few documents were examined to decide on the figures."""
        return self.verdict is not None and self.verdict.decision == "undecided"

    @property
    def needed(self) -> Mapping[str, Any] | None:
        """How many documents would do, if it is undecided."""
        return None if self.verdict is None else self.verdict.documents_needed

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        if self.verdict is not None:
            return self.verdict.sentence
        failure = self.measurement.failure
        return f"Could not be judged: {failure.problem if failure else ''}"

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        part, verdict, failure = self.part, self.verdict, self.measurement.failure
        judged = self._no_verdict() if verdict is None else verdict.to_dict()
        result = verdict.result if verdict else None
        return {
            "name": part.name,
            "kind": part.kind,
            "task": part.shown_task,
            "status": "failed" if verdict is None else "measured",
            "error": None if failure is None else failure.to_dict(),
            "inputs": [one.to_dict() for one in self.measurement.inputs],
            "judged": _with_evidence(judged, result),
            "initial": verdict.initial.to_dict() if verdict and verdict.initial else None,
            "final": verdict.final.to_dict() if verdict and verdict.final else None,
            "measures": list(verdict.measures) if verdict else [],
            "result": result,
        }

    def _no_verdict(self) -> dict[str, Any]:
        names = ("acceptable", "statistic", "risk", "low", "high", "attempt", "overall")
        return {**dict.fromkeys((*names, "threshold", "cell_size")), "sentence": self.sentence}


def _with_evidence(judged: dict[str, Any], result: Mapping[str, Any] | None) -> dict[str, Any]:
    """The verdict with the rules that it rests on, and the weakest grade among them."""
    evidence = part_evidence({"judged": judged, "result": result})
    return {**judged, "evidence": evidence, "weakest_grade": weakest_grade(evidence)}


@dataclass(frozen=True, slots=True)
class Judgement:
    """Every part of a release in one context."""

    score: ContextScore
    parts: tuple[PartAssessment, ...]
    seed: int

    @classmethod
    def of(
        cls, measurements: Sequence[Measurement], score: ContextScore, *, seed: int, quick: bool = False
    ) -> Judgement:
        """Judge measurements in a context; no data are read."""
        every = tuple(one.part for one in measurements)
        parts = []
        for one in measurements:
            verdict = None
            if one.measured is not None:
                verdict = one.part.judge(one.measured, score, seed=seed, quick=quick)
                if not verdict.inventory.items:
                    verdict = verdict.with_inventory(one.part.leaves(every))
            parts.append(PartAssessment(one, verdict))
        return cls(score, tuple(parts), seed)

    @property
    def acceptable(self) -> bool:
        """Whether every part is acceptable and none failed."""
        return all(one.acceptable for one in self.parts)

    @property
    def failed(self) -> tuple[PartAssessment, ...]:
        """Parts without a verdict."""
        return tuple(one for one in self.parts if one.verdict is None)

    @property
    def refused(self) -> tuple[PartAssessment, ...]:
        """Parts whose risk is too high, the worst first."""
        too_high = [one for one in self.parts if one.verdict and not one.verdict.acceptable]
        return tuple(sorted(too_high, key=lambda one: -(one.verdict.ratio if one.verdict else 0.0)))

    def verdict_on(self, name: str) -> PartVerdict | None:
        """The verdict on a part."""
        return next(one.verdict for one in self.parts if one.part.name == name)

    def case_of(self, part: ReleasePart, verdict: PartVerdict) -> PartCase:
        """A part whose risk is too high, with what its remedies need."""
        return PartCase(
            name=part.name,
            verdict=verdict,
            score=self.score,
            seed=self.seed,
            parts=tuple(one.part for one in self.parts),
            others_acceptable=all(one.acceptable for one in self.parts if one.part.name != part.name),
        )
