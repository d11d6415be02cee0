from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.documents.findings.file import read_findings, write_findings
from reidrisk.documents.findings.finding import Action, Decision, DocumentFinding, DocumentFindings, Review
from reidrisk.documents.findings.journal import JournalLine, ReviewJournal, journal_path, journal_paths
from reidrisk.documents.review.journal import keep, together
from reidrisk.documents.review.opinions import decided
from reidrisk.documents.review.run import review_documents
from reidrisk.errors import InvalidSetting, UnmatchedDocuments, UnreadableFile

FOUND = tuple(DocumentFinding("page 1", at, at + 5, "NAME", 0.9, "model") for at in (0, 10, 20))
DOCUMENT = DocumentFindings("csr.pdf", "a" * 64, ("page 1", "page 2"), FOUND)
HASHES = {"csr.pdf": "a" * 64}


@pytest.fixture
def findings(tmp_path: Path) -> Path:
    path = tmp_path / "findings.json"
    write_findings(path, [DOCUMENT], settings={})
    return path


def line(number: int, action: Action, at: int = 0, kind: str | None = None, minute: int = 0) -> JournalLine:
    decision = Decision("csr.pdf", "page 1", at, at + 5, action, kind)
    return JournalLine.of_decision(decision, id=f"line-{number:04}", time=f"2026-03-01T09:{minute:02}:00Z")


def undo(number: int, of: int) -> JournalLine:
    return JournalLine(f"line-{number:04}", "2026-03-01T09:59:00Z", "undo", of=f"line-{of:04}")


def journal(findings: Path, who: str = "anna") -> ReviewJournal:
    return ReviewJournal.of(findings, who, HASHES)


def left(findings: Path) -> set[tuple[int, str]]:
    file = read_findings(findings)
    return {(one.start, one.type) for one in decided(file.documents[0], file.reviews).findings}


def test_decisions_are_appended_and_read_with_the_findings(findings: Path) -> None:
    own = journal(findings)
    assert own.append([line(1, "reject"), line(2, "retype", 10, "DATE")]) == 2
    first = own.path.read_bytes()
    assert own.append([line(3, "add", 30, "CCI")]) == 1
    assert own.path.read_bytes().startswith(first)
    assert left(findings) == {(10, "DATE"), (20, "NAME"), (30, "CCI")}
    assert [review.reviewer for review in read_findings(findings).reviews] == ["anna"]
    assert journal_paths(findings) == (journal_path(findings, "anna"),)


def test_a_line_that_arrives_twice_counts_once(findings: Path) -> None:
    own, other = journal(findings), journal(findings)
    assert own.append([line(1, "reject"), line(1, "reject")]) == 1
    assert other.append([line(1, "reject"), line(2, "accept", 10)]) == 1
    assert len(own.path.read_text().splitlines()) == 3
    own.refresh()
    assert list(own.lines) == ["line-0001", "line-0002"]


def test_undo_is_a_line_and_can_be_undone(findings: Path) -> None:
    own = journal(findings)
    own.append([line(1, "accept"), line(2, "reject"), undo(3, 2)])
    assert (0, "NAME") in left(findings)
    own.append([undo(4, 3)])
    assert (0, "NAME") not in left(findings)
    assert len(own.lines) == 4
    with pytest.raises(InvalidSetting, match="no such decision"):
        own.append([undo(5, 9)])


def test_what_was_added_can_be_retyped_rejected_and_taken_back(findings: Path) -> None:
    own = journal(findings)
    own.append([line(1, "add", 30, "NAME"), line(2, "retype", 30, "DATE")])
    assert (30, "DATE") in left(findings)
    own.append([line(3, "reject", 30)])
    assert left(findings) == {(0, "NAME"), (10, "NAME"), (20, "NAME")}
    own.append([undo(4, 3)])
    assert (30, "DATE") in left(findings)


def test_a_decision_on_what_another_reviewer_took_back_counts_no_more(findings: Path) -> None:
    anna, ben = journal(findings), journal(findings, "ben")
    anna.append([line(1, "add", 30, "NAME")])
    ben.append([line(2, "reject", 30, minute=5)])
    anna.append([undo(3, 1)])
    assert left(findings) == {(0, "NAME"), (10, "NAME"), (20, "NAME")}


def test_two_reviewers_have_journals_of_their_own_and_differ(findings: Path) -> None:
    seen = JournalLine("line-0009", "2026-03-01T09:00:00Z", "seen", page=("csr.pdf", "page 1"))
    finish = JournalLine("line-0010", "2026-03-01T09:00:00Z", "finish")
    journal(findings).append([line(1, "reject"), seen, finish])
    journal(findings, "Ben O'Neil").append([seen])
    result = review_documents(findings).to_dict()
    assert result["agreement"]["places"] == 3
    assert result["agreement"]["same"] == 2
    assert [one["start"] for one in result["conflicts"]] == [0]
    assert read_findings(findings).finished == ("anna",)
    assert len(journal_paths(findings)) == 2


