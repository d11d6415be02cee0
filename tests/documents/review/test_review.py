from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.documents.findings.file import FindingsFile, read_findings, write_findings
from reidrisk.documents.findings.finding import Action, Decision, DocumentFinding, DocumentFindings, Review
from reidrisk.documents.review.journal import gold_standard, source_texts, together
from reidrisk.documents.review.measure import WantedRecall, draw_pages, measure, pages_needed
from reidrisk.documents.review.opinions import decided
from reidrisk.documents.review.run import ReviewOptions, review_documents, review_time
from reidrisk.documents.review.sheet import Known, read_sheet, write_sheet
from reidrisk.errors import InvalidSetting, NothingToMeasure, UnmatchedDocuments, UnreadableFile
from reidrisk.stats.sample_size import fewest_documents
from tests.documents.making import DAY, PERSON, found_in, txt

PAGES = tuple(f"page {number}" for number in range(1, 21))
FINDINGS = tuple(
    DocumentFinding(page, start, start + 5, kind, 0.9, "model")
    for page in PAGES
    for start, kind in ((0, "NAME"), (10, "DATE"))
)
DOCUMENT = DocumentFindings("csr.pdf", "a" * 64, PAGES, FINDINGS)
FIRST = FINDINGS[0]


def review(who: str, *decisions: Decision, seen: tuple[str, ...] = (), time: str = "1") -> Review:
    return Review(who, time, decisions, tuple(("csr.pdf", page) for page in seen))


def on(finding: DocumentFinding, action: Action, kind: str | None = None) -> Decision:
    return Decision("csr.pdf", *finding.place, action, kind)


def added(page: str, start: int, end: int, kind: str = "NAME") -> Decision:
    return Decision("csr.pdf", page, start, end, "add", kind)


def places(document: DocumentFindings) -> set[tuple[str, int, int, str]]:
    return {(*one.place, one.type) for one in document.findings}


def test_decisions_become_findings() -> None:
    reviews = [
        review("anna", on(FINDINGS[0], "reject"), on(FINDINGS[1], "retype", "AGE"), added("page 1", 30, 34))
    ]
    left = decided(DOCUMENT, reviews)
    assert places(left) - places(DOCUMENT) == {("page 1", 10, 15, "AGE"), ("page 1", 30, 34, "NAME")}
    assert places(DOCUMENT) - places(left) == {("page 1", 0, 5, "NAME"), ("page 1", 10, 15, "DATE")}


def test_the_last_word_of_a_reviewer_counts() -> None:
    reviews = [review("anna", on(FIRST, "accept"), time="2"), review("anna", on(FIRST, "reject"), time="1")]
    assert FIRST in decided(DOCUMENT, reviews).findings


def test_where_reviewers_differ_the_careful_one_wins_unless_most_say_no() -> None:
    reviews = [
        review("anna", on(FIRST, "reject")),
        review("ben", on(FIRST, "reject")),
        review("cy", on(FIRST, "accept")),
    ]
    assert FIRST in decided(DOCUMENT, reviews).findings
    assert FIRST not in decided(DOCUMENT, reviews, rule="majority").findings
    assert FIRST in decided(DOCUMENT, reviews[1:], rule="majority").findings


def test_what_overlaps_becomes_one_and_the_reviewer_says_what() -> None:
    left = decided(DOCUMENT, [review("anna", added("page 1", 3, 12, "ID"))])
    assert ("page 1", 0, 15, "ID") in places(left)


@given(st.lists(st.tuples(st.integers(0, 39), st.sampled_from(["accept", "reject", "add"])), max_size=12))
def test_decided_findings_never_overlap_and_careful_keeps_more(told: list[tuple[int, str]]) -> None:
    reviews = [
        review(
            f"reviewer {number % 3}",
            added("page 1", at, at + 7) if action == "add" else on(FINDINGS[at], action),  # type: ignore[arg-type]
            time=str(number),
        )
        for number, (at, action) in enumerate(told)
    ]
    careful, most = (decided(DOCUMENT, reviews, rule=rule).findings for rule in ("careful", "majority"))
    for one, two in pairwise(careful):
        assert one.block != two.block or one.end <= two.start
    marked = [{(f.block, at) for f in found for at in range(f.start, f.end)} for found in (careful, most)]
    assert marked[1] <= marked[0]


