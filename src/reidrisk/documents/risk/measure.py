"""Count what the risk of documents rests on: classes of participants, mentions, leaks on reviewed pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.core.wording import path_text
from reidrisk.documents.findings.file import FindingsFile, read_findings
from reidrisk.documents.findings.finding import DocumentFindings
from reidrisk.documents.review.decided import decided
from reidrisk.documents.risk.catch import Classes, classes_of_everybody, classes_of_mentioned
from reidrisk.documents.risk.criteria import criteria
from reidrisk.documents.risk.evidence import reviewed_evidence
from reidrisk.documents.risk.figures import figures_evidence
from reidrisk.documents.risk.measured import DocumentMeasure
from reidrisk.documents.risk.measures import measures
from reidrisk.documents.risk.participants import Participants, participants_of
from reidrisk.documents.risk.roles import FindingRoles
from reidrisk.documents.risk.settings import SCENARIOS, DocumentSettings, Scenario
from reidrisk.documents.risk.shown import Shown, shown
from reidrisk.documents.risk.whole import WholeDocuments
from reidrisk.documents.study.recall import RecallFigures
from reidrisk.errors import InvalidSetting
from reidrisk.text.evidence import Evidence

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study

FindingsSource = str | Path | FindingsFile | Sequence[DocumentFindings]
ReviewSource = str | Path | FindingsFile | RecallFigures
LEAKING: tuple[Scenario, ...] = ("redacted", "replaced")
"""The scenarios that count leaks."""


def measure_documents(
    study: Study,
    scenario: Scenario,
    *,
    findings: FindingsSource | None = None,
    review: ReviewSource | None = None,
    settings: DocumentSettings,
) -> DocumentMeasure:
    """Read the data, the findings and the review; every risk follows from what is counted here."""
    if scenario not in SCENARIOS:
        raise InvalidSetting.among("The scenario", str(scenario), SCENARIOS)
    people = participants_of(study)
    found = _findings(study, findings, scenario, settings)
    visible = (
        None if found is None else shown(study, found, "redact" if scenario == "redacted" else "replace")
    )
    mentioned = before = None
    if visible is not None:
        mentioned = classes_of_mentioned(people, visible)
        before = classes_of_mentioned(people, visible, original=True)
    evidence, whole = _evidence(study, review) if scenario in LEAKING else (None, None)
    return DocumentMeasure(
        scenario=scenario,
        study=study.name,
        participants=len(people),
        is_deidentified=people.is_deidentified,
        everybody=_told(classes_of_everybody(people), settings),
        before=_told(before or classes_of_everybody(people, original=True), settings),
        mentioned=None if mentioned is None else _told(mentioned, settings),
        without=tuple(_without(people, visible if scenario == "ipd_mentioned" else None)),
        seen=None if visible is None else visible.seen,
        evidence=evidence,
        whole=whole,
        criteria=() if visible is None else criteria(people, visible, level=settings.text.level),
        measures=measures(study, scenario),
        qualitative=study.qualitative,
        inputs=_inputs(study, findings, _chosen(study, review)),
    )


def _without(people: Participants, visible: Shown | None) -> Iterator[tuple[str, Classes]]:
    """The classes that count, if one quasi-identifier were redacted."""
    for name in people.variables:
        if visible is None:
            yield name, classes_of_everybody(people, without=name).without_names()
        else:
            left = {subject: names - {name} for subject, names in visible.released.items()}
            found = classes_of_mentioned(people, replace(visible, released=left))
            if found is not None:
                yield name, found.without_names()


def _told(classes: Classes, settings: DocumentSettings) -> Classes:
    return classes if settings.show_subjects else classes.without_names()


def _chosen(study: Study, review: ReviewSource | None) -> ReviewSource | None:
    """What was given here, or what the study names."""
    return review or study.review or study.recall


def _evidence(study: Study, review: ReviewSource | None) -> tuple[Evidence | None, WholeDocuments | None]:
    """What the reviewed pages show, and what all pages hold if not all were reviewed."""
    source = _chosen(study, review)
    if source is None:
        return None, None
    if isinstance(source, RecallFigures):
        return figures_evidence(source), None
    file = read_findings(source) if isinstance(source, str | Path) else source
    roles = FindingRoles.of(study)
    read = reviewed_evidence(file, roles)
    pages = {(one.document, block) for one in file.documents for block in one.blocks}
    if pages <= {place for review in file.reviews for place in review.seen}:
        return read, None
    everything = reviewed_evidence(file, roles, only_seen=False)
    return read, WholeDocuments.of(read, everything, pages=len(pages))


def _findings(
    study: Study, given: FindingsSource | None, scenario: Scenario, settings: DocumentSettings
) -> tuple[DocumentFindings, ...] | None:
    """The findings as reviewers left them; detected here where there are none and they are needed."""
    if given is None:
        needed = scenario == "ipd_mentioned" or (scenario == "replaced" and settings.catch == "mentioned")
        return _detected(study) if needed else None
    if isinstance(given, str | Path):
        given = read_findings(given)
    if isinstance(given, FindingsFile):
        return tuple(decided(document, given.reviews) for document in given.documents)
    return tuple(given)


def _detected(study: Study) -> tuple[DocumentFindings, ...]:
    paths = study.document_paths()
    if not paths:
        raise InvalidSetting(
            "This scenario needs to know who is mentioned in the documents.",
            hint="Name the documents in the study, or give --findings FILE of `document detect`.",
        )
    from reidrisk.detect.settings import DetectSettings
    from reidrisk.documents.detection.detect import Searcher, search_document

    searcher = Searcher.of(study, (), DetectSettings())
    return tuple(search_document(path, searcher) for path in paths)


def _inputs(study: Study, findings: object, review: object) -> dict[str, Any]:
    named: dict[str, Any] = {
        "quasi": list(study.roles.quasi),
        "subject": study.subject,
        "data": path_text(study.participants.name),
        "deidentified": study.deidentified is not None,
    }
    for name, source in (("findings", findings), ("review", review)):
        if isinstance(source, RecallFigures):
            named["recall"] = source.to_dict()
        elif source is not None:
            named[name] = path_text(Path(source).name) if isinstance(source, str | Path) else "in memory"
    return named
