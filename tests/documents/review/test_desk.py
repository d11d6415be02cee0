from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.documents.findings.file import write_findings
from reidrisk.documents.findings.finding import Decision, DocumentFinding, DocumentFindings, Review
from reidrisk.documents.findings.journal import JournalLine
from reidrisk.documents.review.desk import FindingFilter, PageState, ReviewDesk
from reidrisk.errors import InvalidSetting, UnmatchedDocuments

TEXTS = {"page 1": "Ann Bo saw\nann bo on 3 May.", "page 2": "Ann  Bo and Ann Bo."}
FOUND = (
    DocumentFinding("page 1", 0, 6, "NAME", 0.9, "known:NAME", (2,)),
    DocumentFinding("page 1", 11, 17, "NAME", 0.9, "model"),
    DocumentFinding("page 1", 21, 26, "DATE", 0.9, "pattern:date", (2, 3)),
    DocumentFinding("page 2", 0, 7, "NAME", 0.9, "model"),
    DocumentFinding("page 2", 12, 18, "USERNAME", 0.9, "model"),
)
TIME = "2026-03-01T09:00:00Z"


@pytest.fixture
def desk(tmp_path: Path) -> ReviewDesk:
    document = DocumentFindings("csr.pdf", "a" * 64, ("page 1", "page 2"), FOUND)
    before = Review("anna", "2026-02-01", (Decision("csr.pdf", *FOUND[3].place, "reject"),))
    write_findings(tmp_path / "findings.json", [document], settings={}, reviews=[before])
    return ReviewDesk(tmp_path / "findings.json")


def reject(number: int, one: DocumentFinding) -> JournalLine:
    return JournalLine.of_decision(
        Decision("csr.pdf", *one.place, "reject"), id=f"line-{number:04}", time=TIME
    )


def test_pages_say_how_far_each_reviewer_is(desk: ReviewDesk) -> None:
    assert desk.record("anna", [reject(1, FOUND[0])]) == 1
    assert desk.record("anna", [reject(1, FOUND[0])]) == 0
    states = desk.pages("csr.pdf", "anna")
    assert states == (PageState("page 1", 3, 1, 0, False), PageState("page 2", 2, 1, 0, False))
    assert [one.decided for one in desk.pages("csr.pdf", "ben")] == [0, 0]
    seen = JournalLine("line-0002", TIME, "seen", page=("csr.pdf", "page 1"))
    added = Decision("csr.pdf", "page 2", 8, 11, "add", "OTHER")
    desk.record("anna", [seen, JournalLine.of_decision(added, id="line-0003", time=TIME)])
    assert desk.pages("csr.pdf", "anna")[0] == PageState("page 1", 3, 3, 0, True)
    assert desk.pages("csr.pdf", "anna")[1].added == 1


def test_a_page_has_findings_with_the_own_decision_only(desk: ReviewDesk) -> None:
    added = Decision("csr.pdf", "page 2", 8, 11, "add", "OTHER")
    desk.record("ben", [JournalLine.of_decision(added, id="line-0001", time=TIME), reject(2, FOUND[4])])
    assert [(one.found.start, one.line) for one in desk.page("csr.pdf", "page 2", "ben")] == [
        (0, None),
        (8, "line-0001"),
        (12, "line-0002"),
    ]
    anna = [one.to_dict() for one in desk.page("csr.pdf", "page 2", "anna")]
    assert [one["action"] for one in anna] == ["reject", None]
    assert "text" not in anna[0]


def test_filters_by_type_source_and_participant(desk: ReviewDesk) -> None:
    def counts(**only: object) -> list[int]:
        shown = FindingFilter(**only)  # type: ignore[arg-type]
        return [one.findings for one in desk.pages("csr.pdf", "anna", only=shown)]

    assert counts(type="NAME") == [2, 1]
    assert counts(source="model") == [1, 2]
    assert counts(subject=2) == [2, 0]
    assert counts(subject=3, type="NAME") == [0, 0]
    kinds = desk.kinds("csr.pdf")
    assert kinds["types"][0] == {"value": "NAME", "findings": 3}
    assert kinds["participants"] == [{"value": 2, "findings": 2}, {"value": 3, "findings": 1}]


def test_the_same_value_is_found_on_pages_that_were_read(desk: ReviewDesk) -> None:
    name = FOUND[0].name_in("csr.pdf")
    desk.take_in("csr.pdf", "page 1", TEXTS["page 1"])
    assert desk.same_value("csr.pdf", name) == FOUND[:2]
    desk.take_in("csr.pdf", "page 2", TEXTS["page 2"])
    assert desk.same_value("csr.pdf", name) == (*FOUND[:2], FOUND[3])
    assert all(desk.has_taken_in("csr.pdf", block) for block in desk.blocks_with_findings("csr.pdf"))


def test_reviewers_and_who_has_finished(desk: ReviewDesk) -> None:
    desk.record("anna", [JournalLine("line-0001", TIME, "finish")])
    desk.record("ben", [reject(1, FOUND[0])])
    assert desk.reviewers() == {"anna": True, "ben": False}
    line = desk.finish_line("anna")
    assert line == "line-0001"
    desk.record("anna", [JournalLine("line-0002", TIME, "undo", of=line)])
    assert not desk.is_finished("anna")
    assert desk.finish_line("anna") is None


def test_decisions_about_what_is_not_there_are_refused(desk: ReviewDesk) -> None:
    nowhere = JournalLine.of_decision(
        Decision("csr.pdf", "page 1", 7, 9, "reject"), id="line-0001", time=TIME
    )
    with pytest.raises(InvalidSetting, match="no finding"):
        desk.record("anna", [nowhere])
    with pytest.raises(InvalidSetting, match="no such page"):
        desk.record("anna", [JournalLine("line-0001", TIME, "seen", page=("csr.pdf", "page 7"))])
    with pytest.raises(InvalidSetting, match="is not a document of"):
        desk.pages("other.pdf", "anna")
    with pytest.raises(UnmatchedDocuments, match="has changed"):
        desk.require("csr.pdf", "b" * 64)