def test_pages_read_as_a_whole_tell_the_recall() -> None:
    reviews = [review("anna", added("page 2", 30, 34), on(FINDINGS[0], "reject"), seen=PAGES[:4])]
    found = measure(FindingsFile(1, {}, (DOCUMENT,), tuple(reviews)))
    assert (found.pages, found.missing, found.identifiers, found.found, found.wrong) == (4, 1, 8, 7, 1)
    assert found.recall is not None
    assert found.recall.value == pytest.approx(7 / 8)
    assert found.by_role == (("direct", 4, 3), ("quasi", 4, 4))


def test_pages_needed_are_those_of_exact_limits() -> None:
    nothing = measure(FindingsFile(1, {}, (DOCUMENT,)))
    wanted = WantedRecall(0.95, 0.99, 0.8)
    needed = pages_needed(wanted, nothing)
    assert nothing.recall is None
    assert needed.none_missed == fewest_documents(0, upper=0.05, level=0.975) == 72
    assert needed.as_seen == needed.none_missed
    assert needed.assured is not None
    assert needed.assured > 72
    assert pages_needed(WantedRecall(0.95, 0.94), nothing).assured is None


def test_agreement_of_two_and_of_three() -> None:
    anna = review("anna", on(FINDINGS[0], "reject"), seen=PAGES[:2])
    ben = review("ben", on(FINDINGS[1], "reject"), added("page 2", 30, 34), seen=PAGES[:2])
    file = FindingsFile(1, {}, (DOCUMENT,), (anna, ben))
    two = review_documents(file).to_dict()
    assert (two["agreement"]["places"], two["agreement"]["same"]) == (5, 2)
    # labels of both: none/NAME, DATE/none, NAME/NAME, DATE/DATE, none/NAME
    assert two["agreement"]["kappa"] == pytest.approx((2 / 5 - 7 / 25) / (1 - 7 / 25))
    assert len(two["conflicts"]) == 3
    assert two["conflicts"][0]["kind"] == "identifier or not"
    three = review_documents(file, reviews=[review("cy", seen=PAGES[:2])]).to_dict()
    assert len(three["pairs"]) == 3
    assert three["agreement"]["reviewers"] == ("anna", "ben", "cy")
    assert review_documents(FindingsFile(1, {}, (DOCUMENT,), (anna,))).agreement is None


def test_pages_drawn_are_the_same_for_a_seed_and_more_hold_the_fewer() -> None:
    few, many = (set(draw_pages([DOCUMENT], number, seed=7)) for number in (3, 9))
    assert len(few) == 3
    assert few < many
    assert set(draw_pages([DOCUMENT], 3, seed=8)) != few
    assert len(draw_pages([DOCUMENT], 500, seed=7)) == 20
    drawn = review_documents(FindingsFile(1, {}, (DOCUMENT,)), options=ReviewOptions(sample="enough"))
    assert len(drawn.drawn) == 20


