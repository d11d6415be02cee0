from __future__ import annotations

from dataclasses import replace

import pytest

import reidrisk as rr
from reidrisk.core.estimate import Estimate
from reidrisk.errors import InvalidSetting
from reidrisk.stats.mean_limit import clopper_pearson
from reidrisk.stats.proportion import interval
from reidrisk.stats.sample_size import BENCHMARK_UPPER
from reidrisk.text import models
from reidrisk.text.assess import (
    Provenance,
    _crosschecks,
    _with_plain_count,
    assess,
    assess_only,
    benchmark_estimate,
    decided_risks,
)
from reidrisk.text.models import TextCase
from reidrisk.text.verdict import RiskPart
from tests.text.test_models import ATTEMPTED, HIDDEN, evidence, settings

FIVE = rr.Threshold.from_cell_size(5, "test")
PART = RiskPart(Estimate(0.1, 0.05, 0.15), 0.1, "parameter", 0.2, acceptable=True)


def case(**options: object) -> TextCase:
    return TextCase(evidence(), HIDDEN, FIVE, settings(**options), seed=7)


@pytest.mark.parametrize(
    ("plain_count", "limit"), [("veto", "model"), ("warn", "model"), ("veto", "observed")]
)
def test_leaks_that_were_counted_may_refuse_what_the_model_accepts(plain_count: str, limit: str) -> None:
    own = case(plain_count=plain_count, limit=limit)
    above, at, below = (_with_plain_count(PART, floor, own) for floor in (0.21, 0.2, 0.1))
    assert (above.plain_count_exceeds, at.plain_count_exceeds, below.plain_count_exceeds) == (
        True,
        False,
        False,
    )
    assert above.acceptable is not (plain_count == "veto" and limit == "model")
    assert at.acceptable
    assert below.acceptable
    refused = replace(PART, acceptable=False)
    assert not _with_plain_count(refused, 0.1, own).acceptable


def test_a_check_by_another_engine_is_of_the_interval_that_was_computed() -> None:
    """The bootstrap has one interval only, whatever the settings ask for."""
    found = []
    for kind in ("parameter", "per_document"):
        own = case(engine="bootstrap", interval=kind)
        benchmark = Estimate(0.05, 0.02, BENCHMARK_UPPER)
        found.append(_crosschecks(own, decided_risks(own, benchmark).both))
    assert [(check.engine, check.role, check.interval) for check in found[1]] == [
        ("exact", "direct", "parameter"),
        ("exact", "quasi", "parameter"),
    ]
    assert [check.high for check in found[0]] == [check.high for check in found[1]]


def test_a_check_tells_how_far_the_other_engine_is_above_the_first() -> None:
    """As a share of the limit of the first engine: positive where the other one is higher."""
    own = case(engine="bootstrap")
    risks = decided_risks(own, Estimate(0.05, 0.02, BENCHMARK_UPPER)).both
    assert risks.direct is not None
    assert risks.quasi is not None
    highs = [risks.direct.estimate.high, risks.quasi.estimate.high]
    checks = _crosschecks(own, risks)
    assert [check.difference for check in checks] == pytest.approx(
        [check.high / high - 1 for check, high in zip(checks, highs, strict=True)]
    )
    assert any(abs(check.difference) > 0.01 for check in checks)


@pytest.mark.parametrize("limit", ["model", "observed"])
def test_the_verdict_alone_is_that_of_the_whole_assessment(limit: str) -> None:
    own = settings(limit=limit, crosscheck=False)
    whole = assess(evidence(), HIDDEN, FIVE, own, provenance=Provenance(7))
    alone = assess_only(evidence(), HIDDEN, FIVE, own, seed=7)
    assert alone.acceptable is whole.acceptable
    assert {part.model for part in (alone.direct, alone.quasi) if part} == {None}, "no model is computed"
    for one, other in ((alone.direct, whole.direct), (alone.quasi, whole.quasi)):
        assert one is not None
        assert other is not None
        assert (one.estimate, one.threshold, one.decision) == (
            other.estimate,
            other.threshold,
            other.decision,
        )
    assert whole.direct is not None
    assert whole.direct.threshold == pytest.approx(BENCHMARK_UPPER, rel=0.05)
    assert whole.quasi is not None
    assert whole.quasi.threshold == 0.2


