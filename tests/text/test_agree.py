from __future__ import annotations

import csv
import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.demo import clinical_notes
from reidrisk.errors import BadData, InvalidSetting, MisalignedOffsets, NothingToMeasure, UnmatchedDocuments
from reidrisk.text.agreement import TextAgreement
from reidrisk.text.conflicts import MarkedPlace, key_of, mark_text, marked_places, read_mark, union
from reidrisk.text.corpus import Annotation, Document, Role

TEXT = "Jane Doe, 41, of Graz, seen by Ann Lee on 3 May 2019."


def mark(surface: str, kind: str, role: Role | None = None) -> Annotation:
    start = TEXT.index(surface)
    return Annotation(start, start + len(surface), kind, role)


def by(*marks: Annotation, name: str = "n1", text: str | None = TEXT) -> list[Document]:
    return [Document(name, marks, text)]


JANE, GRAZ, ANN = mark("Jane Doe", "NAME"), mark("Graz", "CITY"), mark("Ann Lee", "NAME")


def merged(result: TextAgreement) -> list[tuple[str, str]]:
    return [(one.type, TEXT[one.start : one.end]) for one in result.gold.documents[0].annotations]


def test_annotators_who_agree_have_no_conflict() -> None:
    result = rr.agree_annotators({"a": by(JANE, GRAZ), "b": by(JANE, GRAZ)})
    assert result.overall.f1 == result.overall.kappa == result.overall.gamma == 1
    assert (result.agreed, result.conflicts, result.acceptable) == (2, (), True)
    assert merged(result) == [("NAME", "Jane Doe"), ("CITY", "Graz")]


def test_the_measures_on_a_case_that_can_be_counted_by_hand() -> None:
    """Two marks of the first, three of the second, one the same and one shorter; 13 words."""
    short = mark("Jane", "NAME")
    result = rr.agree_annotators({"a": by(JANE, GRAZ), "b": by(short, GRAZ, ANN)})
    assert result.words == 13
    assert result.overall.f1 == pytest.approx(2 * 1 / 5)
    assert result.overall.f1_overlap == pytest.approx(4 / 5)
    # Words: the first marks Jane, Doe (NAME), Graz (CITY); the second Jane, Ann, Lee (NAME), Graz.
    chance = (2 * 3 + 1 * 1 + 10 * 9) / 13**2
    seen = (1 + 1 + 8) / 13
    assert result.overall.kappa == pytest.approx((seen - chance) / (1 - chance))
    city = {one.type: one for one in result.by_type}["CITY"]
    assert (city.agreement.f1, city.conflicts) == (1, 0)


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ((JANE,), (), "missing"),
        ((JANE,), (mark("Jane", "NAME"),), "boundaries"),
        ((JANE,), (mark("Jane Doe", "DOCTOR"),), "type"),
        ((mark("Jane Doe", "NAME", "direct"),), (mark("Jane Doe", "NAME", "quasi"),), "role"),
        ((JANE,), (mark("Doe", "DOCTOR"),), "mixed"),
    ],
)
def test_conflicts_are_told_by_kind(
    first: tuple[Annotation, ...], second: tuple[Annotation, ...], kind: str
) -> None:
    result = rr.agree_annotators({"a": by(*first, GRAZ), "b": by(*second, GRAZ)})
    assert [one.kind for one in result.conflicts] == [kind]
    assert result.to_dict()["conflicts"] == {kind: 1}
    assert (result.open, result.acceptable) == (1, False)


def test_a_majority_decides_and_a_tie_stays_open_and_marked() -> None:
    three = {"a": by(JANE, GRAZ), "b": by(JANE), "c": by(JANE, ANN)}
    result = rr.agree_annotators(three)
    assert merged(result) == [("NAME", "Jane Doe")]
    assert {one.settled for one in result.conflicts} == {"majority"}
    tie = rr.agree_annotators({"a": by(JANE, GRAZ), "b": by(JANE)})
    assert merged(tie) == [("NAME", "Jane Doe"), ("CITY", "Graz")]
    assert [one.settled for one in tie.conflicts] == ["open"]


def test_other_rules_leave_nothing_open() -> None:
    two = {"a": by(mark("Jane", "NAME")), "b": by(JANE, ANN)}
    assert merged(rr.agree_annotators(two, rule="union")) == [("NAME", "Jane Doe"), ("NAME", "Ann Lee")]
    assert merged(rr.agree_annotators(two, rule="first")) == [("NAME", "Jane")]
    assert all(rr.agree_annotators(two, rule=rule).acceptable for rule in ("union", "first"))


