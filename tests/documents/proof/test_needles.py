"""Readers put words in other orders: what they make up is told from what was left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.documents.document import Reader
from reidrisk.documents.proof.needles import Before, FixedForms, Needles, counted, words_of
from reidrisk.documents.proof.prove import prove
from reidrisk.documents.proof.texts import Again


def by_columns(path: Path) -> Iterator[tuple[str, str]]:
    """A reader that puts the second half of each line before the first."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        left, _, right = line.partition("|")
        yield f"line {number}", f"{right} {left}"


READERS: tuple[Reader, ...] = (by_columns,)


def hits(
    tmp_path: Path, old: str, new: str, before: Before | None, kept: dict[str, int] | None = None
) -> set[int]:
    (tmp_path / "new.txt").write_text(new)
    (tmp_path / "old.txt").write_text(old)
    proof = prove(
        tmp_path / "new.txt", ["N Placebo"], given=0, kept=kept, before=before, texts=READERS, contents=()
    )
    return {hit.value for hit in proof.hits}


def test_words_that_a_reader_puts_side_by_side_are_no_value(tmp_path: Path) -> None:
    old, new = "N Placebo|a\nPlacebo|N", "PPD|a\nPlacebo|N"
    gone = {"N Placebo": 1}
    loose = Before(tmp_path / "old.txt", gone, frozenset(["N Placebo"]), {"n": 1, "placebo": 1})
    assert hits(tmp_path, old, new, None) == {1}
    assert hits(tmp_path, old, new, loose) == set()
    assert hits(tmp_path, old, old, loose) == {1}
    strict = Before(tmp_path / "old.txt", gone)
    assert hits(tmp_path, old, new, strict) == {1}


def test_a_reader_that_always_counted_more_is_believed(tmp_path: Path) -> None:
    old, new = "N Placebo|\nN Placebo|\nPlacebo|N", "PPD|\nN Placebo|\nPlacebo|N"
    before = Before(tmp_path / "old.txt", {"N Placebo": 1})
    kept = {"N Placebo": 1}
    assert hits(tmp_path, old, new, None, kept) == {1}
    assert hits(tmp_path, old, new, before, kept) == set()
    assert hits(tmp_path, old, old, before, kept) == {1}


@given(
    st.lists(st.text("ab1-", min_size=1, max_size=5), min_size=1, max_size=8), st.text("ab1- ", max_size=60)
)
def test_all_forms_are_found_wherever_they_stand(forms: list[str], text: str) -> None:
    expected = {(at, form) for form in forms for at in range(len(text)) if text.startswith(form, at)}
    assert set(FixedForms(forms).places(text)) == expected


@pytest.mark.parametrize("value", ["é\U0001f600z", "\ud800ab", "ab\U0010ffff"])
def test_any_characters_are_found(value: str) -> None:
    assert list(FixedForms([value]).places(f"x{value}x")) == [(1, value)]


def test_numbers_of_two_cells_are_no_value() -> None:
    needles = Needles({1: "54", 2: "5432", 3: "Ann Lee", 4: "5432198"})
    assert needles.found("54\n32 Ann\nLee") == {1, 3}
    assert needles.found("5432\n198, 5432") == {2, 4}
    assert needles.found("5\n4") == set()
    assert needles.counts("54, 54 and 154; ann  lee") == {1: 2, 3: 1}
    assert counted("Lee, Ann-Lee", "lee") == 2
    assert words_of("Ann-Lee, 54 mg") == ["ann", "lee", "54", "mg"]


GIVEN = {
    "a longer number": ("321", "43215 and 1321", False),
    "a number by itself": ("321", "room 321.", True),
    "a longer word": ("report", "reporting", False),
    "an underscore parts words": ("Kowalski", "file_Kowalski.pdf", True),
    "underscores for spaces": ("Jan Kowalski", "CV_Jan_Kowalski.pdf", True),
    "another case": ("Right", "to the RIGHT", True),
    "ligatures drawn": ("first", "the \ufb01rst one", True),
    "ligatures pasted": ("The \ufb01rst", "the first one", True),
    "soft hyphens and zero width": ("Kowalski", "Ko\u00adwal\u200bski", True),
    "kinds of spaces": ("Jan Kowalski", "Jan\u00a0\n  Kowalski", True),
    "words run together": ("Jan Kowalski", "the JanKowalski file", True),
    "short words run together": ("A 4", "an A4 page", False),
    "hyphenated": ("Kowalski", "x Kowal-\nski y", True),
    "a value with a hyphen": ("DEMO-301", "in DEMO-\n301 here", True),
    "lines of a cell": ("getToC", "one\nget\nToC\ntwo", True),
    "Chinese": ("田中太郎", "患者田中太郎は来た", True),
    "Chinese over a line": ("田中太郎", "患者田中\n太郎は来た", True),
    "a particle of Korean": ("김철수", "김철수는 왔다", True),
    "Thai": ("สมชาย", "นายสมชายมา", True),
    "a prefix of Arabic": ("محمد", "قال لمحمد", True),
    "Hebrew as it is drawn": ("כלבלב", "x בלבלכ y", True),
    "two words of Hebrew as drawn": ("דוד כהן", "x ןהכ דוד y", True),
    "Arabic letters as they are drawn": (
        "سلام",
        "\ufee1\ufefc\ufeb3",
        True,
    ),
}


@pytest.mark.parametrize("case", GIVEN)
def test_a_given_value_counts_in_all_its_forms_as_a_whole_word(case: str) -> None:
    value, text, there = GIVEN[case]
    assert bool(Needles({1: value}, given=[1]).found(text)) is there


def test_words_that_are_one_above_the_other_are_no_broken_value(tmp_path: Path) -> None:
    def proved(text: str, *values: str) -> set[int]:
        (tmp_path / "new.txt").write_text(text)
        proof = prove(tmp_path / "new.txt", values, texts=[whole], contents=())
        return {hit.value for hit in proof.hits}

    assert proved("come with\nin time, with him in it", "within") == set()
    assert proved("pageCo\nunt and pageCo\nunt, a page", "pageCount", "counts") == {1}


def test_a_text_in_another_order_is_searched_and_not_counted(tmp_path: Path) -> None:
    def twice(path: Path) -> Iterator[tuple[str, str]]:
        yield "sheet 1 (twice)", path.read_text()
        yield "sheet 1 (twice)", Again("54 Lee, Ann Lee")

    (tmp_path / "new.txt").write_text("54 Ann, Lee")
    proof = prove(tmp_path / "new.txt", ["54", "Ann Lee"], kept={"54": 1}, texts=[twice], contents=())
    assert {hit.value for hit in proof.hits} == {2}


def whole(path: Path) -> Iterator[tuple[str, str]]:
    """All of a text."""
    yield "page 1 (whole)", path.read_text()
