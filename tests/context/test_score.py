from __future__ import annotations

import json
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.context.attempt import ATTEMPT, deliberate, spread
from reidrisk.context.changes import change_settings
from reidrisk.context.checklist import practices
from reidrisk.context.context import Context
from reidrisk.context.qualitative import DEGREES, qualitative_risk
from reidrisk.context.recognition import Recognition
from reidrisk.context.score import score_context
from reidrisk.context.settings import LEVELS
from reidrisk.errors import InvalidSetting
from reidrisk.stats.uncertain import Triangular
from tests.context.builders import KNOWN, PROVED, every, scored

LEVEL, CHANCE = st.sampled_from(LEVELS), st.floats(0, 1)
CONTENT = st.fixed_dictionaries(
    {"preset": st.sampled_from(["hospital", "ipc", "cell_size_11"])},
    optional={
        "access": st.sampled_from(["public", "semi_public", "non_public"]),
        "controls": LEVEL,
        "motives": LEVEL | st.fixed_dictionaries({}, optional={"reasons": st.sampled_from(["yes", "no"])}),
        "invasion": LEVEL,
        "acquaintance": st.builds(lambda p: {"prevalence": p, "known": 150}, CHANCE),
        "breach": st.builds(lambda p: {"probability": p, "source": "x"}, CHANCE),
    },
)


@pytest.mark.parametrize("motives", LEVELS)
def test_better_controls_never_raise_the_attempt(motives: Any) -> None:
    for worse, better in pairwise(LEVELS):
        assert deliberate(better, motives) <= deliberate(worse, motives)


@pytest.mark.parametrize("controls", LEVELS)
def test_stronger_motives_never_lower_the_attempt(controls: Any) -> None:
    for weaker, stronger in pairwise(LEVELS):
        assert deliberate(controls, weaker) <= deliberate(controls, stronger)


def test_the_spread_is_the_neighbours() -> None:
    assert spread(0.05) == Triangular(0.05, 0.05, 0.1)
    assert spread(0.3) == Triangular(0.2, 0.3, 0.4)
    assert spread(0.6) == Triangular(0.5, 0.6, 0.75)
    for value in ATTEMPT.values():
        assert spread(value).low <= value < spread(value).high


def test_a_public_release_is_attempted() -> None:
    score = scored(preset="cell_size_20", access="public", controls="high", motives="low")
    assert (score.attempt, score.context_risk) == (Triangular.constant(1), 1.0)
    assert score.release().access == "public"
    assert (
        "Controls are not counted, because they bind nobody in a public release." in score.to_dict()["notes"]
    )


def test_terms_of_use_are_an_attempt_of_six_tenths_or_more() -> None:
    assert scored(access="semi_public").attempt == Triangular.constant(0.6)
    score = scored(access="semi_public", breach={"probability": 0.7, "source": "x"})
    assert (score.context_risk, score.release().attempt) == (0.7, Triangular.constant(0.7))
    assert score.release().access == "semi_public"


def test_a_likelier_acquaintance_raises_the_attempt() -> None:
    score = scored(**KNOWN, controls="high", motives="low", acquaintance=0.0019)
    assert score.deliberate == Triangular(0.05, 0.05, 0.1)
    assert score.attempt == Triangular.constant(score.context_risk)
    assert score.context_risk == pytest.approx(0.2482, abs=1e-4)
    text = score.release("resynthesis", 0.27)
    assert text.attempt == score.attempt
    assert text.recognition == Recognition(Triangular.constant(0.27))
    assert scored(**KNOWN, acquaintance={"prevalence": 1}).context_risk == 1.0


def test_what_is_not_said_is_assumed_to_be_the_worst_and_told() -> None:
    score = scored()
    assert (score.access, score.threshold.cell_size) == ("public", 5)
    notes = " ".join(score.to_dict()["notes"])
    for told in ("No preset", "Access is not stated", "cell sizes of 11 and 20"):
        assert told in notes
    known = scored(access="non_public")
    assert (known.context.controls.level, known.context.motives.level) == ("low", "high")
    found = known.to_dict()
    assert (found["controls"]["from"], found["motives"]["from"]) == ("assumed", "assumed")
    assert found["undefined"] == {
        "acquaintance": "no prevalence is stated",
        "breach": "no chance of a breach is stated",
    }
    told = " ".join(found["notes"])
    for name in ("Controls", "Motives", "prevalence", "breach"):
        assert name in told


