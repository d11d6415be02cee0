from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.demo import case_study_tool, clinical_notes
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.leaks import LeakList, write_leaks
from reidrisk.text.matching import Mask
from tests.text.builders import document, found

GOLD = document("[PATIENTd:Jane Doe] of [CITYq:Graz], seen by [DOCTORd:Dr. Ann Lee] on [DATEq:3 May].", "n1")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_leak_is_listed_with_its_place_and_what_was_masked() -> None:
    leaks = LeakList()
    rr.evaluate_text([GOLD], [found(GOLD, "Jane", "Graz", "Ann Lee")], leaks=leaks)
    listed = [
        (leak.document, leak.type, leak.role, leak.start, leak.end, leak.masked) for leak in leaks.leaks
    ]
    assert listed == [
        ("n1", "PATIENT", "direct", 0, 8, ((0, 4),)),
        ("n1", "DATE", "quasi", 41, 46, ()),
    ], "the title of the doctor needs no masking"
    assert (leaks.leaks[0].words, leaks.leaks[0].masked_words) == (2, 1)


def test_the_list_is_as_long_as_the_result_says() -> None:
    notes = clinical_notes(seed=7)
    leaks = LeakList()
    result = rr.evaluate_text(notes, case_study_tool(notes, seed=7), leaks=leaks).to_dict()
    assert len(leaks) == sum(row["leaked_instances"] for row in result["by_type"]) == 164


def test_labels_and_groups_count_as_in_the_evaluation() -> None:
    counting = rr.Counting(types=rr.TypeMap(groups={"PATIENT": "NAME", "DOCTOR": "NAME"}))
    chosen = rr.text_settings("recommended", {"label": "same_label"})
    tool = found(GOLD, "Jane Doe", "Graz", "Ann Lee", "3 May", label="NAME")
    leaks = LeakList()
    rr.evaluate_text([GOLD], [tool], counting=counting, settings=chosen, leaks=leaks)
    assert [(leak.type, leak.counted_as) for leak in leaks.leaks] == [("CITY", "CITY"), ("DATE", "DATE")]


@pytest.mark.parametrize("show", [False, True])
def test_the_text_is_written_only_if_asked_for(tmp_path: Path, show: bool) -> None:
    leaks = LeakList(show_text=show)
    rr.evaluate_text([GOLD], [Document("n1", ())], leaks=leaks)
    write_leaks([("tool", leaks)], tmp_path / "leaks.csv", show_text=show)
    written = (tmp_path / "leaks.csv").read_text(encoding="utf-8")
    assert ("Jane" in written) is show
    assert [row["type"] for row in rows(tmp_path / "leaks.csv")] == ["PATIENT", "CITY", "DOCTOR", "DATE"]
    assert "Jane" not in repr(leaks.leaks)


def test_pieces_of_a_discontinuous_mark(tmp_path: Path) -> None:
    gold = Document("n", (Annotation(0, 12, "NAME", "direct", None, ((0, 4), (8, 12))),), "Jane of Lee.")
    leaks = LeakList(show_text=True)
    rr.evaluate_text([gold], [Document("n", (Annotation(2, 10, "PHI"),))], leaks=leaks)
    assert leaks.leaks[0].masked == ((2, 4), (8, 10))
    assert leaks.leaks[0].text == "Jane Lee."


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 8)), max_size=6), st.integers(0, 30))
def test_masked_parts_are_exactly_the_masked_characters(marks: list[tuple[int, int]], start: int) -> None:
    mask = Mask(Annotation(at, at + size, "X") for at, size in marks)
    pieces = mask.within([(start, start + 9)])
    inside = {place for first, last in pieces for place in range(first, last)}
    assert inside == {place for place in range(start, start + 9) if mask.covers(place, place + 1)}
