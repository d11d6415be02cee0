"""The questionnaire as data: what applies, what is open, and what an answer sets."""

from __future__ import annotations

import json

from reidrisk.context.checklist import practices
from reidrisk.context.context import Context
from reidrisk.context.form import context_form, with_answer
from reidrisk.context.questionnaire import questionnaire
from reidrisk.context.score import score_context


def keys(*answers: tuple[str, object]) -> list[str]:
    return [one.key for one in context_form(dict(answers)).open]


def test_questions_apply_by_the_answers_so_far() -> None:
    assert keys() == ["preset", "access"]
    assert keys(("preset", "ema"), ("variant", "literal_0.09")) == []
    assert keys(("preset", "hospital"), ("access", "public")) == []
    known = keys(("preset", "hospital"), ("access", "non_public"))
    motives = [f"motives.{one.id}" for one in questionnaire("motives").questions]
    assert known == ["controls", *motives, "acquaintance", "breach"]
    listed = keys(("preset", "hospital"), ("access", "non_public"), ("checklist", {}))
    assert listed[: len(practices())] == [f"checklist.{one.id}" for one in practices()]
    assert keys(("preset", "hipaa"), ("access", "public"))[-1:] == ["threshold"]
    assert not keys(
        ("preset", "hospital"), ("access", "non_public"), ("controls", "high"), ("motives", "low")
    )[2:]


def test_every_question_has_a_text_a_source_and_answers() -> None:
    form = context_form({"preset": "ema", "access": "non_public", "checklist": {}})
    assert len({one.key for one in form.questions}) == len(form.questions)
    for one in form.questions:
        assert one.text
        assert one.group
        assert one.source or not one.applies
        assert one.kind == "number" or len(one.choices) > 1 or not one.applies
    assert json.loads(json.dumps(form.to_dict()))["kind"] == "context_form"


def test_answers_become_settings_that_score() -> None:
    settings: dict[str, object] = {}
    steps = [
        ("preset", "hospital", ""),
        ("access", "non_public", ""),
        ("controls", "checklist", ""),
        ("checklist.disposal", "yes", "a contract"),
        ("checklist.same_country", "not_applicable", "one country"),
        ("checklist.need_to_know", "no", ""),
        ("breach", 0.1, "a report"),
        ("acquaintance", 0.0019, ""),
    ]
    for key, value, more in steps:
        settings = with_answer(settings, context_form(settings).question(key), value, more)
    assert settings == {
        "preset": "hospital",
        "access": "non_public",
        "checklist": {
            "disposal": {"answer": "yes", "evidence": "a contract"},
            "same_country": {"answer": "not_applicable", "reason": "one country"},
            "need_to_know": "no",
        },
        "breach": {"probability": 0.1, "source": "a report"},
        "acquaintance": {"prevalence": 0.0019, "known": 150},
    }
    assert score_context(Context.of(settings, place="context")).context_risk > 0
    assert context_form(settings).question("checklist.need_to_know").answer == "no"
    hipaa = context_form({"preset": "hipaa"}).question("threshold")
    assert hipaa.setting(11, "ours") == {"cell_size": 11, "reason": "ours"}


def test_questions_that_may_stay_open() -> None:
    form = context_form({"preset": "hospital", "access": "non_public", "checklist": {}})
    optional = {one.key for one in form.questions if one.optional}
    assert {f"checklist.{one.id}" for one in practices()} <= optional
    assert {f"motives.{one.id}" for one in questionnaire("motives").questions} <= optional
    assert {"acquaintance", "breach"} <= optional
    assert not {"preset", "access", "controls"} & optional


def test_answers_for_all_other_practices() -> None:
    one, two = (practice.id for practice in practices()[:2])
    sheet = {one: "no", "others": "yes"}
    form = context_form({"preset": "hospital", "access": "non_public", "checklist": sheet})
    assert form.question(f"checklist.{one}").answer == "no"
    assert form.question(f"checklist.{two}").answer == "yes"
    assert form.question(f"checklist.{two}").applies
    stated = context_form(
        {"preset": "hospital", "access": "non_public", "checklist": sheet, "controls": "low"}
    )
    assert not stated.question(f"checklist.{two}").applies