@given(CONTENT)
def test_every_score_keeps_its_promises(content: dict[str, Any]) -> None:
    score = score_context(Context.of(content))
    found = score.to_dict()
    assert json.loads(score.to_json()) == json.loads(json.dumps(found))
    assert (found["kind"], found["acceptable"], found["seed"]) == ("context_score", None, None)
    assert score.context_risk == max(risk for risk in found["risks"].values() if risk is not None)
    assert set(found["undefined"]) == {name for name, risk in found["risks"].items() if risk is None}
    assert found["attempt"]["mode"] == score.context_risk
    assert 0 < score.cap <= 1
    assert score.permits(score.threshold).allowed
    again = score_context(Context.of(found["settings"]))
    assert again.to_dict()["settings"] == found["settings"]
    assert again.attempt == score.attempt
    assert (found["agreement"] == []) == (score.access == "public")


@given(CONTENT, LEVEL, LEVEL)
def test_better_controls_never_raise_the_risk_of_the_context(
    content: dict[str, Any], one: Any, other: Any
) -> None:
    worse, better = sorted((one, other), key=LEVELS.index)
    before = score_context(Context.of({**content, "controls": worse}))
    after = score_context(Context.of({**content, "controls": better}))
    assert after.context_risk <= before.context_risk
    assert after.attempt.mean <= before.attempt.mean
    assert after.threshold == before.threshold


@given(CONTENT, CHANCE, CHANCE)
def test_a_likelier_breach_never_lowers_the_risk(content: dict[str, Any], one: float, other: float) -> None:
    risks = [
        score_context(Context.of({**content, "breach": {"probability": chance, "source": "x"}})).context_risk
        for chance in sorted((one, other))
    ]
    assert risks == sorted(risks)


def test_the_agreement_lists_what_was_counted() -> None:
    low = scored(**KNOWN, checklist={"training": "yes"}).to_dict()["agreement"]
    assert [one["practice"] for one in low] == ["no_reidentification"]
    medium = scored(**KNOWN, checklist=every(training="yes"), motives="low").to_dict()["agreement"]
    assert len(medium) == 27
    assert medium[1]["counted_for"] == "controls medium: chance of an attempt 0.2 instead of 0.4"
    content = {**KNOWN, "checklist": every(), "threshold": {"cell_size": 3, "reason": "too little is left"}}
    high = scored(**content).to_dict()["agreement"]
    assert len(high) == 39
    assert high[1]["counted_for"].endswith("the threshold of 1/3")
    clauses = {one["practice"]: one["clause"] for one in high}
    for name in ("privacy_audits", "breach_notification", "disposal", "no_onward_disclosure"):
        assert clauses[name]
    stated = scored(**KNOWN, controls="high").to_dict()["agreement"]
    assert len(stated) == 39
    assert "as stated" in stated[1]["counted_for"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ({"controls": "hihg"}, r"context.controls cannot be 'hihg'(.|\n)*Did you mean 'high'"),
        ({"controls": 3}, "context.controls is not a level"),
        ({"controls": "high", "checklist": {}}, "both controls and a checklist"),
        ({"acess": "public"}, "Did you mean 'access'"),
        ({"access": "closed"}, "context.access cannot be 'closed'"),
        (
            {"acquaintance": {"prevalence": 1.5}},
            "context.acquaintance.prevalence is not a number from 0 to 1",
        ),
        ({"acquaintance": {"prevalence": 0.1, "known": -1}}, "known is below 0"),
        ({"acquaintance": "many"}, "context.acquaintance is not a mapping"),
        ({"acquaintance": True}, "context.acquaintance is not a number"),
        ({"breach": 0.27}, r"context.breach is not a mapping(.|\n)*HIMSS"),
        ({"breach": {"probability": 0.27}}, "needs the setting 'source'"),
        ({"breach": {"probability": -1, "source": "x"}}, "context.breach.probability is not a number from 0"),
        ({"motives": {"reason": "yes"}}, "Did you mean 'reasons'"),
        ({"motives": {"reasons": "maybe"}}, "context.motives.reasons cannot be 'maybe'"),
        ({"threshold": {"cell_size": 5, "probability": 0.2}}, "both a cell size and a probability"),
        ({"threshold": {"probability": 0}}, "is 0, which no release can meet"),
        ({"threshold": {"cell_size": 0}}, "context.threshold.cell_size is not a whole number"),
        ({"threshold": 5}, "context.threshold is not a mapping"),
        ({"threshold": {"cell_size": 2}}, r"than the preset hospital allows(.|\n)*at most 1/3"),
        ({"threshold": {"cell_size": 3}}, r"than this context justifies(.|\n)*access: non_public"),
        (
            {"preset": "cell_size_11", "threshold": {"cell_size": 5}},
            "than the preset cell_size_11 allows",
        ),
        ({"preset": "ema", "variant": "literal_0.09", "threshold": {"cell_size": 11}}, "preset ema allows"),
    ],
)
def test_refusals(content: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidSetting, match=complaint):
        Context.of(content)