def test_the_benchmark_with_and_without_an_attempt() -> None:
    observed = settings(limit="observed", gate="significant")
    found = benchmark_estimate(ATTEMPTED, observed, seed=7)
    assert (found.value, found.high) == pytest.approx((0.05, BENCHMARK_UPPER))
    assert clopper_pearson(11, 220, 0.975)[0] == pytest.approx(found.low)
    whole = assess(evidence(), ATTEMPTED, FIVE, replace(observed, crosscheck=False), provenance=Provenance(7))
    assert whole.benchmark_with_attempt is not None
    assert whole.benchmark_with_attempt.value == pytest.approx(0.3 * 0.05)
    assert whole.direct is not None
    assert whole.direct.with_attempt is not None
    attempted, bar = whole.direct.with_attempt
    assert bar == pytest.approx(whole.benchmark_with_attempt.high)
    assert attempted.value == pytest.approx(0.3 * whole.direct.estimate.value)
    public = assess(evidence(), HIDDEN, FIVE, replace(observed, crosscheck=False), provenance=Provenance(7))
    assert public.direct is not None
    assert public.direct.with_attempt is None
    by_model = assess(evidence(), HIDDEN, FIVE, settings(crosscheck=False), provenance=Provenance(7))
    assert by_model.benchmark_with_attempt is None


def test_shares_of_documents_with_leaks_and_their_intervals() -> None:
    """One of five documents leaks directly, none has two leaked values."""
    whole = assess(evidence(), HIDDEN, FIVE, settings(crosscheck=False), provenance=Provenance(7))
    direct, quasi = whole.observed
    assert (direct.value, quasi.value) == (0.2, 0.0)
    low, high = interval(1, 5, method=settings().share_method, level=0.95)
    assert (direct.low, direct.high) == (low, high)
    needed = assess(evidence(), HIDDEN, FIVE, settings(crosscheck=False, needed=1), provenance=Provenance(7))
    assert needed.observed[1].value == 0.4


def test_gates_as_they_are_shown() -> None:
    """Three of four names are caught, both doctors, and nine of twelve quasi-identifiers."""
    observed = settings(limit="observed", gate="significant", crosscheck=False)
    whole = assess(evidence(), HIDDEN, FIVE, observed, provenance=Provenance(7))
    gates = {gate.type: gate for gate in whole.gates}
    assert [(gate.documents, gate.recall) for gate in gates.values()] == [(2, 1.0), (4, 0.75), (3, 0.75)]
    doctor = gates["DOCTOR"]
    assert (doctor.observed, doctor.significant, doctor.applied, doctor.undecided) == (
        True,
        False,
        False,
        True,
    )
    assert doctor.upper_leak == pytest.approx(1 - 0.025 ** (1 / 2))
    assert doctor.level == 0.975
    name = gates["NAME"]
    assert (name.observed, name.significant, name.undecided) == (False, False, True)
    assert name.upper_leak == pytest.approx(clopper_pearson(1, 4, 0.975)[1])
    rules = [rule for rule, _ in whole.gate_comparison]
    assert rules == ["observed", "significant", "always", "never"]
    redacted = rr.Release.public("redaction")
    certain = assess(evidence(), redacted, FIVE, observed, provenance=Provenance(7))
    assert [rule for rule, _ in certain.gate_comparison] == ["observed", "significant"]
    by_model = assess(evidence(), HIDDEN, FIVE, settings(crosscheck=False), provenance=Provenance(7))
    assert {gate.upper_leak for gate in by_model.gates} == {None}
    drawn = assess(
        evidence(), HIDDEN, FIVE, settings(crosscheck=False, gate="draw"), provenance=Provenance(7)
    )
    assert {gate.applied for gate in drawn.gates} == {None}


def test_a_recognition_of_a_type_that_does_not_occur_is_refused() -> None:
    phone = rr.Release.public("resynthesis", recognition={"default": 0.5, "PHONE": 0.1})
    with pytest.raises(InvalidSetting, match="given for PHONE"):
        assess_only(evidence(), phone, FIVE, settings(), seed=7)


def test_the_interval_that_decides_on_quasi_identifiers() -> None:
    one = assess_only(evidence(), HIDDEN, FIVE, settings(interval="parameter"), seed=7).quasi
    two = assess_only(evidence(), HIDDEN, FIVE, settings(interval="per_document"), seed=7).quasi
    assert one is not None
    assert two is not None
    assert (one.interval, two.interval) == ("parameter", "per_document")
    assert (one.other, two.other) == (two.estimate, one.estimate)
    model = models.quasi_model(evidence(), HIDDEN, settings())
    assert model is not None
    limits = models.quasi_limits(model, settings(), "exact", seed=7)
    assert (one.estimate.low, one.estimate.high) == (limits.parameter.low, limits.parameter.high)
    assert (two.estimate.low, two.estimate.high) == (limits.per_document.low, limits.per_document.high)
    assert one.estimate.high != two.estimate.high
    bootstrap = assess_only(evidence(), HIDDEN, FIVE, settings(engine="bootstrap"), seed=7).quasi
    assert bootstrap is not None
    assert (bootstrap.interval, bootstrap.other) == ("parameter", None)