def test_a_tied_role_is_the_careful_one_and_open() -> None:
    two = {"a": by(mark("Graz", "CITY", "quasi")), "b": by(mark("Graz", "CITY", "direct"))}
    result = rr.agree_annotators(two)
    assert result.gold.documents[0].annotations[0].role == "direct"
    assert result.open == 1


def test_a_role_that_only_one_states_is_no_conflict() -> None:
    result = rr.agree_annotators({"a": by(GRAZ), "b": by(mark("Graz", "CITY", "direct"))})
    assert (result.conflicts, result.acceptable) == ((), True)
    assert result.gold.documents[0].annotations[0].role == "direct"


def test_entity_ids_of_two_people_are_not_mixed() -> None:
    first = by(replace(JANE, entity="1"), replace(ANN, entity="2"))
    second = by(replace(JANE, entity="7"), replace(GRAZ, entity="1"), replace(ANN, entity="3"))
    result = rr.agree_annotators({"a": first, "b": second})
    entities = {one.type + str(one.start): one.entity for one in result.gold.documents[0].annotations}
    assert entities == {"NAME0": "1", "CITY17": None, f"NAME{ANN.start}": "2"}
    assert any("Entity ids" in warning for warning in result.to_dict()["warnings"])


def conflicts_file(result: TextAgreement, path: Path, decisions: list[str]) -> Path:
    result.write_conflicts(path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row, decision in zip(rows, decisions, strict=True):
        row["decision"] = decision
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        ("a", [("NAME", "Jane Doe")]),
        ("b", [("NAME", "Jane")]),
        ("all", [("NAME", "Jane Doe")]),
        ("none", []),
        ("DOCTOR/direct 5-8; NAME 0-4", [("NAME", "Jane"), ("DOCTOR", "Doe")]),
    ],
)
def test_decisions_settle_conflicts(tmp_path: Path, decision: str, expected: list[tuple[str, str]]) -> None:
    two = {"a": by(JANE, GRAZ), "b": by(mark("Jane", "NAME"), GRAZ)}
    path = conflicts_file(rr.agree_annotators(two), tmp_path / "conflicts.csv", [decision])
    result = rr.agree_annotators(two, decisions=path)
    assert merged(result) == [*expected, ("CITY", "Graz")]
    assert result.to_dict()["settled"] == {"decision": 1}
    assert result.acceptable


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("n1,0,8,carol", "the decision is not understood"),
        ("n1,0,8,NAME 0-99", "beyond the end of the text"),
        ("n1,0,8,NAME 8-0", "the decision is not understood"),
        ("n1,3,8,a", "where there is no conflict"),
        ("n1,zero,8,a", "row 2, has no document, start or end"),
        ("n1,0,8,a\nn1,0,8,b", "row 3, decides the same conflict again"),
    ],
)
def test_decisions_that_do_not_fit_are_refused(tmp_path: Path, row: str, problem: str) -> None:
    path = tmp_path / "decisions.csv"
    path.write_text(f"document,start,end,decision\n{row}\n", encoding="utf-8")
    with pytest.raises(BadData, match=problem) as refused:
        rr.agree_annotators({"a": by(JANE), "b": by(mark("Jane", "NAME"))}, decisions=path)
    assert "Jane" not in str(refused.value)


def test_the_list_of_conflicts_holds_text_only_if_asked_for(tmp_path: Path) -> None:
    result = rr.agree_annotators({"a": by(JANE), "b": by()})
    result.write_conflicts(tmp_path / "plain.csv")
    result.write_conflicts(tmp_path / "shown.csv", show_text=True)
    assert "Jane" not in (tmp_path / "plain.csv").read_text(encoding="utf-8")
    assert "Jane Doe" in (tmp_path / "shown.csv").read_text(encoding="utf-8")
    assert "Jane" not in repr(result) + str(result.to_dict())


def test_documents_that_not_everybody_has() -> None:
    first = [*by(JANE), *by(GRAZ, name="n2")]
    with pytest.raises(UnmatchedDocuments, match=r"Document 'n2' is missing from 1 annotator: b"):
        rr.agree_annotators({"a": first, "b": by(JANE)})
    result = rr.agree_annotators(
        {"a": first, "b": by(JANE), "c": [*by(JANE), *by(name="n2")]}, unmatched="allow"
    )
    assert (result.documents, result.all_documents) == (1, 2)
    assert result.conflicts[0].place.marks == ((GRAZ,), (), ())
    assert any("not annotated by everybody" in warning for warning in result.to_dict()["warnings"])


