"""Count what the risk of documents rests on: classes of participants, mentions, leaks on reviewed pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.core.wording import path_text
from reidrisk.documents.document import sha256_of
from reidrisk.documents.findings.file import FindingsFile, read_findings
from reidrisk.documents.findings.finding import DocumentFindings
from reidrisk.documents.review.measure import ReviewCoverage
from reidrisk.documents.review.opinions import decided
from reidrisk.documents.risk.classes import Classes, classes_of_everybody, classes_of_mentioned, criteria
from reidrisk.documents.risk.evidence import figures_evidence, reviewed_evidence
from reidrisk.documents.risk.known import (
    KnownEvents,
    StudyEvents,
    StudyExposure,
    events_of_everybody,
    events_of_mentioned,
)
from reidrisk.documents.risk.leaks import WholeDocuments
from reidrisk.documents.risk.measured import DocumentMeasure, measures
from reidrisk.documents.risk.participants import (
    CodedParticipants,
    FindingRoles,
    Shown,
    Treatment,
    participants_of,
    shown,
)
from reidrisk.documents.risk.settings import SCENARIOS, DocumentSettings, Scenario
from reidrisk.documents.risk.variables import confidential_pages, document_variables
from reidrisk.documents.study.recall import RecallFigures
from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.text.evidence import Evidence

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study

FindingsSource = str | Path | FindingsFile | Sequence[DocumentFindings]
ReviewSource = str | Path | FindingsFile | RecallFigures
LEAKING: tuple[Scenario, ...] = ("redacted", "replaced")
"""The scenarios that always count leaks; the others do unless every page was reviewed."""
NO_DATA: tuple[Scenario, ...] = ("redacted", "qualitative")
"""The scenarios in which no value of the released data can be read."""


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
    reviewed = reviewed_file(study, findings, review)
    found = findings_of(study, scenario, findings=findings, reviewed=reviewed, settings=settings)
    treatment = _treatment(scenario)
    visible = None if found is None else shown(study, found, treatment)
    mentioned = before = None
    if visible is not None:
        mentioned = classes_of_mentioned(people, visible)
        before = classes_of_mentioned(people, visible, original=True)
    coverage = _coverage(study, reviewed, findings)
    evidence, whole = _evidence(study, scenario, reviewed, review, coverage)
    events = None if scenario in NO_DATA else StudyEvents.of(study)
    known = settings.known
    told = visible if scenario == "ipd_mentioned" and coverage is not None and coverage.is_full else None
    return DocumentMeasure(
        scenario=scenario,
        study=study.name,
        participants=len(people),
        is_deidentified=people.is_deidentified,
        everybody=_told(classes_of_everybody(people), settings),
        before=_told(before or classes_of_everybody(people, original=True), settings),
        mentioned=None if mentioned is None else _told(mentioned, settings),
        **_events(people, events, visible, known),
        without=tuple(_without(people, events, told, known)),
        seen=None if visible is None else visible.seen,
        evidence=evidence,
        whole=whole,
        review=coverage,
        keeps_sections="keep" in study.sections.values(),
        criteria=() if visible is None else criteria(people, visible, level=settings.text.level),
        measures=measures(study, scenario),
        variables=document_variables(study, found or (), treatment),
        confidential=None if found is None else confidential_pages(found),
        qualitative=study.qualitative,
        inputs=_inputs(study, findings, _chosen(study, review)),
    )


def visible_of(study: Study, scenario: Scenario, found: Sequence[DocumentFindings]) -> Shown:
    """What of each participant can be read where these findings are treated."""
    return shown(study, found, _treatment(scenario))


def _treatment(scenario: Scenario) -> Treatment:
    return "redact" if scenario == "redacted" else "replace"


def findings_of(
    study: Study,
    scenario: Scenario,
    *,
    findings: FindingsSource | None,
    reviewed: FindingsFile | None,
    settings: DocumentSettings,
) -> tuple[DocumentFindings, ...] | None:
    """The findings that are treated; None if there are none, and the scenario needs none."""
    given = findings if scenario in LEAKING or reviewed is None else reviewed
    return _findings(study, given, scenario, settings)


def _events(
    people: CodedParticipants, events: StudyEvents | None, visible: Shown | None, known: int
) -> dict[str, KnownEvents | None]:
    """The risk to somebody who knows events: of everybody, and of those who are mentioned."""
    if events is None:
        return {}
    mentioned = None if visible is None else events_of_mentioned(people, events, visible, known)
    return {
        "everybody_events": events_of_everybody(people, events, known),
        "mentioned_events": mentioned,
    }


def measure_tables(study: Study, settings: DocumentSettings) -> StudyExposure:
    """How exposed everybody is in the released tables of a study."""
    people = participants_of(study)
    events = events_of_everybody(people, StudyEvents.of(study), settings.known)
    return StudyExposure(classes_of_everybody(people).without_names(), events)


def _without(
    people: CodedParticipants, events: StudyEvents | None, visible: Shown | None, known: int
) -> Iterator[tuple[str, StudyExposure]]:
    """What counts, if one quasi-identifier were redacted."""
    for name in people.variables:
        if visible is None:
            classes = classes_of_everybody(people, without=name).without_names()
            own = None if events is None else events_of_everybody(people, events, known, without=name)
            yield name, StudyExposure(classes, own)
        else:
            left = {subject: names - {name} for subject, names in visible.released.items()}
            fewer = replace(visible, released=left)
            found = classes_of_mentioned(people, fewer)
            own = None if events is None else events_of_mentioned(people, events, fewer, known)
            if found is not None:
                yield name, StudyExposure(found.without_names(), own)


def _told(classes: Classes, settings: DocumentSettings) -> Classes:
    return classes if settings.show_subjects else classes.without_names()


def _chosen(study: Study, review: ReviewSource | None) -> ReviewSource | None:
    """What was given here, or what the study names."""
    return review or study.review or study.recall


def reviewed_file(
    study: Study, findings: FindingsSource | None, review: ReviewSource | None
) -> FindingsFile | None:
    """The file with the decisions of reviewers: that of the review, or the findings if it is in them."""
    source = _chosen(study, review)
    if isinstance(source, str | Path):
        source = read_findings(source)
    if isinstance(source, FindingsFile):
        return source
    given = read_findings(findings) if isinstance(findings, str | Path) else findings
    return given if isinstance(given, FindingsFile) and given.reviews else None


def _documents(study: Study, findings: FindingsSource | None) -> dict[str, str]:
    """The documents that are published, by name with their SHA-256."""
    given = read_findings(findings) if isinstance(findings, str | Path) else findings
    found = given.documents if isinstance(given, FindingsFile) else given or ()
    named = {path.name: sha256_of(path) for path in study.document_paths()}
    return {one.document: one.sha256 for one in found} | named


def _coverage(
    study: Study, reviewed: FindingsFile | None, findings: FindingsSource | None
) -> ReviewCoverage | None:
    return None if reviewed is None else ReviewCoverage.of(reviewed, _documents(study, findings))


def leak_evidence(
    study: Study,
    scenario: Scenario,
    *,
    findings: FindingsSource | None,
    review: ReviewSource | None,
    reviewed: FindingsFile | None,
) -> tuple[Evidence | None, WholeDocuments | None]:
    """What tells how much may have leaked; nothing if no review does, or if people read every page."""
    return _evidence(study, scenario, reviewed, review, _coverage(study, reviewed, findings))


def _evidence(
    study: Study,
    scenario: Scenario,
    reviewed: FindingsFile | None,
    review: ReviewSource | None,
    coverage: ReviewCoverage | None,
) -> tuple[Evidence | None, WholeDocuments | None]:
    """What the reviewed pages show, and what all pages hold if not all were reviewed."""
    full = coverage is not None and coverage.is_full
    if scenario == "qualitative" or (full and scenario not in LEAKING):
        return None, None
    if reviewed is None:
        figures = _chosen(study, review)
        return (figures_evidence(figures), None) if isinstance(figures, RecallFigures) else (None, None)
    return _estimated(reviewed, FindingRoles.of(study), by_findings=scenario in LEAKING)


def _estimated(
    reviewed: FindingsFile, roles: FindingRoles, *, by_findings: bool
) -> tuple[Evidence | None, WholeDocuments | None]:
    """What reviewed pages show of all pages, by what was found there or by their number alone."""
    pages = {(one.document, block) for one in reviewed.documents for block in one.blocks}
    seen = pages & {place for one in reviewed.reviews for place in one.seen}
    if by_findings:
        read = reviewed_evidence(reviewed, roles)
        everything = reviewed_evidence(reviewed, roles, only_seen=False)
        return read, None if pages <= seen else WholeDocuments.of(read, everything, pages=len(pages))
    try:
        read = reviewed_evidence(reviewed, roles)
    except NothingToMeasure:
        return None, None
    return read, WholeDocuments.by_pages(read, pages=len(pages), reviewed=len(seen))


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