def test_the_place_is_named() -> None:
    with pytest.raises(InvalidSetting, match=r"release.yaml: context.motives.linkable cannot be 'x'"):
        Context.of({"motives": {"linkable": "x"}}, place="release.yaml: context")
    with pytest.raises(InvalidSetting, match="context is not a mapping"):
        Context.of("hospital")  # type: ignore[arg-type]


def test_a_stricter_threshold_of_the_custodian_ends_the_ladder() -> None:
    score = scored(**KNOWN, checklist=every(), threshold={"cell_size": 11, "reason": "rare diseases"})
    assert score.threshold.reason == "rare diseases"
    assert score.to_dict()["next_threshold"] is None
    assert not score.permits(scored(**KNOWN).threshold).allowed
    same = scored(**KNOWN, checklist=every(), threshold={"cell_size": 5})
    assert same.to_dict()["next_threshold"]["cell_size"] == 3
    assert any("without a reason" in note for note in same.to_dict()["notes"])
    between = scored(**KNOWN, checklist=every(), threshold={"cell_size": 4, "reason": "half way"})
    assert (between.threshold.cell_size, between.to_dict()["threshold"]["needs"]) == (4, "high")


def test_changes_put_out_of_force_what_they_contradict() -> None:
    content = {**KNOWN, "checklist": {"others": PROVED}, "threshold": {"probability": 0.1, "reason": "x"}}
    assert change_settings(content, {"controls": "high"}).get("checklist") is None
    changed = change_settings(content, {"threshold.cell_size": "5"})
    assert changed["threshold"] == {"cell_size": 5}
    more = change_settings(content, {"checklist.training": "no"})
    assert more["checklist"] == {"others": PROVED, "training": "no"}
    assert content["checklist"] == {"others": PROVED}
    assert change_settings({"controls": "low"}, {"checklist.training": "yes"}) == {
        "checklist": {"training": "yes"}
    }
    assert change_settings(None, {"breach.probability": "0.27"}) == {"breach": {"probability": 0.27}}
    assert change_settings({"motives": "low"}, {"motives.reasons": "no"}) == {"motives": {"reasons": "no"}}
    with pytest.raises(InvalidSetting, match="does not name a setting"):
        change_settings({}, {"": "1"})


def test_motives_add_up() -> None:
    def level(**answers: str) -> str:
        return scored(access="non_public", motives=answers).context.motives.level

    none = dict.fromkeys(("incidents", "reasons", "expertise", "linkable"), "no")
    assert level(**none) == "low"
    assert level(**{**none, "reasons": "yes"}) == "medium"
    assert level(**{**none, "reasons": "yes", "expertise": "yes", "linkable": "yes"}) == "high"
    assert level() == "high"


