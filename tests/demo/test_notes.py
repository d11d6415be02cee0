"""The generated notes: exact counts, sane gold standard, nothing unmarked, readable text."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest
from tests.papers.test_scaiano_2016 import TABLE_5 as PUBLISHED

from reidrisk.demo import clinical_notes
from reidrisk.demo.plan import table_for
from reidrisk.errors import InvalidSetting
from reidrisk.text.corpus import Corpus, Document

DIRECT = {"ID", "PHONE", "STREET", "NAME"}
PATTERNS = {
    "ID": r"[A-Z]*-?\d[\d-]{5,}",
    "PHONE": r"(\(\d{3}\) |\d{3}-)555-01\d\d",
    "STREET": r"\d+ [A-Z][\w ]+(, Apt \d+[A-D])?",
    "NAME": r"[^\W\d_][\w'’ ,-]+",
    "DATE": r"\d\d/\d\d/\d{4}|\d{4}-\d\d-\d\d|[A-Z][a-z]+ \d{1,2}, \d{4}|\d{1,2} [A-Z][a-z]{2} \d{4}",
    "ORGANIZATION": r"[A-Z][\w ]+",
    "AGE": r"\d\d",
    "ZIP": r"\d{5}",
    "COUNTRY": r"[A-Z]\w+",
    "STATE": r"[A-Z]{2}|[A-Z]\w+( [A-Z]\w+)?",
    "CITY": r"[A-Z]\w+( [A-Z]\w+)*",
}
SEEDS = [0, 7, 123]


@cache
def notes(seed: int = 7, documents: int = 120) -> Corpus:
    return clinical_notes(seed=seed, documents=documents)


def counted(corpus: Corpus) -> dict[str, tuple[int, int]]:
    annotations = Counter(mark.type for note in corpus for mark in note.annotations)
    holding = Counter(type_ for note in corpus for type_ in {mark.type for mark in note.annotations})
    return {type_: (holding[type_], annotations[type_]) for type_ in annotations}


def blanked(note: Document) -> str:
    """The text with every gold annotation replaced by blanks."""
    characters = list(note.text or "")
    for mark in note.annotations:
        characters[mark.start : mark.end] = " " * (mark.end - mark.start)
    return "".join(characters)


@pytest.mark.parametrize("seed", [*SEEDS, 2024])
def test_counts_are_those_of_the_case_study(seed: int) -> None:
    assert counted(notes(seed)) == PUBLISHED


def test_groups_of_thirty() -> None:
    groups = Counter(note.id.rsplit("-", 1)[0] for note in notes())
    assert groups == {"random": 30, "social-work": 30, "history-physical": 30, "progress": 30}
    assert "social-work-001" in {note.id for note in notes()}


@pytest.mark.parametrize("documents", [4, 5, 17, 40, 89, 300])
def test_other_sizes_are_in_proportion(documents: int) -> None:
    corpus = notes(3, documents)
    assert len(corpus) == documents
    assert counted(corpus) == {row.type: (row.documents, row.annotations) for row in table_for(documents)}
    for type_, (holding, marks) in counted(corpus).items():
        assert abs(holding - PUBLISHED[type_][0] * documents / 120) <= 1
        assert abs(marks - PUBLISHED[type_][1] * documents / 120) <= 1


def test_no_type_is_ever_planned_beyond_what_a_document_may_hold() -> None:
    for documents in range(4, 400):
        assert all(row.annotations <= row.documents * row.most for row in table_for(documents))
        assert all(row.documents <= documents for row in table_for(documents))


@pytest.mark.parametrize("documents", [-1, 0, 3])
def test_too_few_documents_are_refused(documents: int) -> None:
    with pytest.raises(InvalidSetting, match="Hint: Request at least 4"):
        clinical_notes(documents=documents)


def test_same_seed_same_notes_other_seed_other_notes() -> None:
    again = clinical_notes(seed=7)
    assert again == notes(7)
    assert [note.text for note in again] != [note.text for note in notes(0)]


@pytest.mark.parametrize("seed", SEEDS)
def test_gold_is_sorted_apart_and_plausible(seed: int) -> None:
    for note in notes(seed):
        assert note.text is not None
        end = 0
        for mark in note.annotations:
            assert end <= mark.start
            end = mark.end
            value = note.text[mark.start : mark.end]
            assert value == value.strip()
            assert re.fullmatch(PATTERNS[mark.type], value)
            assert mark.role == ("direct" if mark.type in DIRECT else "quasi")
            assert mark.entity


@pytest.mark.parametrize("seed", SEEDS)
def test_lengths_are_those_of_one_or_two_pages(seed: int) -> None:
    assert all(1500 <= len(note.text or "") <= 7000 for note in notes(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_quasi_values_per_document_and_instances_per_value(seed: int) -> None:
    distinct = instances = 0
    for note in notes(seed):
        quasi = [mark.entity for mark in note.annotations if mark.role == "quasi"]
        distinct += len(set(quasi))
        instances += len(quasi)
    assert 3.6 <= distinct / 120 <= 4.4
    assert 1.8 <= instances / distinct <= 2.2


def test_counts_differ_between_documents() -> None:
    names = [sum(mark.type == "NAME" for mark in note.annotations) for note in notes()]
    assert max(names) >= 22
    assert sorted(names)[30] <= 8


def test_one_person_and_one_date_have_several_writings() -> None:
    for type_ in ("NAME", "DATE"):
        writings: dict[tuple[str, str | None], set[str]] = {}
        for note in notes():
            for mark in note.annotations:
                if mark.type == type_:
                    value = (note.text or "")[mark.start : mark.end]
                    writings.setdefault((note.id, mark.entity), set()).add(value)
        assert max(len(values) for values in writings.values()) == 4


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_that_is_marked_occurs_unmarked(seed: int) -> None:
    for note in notes(seed):
        rest = blanked(note)
        for mark in note.annotations:
            value = (note.text or "")[mark.start : mark.end]
            if mark.type == "AGE":  # a number, which may be a laboratory value as well
                continue
            assert not re.search(rf"(?<!\w){re.escape(value)}(?!\w)", rest)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_date_year_age_or_long_number_outside_the_gold(seed: int) -> None:
    months = r"(January|February|March|April|June|July|August|September|October|November|December)"
    pattern = rf"{months}|\b(19|20)\d\d-|/\d{{4}}|\b\d{{5,}}|\d+[- ]year|\d{{3}}-\d{{4}}"
    for note in notes(seed):
        assert not re.search(pattern, blanked(note))


@pytest.mark.parametrize("seed", SEEDS)
def test_no_sentence_twice_and_no_gap(seed: int) -> None:
    for note in notes(seed):
        text = note.text or ""
        assert "{" not in text
        assert "  " not in text
        assert " ." not in text
        sentences = [
            part for part in re.split(r"(?<!Dr\.)(?<!Mr\.)(?<!Ms\.)(?<=\.)\s+|\n", text) if len(part) > 30
        ]
        assert len(sentences) == len(set(sentences))


@pytest.mark.parametrize("seed", SEEDS)
def test_pronouns_agree_with_the_title(seed: int) -> None:
    for note in notes(seed):
        words = set(re.findall(r"\w+", (note.text or "").lower()))
        assert not {"she", "he"} <= words
        assert not {"she", "man"} <= words
        assert not {"he", "woman"} <= words


def test_names_beyond_ascii_occur() -> None:
    text = "".join(note.text or "" for note in notes())
    assert all(letter in text for letter in "éöñ'")
