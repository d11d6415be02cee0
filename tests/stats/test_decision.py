from __future__ import annotations

from functools import partial
from math import ceil

import numpy as np
import pytest
from scipy.stats import binom

from reidrisk.stats import decision
from reidrisk.stats.decision import (
    NONE_NEEDED,
    TOLERANCE,
    UnitsNeeded,
    decide,
    fewest_units,
    inner_threshold,
    passes,
    units_needed,
)
from reidrisk.stats.mean_limit import clopper_pearson
from reidrisk.stats.observed_limit import ObservedRisk
from reidrisk.stats.uncertain import Triangular

LEVEL = 0.975
HALF, DOUBLE = 1 + (TOLERANCE - 1) / 2, 1 + (TOLERANCE - 1) * 2


def test_limits_that_equal_the_threshold_but_for_rounding_count_as_equal() -> None:
    assert decide(0.1, 0.2 * HALF, 0.2) == "accepted"
    assert decide(0.1, 0.2 * DOUBLE, 0.2) == "undecided"
    assert decide(0.2, 0.3, 0.2) == "undecided"
    assert decide(0.2 * HALF, 0.3, 0.2) == "undecided"
    assert decide(0.2 * DOUBLE, 0.3, 0.2) == "refused"
    assert decide(0.0, 0.0, 0.0) == "accepted"


@pytest.mark.parametrize("part", [0.0, 0.4])
def test_a_risk_passes_exactly_if_its_upper_limit_does(part: float) -> None:
    risk = ObservedRisk.of_values(np.array([0.0, part, 1.0]), np.array([60.0, 3.0, 1.0]))
    high = risk.upper(LEVEL)
    assert passes(risk, high, LEVEL)
    assert passes(risk, high * 1.0001, LEVEL)
    assert not passes(risk, high * 0.9999, LEVEL)
    assert passes(risk, 1.0, LEVEL)
    assert passes(risk, 1.5, LEVEL)
    assert not passes(ObservedRisk.of_share(1, 1), 0.999, LEVEL)
    assert passes(ObservedRisk.of_share(1, 1), 1 / HALF, LEVEL)


