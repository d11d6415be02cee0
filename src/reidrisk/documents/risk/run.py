"""The risk of a study's documents: one scenario at a time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.context.release import Release
from reidrisk.core.threshold import Threshold
from reidrisk.documents.risk.leaving import documents_inventory
from reidrisk.documents.risk.measure import FindingsSource, ReviewSource, measure_documents
from reidrisk.documents.risk.measured import DocumentMeasure
from reidrisk.documents.risk.result import DocumentRisk
from reidrisk.documents.risk.scenarios import Case, outcome
from reidrisk.documents.risk.settings import DocumentSettings, Scenario

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study

DEFAULT = Threshold.from_cell_size(5, "cell size of five, the default")
UNNAMED = (
    "No threshold was named: a cell size of five is assumed. EMA and Health Canada ask for 0.09 for "
    "published documents; say whether to the letter (12 alike) or as a cell size of 11."
)


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
