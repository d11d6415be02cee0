"""Verdicts, reasons, warnings and doubts, from parts of a risk that are made up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.context.recognition import Recognition
from reidrisk.core.estimate import Estimate
from reidrisk.stats.decision import UnitsNeeded
from reidrisk.stats.uncertain import Triangular
from reidrisk.text.verdict import (
    COPY,
    CrossCheck,
    Gate,
    RiskPart,
    doubts,
    is_acceptable,
    overall_decision,
    overall_needed,
    part_holds,
    reasons,
    recognition_counts,
    warnings,
)
from tests.text.test_models import evidence

ACCEPT, REJECT = (rr.text_settings(options={"unevaluated": how}) for how in ("accept", "reject"))
NUMBERS = UnitsNeeded(41, 60, 90)
GOOD = RiskPart(Estimate(0.05, 0.02, 0.1), 0.05, "observed", 0.2, acceptable=True)
BAD = replace(GOOD, estimate=Estimate(0.3, 0.25, 0.4), acceptable=False)
OPEN = RiskPart(
    Estimate(0.1, 0.05, 0.3), 0.1, "observed", 0.2, acceptable=False,
    undecided=True, needed=NUMBERS, examined=(30, "documents"),
)  # fmt: skip
REDACTED = rr.Release.public("redaction")
FIVE = rr.Threshold.from_cell_size(5, "test")
NOTHING = (Estimate(0.0, 0.0, 1.0), Estimate(0.0, 0.0, 1.0))


@pytest.mark.parametrize(
    ("direct", "quasi", "accepting", "rejecting"),
    [
        (GOOD, GOOD, "accepted", "accepted"),
        (GOOD, BAD, "refused", "refused"),
        (OPEN, GOOD, "undecided", "undecided"),
        (OPEN, OPEN, "undecided", "undecided"),
        (OPEN, BAD, "refused", "refused"),
        (GOOD, None, "accepted", "refused"),
        (OPEN, None, "undecided", "refused"),
        (None, None, "accepted", "refused"),
    ],
)
def test_both_risks_decide_together(
    direct: RiskPart | None, quasi: RiskPart | None, accepting: str, rejecting: str
) -> None:
    for settings, decision in ((ACCEPT, accepting), (REJECT, rejecting)):
        assert overall_decision(direct, quasi, settings) == decision
        assert overall_decision(quasi, direct, settings) == decision
        assert is_acceptable(direct, quasi, settings) is (decision == "accepted")
    assert (part_holds(None, ACCEPT), part_holds(None, REJECT)) == (True, False)
    assert [part.decision for part in (GOOD, BAD, OPEN)] == ["accepted", "refused", "undecided"]


def test_the_documents_needed_do_for_both_risks() -> None:
    more = replace(OPEN, needed=UnitsNeeded(50, 55, None))
    assert overall_needed(GOOD, BAD) is None
    one, both = overall_needed(OPEN, GOOD), overall_needed(OPEN, more)
    assert one == {
        "unit": "documents", "examined": 30, "if_nothing_more_leaks": 41, "if_share_stays": 60,
        "with_chance": 90, "chance": 0.9,
    }  # fmt: skip
    assert both == {**one, "if_nothing_more_leaks": 50, "with_chance": None}
    assert overall_needed(OPEN, replace(OPEN, needed=None)) is None
    assert overall_needed(None, OPEN) == one


def test_reasons_say_on_which_side_of_the_threshold_a_risk_is() -> None:
    good, bad = reasons(GOOD, BAD, FIVE, ACCEPT)
    assert (good.holds, bad.holds) == (True, False)
    assert "does not exceed the benchmark's upper limit" in good.text
    assert "exceeds the threshold (test)" in bad.text
    assert bad.text.endswith("not acceptable.")
    vetoed = replace(GOOD, acceptable=False, plain_count_exceeds=True)
    assert "counted without any model, are already too many" in reasons(vetoed, None, FIVE, ACCEPT)[0].text
    undecided, missing = reasons(OPEN, None, FIVE, ACCEPT)
    assert (undecided.holds, missing.holds) == (False, True)
    assert "too few documents to decide" in undecided.text
    assert "is above it too" not in undecided.text
    assert "does not count against the release" in missing.text
    assert "not acceptable on this basis" in reasons(None, None, FIVE, REJECT)[1].text
    above = replace(OPEN, estimate=Estimate(0.2, 0.05, 0.3))
    assert "is above it too" in reasons(above, None, FIVE, ACCEPT)[0].text


def release(default: float, **types: float) -> rr.Release:
    by_type = {name: Triangular.constant(value) for name, value in types.items()}
    return rr.Release.public("resynthesis", recognition=Recognition(Triangular.constant(default), by_type))


def test_recognition_counts_if_any_leak_may_go_unrecognized() -> None:
    assert not recognition_counts(REDACTED)
    assert not recognition_counts(release(1.0, NAME=1.0))
    assert recognition_counts(release(1.0, NAME=0.5))
    assert recognition_counts(release(0.5, NAME=1.0))


def told(settings: Any = ACCEPT, given: rr.Release = REDACTED, **changed: Any) -> str:
    return " ".join(warnings(evidence(**changed), settings, NOTHING, given))


def test_warnings_are_given_where_they_apply() -> None:
    assert told() == ""
    assert "no document contains them: PHONE." in told(absent=(("PHONE", "direct"),))
    normal = rr.text_settings(options={"limit": "model", "gate": "observed", "uncertainty": "normal"})
    assert "even if there are few documents: DOCTOR." in told(normal)
    jeffreys = replace(normal, uncertainty="jeffreys")
    assert "perfect recall" not in told(jeffreys)
    leaky = tuple(replace(kind, leaking_documents=1) for kind in evidence().types)
    assert "perfect recall" not in told(normal, types=leaky)
    assert "1 document of the gold standard" in told(unmatched={"only_gold": 1, "only_tool": 2})
    copied = [replace(kind, masked_words=kind.words) for kind in evidence().types]
    masked: dict[str, Any] = {"types": tuple(copied), "masked_words": 20, "masked_identifier_words": 20}
    assert told(**masked) == COPY
    assert COPY not in told(**{**masked, "masked_words": 21})
    assert COPY not in told(masked_words=20, masked_identifier_words=20)
    assert "protects no more than redaction" in told(given=release(1.0))
    assert "protects no more than redaction" not in told(given=release(0.5))


def test_a_model_that_expects_too_few_leaks_is_named() -> None:
    """The formula expects 0.2 of documents with a direct leak."""
    high = (Estimate(0.5, 0.21, 0.8), NOTHING[1])
    found = " ".join(warnings(evidence(), ACCEPT, high, REDACTED))
    assert "The model underestimates the leaks of direct identifiers" in found
    assert "leaks of quasi-identifiers" not in found
    low = (Estimate(0.5, 0.19, 0.8), NOTHING[1])
    assert warnings(evidence(), ACCEPT, low, REDACTED) == ()
    assert warnings(evidence(only_counts=True), ACCEPT, high, REDACTED) == ()


def doubted(
    direct: RiskPart | None, *checks: CrossCheck, gates: tuple[Gate, ...] = (), given: rr.Release = REDACTED
) -> str:
    return " ".join(doubts(direct, None, checks, gates, given))


def test_engines_that_disagree_about_the_verdict_are_reported() -> None:
    def check(high: float, difference: float = 0.0) -> CrossCheck:
        return CrossCheck("sobol", "direct", "parameter", high, difference)

    almost = "almost equal"
    assert almost not in doubted(GOOD, check(0.1))
    assert almost not in doubted(GOOD, check(0.2))
    assert almost in doubted(GOOD, check(0.2001))
    assert almost in doubted(BAD, check(0.2))
    assert almost not in doubted(BAD, check(0.3))
    assert almost not in doubted(None, check(0.3))
    assert almost not in doubted(replace(GOOD, model=BAD), check(0.3)), "the model does not decide"
    on_the_limit = replace(GOOD, estimate=Estimate(0.1, 0.05, 0.2))
    assert almost not in doubted(on_the_limit, check(0.2))
    assert almost in doubted(on_the_limit, check(0.21))


def test_limits_within_the_error_of_drawing_are_reported() -> None:
    def drawn(high: float, error: float | None) -> str:
        return doubted(replace(GOOD, estimate=Estimate(0.1, 0.05, high), drawing_error=error))

    said = "by less than the error of random draws"
    assert said in drawn(0.19, 0.004)
    assert said in drawn(0.21, 0.004)
    assert said not in drawn(0.19, 0.003)
    assert said not in drawn(0.19, None)


def test_gates_that_the_two_rules_open_differently_are_named() -> None:
    def gate(observed: bool, significant: bool) -> Gate:
        return Gate("NAME", "direct", 30, 0.95, 0.9, observed, significant, applied=observed, undecided=True)

    hidden = release(0.5)
    assert "not significantly, for: NAME." in doubted(GOOD, gates=(gate(True, False),), given=hidden)
    assert doubted(GOOD, gates=(gate(True, True), gate(False, False)), given=hidden) == ""
    assert doubted(GOOD, gates=(gate(True, False),)) == "", "with redaction, gates do not matter"


def test_a_part_as_json() -> None:
    own = GOOD.to_dict()
    assert own["decision"] == "accepted"
    assert "other_interval" not in own
    other = replace(GOOD, interval="parameter", other=Estimate(0.1, 0.1, 0.2), by_document=0.07)
    figures = other.figures()
    assert figures["other_interval"]["interval"] == "per_document"
    assert replace(other, interval="per_document").figures()["other_interval"]["interval"] == "parameter"
    assert figures["plug_in_by_document"] == 0.07
    assert "drawing_error" not in figures
    beside = replace(OPEN, model=GOOD, with_attempt=(Estimate(0.01, 0.0, 0.02), 0.04)).to_dict()
    assert beside["model"] == GOOD.figures()
    assert (beside["with_attempt"]["high"], beside["with_attempt"]["threshold"]) == (0.02, 0.04)
    assert beside["documents_needed"]["with_chance"] == 90
    assert (GOOD.by_model, replace(OPEN, model=BAD).by_model) == (GOOD, BAD)
