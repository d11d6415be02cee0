from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.demo import clinical_notes
from reidrisk.detect.model import model as module
from reidrisk.detect.model.file import load_model
from reidrisk.detect.settings import SHIPPED_MODEL
from tests.detect.model.trained import notes, small_model

WORDS = (
    "Name:",
    "Dr.",
    "Ruiz",
    "ruiz",
    "RUIZ",
    "Ann",
    "on",
    "12/03/1946",
    "12",
    ":",
    ".",
    "MRN",
    "\n",
    "\n\n",
    "é",
)
TEXTS = st.lists(
    st.one_of(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), st.text(max_size=30)), max_size=8
)


@settings(max_examples=20)
@given(TEXTS)
def test_texts_looked_at_together_give_what_each_gives_alone(texts: list[str]) -> None:
    model = small_model()
    assert model.find_many(texts, threshold=0.05) == [model.find(text, threshold=0.05) for text in texts]


def test_lines_of_notes_together_and_alone_are_the_same_to_the_last_digit() -> None:
    model = load_model(SHIPPED_MODEL)
    lines = [line for note in clinical_notes(seed=11, documents=4) for line in (note.text or "").splitlines()]
    together = model.find_many(lines)
    assert sum(map(len, together)) > 20
    assert together == [model.find(line) for line in lines]
    assert together == list(reversed(model.find_many(lines[::-1])))


def test_batches_and_long_texts_change_nothing_but_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [note.text or "" for note in notes()[12:16]]
    expected = small_model().find_many(texts)
    monkeypatch.setattr(module, "TOGETHER", max(map(len, texts)) + 1)
    assert small_model().find_many(texts) == expected
    assert any(expected)


def test_findings_of_a_text_in_pieces_stand_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Seen by Dr. Ruiz on 12/03/1946.\n" * 6
    monkeypatch.setattr(module, "LONGEST", 66)
    pieces = small_model().find_many(["Dr. Ruiz", text], threshold=0.05)[1]
    assert pieces
    assert all(text[one.start : one.end].strip() == text[one.start : one.end] for one in pieces)
    assert max(one.start for one in pieces) > 66


def test_no_text_no_findings() -> None:
    assert small_model().find_many([]) == []
    assert small_model().find_many(["", " \n"]) == [[], []]
