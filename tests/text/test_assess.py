from __future__ import annotations

from dataclasses import replace

import pytest

import reidrisk as rr
from reidrisk.core.estimate import Estimate
from reidrisk.stats.sample_size import BENCHMARK_UPPER
from reidrisk.text.assess import (
    Provenance,
    _crosschecks,
    _with_plain_count,
    assess,
    assess_only,
    decided_risks,
)
from reidrisk.text.models import TextCase
from reidrisk.text.verdict import RiskPart
from tests.text.test_models import HIDDEN, evidence, settings

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
    for interval in ("parameter", "per_document"):
        own = case(engine="bootstrap", interval=interval)
        benchmark = Estimate(0.05, 0.02, BENCHMARK_UPPER)
        found.append(_crosschecks(own, decided_risks(own, benchmark).both))
    assert [(check.engine, check.role, check.interval) for check in found[1]] == [
        ("exact", "direct", "parameter"),
        ("exact", "quasi", "parameter"),
    ]
    assert [check.high for check in found[0]] == [check.high for check in found[1]]


@pytest.mark.parametrize("limit", ["model", "observed"])
def test_the_verdict_alone_is_that_of_the_whole_assessment(limit: str) -> None:
    own = settings(limit=limit, crosscheck=False)
    whole = assess(evidence(), HIDDEN, FIVE, own, provenance=Provenance(7))
    alone = assess_only(evidence(), HIDDEN, FIVE, own, seed=7)
    assert alone.acceptable is whole.acceptable
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