@pytest.mark.parametrize("name", ["sheet.csv", "sheet.yaml"])
def test_a_sheet_goes_out_and_comes_back(tmp_path: Path, name: str) -> None:
    source = txt(tmp_path / "csr.txt")
    file = FindingsFile(1, {}, (found_in(source),))
    texts = source_texts(file, [source])
    sheet = tmp_path / name
    write_sheet(sheet, file, pages=(("csr.txt", "text"),), texts=None)
    assert PERSON not in sheet.read_text()
    rows = write_sheet(sheet, file, pages=(("csr.txt", "text"),), texts=texts)
    assert rows == 5
    assert PERSON in sheet.read_text()
    filled = sheet.read_text()
    if name.endswith("csv"):
        lines = filled.splitlines()
        at = lines[0].split(",").index("decision")

        def fill(number: int, *cells: str) -> None:
            own = lines[number].split(",")
            own[at : at + len(cells)] = cells
            lines[number] = ",".join(own)

        fill(1, "accept")
        fill(2, "reject")
        fill(3, "retype", "OTHER")
        fill(5, "seen")
        lines.append(",csr.txt,text,,,,DOSE,,,add,,,54  mg,")
        filled = "\n".join(lines)
    else:
        parts = filled.split("decision: ''")
        filled = "decision: accept".join(parts[:2]) + "decision: reject" + parts[2]
        filled += "decision: retype" + parts[3].replace("new_type: ''", "new_type: OTHER")
        filled += "decision: ''" + parts[4] + "decision: seen" + parts[5]
        filled += "- {document: csr.txt, block: text, decision: add, type: DOSE, text: 54 mg}\n"
    sheet.write_text(filled)
    decisions, seen = read_sheet(sheet, Known(file, texts))
    assert [one.action for one in decisions] == ["accept", "reject", "retype", "add", "add"]
    assert [one.type for one in decisions] == [None, None, "OTHER", "DOSE", "DOSE"]
    assert seen == [("csr.txt", "text")]
    whole = texts["csr.txt", "text"]
    assert {whole[one.start : one.end] for one in decisions[3:]} == {"54 mg"}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("x,csr.txt,text,,,,,,,accept,", "no finding"),
        (",csr.txt,text,,,,,,,maybe,", "decision is none"),
        (",csr.txt,text,,1,2,,,,add,", "type is missing"),
        (",csr.txt,text,,,,DATE,,,add,", "no place"),
        (",csr.txt,page 9,,1,2,DATE,,,add,", "no block"),
        (",other.txt,text,,1,2,DATE,,,add,", "is not a document of"),
        (",csr.txt,text,,1,99999,DATE,,,add,", "holds no text"),
        (",csr.txt,text,,5,2,DATE,,,add,", "holds no text"),
    ],
)
def test_rows_that_make_no_sense_are_named(tmp_path: Path, row: str, said: str) -> None:
    source = txt(tmp_path / "csr.txt")
    file = FindingsFile(1, {}, (found_in(source),))
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(
        f"id,document,block,section,start,end,type,confidence,found_by,decision,new_type\n{row}\n"
    )
    with pytest.raises(UnreadableFile, match=r"row 2") as refused:
        read_sheet(sheet, Known(file, source_texts(file, [source])))
    assert said in str(refused.value)


def test_files_of_several_reviewers_come_together(tmp_path: Path) -> None:
    for name in ("anna", "ben"):
        write_findings(
            tmp_path / f"{name}.json", [DOCUMENT], settings={}, reviews=[review(name, on(FIRST, "accept"))]
        )
    file = together([tmp_path / "anna.json", tmp_path / "ben.json", tmp_path / "anna.json"])
    assert [one.reviewer for one in file.reviews] == ["anna", "ben"]
    other = DocumentFindings("csr.pdf", "a" * 64, PAGES, FINDINGS[1:])
    write_findings(tmp_path / "other.json", [other], settings={})
    with pytest.raises(UnmatchedDocuments, match="other findings"):
        together([tmp_path / "anna.json", tmp_path / "other.json"])
    stray = FindingsFile(1, {}, (DOCUMENT,), (review("anna", Decision("csr.pdf", "page 1", 2, 4, "reject")),))
    with pytest.raises(UnmatchedDocuments, match="not among the findings"):
        review_documents(stray)


