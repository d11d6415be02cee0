"""The questionnaire as a form: fields become settings, settings become fields, problems are named."""

from __future__ import annotations

from typing import Any

import pytest

from reidrisk.context.context import Context
from reidrisk.context.form_reading import field_values, read_form, score_settings
from reidrisk.context.score import score_context

KNOWN = {"preset": "hospital", "access": "non_public"}
SHEET: dict[str, Any] = {
    **KNOWN,
    "checklist": {"others": {"answer": "yes", "evidence": "audit"}, "training": "no"},
    "motives": "high",
}


def test_a_form_gives_the_settings_that_the_command_asks_for() -> None:
    filled = read_form({"preset": "hospital", "access": "non_public", "controls": "medium"}, {})
    assert filled.settings == {**KNOWN, "controls": "medium"}
    assert filled.score is not None
    assert filled.score.to_dict() == score_context(Context.of(filled.settings)).to_dict()


@pytest.mark.parametrize(
    "settings",
    [
        {},
        KNOWN,
        SHEET,
        {**KNOWN, "checklist": {"training": {"answer": "not_applicable", "reason": "nobody is new"}}},
        {**KNOWN, "motives": "low"},
        {**KNOWN, "breach": {"probability": 0.27, "source": "a survey"}},
        {"preset": "ipc", "access": "public"},
    ],
)
def test_an_untouched_form_changes_nothing(settings: dict[str, Any]) -> None:
    shown = score_settings(settings)
    again = read_form(field_values(shown.form, settings), settings)
    assert again.problems == {}
    assert dict(again.settings) == settings


def test_an_answer_changes_the_score_at_once() -> None:
    before = score_settings(SHEET).score
    fields = field_values(score_settings(SHEET).form, SHEET)
    after = read_form({**fields, "checklist.training": ""}, SHEET)
    assert after.settings["checklist"] == {"others": {"answer": "yes", "evidence": "audit"}}
    assert before is not None
    assert after.score is not None
    assert (before.context.controls.level, after.score.context.controls.level) == ("low", "high")
    assert after.score.context_risk < before.context_risk


def test_evidence_and_reasons_belong_to_their_practice() -> None:
    fields = {"controls": "checklist", "checklist.training": "yes", "more.checklist.training": "course list"}
    filled = read_form(fields, KNOWN)
    assert filled.settings["checklist"] == {"training": {"answer": "yes", "evidence": "course list"}}
    filled = read_form(
        {**fields, "checklist.training": "not_applicable", "more.checklist.training": " "}, KNOWN
    )
    assert "checklist.training" in filled.problems
    assert filled.score is None


def test_all_other_practices_are_answered_at_once() -> None:
    fields = {"controls": "checklist", "checklist.others": "yes", "more.checklist.others": "audit of 2026"}
    filled = read_form(fields, KNOWN)
    assert filled.score is not None
    assert filled.score.context.controls.level == "high"


def test_another_policy_drops_what_it_does_not_know() -> None:
    fixed = read_form({"preset": "ema", "access": "non_public"}, {**KNOWN, "threshold": {"cell_size": 5}})
    assert "access" not in fixed.settings or fixed.score is not None
    assert "threshold" not in fixed.settings


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"access": "everyone"}, "access"),
        ({"controls": "perfect"}, "controls"),
        ({"breach": "often"}, "breach"),
        ({"breach": "1.5"}, "breach"),
        ({"breach": "nan"}, "breach"),
        ({"breach": "0.2"}, "breach"),
        ({"preset": "nobody"}, "preset"),
    ],
)
def test_a_wrong_field_is_named(fields: dict[str, str], key: str) -> None:
    filled = read_form(fields, KNOWN)
    assert list(filled.problems) == [key]
    assert filled.score is None


def test_a_level_that_is_known_replaces_its_questions() -> None:
    filled = read_form({"motives": "questions"}, SHEET)
    assert "motives" not in filled.settings
    filled = read_form({"motives": "low"}, filled.settings)
    assert filled.settings["motives"] == "low"
