"""The risk of a study's documents under one scenario at a time, before and after they were treated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.context.qualitative import QualitativeRisk
from reidrisk.context.recognition import plain
from reidrisk.context.release import Release
from reidrisk.core.about import own_version, versions
from reidrisk.core.inventory import Inventory, InventoryItem
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.documents.risk.classes import DocumentCriterion
from reidrisk.documents.risk.known import known_figures
from reidrisk.documents.risk.leaks import Sides, Stage
from reidrisk.documents.risk.measure import FindingsSource, ReviewSource, measure_documents
from reidrisk.documents.risk.measured import DocumentMeasure, confidential_rows
from reidrisk.documents.risk.scenarios import REVIEW, Case, outcome
from reidrisk.documents.risk.settings import DocumentSettings, Scenario
from reidrisk.text import result as rows

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study

TREATMENTS = {"redacted": "redacted", "qualitative": "redacted or replaced"}
DEFAULT = Threshold.from_cell_size(5, "cell size of five, the default")
UNNAMED = (
    "No threshold was named: a cell size of five is assumed. EMA and Health Canada ask for 0.09 for "
    "published documents; say whether you mean 0.09 literally (classes of 12) or a cell size of 11."
)


def documents_inventory(
    measured: DocumentMeasure, settings: DocumentSettings, unmeasured: Iterable[InventoryItem]
) -> Inventory:
    """Identifiers of participants, their events, and what nobody found."""
    done = TREATMENTS.get(measured.scenario, "replaced by the released values")
    counted = "counted in the classes"
    if measured.scenario in TREATMENTS:
        counted = "removed where it was found; the risk counts what was missed"
    quasi = ", ".join(measured.inputs["quasi"])
    items = [InventoryItem(quasi, "quasi-identifier", done, "measured", counted)]
    events = measured.everybody_events
    if events is not None:
        items.append(_events(", ".join(events.tables), done, settings))
    stopping = tuple(unmeasured)
    if not stopping and (measured.review is not None or measured.evidence is not None):
        items.append(InventoryItem(REVIEW, "documents", "reviewed", "measured", _reviewed(measured)))
    return Inventory((*items, *stopping))


def _events(tables: str, done: str, settings: DocumentSettings) -> InventoryItem:
    item = f"events of {tables}"
    if settings.known_reason is not None:
        return InventoryItem(item, "events", done, "accepted", settings.known_reason)
    return InventoryItem(item, "events", done, "measured", f"{settings.known} known to the adversary")


def _reviewed(measured: DocumentMeasure) -> str:
    if measured.is_reviewed:
        return "people read every page"
    if measured.review is None:
        return "recall was given as figures"
    return measured.review.sentence()


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
    criteria: tuple[DocumentCriterion, ...] = ()
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
            "variables": [one.to_dict() for one in self.measured.variables],
            "confidential": confidential_rows(self.measured.confidential),
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
            reasons["documents, sections, criteria, confidential"] = "No findings were given."
        if self.qualitative is None:
            reasons["qualitative"] = "The study names no factors."
        return reasons


def document_risk(  # noqa: PLR0913 - the study, what is known of its documents, and how it is judged
    study: Study | str | Path,
    scenario: Scenario = "ipd",
    *,
    findings: FindingsSource | None = None,
    review: ReviewSource | None = None,
    release: Release | None = None,
    threshold: Threshold | None = None,
    settings: DocumentSettings | None = None,
    seed: int = 7,
) -> DocumentRisk:
    """The risk that a participant is re-identified in the documents of a study.

    `findings` are those of the documents, detected here if a scenario needs them and none are given;
    `review` is a file of findings of which a sample was reviewed, or figures of recall; without it the
    study's own.
    `release` says how a leaked original is recognised; documents are public unless it says otherwise.
    """
    if isinstance(study, str | Path):
        from reidrisk.documents.study.read import read_study

        study = read_study(study)
    settings = settings or DocumentSettings()
    measured = measure_documents(study, scenario, findings=findings, review=review, settings=settings)
    limit = threshold or study.threshold
    notes = (UNNAMED,) if limit is None and scenario != "qualitative" else ()
    return risk_of(measured, Case(limit or DEFAULT, settings, release, seed), notes=notes)


def risk_of(measured: DocumentMeasure, case: Case, *, notes: tuple[str, ...] = ()) -> DocumentRisk:
    """What the counts mean under a threshold, for a release."""
    found = outcome(measured, case)
    return DocumentRisk(
        measured=measured,
        threshold=case.threshold,
        settings=case.settings,
        seed=case.seed,
        sides=found.sides,
        stages=found.stages,
        accepted=found.accepted,
        reasons=found.reasons,
        warnings=(*notes, *found.warnings),
        obstacles=found.obstacles,
        inventory=documents_inventory(measured, case.settings, found.unmeasured),
        criteria=found.criteria,
        qualitative=found.qualitative,
    )
