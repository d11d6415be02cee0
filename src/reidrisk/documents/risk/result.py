"""The risk of documents under one scenario, before and after they were treated."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from reidrisk.context.qualitative import QualitativeRisk
from reidrisk.context.recognition import plain
from reidrisk.core.about import own_version, versions
from reidrisk.core.inventory import Inventory
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.documents.risk.criteria import Criterion
from reidrisk.documents.risk.known import known_figures
from reidrisk.documents.risk.measured import DocumentMeasure
from reidrisk.documents.risk.settings import DocumentSettings
from reidrisk.documents.risk.stages import Sides, Stage
from reidrisk.text import result as rows


@dataclass(frozen=True)
class DocumentRisk(Result):
    """The probability that a participant of a trial is re-identified in its documents."""

    measured: DocumentMeasure
    threshold: Threshold
    settings: DocumentSettings
    seed: int
    sides: Sides
    stages: tuple[Stage, Stage]
    """Before and after."""
    accepted: bool
    reasons: tuple[tuple[bool, str], ...]
    """Whether each speaks for the documents, and what it says."""
    warnings: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()
    """What speaks against the documents whatever the classes are."""
    inventory: Inventory = field(default_factory=Inventory)
    """What leaves with the documents, and whether it was measured."""
    criteria: tuple[Criterion, ...] = ()
    qualitative: tuple[QualitativeRisk, QualitativeRisk | None] | None = None
    """Before and after."""

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
        seen, exposed, size = self.measured.seen, self.sides.exposure, self.threshold.cell_size
        return {
            "kind": "document_risk",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": self.settings.to_dict() | dict(self.measured.inputs),
            "seed": self.seed,
            "versions": versions(),
            "scenario": self.measured.scenario,
            "study": self.measured.study,
            "reasons": [text for _, text in self.reasons],
            "holds": [holds for holds, _ in self.reasons],
            "warnings": list(self.warnings),
            "threshold": {**asdict(self.threshold), "cell_size": self.threshold.cell_size},
            "participants": self.measured.participants,
            "leak": self._leak(),
            "catch": self._catch(),
            "combined": self._combined(),
            "highest": self.highest,
            "known": None if exposed is None else known_figures(exposed, self.settings, size),
            "review": None if self.measured.review is None else self.measured.review.to_dict(),
            **self.inventory.to_dict(),
            "subjects": self._subjects(),
            "initial": before.to_dict(),
            "measures": [one.to_dict() for one in self.measured.measures],
            "final": after.to_dict(),
            "criteria": [one.to_dict() for one in self.criteria],
            "documents": self._documents(),
            "sections": [] if seen is None else [one.to_dict() for one in seen.sections],
            "qualitative": self._qualitative(),
            "undefined": self._undefined(),
        }

    def _leak(self) -> dict[str, Any]:
        leak = self.sides.leak
        if leak is None:
            return {"direct": None, "quasi": None}
        evidence, whole = leak.evidence, leak.summary()
        return {
            "direct": whole["direct"] | {"limit": self.sides.direct_limit},
            "quasi": whole["quasi"],
            "benchmark": leak.benchmark.to_dict(),
            "documents": evidence.documents,
            "by_type": [rows.type_row(kind, evidence.documents) for kind in evidence.types],
            "gates": [asdict(gate) for gate in leak.gates],
            "quasi_model": rows.quasi_model_row(evidence, leak.settings),
            "observed": None if self._is_told else whole["observed"],
            "precision": whole["precision"],
            "release": leak.release.to_dict(),
            "crosschecks": [asdict(check) for check in leak.crosschecks],
            "notes": list(evidence.notes),
            "whole": self._whole(),
        }

    def _whole(self) -> dict[str, Any] | None:
        """How much more all pages hold than those that were reviewed."""
        whole = self.measured.whole
        if whole is None:
            return None
        direct = {one.type: one.power for one in whole.direct}
        return {"pages": whole.pages, "participants": whole.participants, "times_as_often": direct}

    @property
    def _is_told(self) -> bool:
        """Whether recall was given as figures: nothing was counted participant by participant."""
        return "recall" in self.measured.inputs

    def _catch(self) -> dict[str, Any] | None:
        sides = self.sides
        if sides.catch is None:
            return None
        exposed = sides.exposure
        return {
            "value": sides.catch.mean,
            "given": plain(sides.catch),
            "measured": exposed is not None,
            "participants": exposed.classes.participants if exposed else None,
            "smallest_class": exposed.smallest if exposed else None,
            "below_cell_size": exposed.below(self.threshold.cell_size) if exposed else None,
        }

    def _combined(self) -> dict[str, Any] | None:
        if self.sides.combined is None:
            return None
        return self.sides.combined.to_dict() | {"rule": self.settings.combine}

    def _subjects(self) -> list[dict[str, Any]]:
        if self.sides.classes is None:
            return []
        return [group.to_dict() for group in self.sides.classes.groups]

    def _documents(self) -> dict[str, Any] | None:
        seen = self.measured.seen
        if seen is None:
            return None
        return {
            "documents": seen.documents,
            "mentioned": seen.mentioned,
            "direct": seen.direct,
            "unmasked_direct": seen.unmasked,
            "unmasked_others": seen.unmasked_others,
            "open": seen.open,
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
            full = "Every page was reviewed, which excludes leaks."
            none = "No review tells how much the detection missed."
            reasons["leak"] = full if self.measured.is_reviewed else none
        elif self._is_told:
            reasons["leak.observed"] = "Recall was given as figures; nothing was counted."
        if self.sides.catch is None:
            reasons["catch"] = "Nothing stands in the place of what was caught."
        if self.sides.combined is None:
            reasons["combined"] = "There is only one way to re-identify in this scenario."
        if self.highest is None:
            reasons["highest"] = "The qualitative scenario tells the risk in words."
        if self.sides.exposure is None:
            reasons["known"] = "No class of participants counts in this scenario."
        if self.measured.review is None:
            reasons["review"] = "There is no review file."
        if self.measured.seen is None:
            reasons["documents, sections, criteria"] = "No findings were given."
        if self.qualitative is None:
            reasons["qualitative"] = "The study names no factors."
        return reasons