@pytest.mark.parametrize("factor", ["identifiers", "population", "participants", "centres"])
def test_the_rule_in_words_is_monotone(factor: str) -> None:
    names = ("identifiers", "population", "participants", "centres")
    for values in product(DEGREES, repeat=4):
        given = dict(zip(names, values, strict=True))
        worse = {**given, factor: "high" if factor == "identifiers" else "low"}
        levels = [DEGREES.index(qualitative_risk(**one).level) for one in (given, worse)]
        assert levels == sorted(levels)


def test_the_rule_in_words_says_what_is_ours() -> None:
    found = qualitative_risk(identifiers="low", population="low", participants="high", centres="high")
    assert found.to_dict()["ours"] is True
    assert "key quasi-identifiers" in found.action
    with pytest.raises(InvalidSetting, match="Did you mean 'moderate'"):
        qualitative_risk(identifiers="moderat", population="low", participants="low", centres="low")


def told(**content: Any) -> list[str]:
    return list(scored(**content).to_dict()["notes"])


def has(notes: list[str], start: str) -> bool:
    return any(note.startswith(start) for note in notes)


def test_each_note_is_given_exactly_where_it_applies() -> None:
    stated = told(**KNOWN, controls="medium", motives="low", acquaintance=0.1)
    assert has(stated, "Controls are stated as medium without the checklist")
    assert not has(stated, "Controls are not")
    assert not has(stated, "Checklist:")
    assert not has(stated, "No preset")
    assert not has(stated, "Access is not stated")
    assert not has(stated, "No prevalence")
    assert has(stated, "No chance of a breach")
    assert not has(stated, "Motives and capacity")
    assumed = told(**KNOWN)
    assert has(assumed, "Controls are not stated")
    assert not has(assumed, "Controls are stated")
    assert has(assumed, "Motives and capacity: nothing is stated")
    assert has(assumed, "No prevalence")
    breach = told(**KNOWN, breach={"probability": 0.1, "source": "x"})
    assert not has(breach, "No chance of a breach")
    for access in ("public", "semi_public"):
        without = told(preset="hospital", access=access)
        with_ = told(preset="hospital", access=access, controls="high")
        assert not has(without, "Controls are not counted")
        assert has(with_, "Controls are not counted")
        assert not has(with_, "Controls are stated")
        assert not has(with_, "No prevalence")
    assert not has(told(preset="hospital", access="public"), "Access is not stated")
    assert has(told(preset="hospital"), "Access is not stated")


def test_a_checklist_is_counted_practice_by_practice() -> None:
    one, two, three = (practice.id for practice in practices()[:3])
    unsaid = {"answer": "not_applicable", "reason": "no paper"}
    answers = {**every(), two: unsaid, three: {"answer": "no"}}
    del answers[one]
    score = scored(**KNOWN, checklist=answers)
    found = score.to_dict()
    notes = found["notes"]
    assert has(notes, "Checklist: 1 practice without an answer")
    assert has(notes, "Checklist: 1 practice marked as not applicable")
    assert not has(notes, "Controls are")
    shown = found["controls"]
    assert (shown["practices"], shown["answered"]) == (len(practices()), len(practices()) - 1)
    assert (shown["in_place"], shown["not_applicable"]) == (len(practices()) - 3, [two])
    assert shown["without_evidence"] == []
    rows = {row["practice"]: row for row in shown["checklist"]}
    assert list(rows) == [practice.id for practice in practices()]
    assert (rows[one]["answer"], rows[one]["evidence"], rows[one]["reason"]) == (None, "", "")
    assert (rows[two]["answer"], rows[two]["reason"]) == ("not_applicable", "no paper")
    assert rows[three]["answer"] == "no"
    last = practices()[-1]
    assert rows[last.id]["evidence"] == PROVED["evidence"]
    assert (rows[last.id]["text"], rows[last.id]["core"]) == (last.text, last.is_core)
    assert scored(**KNOWN, controls="high").to_dict()["controls"]["checklist"] == []
