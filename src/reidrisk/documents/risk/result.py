"""The risk of documents under one scenario, before and after they were treated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from reidrisk.context.qualitative import QualitativeRisk
from reidrisk.context.recognition import plain
from reidrisk.core.about import own_version, versions
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.documents.risk.catch import Classes
from reidrisk.documents.risk.criteria import Criterion
from reidrisk.documents.risk.leaks import Combined
from reidrisk.documents.risk.settings import DocumentSettings, Scenario
from reidrisk.documents.risk.shown import Shown
from reidrisk.stats.uncertain import Triangular
from reidrisk.text.result import TextRisk


@dataclass(frozen=True, slots=True)
class Stage:
    """The risk before or after the measures."""

    highest: float | None
    """None where the risk is told in words."""
    why: str
    level: str | None = None
    """The risk in words, for the qualitative scenario."""

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that was done to lower the risk."""

    measure: str
    variables: tuple[str, ...]
    detail: str

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return {"measure": self.measure, "variables": list(self.variables), "detail": self.detail}


@dataclass(frozen=True, slots=True)
class Sides:
    """The two ways in which documents give somebody away, and what they make together."""

    leak: TextRisk | None = None
    """Through what leaked; None where a scenario leaves leaks out."""
    direct_limit: float | None = None
    """What the upper limit of the direct identifiers' risk must not exceed."""
    catch: Triangular | None = None
    """Through the values that stand where others were caught."""
    classes: Classes | None = None
    combined: Combined | None = None


@dataclass(frozen=True)
class DocumentRisk(Result):
    """The probability that a participant of a trial is re-identified in its documents."""

    scenario: Scenario
    study: str
    participants: int
    threshold: Threshold
    settings: DocumentSettings
    seed: int
    sides: Sides
    stages: tuple[Stage, Stage]
    """Before and after."""
    measures: tuple[Measure, ...]
    accepted: bool
    reasons: tuple[tuple[bool, str], ...]
    """Whether each speaks for the documents, and what it says."""
    warnings: tuple[str, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    shown: Shown | None = None
    qualitative: tuple[QualitativeRisk, QualitativeRisk | None] | None = None
    """Before and after."""
    inputs: Mapping[str, Any] = field(default_factory=dict)

    @property
    def acceptable(self) -> bool:
        """Whether the risk that is left is at or below the threshold."""
        return self.accepted

    @property
    def highest(self) -> float | None:
        """The risk that is held against the threshold."""
        return self.stages[1].highest

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types: no text, and no participant unless asked."""
        before, after = self.stages
        return {
            "kind": "document_risk",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": self.settings.to_dict() | dict(self.inputs),
            "seed": self.seed,
            "versions": versions(),
            "scenario": self.scenario,
            "study": self.study,
            "reasons": [text for _, text in self.reasons],
            "holds": [holds for holds, _ in self.reasons],
            "warnings": list(self.warnings),
            "threshold": {**asdict(self.threshold), "cell_size": self.threshold.cell_size},
            "participants": self.participants,
            "leak": self._leak(),
            "catch": self._catch(),
            "combined": self._combined(),
            "highest": self.highest,
            "subjects": self._subjects(),
            "initial": before.to_dict(),
            "measures": [one.to_dict() for one in self.measures],
            "final": after.to_dict(),
            "criteria": [one.to_dict() for one in self.criteria],
            "documents": self._documents(),
            "sections": [] if self.shown is None else [one.to_dict() for one in self.shown.sections],
            "qualitative": self._qualitative(),
            "undefined": self._undefined(),
        }

    def _leak(self) -> dict[str, Any]:
        leak = self.sides.leak
        if leak is None:
            return {"direct": None, "quasi": None}
        whole = leak.to_dict()
        return {
            "direct": whole["direct"] | {"limit": self.sides.direct_limit},
            "quasi": whole["quasi"],
            "benchmark": whole["benchmark"],
            "documents": whole["documents"],
            "by_type": whole["by_type"],
            "gates": whole["gates"],
            "quasi_model": whole["quasi_model"],
            "observed": whole["observed"],
            "precision": whole["precision"],
            "release": leak.release.to_dict(),
            "crosschecks": whole["crosschecks"],
            "notes": whole["notes"],
        }

    def _catch(self) -> dict[str, Any] | None:
        sides = self.sides
        if sides.catch is None:
            return None
        classes = sides.classes
        return {
            "value": sides.catch.mean,
            "given": plain(sides.catch),
            "measured": classes is not None,
            "participants": classes.participants if classes else None,
            "smallest_class": classes.smallest if classes else None,
            "below_cell_size": classes.below(self.threshold.cell_size) if classes else None,
        }

    def _combined(self) -> dict[str, Any] | None:
        if self.sides.combined is None:
            return None
        return self.sides.combined.to_dict() | {"rule": self.settings.combine}

    def _subjects(self) -> list[dict[str, Any]]:
        if self.sides.classes is None:
            return []
        shows = self.settings.show_subjects
        return [group.to_dict(show_subjects=shows) for group in self.sides.classes.groups]

    def _documents(self) -> dict[str, Any] | None:
        if self.shown is None:
            return None
        return {
            "documents": self.shown.documents,
            "mentioned": len(self.shown.mentioned),
            "direct": self.shown.direct,
            "unmasked_direct": self.shown.unmasked,
            "open": self.shown.open,
        }

    def _qualitative(self) -> dict[str, Any] | None:
        if self.qualitative is None:
            return None
        before, after = self.qualitative
        return {"initial": before.to_dict(), "final": None if after is None else after.to_dict()}

    def _undefined(self) -> dict[str, str]:
        """Why a number is null."""
        reasons = {}
        if self.sides.leak is None:
            reasons["leak"] = "This scenario takes leaks for excluded by a full review."
        if self.sides.catch is None:
            reasons["catch"] = "Nothing stands in the place of what was caught."
        if self.sides.combined is None:
            reasons["combined"] = "There is only one way to re-identify in this scenario."
        if self.highest is None:
            reasons["highest"] = "The qualitative scenario tells the risk in words."
        if self.shown is None:
            reasons["documents, sections, criteria"] = "No findings were given."
        if self.qualitative is None:
            reasons["qualitative"] = "The study names no factors."
        return reasons
