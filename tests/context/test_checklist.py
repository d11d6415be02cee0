from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.context.checklist import GUIDELINES, Checklist, data, practices
from reidrisk.context.settings import LEVELS
from reidrisk.errors import InvalidSetting
from tests.context.builders import PROVED, every

NAMES = [one.id for one in practices()]
ANSWERS: list[Any] = ["yes", "no", PROVED, {"answer": "not_applicable", "reason": "no paper"}]
SHEETS = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(ANSWERS))


def sheet(answers: dict[str, Any]) -> Checklist:
    return Checklist.of(answers, place="checklist")


def test_the_practices_are_those_of_the_study() -> None:
    groups = Counter(one.group for one in practices())
    assert groups == {"access": 8, "safeguards": 23, "accountability": 7}
    assert set(groups) == set(data()["groups"])
    assert sum(one.is_core for one in practices()) == 26
    assert len({one.id for one in practices()}) == len({one.text for one in practices()}) == 38


def test_marks_and_shares_are_those_of_the_table() -> None:
    marks = Counter(guideline for one in practices() for guideline in one.marks)
    assert marks == {"CIHI": 31, "CIHR": 32, "COACH": 35, "ICES": 33}
    for one in practices():
        assert set(one.marks) | set(one.open) <= set(GUIDELINES)
        assert not set(one.marks) & set(one.open)
    shares = {one.id: one.boards for one in practices()}
    assert (shares["need_to_know"], shares["same_country"], shares["alarms"]) == (0.85, 0.08, None)
    assert sum(share is None for share in shares.values()) == 11


def test_levels_follow_the_rule() -> None:
    assert sheet(every()).level == "high"
    assert sheet(every(training="yes")).level == "medium"
    assert sheet(every(alarms="no")).level == "medium"
    assert sheet(every(training="no")).level == "low"
    assert sheet({}).level == "low"
    assert sheet({"others": "yes"}).level == "medium"
    assert sheet({"others": PROVED}).level == "high"
    assert sheet({"others": {"answer": "not_applicable", "reason": "nothing does"}}).level == "low"


def test_what_does_not_apply_is_not_asked_for() -> None:
    found = sheet(every(same_country={"answer": "not_applicable", "reason": "the study is Canadian"}))
    assert found.level == "high"
    assert [one.id for one in found.not_applicable] == ["same_country"]


@given(SHEETS, st.sampled_from(NAMES))
def test_a_practice_more_never_lowers_the_level(answers: dict[str, Any], name: str) -> None:
    better = {**answers, name: PROVED}
    assert LEVELS.index(sheet(better).level) >= LEVELS.index(sheet(answers).level)


@given(SHEETS, st.sampled_from(LEVELS))
def test_what_is_needed_for_a_level_gives_it(answers: dict[str, Any], level: Any) -> None:
    lacking = {practice.id: PROVED for practice, _ in sheet(answers).needed_for(level)}
    better = sheet({**answers, **lacking})
    if better.in_place:
        assert LEVELS.index(better.level) >= LEVELS.index(level)


@given(SHEETS)
def test_every_practice_is_in_one_place_only(answers: dict[str, Any]) -> None:
    found = sheet(answers)
    parts = [*found.in_place, *found.missing, *found.not_applicable]
    assert sorted(one.id for one in parts) == sorted(NAMES)
    assert sheet(found.to_settings()) == found


def test_truth_values_are_answers_too() -> None:
    found = sheet({"training": True, "alarms": False})
    assert found.to_settings() == {"training": "yes", "alarms": "no"}


@pytest.mark.parametrize(
    ("answers", "complaint"),
    [
        ({"traning": "yes"}, "Did you mean 'training'"),
        ({"training": "perhaps"}, "Choose one of: yes, no, not_applicable"),
        ({"training": {"answer": "not_applicable"}}, "but without a reason"),
        ({"training": {"answer": "yes", "proof": "x"}}, "has no setting 'proof'"),
        ({"training": ["yes"]}, "checklist.training is not a mapping"),
        ({"training": {"evidence": "x"}}, "needs the setting 'answer'"),
        ("checklist", "is not a mapping"),
    ],
)
def test_refusals(answers: Any, complaint: str) -> None:
    with pytest.raises(InvalidSetting, match=complaint):
        sheet(answers)
