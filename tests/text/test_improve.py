from __future__ import annotations

from typing import Any

import pytest

import reidrisk as rr
from reidrisk.demo import case_study_tool, clinical_notes, simulate_tool
from reidrisk.text.corpus import Annotation, Corpus, Document
from reidrisk.text.improve import RoleImprovements
from reidrisk.text.result import TextRisk

ONE_ENGINE = rr.text_settings(options={"crosscheck": False})


@pytest.fixture(scope="module")
def notes() -> Corpus:
    return clinical_notes(seed=7)


@pytest.fixture(scope="module")
def risk(notes: Corpus) -> TextRisk:
    return rr.evaluate_text(notes, case_study_tool(notes, seed=7), settings=ONE_ENGINE)


def corpus(leaking: int, documents: int = 200) -> tuple[list[Document], list[Document]]:
    """A name and two dates in each document; so many names leak, and one date in all."""
    text = "Ann Lee came on 3 May and on 9 June."
    marks = (
        Annotation(0, 7, "NAME", "direct"),
        Annotation(16, 21, "DATE", "quasi"),
        Annotation(29, 35, "DATE", "quasi"),
    )
    gold = [Document(str(number), marks, text) for number in range(documents)]
    tool = [Document(str(number), marks[1:] if number < leaking else marks) for number in range(documents)]
    return gold, tool


def direct_of(risk: TextRisk) -> RoleImprovements:
    assert risk.improvements.direct is not None
    return risk.improvements.direct


def with_leaks(leaking: int, documents: int = 200, **options: Any) -> TextRisk:
    settings = rr.text_settings("recommended", {"crosscheck": False} | options)
    return rr.evaluate_text(*corpus(leaking, documents), settings=settings)


def test_the_needed_recall_is_the_least_that_turns_the_verdict() -> None:
    found = direct_of(with_leaks(30)).by_type[0]
    assert (found.type, found.recall, found.makes_acceptable) == ("NAME", 0.85, True)
    assert found.needed_recall is not None
    left = round(200 * (1 - found.needed_recall))
    assert with_leaks(left).acceptable
    assert not with_leaks(left + 1).acceptable


def test_the_needed_documents_are_about_enough() -> None:
    needed = direct_of(with_leaks(12)).needed_documents
    assert needed is not None
    assert not with_leaks(12).acceptable
    assert with_leaks(int(0.06 * needed), needed).acceptable
    assert not with_leaks(round(0.06 * needed * 0.85), round(needed * 0.85)).acceptable


def test_no_number_of_documents_helps_a_recall_that_is_too_low() -> None:
    found = direct_of(with_leaks(30))
    assert found.needed_documents is None
    assert "too high" in found.reason


def test_too_few_documents_without_a_leak_need_more_and_nothing_else() -> None:
    found = direct_of(with_leaks(0, documents=20))
    assert (found.acceptable, found.by_type, found.suffices) == (False, (), False)
    assert found.needed_documents is not None
    assert 35 <= found.needed_documents <= 60
    assert with_leaks(0, documents=found.needed_documents).direct.acceptable  # type: ignore[union-attr]


def test_what_is_acceptable_needs_nothing() -> None:
    found = direct_of(with_leaks(3))
    assert (found.acceptable, found.by_type, found.needed_documents) == (True, (), None)


def test_the_most_effective_type_comes_first_and_types_together_suffice(risk: TextRisk) -> None:
    found = direct_of(risk)
    limits = [one.high_if_perfect for one in found.by_type]
    assert limits == sorted(limits)
    assert all(one.needed_recall is None for one in found.by_type)
    assert found.suffices
    assert [step[2] for step in found.together[:-1]] == [1.0] * (len(found.together) - 1)


def test_mended_types_together_are_acceptable_when_evaluated(notes: Corpus, risk: TextRisk) -> None:
    """The steps for direct identifiers, done: a tool with exactly these leaks passes."""
    kinds = {kind.type: kind for kind in risk.evidence.of_role("direct")}
    left = {name: kinds[name].leaking_documents for name in kinds}
    for name, _, needed in direct_of(risk).together:
        left[name] = round(kinds[name].documents * (1 - needed))
    tool = []
    for note in notes:
        kept = []
        leaked = {mark.type for mark in note.annotations if left.get(mark.type, 0) > 0}
        for name in leaked:
            left[name] -= 1
        kept = [mark for mark in note.annotations if mark.type not in leaked]
        tool.append(Document(note.id, tuple(kept)))
    done = rr.evaluate_text(notes, tool, settings=ONE_ENGINE)
    assert done.direct is not None
    assert done.direct.acceptable


def test_quasi_identifiers_ask_for_the_recall_of_instances(risk: TextRisk) -> None:
    quasi = risk.improvements.quasi
    assert quasi is not None
    best = quasi.by_type[0]
    assert best.type == "DATE"
    assert best.needed_recall is not None
    assert best.recall == pytest.approx(0.8976, abs=1e-4)
    assert best.recall < best.needed_recall < 1
    assert not best.makes_acceptable, "direct identifiers are too risky too"


@pytest.mark.parametrize(
    "options",
    [
        {"unit": "token_level"},
        {"gate": "draw", "limit": "model"},
        {"interval": "per_document"},
        {"uncertainty": "clopper_pearson"},
        {"needed": 1},
        {"engine": "bootstrap", "resamples": 200},
    ],
    ids=str,
)
def test_every_setting_has_an_answer(notes: Corpus, options: dict[str, Any]) -> None:
    tool = simulate_tool(notes, recall=0.9, seed=3)
    release = rr.Release.non_public("resynthesis", recognition=0.3, attempt=(0.3, 0.4, 0.5))
    settings = rr.text_settings("recommended", {"crosscheck": False} | options)
    risk = rr.evaluate_text(notes, tool, release=release, settings=settings)
    for part in (risk.improvements.direct, risk.improvements.quasi):
        assert part is not None
        for one in part.by_type:
            assert 0 <= one.recall < 1
            assert one.needed_recall is None or one.recall < one.needed_recall <= 1


def test_a_role_that_is_not_evaluated_has_no_answer() -> None:
    gold = [Document("a", (Annotation(0, 3, "NAME", "direct"),), "Ann")]
    risk = rr.evaluate_text(gold, [Document("a", ())])
    assert risk.improvements.quasi is None
    assert risk.to_dict()["improvements"]["quasi"] is None