def test_a_line_that_a_crash_cut_short_is_left_out_and_replaced(findings: Path) -> None:
    own = journal(findings)
    own.append([line(1, "reject")])
    with own.path.open("ab") as file:
        file.write(b'{"id": "line-0002", "ti')
    assert left(findings) == {(10, "NAME"), (20, "NAME")}
    assert journal(findings).append([line(2, "reject", 10)]) == 1
    assert left(findings) == {(20, "NAME")}
    assert len(own.path.read_text().splitlines()) == 3


@pytest.mark.parametrize("torn", [b"", b'{"kind": "docu'])
def test_a_journal_whose_first_line_a_crash_cut_short_is_begun_again(findings: Path, torn: bytes) -> None:
    path = journal_path(findings, "anna")
    path.parent.mkdir()
    path.write_bytes(torn)
    assert read_findings(findings).reviews == ()
    assert journal(findings).append([line(1, "reject")]) == 1
    assert left(findings) == {(10, "NAME"), (20, "NAME")}


@pytest.mark.parametrize(
    ("number", "change"),
    [
        (0, {"kind": "other"}),
        (0, {"schema": 2}),
        (0, {"reviewer": ""}),
        (0, {"documents": []}),
        (1, {"action": "remove"}),
        (1, {"start": "0"}),
        (1, {"start": 9, "end": 3}),
        (1, {"id": "short"}),
        (1, {"time": "noon"}),
        (1, {"patient": "Wilhelmina"}),
    ],
)
def test_damaged_journals_are_refused_by_line(findings: Path, number: int, change: dict[str, Any]) -> None:
    own = journal(findings)
    own.append([line(1, "reject")])
    lines = [json.loads(one) for one in own.path.read_text().splitlines()]
    lines[number] |= change
    own.path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    with pytest.raises(UnreadableFile, match=f"line {number + 1} ") as caught:
        read_findings(findings)
    assert "Wilhelmina" not in str(caught.value)


def test_a_journal_of_other_findings_is_refused(findings: Path) -> None:
    ReviewJournal.of(findings, "anna", {"csr.pdf": "b" * 64}).append([line(1, "reject")])
    with pytest.raises(UnmatchedDocuments, match="other findings"):
        read_findings(findings)
    with pytest.raises(UnmatchedDocuments, match="another version"):
        journal(findings)


def test_review_files_leave_to_journals_what_is_in_them(findings: Path, tmp_path: Path) -> None:
    journal(findings).append([line(1, "reject")])
    file = read_findings(findings)
    beside, elsewhere = tmp_path / "findings.reviewed.json", tmp_path / "other" / "r.json"
    elsewhere.parent.mkdir()
    for target in (beside, elsewhere):
        keep(target, file)
    assert json.loads(beside.read_text())["reviews"] == []
    assert len(json.loads(elsewhere.read_text())["reviews"]) == 1
    assert together([findings, beside]).reviews == file.reviews
    journal(findings).append([undo(2, 1)])
    assert together([findings, beside]).reviews == ()


@given(st.lists(st.tuples(st.sampled_from(["accept", "reject", "undo"]), st.integers(0, 2)), max_size=12))
def test_what_stands_is_what_a_list_without_the_undone_lines_says(
    tmp_path_factory: pytest.TempPathFactory, told: list[tuple[str, int]]
) -> None:
    own = ReviewJournal(tmp_path_factory.mktemp("journals") / "a.jsonl", "anna", HASHES)
    kept: list[tuple[str, JournalLine]] = []
    for number, (action, place) in enumerate(told):
        if action == "undo":
            if kept:
                own.append([JournalLine(f"line-{number:04}", "2026-03-01", "undo", of=kept.pop()[0])])
        else:
            made = line(number, action, 10 * place)  # type: ignore[arg-type]
            kept.append((made.id, made))
            own.append([made])
    last = {one.place: one for _, one in kept}
    assert own.decisions() == last
    again = ReviewJournal.read(own.path) if own.path.exists() else own
    assert again.decisions() == last


def test_reviews_before_the_journal_still_count(findings: Path) -> None:
    review = Review("anna", "2026-02-01T09:00:00Z", (Decision("csr.pdf", "page 1", 0, 5, "reject"),))
    write_findings(findings, [DOCUMENT], settings={}, reviews=[review])
    journal(findings).append([line(1, "accept")])
    assert (0, "NAME") in left(findings)