def test_what_cannot_be_compared_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match="two or more annotators"):
        rr.agree_annotators({"a": by(JANE)})
    with pytest.raises(InvalidSetting, match="rule"):
        rr.agree_annotators({"a": by(), "b": by()}, rule="loudest")  # type: ignore[arg-type]
    with pytest.raises(MisalignedOffsets, match="different texts"):
        rr.agree_annotators({"a": by(JANE), "b": by(JANE, text=TEXT.upper())})
    with pytest.raises(MisalignedOffsets, match="ends beyond the end of the text"):
        rr.agree_annotators({"a": by(JANE), "b": by(Annotation(50, 99, "NAME"), text=None)})
    with pytest.raises(BadData, match="contains the text"):
        rr.agree_annotators({"a": by(JANE, text=None), "b": by(JANE, text=None)})
    with pytest.raises(NothingToMeasure, match="Nobody marked anything"):
        rr.agree_annotators({"a": by(), "b": by()})


def test_files_of_different_formats_meet(tmp_path: Path) -> None:
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "n1.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "ann" / "n1.ann").write_text("T1\tNAME 0 8\tJane Doe\n", encoding="utf-8")
    line = {"doc_id": "n1", "entities": [{"start": 0, "end": 8, "type": "NAME", "text": "Jane Doe"}]}
    (tmp_path / "bob.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    result = rr.agree_annotators([tmp_path / "ann", tmp_path / "bob.jsonl"])
    assert [name for name, _ in result.annotators] == ["ann", "bob"]
    assert result.overall.f1 == 1
    result.write_gold(tmp_path / "gold.jsonl")
    assert next(rr.read_documents(tmp_path / "gold.jsonl")).text == TEXT


def test_three_annotators_of_notes_are_merged_close_to_the_truth() -> None:
    """Each forgets every 25th mark, another one each: the majority has them all."""
    notes = clinical_notes(documents=12, seed=3)
    people = {
        str(who): [
            replace(note, annotations=tuple(m for at, m in enumerate(note.annotations) if at % 25 != who))
            for note in notes
        ]
        for who in range(3)
    }
    result = rr.agree_annotators(people)
    assert result.open == 0
    assert [set(map(key_of, one.annotations)) for one in result.gold] == [
        set(map(key_of, note.annotations)) for note in notes
    ]
    assert 0.9 < result.overall.kappa < 1
    assert 0.9 < result.overall.gamma < 1


SPANS = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 12), st.sampled_from("AB")), max_size=5)


def marks_of(spans: list[tuple[int, int, str]]) -> tuple[Annotation, ...]:
    return tuple(Annotation(start, start + size, kind) for start, size, kind in spans)


@given(SPANS, SPANS, SPANS)
def test_places_hold_every_mark_once_and_do_not_overlap(
    first: list[tuple[int, int, str]], second: list[tuple[int, int, str]], third: list[tuple[int, int, str]]
) -> None:
    everybody = [marks_of(spans) for spans in (first, second, third)]
    found = marked_places(everybody)
    for who, own in enumerate(everybody):
        assert sorted(map(key_of, own)) == sorted(key_of(m) for place in found for m in place.marks[who])
    assert all(one.end <= other.start for one, other in pairwise(found))


@given(SPANS, SPANS)
def test_the_union_covers_what_anybody_marked_and_no_more(
    first: list[tuple[int, int, str]], second: list[tuple[int, int, str]]
) -> None:
    for place in marked_places([marks_of(first), marks_of(second)]):
        marked = {at for own in place.marks for m in own for at in range(m.start, m.end)}
        kept = [at for m in union(place, "x" * 60) for at in range(m.start, m.end)]
        assert set(kept) == marked
        assert len(kept) == len(marked), "no character is marked twice"


@given(st.sampled_from(["NAME", "Last Name", "A/B"]), st.sampled_from([None, "direct", "quasi", "ignored"]))
def test_a_mark_is_read_as_it_is_written(kind: str, role: Role | None) -> None:
    for fragments in ((), ((3, 5), (7, 9))):
        one = Annotation(3, 9, kind, role, None, fragments)
        assert read_mark(mark_text(one)) == one
    assert read_mark("NAME three-five") is None
    assert read_mark("NAME 5-3") is None
    assert read_mark("3-5") is None
    assert MarkedPlace(((JANE,), ())).start == 0