def documents(leaking: int, number: int, threshold: float) -> UnitsNeeded:
    """By trying every number of documents."""

    def upper(leaks: int, of: int) -> float:
        return clopper_pearson(leaks, of, LEVEL)[1]

    tried = range(number, 400)
    share = (leaking + 0.5) / (number + 1)
    most = [max((k for k in range(40) if upper(k, n) <= threshold), default=-1) for n in tried]
    return UnitsNeeded(
        next((n for n in tried if upper(leaking, n) <= threshold), None),
        next((n for n in tried if upper(-(-n * leaking // number), n) <= threshold), None),
        next((n for n, k in zip(tried, most, strict=True) if binom.cdf(k, n, share) >= 0.9), None),
    )


@pytest.mark.parametrize(("leaking", "number", "threshold"), [(0, 10, 0.2), (1, 20, 0.15), (3, 30, 0.22)])
def test_documents_needed_agree_with_trying_every_number(leaking: int, number: int, threshold: float) -> None:
    found = units_needed(ObservedRisk.of_share(leaking, number), threshold, LEVEL)
    assert found == documents(leaking, number, threshold)


def test_documents_needed_with_catch_and_attempt_are_those_of_the_inner_threshold() -> None:
    plain = ObservedRisk.of_share(1, 20)
    risk = ObservedRisk(
        plain.sizes, plain.sums * 0.5, plain.counts, 1.0,
        tops=np.array([0.5]), attempt=Triangular.constant(0.4), given_catch=0.1,
    )  # fmt: skip
    threshold = 0.4 * (0.1 + 0.9 * 0.5 * 0.15)
    assert inner_threshold(risk, threshold) == pytest.approx(0.075)
    assert units_needed(risk, threshold, LEVEL) == units_needed(plain, 0.15, LEVEL)


def test_no_number_helps_where_the_estimate_or_the_caught_values_alone_reach_the_threshold() -> None:
    risk = ObservedRisk.of_share(2, 20)
    assert units_needed(risk, 0.1, LEVEL) == NONE_NEEDED
    assert units_needed(risk, 0.1001, LEVEL) != NONE_NEEDED
    caught = ObservedRisk(np.ones(1), np.zeros((1, 1)), np.array([20.0]), 1.0, given_catch=0.2)
    assert units_needed(caught, 0.2, LEVEL) == NONE_NEEDED
    assert fewest_units(caught, 0.2, LEVEL) is None
    assert fewest_units(caught, 0.21, LEVEL) is not None


def test_the_inner_threshold_leads_back_to_the_threshold() -> None:
    attempt = Triangular(0.1, 0.2, 0.6)
    risk = ObservedRisk(np.ones(1), np.zeros((1, 1)), np.ones(1), 1.0, attempt=attempt, given_catch=0.05)
    inner = inner_threshold(risk, 0.09)
    assert 0.3 * (0.05 + 0.95 * inner) == pytest.approx(0.09)
    certain = ObservedRisk(np.ones(1), np.zeros((1, 1)), np.ones(1), 1.0, given_catch=1.0)
    assert inner_threshold(certain, 0.09) == 0.0
    nobody = ObservedRisk(np.ones(1), np.zeros((1, 1)), np.ones(1), 1.0, attempt=Triangular.constant(0.0))
    assert inner_threshold(nobody, 0.09) == 0.0


def test_the_fewest_units_are_those_of_which_none_may_leak() -> None:
    """(1 - t)^n <= 1 - level."""
    risk = ObservedRisk.of_share(1, 3)
    for threshold in (0.05, 0.0877, 0.2, 0.5, 0.97):
        expected = ceil(np.log(1 - LEVEL) / np.log(1 - threshold))
        assert fewest_units(risk, threshold, LEVEL) == expected
    assert fewest_units(risk, 0.0, LEVEL) is None
    assert fewest_units(risk, 1.0, LEVEL) == 1
    half = ObservedRisk(np.ones(1), np.zeros((1, 1)), np.ones(1), 1.0, tops=np.array([0.5]))
    assert fewest_units(half, 0.1, LEVEL) == fewest_units(risk, 0.2, LEVEL)
    nothing = ObservedRisk(np.ones(1), np.zeros((1, 1)), np.ones(1), 1.0, tops=np.zeros(1))
    assert fewest_units(nothing, 0.1, LEVEL) == 1


@pytest.mark.parametrize("start", [1, 3, 20])
@pytest.mark.parametrize("true", [1, 2, 3, 19, 20, 21, 37, 64, 65, 99_999, 100_000])
def test_the_smallest_number_is_found(start: int, true: int) -> None:
    asked: list[int] = []

    def enough(number: int) -> bool:
        asked.append(number)
        return number >= true

    assert decision._smallest(enough, start) == max(start, true)
    assert max(asked) <= decision.MOST
    assert min(asked) >= start


def test_nobody_annotates_more_than_the_most() -> None:
    most = decision.MOST
    assert decision._smallest(lambda number: number > most, 7) is None
    assert decision._smallest(lambda number: number > most + 9, most // 2 + 9) is None
    known = units_needed(ObservedRisk.of_share(100, 10_000), 0.010001, LEVEL)
    assert (known.if_share_stays, known.with_chance) == (None, None)
    assert known.if_nothing_more_leaks is not None
    partly = ObservedRisk.of_values(np.array([0.0, 0.5]), np.array([9_800.0, 200.0]))
    assert units_needed(partly, 0.010001, LEVEL).with_chance is None


def test_units_that_leak_in_part_need_about_what_the_normal_approximation_gives() -> None:
    values = np.repeat([0.0, 0.1, 0.4], [70, 20, 10])
    risk = ObservedRisk.of_values(values, np.ones(100))
    mean, spread = values.mean(), np.std(values, ddof=1)
    threshold = 0.08
    at_threshold = spread * (threshold * (1 - threshold) / (mean * (1 - mean))) ** 0.5
    expected = ((1.959964 * at_threshold + 1.281552 * spread) / (threshold - mean)) ** 2
    needed = units_needed(risk, threshold, LEVEL)
    assert needed.with_chance == ceil(expected)
    assert needed.if_share_stays == next(
        n for n in range(100, 1000) if passes(risk.times(n / 100), threshold, LEVEL)
    )
    assert needed.if_nothing_more_leaks == next(
        n for n in range(100, 1000) if passes(risk.with_more(n - 100), threshold, LEVEL)
    )
    assert units_needed(risk, 0.5, LEVEL).with_chance == 100  # never fewer than there are


def test_larger_units_count_by_their_size() -> None:
    """The spread is that of the sums beyond what their size makes expected, per mean size."""
    sizes, sums = np.array([1.0, 1.0, 4.0]), np.array([0.5, 0.0, 1.0])
    risk = ObservedRisk(sizes, sums[None, :], np.ones(3), 4.0)
    residuals = sums - 0.25 * sizes
    assert decision._spread(risk) == pytest.approx((residuals @ residuals / 2) ** 0.5 / 2)
    one = ObservedRisk(np.ones(2), np.array([[0.5, 0.0]]), np.array([0.5, 0.5]), 1.0)
    assert decision._spread(one) == pytest.approx(0.25)


def more(risk: ObservedRisk, number: int) -> ObservedRisk:
    return risk.with_more(number - 30)


def as_often(risk: ObservedRisk, number: int) -> ObservedRisk:
    return risk.times(number / 30)


def test_an_uncertain_attempt_or_recognition_is_counted_unit_by_unit() -> None:
    share = ObservedRisk.of_share(1, 30)
    attempt = ObservedRisk.of_share(1, 30, attempt=Triangular(0.1, 0.2, 0.6))
    recognized = ObservedRisk(
        share.sizes, np.array([[1.0, 0.0], [0.5, 0.0]]), share.counts, 1.0,
        tops=np.array([1.0, 0.5]), weights=np.array([0.3, 0.7]),
    )  # fmt: skip
    for risk, threshold in ((attempt, 0.03), (recognized, 0.06)):
        needed = units_needed(risk, threshold, LEVEL)
        for found, changed in (
            (needed.if_nothing_more_leaks, partial(more, risk)),
            (needed.if_share_stays, partial(as_often, risk)),
        ):
            assert found is not None
            assert found > 31
            assert changed(found).upper(LEVEL) <= threshold * TOLERANCE < changed(found - 1).upper(LEVEL)


def test_a_threshold_that_nothing_can_exceed_needs_no_further_document() -> None:
    half = ObservedRisk(np.ones(2), np.array([[0.5, 0.0]]), np.array([3.0, 1.0]), 1.0, tops=np.array([0.5]))
    assert units_needed(half, 0.5, LEVEL).if_nothing_more_leaks == 4
    assert units_needed(half, 0.6, LEVEL).if_share_stays == 4


def test_clusters_without_a_leak_need_as_many_as_documents_without_one() -> None:
    clusters = ObservedRisk(np.array([1.0, 3.0]), np.zeros((1, 2)), np.array([6.0, 4.0]), 3.0)
    alike = units_needed(ObservedRisk.of_share(0, 10), 0.2, LEVEL).with_chance
    assert units_needed(clusters, 0.2, LEVEL).with_chance == alike


def test_the_numbers_of_a_result() -> None:
    assert UnitsNeeded(41, None, 90).to_dict() == {
        "if_nothing_more_leaks": 41, "if_share_stays": None, "with_chance": 90, "chance": 0.9,
    }  # fmt: skip
