"""The risk of the demo study by scenario is the one that its answer key gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reidrisk.context.release import Release
from reidrisk.demo.study import ANSWERS
from reidrisk.demo.study.answers import Answer, answers_in, read_key
from reidrisk.detect.settings import DetectSettings
from reidrisk.documents.detection.detect import detect_document
from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import Decision, DocumentFinding, DocumentFindings, Review
from reidrisk.documents.formats import read_document
from reidrisk.documents.risk.measure import measure_tables
from reidrisk.documents.risk.run import DocumentRisk, document_risk
from reidrisk.documents.risk.settings import DocumentSettings, Scenario
from reidrisk.documents.study.read import read_study
from reidrisk.documents.study.study import Study
from tests.documents.scoring import Score, score

pytest.importorskip("pyreadstat")
pytest.importorskip("typst")
NAME = "csr.docx"
STUDIES = ("study.yaml", "strict.yaml", "masked.yaml")


@pytest.fixture(scope="module")
def folder(demo_study: Path) -> Path:
    return demo_study


@pytest.fixture(scope="module")
def answers(folder: Path) -> list[Answer]:
    return answers_in(read_key(folder / ANSWERS), list(read_document(folder / NAME)))


@pytest.fixture(scope="module")
def found(folder: Path) -> DocumentFindings:
    return detect_document(folder / NAME, read_study(folder / "study.yaml"), settings=DetectSettings())


def released_rows(study: Study) -> list[dict[str, str | None]]:
    """The quasi-identifiers of everybody as they are released."""
    assert study.released is not None
    rows: list[dict[str, str | None]] = [{} for _ in range(len(study.data))]
    for name in study.roles.quasi:
        for subject, value in study.data.participants.values(name):
            rows[subject - 1][name] = study.released.value(subject, name, value)
    return rows


def class_size(rows: list[dict[str, str | None]], subject: int, names: Iterable[str]) -> int:
    """How many have the same values, counted plainly."""
    listed = sorted(names)
    own = [rows[subject - 1][name] for name in listed]
    return sum([row[name] for name in listed] == own for row in rows)


@pytest.mark.parametrize("name", STUDIES)
def test_the_data_alone_for_everybody(folder: Path, name: str) -> None:
    study = read_study(folder / name)
    rows = released_rows(study)
    smallest = min(class_size(rows, subject, study.roles.quasi) for subject in range(1, 61))
    tables = measure_tables(study, DocumentSettings())
    assert tables.static == 1 / smallest
    assert (smallest >= 11) == (name != "study.yaml")
    assert tables.accepts(11) == (name == "masked.yaml")
    if tables.events is not None:
        assert tables.below(2) == 60, "one event singles out each of them"
    risk = document_risk(study, "ipd")
    assert risk.highest == tables.highest
    assert not risk.acceptable, "nobody reviewed the report"


@pytest.mark.parametrize("name", STUDIES)
def test_the_data_for_those_who_are_mentioned_on_what_is_told_of_them(
    folder: Path, answers: list[Answer], found: DocumentFindings, name: str
) -> None:
    study = read_study(folder / name)
    rows, told = released_rows(study), dict[int, set[str]]()
    for answer in answers:
        for subject in answer.subjects:
            told.setdefault(subject, set()).update({str(answer.variable)} & set(study.roles.quasi))
    wanted = Counter((class_size(rows, who, names), tuple(sorted(names))) for who, names in told.items())
    file = reviewed_file(found, [], ())
    by_docx = replace(study, documents=(str(folder / NAME),))
    risk = document_risk(by_docx, "ipd_mentioned", findings=file)
    groups = Counter[tuple[int, tuple[str, ...]]]()
    for group in risk.to_dict()["subjects"]:
        groups[group["class_size"], tuple(sorted(group["variables"]))] += group["participants"]
    assert groups == wanted
    assert risk.to_dict()["known"]["static"]["highest"] == 1 / min(size for size, _ in wanted)
    assert risk.highest == (1 / 11 if name == "masked.yaml" else 1.0)
    assert risk.acceptable == (name == "masked.yaml")


def test_in_words(folder: Path) -> None:
    risk = document_risk(folder / "study.yaml", "qualitative")
    assert risk.to_dict()["qualitative"]["initial"]["level"] == "moderate"


def leaked(answers: list[Answer]) -> list[Answer]:
    """What a tool is taken to have missed: every ninetieth mention of a participant."""
    own = [answer for answer in answers if answer.kind in ("id", "quasi")]
    return own[::90]


def reviewed_file(
    document: DocumentFindings, missed: list[Answer], wrong: Iterable[DocumentFinding]
) -> FindingsFile:
    """Findings without what was missed; a reviewer read everything, added it and rejected the wrong."""
    gone = {span for answer in missed for span in answer.spans}
    kept = tuple(one for one in document.findings if one.place not in gone)
    decisions = [
        Decision(document.document, *span, "add", str(answer.variable), answer.variable, answer.subjects)
        for answer in missed
        for span in answer.spans
    ]
    decisions += [Decision(document.document, *one.place, "reject") for one in wrong]
    seen = tuple((document.document, block) for block in document.blocks)
    review = Review("anna", "2026-01-01T00:00:00Z", tuple(decisions), seen)
    return FindingsFile(1, {}, (replace(document, findings=kept),), (review,))


def from_key(document: DocumentFindings, answers: list[Answer]) -> DocumentFindings:
    """Findings that are exactly what the key says of ids and quasi-identifiers."""
    own = [
        DocumentFinding(
            *span, str(answer.variable), 1.0, "key", answer.subjects, answer.variable, answer.section
        )
        for answer in answers
        if answer.kind in ("id", "quasi")
        for span in answer.spans
    ]
    return replace(document, findings=tuple(sorted(own)))


def only_ids_and_quasi(document: DocumentFindings, held: Score) -> DocumentFindings:
    """Dates and events are left out: a day can be that of two variables, and a term too."""
    places = {
        one.place for answer, own in held.given.items() if answer.kind in ("id", "quasi") for one in own
    }
    wrong = {one.place for one in held.wrong}
    return replace(document, findings=tuple(one for one in document.findings if one.place in places | wrong))


@pytest.mark.parametrize("scenario", ["redacted", "replaced"])
def test_leaks_on_reviewed_pages(
    folder: Path, answers: list[Answer], found: DocumentFindings, scenario: Scenario
) -> None:
    study = read_study(folder / "masked.yaml")
    held = score(found, answers, list(read_document(folder / NAME)))
    missed = leaked(answers)
    by_tool = reviewed_file(only_ids_and_quasi(found, held), missed, held.wrong)
    by_key = reviewed_file(from_key(found, answers), missed, ())
    hides = None if scenario == "redacted" else Release.public("resynthesis", recognition=0.1)
    risks = [
        document_risk(study, scenario, findings=file, review=file, release=hides)
        for file in (by_tool, by_key)
    ]
    assert figures(risks[0]) == figures(risks[1])
    whole = risks[0].to_dict()
    if scenario == "redacted":
        assert whole["leak"]["direct"]["plug_in"] == pytest.approx(by_hand(answers, missed))
    else:
        leak, catch = whole["leak"]["quasi"]["plug_in"], 1 / 11
        assert whole["catch"]["value"] == pytest.approx(catch)
        assert whole["combined"]["plug_in"] == pytest.approx(catch + leak * (1 - catch))


def figures(risk: DocumentRisk) -> dict[str, Any]:
    whole = risk.to_dict()
    return {name: whole[name] for name in ("highest", "catch", "combined", "acceptable", "subjects")} | {
        name: whole["leak"][name] for name in ("direct", "quasi", "by_type", "documents")
    }


def by_hand(answers: list[Answer], missed: list[Answer]) -> float:
    """Equation 11 on one virtual document a participant, all or nothing."""
    people = {subject for answer in answers for subject in answer.subjects}
    safe = 1.0
    for variable in {answer.variable for answer in answers if answer.kind == "id"}:
        holds = {subject for each in answers if each.variable == variable for subject in each.subjects}
        leaks = {subject for each in missed if each.variable == variable for subject in each.subjects}
        safe *= 1 - len(holds) / len(people) * len(leaks) / len(holds)
    return 1 - safe
