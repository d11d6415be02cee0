"""The risk of a study's documents: one scenario at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.context.release import Release
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import path_text
from reidrisk.documents.findings.file import FindingsFile, read_findings
from reidrisk.documents.findings.finding import DocumentFindings
from reidrisk.documents.review.decided import decided
from reidrisk.documents.risk.measures import measures
from reidrisk.documents.risk.participants import Participants, participants_of
from reidrisk.documents.risk.result import DocumentRisk
from reidrisk.documents.risk.settings import SCENARIOS, DocumentSettings, Scenario
from reidrisk.documents.risk.shown import Shown, shown
from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study

FindingsSource = str | Path | FindingsFile | Sequence[DocumentFindings]


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """What is assessed; one object instead of many parameters."""

    study: Study
    scenario: Scenario
    threshold: Threshold
    settings: DocumentSettings
    release: Release | None
    review: FindingsFile | None
    people: Participants
    shown: Shown | None
    seed: int


def document_risk(  # noqa: PLR0913 - the study, what is known of its documents, and how it is judged
    study: Study | str | Path,
    scenario: Scenario = "ipd",
    *,
    findings: FindingsSource | None = None,
    review: str | Path | FindingsFile | None = None,
    release: Release | None = None,
    threshold: Threshold | None = None,
    settings: DocumentSettings | None = None,
    seed: int = 7,
) -> DocumentRisk:
    """The risk that a participant is re-identified in the documents of a study.

    `findings` are those of the documents, detected here if a scenario needs them and none are given;
    `review` is a file of findings of which a sample was reviewed, if it is not the study's own.
    `release` says how a leaked original is recognised; documents are public unless it says otherwise.
    """
    from reidrisk.documents.risk import scenarios

    if scenario not in SCENARIOS:
        raise InvalidSetting.among("The scenario", str(scenario), SCENARIOS)
    if isinstance(study, str | Path):
        from reidrisk.documents.study.read import read_study

        study = read_study(study)
    settings = settings or DocumentSettings()
    reviewed = _file(review if review is not None else study.review)
    found = _findings(study, findings, scenario, settings)
    case = Case(
        study=study,
        scenario=scenario,
        threshold=threshold or study.threshold or scenarios.DEFAULT_THRESHOLD,
        settings=settings,
        release=release,
        review=reviewed,
        people=participants_of(study),
        shown=None if found is None else shown(study, found, scenarios.treatment(scenario)),
        seed=seed,
    )
    outcome = scenarios.outcome(case)
    return DocumentRisk(
        scenario=scenario,
        study=study.name,
        participants=len(case.people),
        threshold=case.threshold,
        settings=settings,
        seed=seed,
        sides=outcome.sides,
        stages=outcome.stages,
        measures=measures(study, scenario),
        accepted=outcome.accepted,
        reasons=outcome.reasons,
        warnings=(*scenarios.warnings(case, threshold), *outcome.warnings),
        criteria=outcome.criteria,
        shown=case.shown,
        qualitative=outcome.qualitative,
        inputs=_inputs(case, findings, review),
    )


def _file(source: str | Path | FindingsFile | None) -> FindingsFile | None:
    return read_findings(source) if isinstance(source, str | Path) else source


def _findings(
    study: Study, given: FindingsSource | None, scenario: Scenario, settings: DocumentSettings
) -> tuple[DocumentFindings, ...] | None:
    """The findings as reviewers left them; detected here where there are none and they are needed."""
    if given is None:
        mentions = scenario == "ipd_mentioned" or settings.catch == "mentioned"
        return _detected(study) if mentions else None
    if isinstance(given, str | Path):
        given = read_findings(given)
    if isinstance(given, FindingsFile):
        return tuple(decided(document, given.reviews) for document in given.documents)
    return tuple(given)


def _detected(study: Study) -> tuple[DocumentFindings, ...]:
    from reidrisk.detect.settings import DetectSettings
    from reidrisk.documents.detection.detect import detect_document

    paths = study.document_paths()
    if not paths:
        raise InvalidSetting(
            "This scenario needs to know who is mentioned in the documents.",
            hint="Name the documents in the study, or give --findings FILE of `document detect`.",
        )
    return tuple(detect_document(path, study, settings=DetectSettings()) for path in paths)


def _inputs(case: Case, findings: object, review: object) -> dict[str, Any]:
    named = {
        "quasi": list(case.people.variables),
        "subject": case.study.subject,
        "data": path_text(case.study.participants.name),
        "deidentified": case.people.is_deidentified,
    }
    for name, source in (("findings", findings), ("review", review if review is not None else case.study.review)):
        if source is not None:
            named[name] = path_text(Path(source).name) if isinstance(source, str | Path) else "in memory"
    return named
