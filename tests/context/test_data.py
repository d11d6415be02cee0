"""Every question, score and threshold has a source that can be found, or is labelled ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.context.attempt import PUBLISHED
from reidrisk.context.checklist import data
from reidrisk.context.preset import NAMED, cell_size_presets, precedents, preset
from reidrisk.context.questionnaire import questionnaire
from reidrisk.context.sources import read_data_file, source

KNOWN = read_data_file("sources.yaml")


@pytest.mark.parametrize("name", ["motives", "invasion"])
def test_questionnaires_are_versioned_and_sourced(name: str) -> None:
    found, raw = questionnaire(name), read_data_file(f"{name}.yaml")
    assert (found.name, found.version) == (name, 1)
    assert found.source in KNOWN
    assert raw["levels"]["ours"] is True
    assert found.floors["low"] == 0 < found.floors["medium"] < found.floors["high"]
    assert found.floors["high"] <= sum(question.worst.points for question in found.questions)
    for question in found.questions:
        assert min(answer.points for answer in question.answers) == 0 < question.worst.points
        assert question.text.endswith("?")
        assert question.help


def test_the_questions_are_those_of_the_guidelines() -> None:
    assert [one.id for one in questionnaire("motives").questions] == [
        "incidents",
        "reasons",
        "expertise",
        "linkable",
    ]
    assert len(questionnaire("invasion").questions) == 7


def test_the_checklist_is_versioned_and_sourced() -> None:
    assert data()["version"] == 1
    assert data()["source"] in KNOWN
    assert data()["levels"]["ours"] is True


@pytest.mark.parametrize("name", [*NAMED, *cell_size_presets()])
def test_every_preset_has_a_source(name: str) -> None:
    found, file = preset(name, place="preset", folder=Path())
    assert file is None
    assert found.name == name
    assert found.version >= 1
    assert found.about
    assert found.source in KNOWN
    assert not source(found.source).ours
    rungs = [found.threshold, found.cap, *found.variants.values(), *found.by_invasion.values(), *found.ladder]
    for rung in rungs:
        assert rung is None or (rung.source in KNOWN and rung.threshold.reason)


def test_every_source_says_who_wrote_it() -> None:
    for name in KNOWN:
        assert len(source(name).citation) > 20
    assert source("ours").ours
    assert str(source("Our own rules, 2026")) == "Our own rules, 2026"


def test_precedents_are_those_of_the_literature() -> None:
    assert [one.cell_size for one in precedents()] == [3, 4, 5, 6, 10, 11, 16, 20, 30]
    assert "HIMSS" in PUBLISHED
