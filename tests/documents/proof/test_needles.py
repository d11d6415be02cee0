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
    proof = prove(tmp_path / "new.txt", ["N Placebo"], kept=kept, before=before, texts=READERS, contents=())
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