def test_reviewed_pages_become_a_gold_standard(tmp_path: Path) -> None:
    import reidrisk as rr

    source = txt(tmp_path / "csr.txt")
    found = found_in(source, PERSON)
    file = FindingsFile(1, {}, (found,))
    texts = source_texts(file, [source])
    with pytest.raises(NothingToMeasure, match="no gold standard"):
        gold_standard(file, texts)
    more = Known(file, texts).written("csr.txt", "text", DAY, "DATE")
    seen = Review("anna", "1", tuple(more), (("csr.txt", "text"),))
    gold, tool = gold_standard(FindingsFile(1, {}, (found,), (seen,)), texts)
    risk = rr.evaluate_text(gold, tool, seed=7).to_dict()
    rows = {row["type"]: row["micro_recall"] for row in risk["by_type"]}
    assert rows == {"NAME": 1.0, "DATE": 0.0}
    with pytest.raises(NothingToMeasure, match="not at hand"):
        gold_standard(FindingsFile(1, {}, (found,), (seen,)), {})


def test_times_are_kept_in_utc() -> None:
    assert review_time("2026-03-01T10:30:00+01:00") == "2026-03-01T09:30:00Z"
    assert review_time("2026-03-01") == "2026-03-01T00:00:00Z"
    assert review_time(None).endswith("Z")
    with pytest.raises(InvalidSetting, match="time"):
        review_time("yesterday")


def test_reviews_are_written_and_read(tmp_path: Path) -> None:
    write_findings(
        tmp_path / "a.json", [DOCUMENT], settings={}, reviews=[review("anna", on(FIRST, "retype", "ID"))]
    )
    assert read_findings(tmp_path / "a.json").reviews[0].decisions[0].type == "ID"


def test_what_is_confidential_is_no_leak() -> None:
    reviews = [review("anna", added("page 1", 30, 60, "CCI"), on(FINDINGS[1], "retype", "CCI"), seen=PAGES)]
    left = decided(DOCUMENT, reviews)
    marked = {one.place: one.category for one in left.findings if not one.is_personal}
    assert marked == {("page 1", 30, 60): "CCI", ("page 1", 10, 15): "CCI"}
    measured = measure(FindingsFile(1, {}, (DOCUMENT,), tuple(reviews)))
    assert (measured.missing, measured.wrong) == (0, 0)
    assert measured.identifiers == measured.found == len(FINDINGS) - 1
    missed = [review("anna", added("page 1", 30, 60, "NAME"), seen=PAGES)]
    assert measure(FindingsFile(1, {}, (DOCUMENT,), tuple(missed))).missing == 1


def test_what_tells_of_somebody_stays_personal_within_what_is_confidential() -> None:
    left = decided(DOCUMENT, [review("anna", added("page 1", 3, 20, "cci"))])
    first = [(one.start, one.end, one.category) for one in left.findings if one.block == "page 1"]
    assert first == [(0, 5, "PPD"), (5, 10, "CCI"), (10, 15, "PPD"), (15, 20, "CCI")]


def test_a_gold_standard_has_nothing_confidential() -> None:
    file = FindingsFile(
        1,
        {},
        (DOCUMENT,),
        (review("anna", added("page 1", 30, 40, "CCI"), on(FIRST, "retype", "CCI"), seen=("page 1",)),),
    )
    gold, tool = gold_standard(file, {("csr.pdf", "page 1"): "x" * 50})
    assert gold.documents[0].annotations == tool.documents[0].annotations
    assert [one.type for one in gold.documents[0].annotations] == ["DATE"]


def test_a_sheet_marks_what_is_confidential(tmp_path: Path) -> None:
    source = txt(tmp_path / "csr.txt")
    document = found_in(source)
    file = FindingsFile(1, {}, (document,))
    name = document.findings[0].name_in("csr.txt")
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(f"id,document,block,start,end,decision\n{name},,,,,cci\n,csr.txt,text,0,4,CCI\n")
    decisions, _ = read_sheet(sheet, Known(file, source_texts(file, [source])))
    assert [(one.action, one.type) for one in decisions] == [("retype", "CCI"), ("add", "CCI")]
