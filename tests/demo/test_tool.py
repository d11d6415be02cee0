"""The simulated tool, judged by a small matching of our own: caught if every word is covered."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import numpy as np
import pytest

from reidrisk.demo import case_study_tool, clinical_notes, simulate_tool
from reidrisk.demo.tool import chances
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.text.corpus import Annotation, Corpus, Document

SEEDS = [0, 7, 99]
LEAKS = {"ID": 11, "PHONE": 3, "STREET": 1, "NAME": 30}
LEAKING_DOCUMENTS = {"ID": 8, "PHONE": 2, "STREET": 1, "NAME": 9}


@cache
def notes(seed: int = 7, documents: int = 120) -> Corpus:
    return clinical_notes(seed=seed, documents=documents)


def leaked(gold: Corpus, output: Corpus) -> list[tuple[str, Annotation]]:
    """Document id and annotation of every instance with an uncovered word."""
    found = []
    for note, answer in zip(gold, output, strict=True):
        assert note.id == answer.id
        assert note.text is not None
        covered = np.zeros(len(note.text), dtype=bool)
        for mark in answer.annotations:
            covered[mark.start : mark.end] = True
        for mark in note.annotations:
            words = re.finditer(r"\w+", note.text[mark.start : mark.end])
            if not all(covered[mark.start + w.start() : mark.start + w.end()].all() for w in words):
                found.append((note.id, mark))
    return found


def overlaps(mark: Annotation, others: tuple[Annotation, ...]) -> bool:
    return any(mark.start < other.end and other.start < mark.end for other in others)


@pytest.mark.parametrize("seed", SEEDS)
def test_case_study_leaks_exactly_as_published(seed: int) -> None:
    gold = notes(seed)
    leaks = leaked(gold, case_study_tool(gold, seed=seed))
    roles = Counter(mark.role for _, mark in leaks)
    assert roles == {"direct": 45, "quasi": 119}
    by_type = Counter(mark.type for _, mark in leaks)
    assert {type_: by_type[type_] for type_ in LEAKS} == LEAKS
    assert by_type.most_common(1)[0][0] == "DATE"
    documents = Counter(type_ for type_, _ in {(mark.type, note) for note, mark in leaks})
    assert {type_: documents[type_] for type_ in LEAKS} == LEAKING_DOCUMENTS


def test_case_study_needs_its_corpus() -> None:
    with pytest.raises(InvalidSetting, match="clinical_notes"):
        case_study_tool(notes(documents=4))


@pytest.mark.parametrize("seed", SEEDS)
def test_exact_numbers_are_kept_and_other_types_follow_the_recall(seed: int) -> None:
    output = simulate_tool(notes(), recall=1.0, leaks={"NAME": 17, "DATE": 0, "CITY": 78}, seed=seed)
    assert Counter(mark.type for _, mark in leaked(notes(), output)) == {"NAME": 17, "CITY": 78}


@pytest.mark.parametrize("recall", [0.5, 0.9, 0.98])
@pytest.mark.parametrize("clustering", [0.0, 0.05, 0.2])
def test_recall_is_as_chosen(recall: float, clustering: float) -> None:
    gold = notes(documents=400)
    names = Counter(note.id for note in gold for mark in note.annotations if mark.type == "NAME")
    output = simulate_tool(gold, recall={"NAME": recall}, clustering=clustering, seed=5)
    leaks = leaked(gold, output)
    assert {mark.type for _, mark in leaks} == {"NAME"}
    sizes = np.array(list(names.values()))
    total = int(sizes.sum())
    inflation = 1 + clustering * ((sizes**2).sum() / total - 1)
    error = np.sqrt(recall * (1 - recall) * inflation / total)
    assert abs(1 - len(leaks) / total - recall) < 3.5 * error


def test_clustering_gathers_leaks_in_fewer_documents() -> None:
    spread, gathered = (
        len({note for note, _ in leaked(notes(), simulate_tool(notes(), leaks={"NAME": 60}, clustering=c))})
        for c in (0.0, 0.4)
    )
    assert gathered < spread


def test_chances_have_the_chosen_mean_and_correlation() -> None:
    badness = (np.arange(200_000) + 0.5) / 200_000
    chance = chances(0.08, badness, clustering=0.1)
    assert chance.mean() == pytest.approx(0.08, abs=1e-3)
    assert chance.var() == pytest.approx(0.1 * 0.08 * 0.92, rel=0.01)


def test_some_leaks_are_partly_masked() -> None:
    gold = notes()
    output = simulate_tool(gold, recall=0.5)
    answers = {answer.id: answer.annotations for answer in output}
    several = [
        (note.id, mark)
        for note in gold
        for mark in note.annotations
        if len(re.findall(r"\w+", (note.text or "")[mark.start : mark.end])) > 1
    ]
    leaks = [each for each in leaked(gold, output) if each in several]
    partly = sum(overlaps(mark, answers[note]) for note, mark in leaks)
    assert 0.14 < partly / len(leaks) < 0.26


@pytest.mark.parametrize("seed", SEEDS)
def test_precision_is_about_nine_in_ten(seed: int) -> None:
    gold = notes()
    right = wrong = 0
    for note, answer in zip(gold, simulate_tool(gold, recall=0.95, seed=seed), strict=True):
        hits = [overlaps(mark, note.annotations) for mark in answer.annotations]
        right += sum(hits)
        wrong += len(hits) - sum(hits)
    assert 0.87 < right / (right + wrong) < 0.93


def test_perfect_tool() -> None:
    output = simulate_tool(notes(), recall=1.0, precision=1.0)
    assert leaked(notes(), output) == []
    for note, answer in zip(notes(), output, strict=True):
        assert all(overlaps(mark, note.annotations) for mark in answer.annotations)


def test_blind_tool() -> None:
    output = simulate_tool(notes(), recall=0, leaks=None)
    assert len(leaked(notes(), output)) == 1862 + 957


def test_output_is_that_of_another_program() -> None:
    output = simulate_tool(notes())
    marks = [mark for answer in output for mark in answer.annotations]
    assert all(answer.text is None for answer in output)
    assert {"PERSON", "DATE_TIME", "ID_NUMBER", "LOCATION", "PHONE"} <= {mark.type for mark in marks}
    assert {mark.role for mark in marks} == {None}
    answers = [answer.annotations for answer in output if answer.annotations]
    assert any(list(each) != sorted(each, key=lambda mark: mark.start) for each in answers)
    assert any(
        overlaps(mark, (*each[:at], *each[at + 1 :])) for each in answers for at, mark in enumerate(each)
    )


def test_same_seed_same_output() -> None:
    assert simulate_tool(notes(), seed=3) == simulate_tool(notes(), seed=3)
    assert simulate_tool(notes(), seed=3) != simulate_tool(notes(), seed=4)


@pytest.mark.parametrize(
    "settings",
    [
        {"recall": 1.2},
        {"recall": {"NAME": -0.1}},
        {"clustering": 1.0},
        {"precision": 0.0},
        {"leaks": {"NAME": 100_000}},
        {"leaks": {"NAMES": 1}},
    ],
)
def test_nonsense_is_refused(settings: dict[str, float]) -> None:
    with pytest.raises(InvalidSetting):
        simulate_tool(notes(documents=4), **settings)  # type: ignore[arg-type]


def test_documents_without_text_are_refused() -> None:
    bare = Corpus((Document("a", (Annotation(0, 3, "NAME"),)),))
    with pytest.raises(BadData):
        simulate_tool(bare)


def test_ignored_annotations_and_unknown_types() -> None:
    marks = (Annotation(0, 5, "SIGN", "ignored"), Annotation(6, 10, "BEEPER", "direct"))
    gold = Corpus((Document("a", marks, "Hello 4411 and so on"),))
    output = simulate_tool(gold, recall=1.0, precision=1.0, seed=1)
    assert ("BEEPER", 6, 10) in {
        (mark.type, mark.start, mark.end) for mark in output.documents[0].annotations
    }
