from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betaincinv

from reidrisk.errors import InvalidSetting
from reidrisk.stats import observed_limit
from reidrisk.stats.decision import fewest_units, units_needed
from reidrisk.stats.mean_limit import chance_not_positive
from reidrisk.stats.nodes import density_nodes
from reidrisk.stats.observed_limit import (
    ObservedRisk,
    SampleDesign,
    direct_risks,
    likeness_of_groups,
    quasi_risks,
)
from reidrisk.stats.uncertain import Beta, Triangular
from reidrisk.validate.limit_formulas import LIMIT_FORMULAS
from reidrisk.validate.values import agree
from tests.stats.limit_cases import LIMIT_CASES, Case

LEVEL = 0.975
BENCHMARK = 0.08770113916432278


@pytest.mark.parametrize("case", LIMIT_CASES, ids=[case[0] for case in LIMIT_CASES])
def test_reference_limits(case: Case) -> None:
    _, kind, given_, expected, tolerance = case
    found = LIMIT_FORMULAS[f"limit: {kind}"](given_)
    assert agree(expected, found, {"abs": tolerance})


def test_every_reference_case_is_computed() -> None:
    assert {f"limit: {case[1]}" for case in LIMIT_CASES} == set(LIMIT_FORMULAS)
    assert len(LIMIT_CASES) == 49


@settings(max_examples=15)
@given(st.integers(0, 60), st.integers(0, 60), st.floats(0.05, 1))
def test_the_contour_integral_agrees_with_the_beta_function(leaking: int, others: int, top: float) -> None:
    """A unit with a weight of almost nothing keeps the beta function from being used."""
    units = leaking + others
    if units == 0:
        return
    sums = np.array([[top, 0.0, top / 2]])
    general = ObservedRisk(np.ones(3), sums, np.array([leaking, others, 1e-13]), 1.0, tops=np.array([top]))
    assert general.leaking is None
    low, high = general.limits(LEVEL)
    expected_low = top * betaincinv(leaking, others + 1, 1 - LEVEL) if leaking else 0.0
    expected_high = top * betaincinv(leaking + 1, others, LEVEL) if others else top
    assert low == pytest.approx(expected_low, abs=1e-9)
    assert high == pytest.approx(expected_high, abs=1e-9)


def test_the_limits_agree_with_dirichlet_draws() -> None:
    """A second way: weights of the Bayesian bootstrap with one imagined unit, drawn 200,000 times."""
    rng = np.random.default_rng(11)
    sizes = np.array([1.0, 4.0, 2.0, 7.0, 3.0])
    sums, counts = np.array([[0.0, 1.3, 2.0, 0.7, 0.0]]), np.array([9.0, 3.0, 2.0, 4.0, 6.0])
    risk = ObservedRisk(sizes, sums, counts, 7.0)
    weights = rng.gamma(np.append(counts, 1.0), size=(200_000, 6))
    for end, level, limit in ((7.0, LEVEL, risk.upper(LEVEL)), (0.0, 1 - LEVEL, risk.lower(LEVEL))):
        drawn = (weights @ np.append(sums[0], end)) / (weights @ np.append(sizes, 7.0))
        assert float(np.mean(drawn <= limit)) == pytest.approx(level, abs=4e-4 * 4)


@settings(max_examples=10)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(1, 9)), min_size=1, max_size=6),
    st.floats(0.01, 0.99),
)
def test_limits_enclose_the_estimate_and_more_documents_narrow_them(
    pairs: list[tuple[float, int]], level: float
) -> None:
    values, counts = np.array(pairs).T
    risk = ObservedRisk.of_values(values, counts)
    level = 0.5 + level / 2
    low, high = risk.limits(level)
    assert -1e-12 <= low <= risk.estimate + 1e-9
    assert risk.estimate - 1e-9 <= high <= 1 + 1e-12
    wide_low, wide_high = risk.limits(level + (1 - level) / 2)
    assert wide_low <= low + 1e-9
    assert wide_high >= high - 1e-9


@settings(max_examples=20)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_documents_does_not_matter(values: list[float], random: Any) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)
    one, two = (ObservedRisk.of_values(np.array(found), np.ones(len(found))) for found in (values, shuffled))
    assert one.limits(LEVEL) == pytest.approx(two.limits(LEVEL), abs=1e-10)


def test_many_distinct_values_are_split_on_a_grid_without_changing_the_limits() -> None:
    values = np.random.default_rng(3).random(2000) ** 6
    exact = ObservedRisk(np.ones(2000), values[None, :], np.ones(2000), 1.0)
    coarse = ObservedRisk.of_values(values, np.ones(2000))
    assert coarse.counts.size <= 513
    assert coarse.limits(LEVEL) == pytest.approx(exact.limits(LEVEL), rel=1e-5)
    assert coarse.estimate == pytest.approx(exact.estimate, rel=1e-12)


def test_uncertain_recognition_and_attempt_agree_with_draws() -> None:
    """y of 6 leaking documents of 200 is h; A and h are drawn, then X from its beta distribution."""
    rng = np.random.default_rng(5)
    recognition, attempt = Beta(211.5, 99.5), Triangular(0.1, 0.2, 0.6)
    nodes, weights = density_nodes(recognition)
    risk = ObservedRisk(
        np.ones(2),
        np.column_stack([nodes, np.zeros(nodes.size)]),
        np.array([6.0, 194.0]),
        1.0,
        tops=nodes,
        weights=weights,
        attempt=attempt,
    )
    size = 400_000
    drawn = rng.beta(7, 194, size) * rng.beta(211.5, 99.5, size) * attempt.quantiles(rng.random(size))
    assert float(np.mean(drawn <= risk.upper(LEVEL))) == pytest.approx(LEVEL, abs=1e-3)
    assert risk.estimate == pytest.approx(0.03 * recognition.mean * attempt.mean, rel=1e-9)


def test_clusters_of_one_document_are_documents() -> None:
    leaks = np.array([1, 0, 0, 1, 0, 0, 0])
    sums = np.array([[0.0, 1.0]])
    singly = ObservedRisk(*SampleDesign().units(leaks, np.ones(2), sums))
    clustered = ObservedRisk(*SampleDesign(np.arange(7)).units(leaks, np.ones(2), sums))
    weighted = ObservedRisk(*SampleDesign(weight=np.ones(7)).units(leaks, np.ones(2), sums))
    assert singly.limits(LEVEL) == clustered.limits(LEVEL) == weighted.limits(LEVEL)


@pytest.mark.parametrize(("clusters", "high"), [(5, 0.52), (9, 0.336), (17, 0.195), (41, 0.086)])
def test_clusters_without_a_leak(clusters: int, high: float) -> None:
    design = SampleDesign(np.repeat(np.arange(clusters), 10))
    risk = ObservedRisk(*design.units(np.zeros(10 * clusters, int), np.ones(1), np.zeros((1, 1))))
    assert risk.upper(LEVEL) == pytest.approx(high, abs=3e-3)
    assert fewest_units(risk, BENCHMARK, LEVEL) == 41
    assert fewest_units(risk, 0.2, LEVEL) == 17


def test_nothing_recognized_is_no_risk_and_no_document_is_refused() -> None:
    risk = ObservedRisk(np.ones(2), np.zeros((1, 2)), np.array([3.0, 9.0]), 1.0, tops=np.zeros(1))
    assert risk.limits(LEVEL) == (0.0, 0.0)
    with pytest.raises(InvalidSetting, match="No unit"):
        ObservedRisk(np.zeros(0), np.zeros((1, 0)), np.zeros(0), 1.0)


def test_the_general_plans_agree_with_those_for_shares_where_both_apply() -> None:
    share = ObservedRisk.of_share(0, 30)
    nearly = ObservedRisk(np.ones(3), np.array([[1.0, 0.0, 0.5]]), np.array([0, 30.0, 1e-12]), 1.0)
    one, two = (units_needed(risk, BENCHMARK, LEVEL) for risk in (share, nearly))
    assert one.if_nothing_more_leaks == two.if_nothing_more_leaks == 41
    leaky = ObservedRisk(np.ones(2), np.array([[0.3, 0.0]]), np.array([30.0, 90.0]), 1.0)
    needed = units_needed(leaky, 0.1, LEVEL)
    more = leaky.with_more(needed.if_nothing_more_leaks - 120)  # type: ignore[operator]
    assert more.upper(LEVEL) <= 0.1 * (1 + 1e-9) < leaky.upper(LEVEL)
    times = leaky.times(needed.if_share_stays / 120)  # type: ignore[operator]
    assert times.upper(LEVEL) <= 0.1 * (1 + 1e-9)
    assert leaky.times((needed.if_share_stays - 1) / 120).upper(LEVEL) > 0.1  # type: ignore[operator]
    assert needed.with_chance is not None
    assert needed.with_chance > needed.if_share_stays > needed.if_nothing_more_leaks  # type: ignore[operator]


def test_probabilities_of_weighted_gamma_sums() -> None:
    """Closed forms: two exponentials, and Gamma(3) against Gamma(2)."""
    rows = np.array([[1.0, -2.0], [-5.0, 1.0], [2.0, 3.0], [0.0, 0.0]])
    assert chance_not_positive(rows, np.ones(2)) == pytest.approx([2 / 3, 5 / 6, 0.0, 1.0], abs=1e-12)
    third = chance_not_positive(np.array([[1.0, -1.0]]), np.array([3.0, 2.0]))
    assert third[0] == pytest.approx(5 / 16, abs=1e-12)


def test_a_value_that_no_document_has_changes_nothing() -> None:
    """It once set the scale of the integral: the lower limit was above the estimate."""
    some = ObservedRisk.of_values(np.array([0.0, 0.27]), np.array([118.0, 2.0]))
    more = ObservedRisk.of_values(np.array([0.0, 0.27, 1.0]), np.array([118.0, 2.0, 0.0]))
    assert more.limits(LEVEL) == pytest.approx(some.limits(LEVEL), rel=1e-9)
    assert more.lower(LEVEL) < more.estimate


def test_groups_that_leak_alike_are_detected_and_others_are_not() -> None:
    group = np.repeat(np.arange(20), 10)
    alike = np.where(np.isin(group, (3, 7)), 0.5, 0.0)
    assert likeness_of_groups(alike, group, rng=np.random.default_rng(1)) == 1 / 2000
    spread = np.where(np.arange(200) % 10 == 0, 0.5, 0.0)
    assert likeness_of_groups(spread, group, rng=np.random.default_rng(1)) == 1.0
    assert likeness_of_groups(np.zeros(200), group, rng=np.random.default_rng(1)) == 1.0


def test_limits_that_were_found_before_are_those_of_their_own_case(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases that differ in one thing only have different limits, also after others were asked for."""
    risk = ObservedRisk.of_values(np.array([0.0, 0.3, 1.0]), np.array([80.0, 5.0, 2.0]))
    cases = [
        risk,
        replace(risk, attempt=Triangular(0.2, 0.3, 0.4)),
        replace(risk, given_catch=0.01),
        replace(risk, counts=risk.counts + 1),
        replace(risk, sums=risk.sums / 2),
        replace(risk, sizes=risk.sizes * 2),
        replace(risk, largest=2.0),
        replace(risk, tops=risk.tops * 1.5),
        replace(risk, sizes=np.array([1.0, 1.0, 2.0])),
    ]
    asked = [(case, level) for case in cases for level in (0.9, 0.95)]
    monkeypatch.setattr(observed_limit, "_KEPT", {})
    kept = [case.limits(level) for case, level in asked for _ in range(2)][1::2]
    fresh = []
    for case, level in asked:
        observed_limit._KEPT.clear()
        fresh.append(replace(case).limits(level))
    assert kept == fresh
    assert len(set(fresh)) == len(asked)


def test_not_more_than_some_limits_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observed_limit, "_KEPT", {})
    monkeypatch.setattr(observed_limit, "MOST_KEPT", 3)
    risk = ObservedRisk.of_values(np.array([0.0, 0.3]), np.array([80.0, 5.0]))
    found = [risk.upper(level) for level in (0.9, 0.91, 0.92, 0.93, 0.9)]
    assert len(observed_limit._KEPT) <= 3
    assert found[0] == found[-1] < found[1]


def test_risks_of_documents_with_several_types_and_values_of_the_recognition() -> None:
    leaks = np.array([[True, True], [False, True], [False, False]])
    found = direct_risks(leaks, np.array([[0.5, 0.2], [1.0, 0.0]]))
    assert found == pytest.approx(np.array([[0.6, 0.2, 0.0], [1.0, 0.0, 0.0]]))
    quasi = quasi_risks(np.array([0, 1, 2, 4]), np.array([0.3, 1.0]), needed=3)
    assert quasi == pytest.approx(np.array([[0, 0, 0, 4 * 0.3**3 * 0.7 + 0.3**4], [0, 0, 0, 1]]))
    assert quasi_risks(np.array([0, 1]), np.array([0.3]), needed=1) == pytest.approx(np.array([[0.0, 0.3]]))


def listed(units: tuple[Any, ...]) -> list[tuple[float, ...]]:
    sizes, sums, counts, _ = units
    return sorted(zip(sizes, *sums, counts, strict=True))


def test_units_of_weighted_documents() -> None:
    """Patterns 0 and 1 leak 0 and 1; two documents count double."""
    pattern, sums = np.array([0, 1, 0, 1, 1]), np.array([[0.0, 1.0], [0.0, 0.5]])
    design = SampleDesign(weight=np.array([0.5, 0.5, 2.0, 2.0, 0.5]))
    units = design.units(pattern, np.ones(2), sums)
    assert listed(units) == [(0.5, 0, 0, 1), (0.5, 0.5, 0.25, 2), (2, 0, 0, 1), (2, 2, 1, 1)]
    assert units[3] == 2.0
    plain = SampleDesign().units(pattern, np.ones(2), sums)
    assert listed(plain) == [(1, 0, 0, 2), (1, 1, 0.5, 3)]
    assert plain[3] == 1.0


def test_units_of_clusters() -> None:
    """Cluster 0 has three documents, of which two leak, cluster 1 one, and cluster 2 two that do not."""
    cluster, pattern = np.array([0, 1, 0, 2, 0, 2]), np.array([1, 1, 0, 0, 1, 0])
    sums = np.array([[0.0, 1.0]])
    whole = SampleDesign(cluster).units(pattern, np.ones(2), sums)
    assert listed(whole) == [(1, 1, 1), (2, 0, 1), (3, 2, 1)]
    assert whole[3] == 3.0
    largest = SampleDesign(cluster, cluster_max=12).units(pattern, np.ones(2), sums)
    assert largest[3] == 12.0
    assert SampleDesign(cluster, cluster_max=2).units(pattern, np.ones(2), sums)[3] == 3.0
    equal = SampleDesign(cluster, equal=True, cluster_max=12).units(pattern, np.ones(2), sums)
    assert listed(equal) == [(1, 0, 1), (1, pytest.approx(2 / 3), 1), (1, 1, 1)]
    assert equal[3] == 1.0
    weighted = SampleDesign(cluster, weight=np.array([1, 2, 1, 1, 3, 1.0])).units(pattern, np.ones(2), sums)
    assert listed(weighted) == [(2, 0, 1), (2, 2, 1), (5, 4, 1)]


def test_documents_of_size_zero_are_no_units() -> None:
    """A document without the type that is asked for says nothing about it."""
    sizes, sums = np.array([0.0, 1.0, 1.0]), np.array([[0.0, 0.0, 1.0]])
    some = SampleDesign().units(np.array([0, 1, 2, 0, 1]), sizes, sums)
    assert listed(some) == [(1, 0, 2), (1, 1, 1)]
    clusters = SampleDesign(np.array([0, 1, 1, 0, 1])).units(np.array([0, 1, 2, 0, 1]), sizes, sums)
    assert listed(clusters) == [(3, 1, 1)]
    *_, largest = SampleDesign().units(np.zeros(3, int), np.zeros(1), np.zeros((1, 1)))
    assert largest == 0.0


def test_estimate_and_top_count_catch_and_attempt() -> None:
    risk = ObservedRisk(
        np.array([1.0, 2.0]), np.array([[1.0, 0.0], [0.5, 0.0]]), np.array([3.0, 1.0]), 2.0,
        tops=np.array([1.0, 0.5]), weights=np.array([0.25, 0.75]),
        attempt=Triangular(0.1, 0.2, 0.6), given_catch=0.1,
    )  # fmt: skip
    assert risk.units == 4.0
    assert risk.share == pytest.approx((0.25 * 3 + 0.75 * 1.5) / 5)
    assert risk.estimate == pytest.approx(0.3 * (0.1 + 0.9 * risk.share))
    assert risk.top == pytest.approx(0.6)
    assert risk.with_more(4.0).share == pytest.approx(risk.share / 2)
    assert risk.with_more(4.0).units == 8.0
    assert risk.times(2.5).units == 10.0
    assert risk.times(2.5).share == pytest.approx(risk.share)


def test_which_units_leak_everything_or_nothing() -> None:
    def leaking(
        sums: list[float], *, sizes: tuple[float, ...] = (2, 2, 2), counts: tuple[float, ...] = (3, 4, 5)
    ) -> Any:
        found = ObservedRisk(
            np.array(sizes), np.array([sums]), np.array(counts), 2.0, tops=np.array([0.5])
        ).leaking
        return None if found is None else found.tolist()

    assert leaking([1.0, 0.0, 1.0]) == [8.0]
    assert leaking([0.0, 0.0, 0.0]) == [0.0]
    assert leaking([1.0, 0.0, 0.4]) is None
    assert leaking([1.0, 0.0, 0.4], counts=(3, 4, 0)) == [3.0]
    assert leaking([1.0, 0.0, 1.0], sizes=(2, 2, 1)) is None
    assert leaking([0.5, 0.0, 0.5], sizes=(1, 1, 1)) is None  # the imagined unit is larger
    nobody = ObservedRisk(np.ones(2), np.zeros((1, 2)), np.array([3.0, 1.0]), 1.0, tops=np.zeros(1))
    assert nobody.leaking is not None
    assert nobody.leaking.tolist() == [0.0]


def test_the_chance_with_catch_and_attempt_is_that_of_the_share_behind_them() -> None:
    plain = ObservedRisk.of_share(2, 9)
    caught = replace(plain, attempt=Triangular.constant(0.5), given_catch=0.2)
    for share in (0.1, 0.3, 0.9):
        assert caught.chance(0.5 * (0.2 + 0.8 * share), upper=True) == pytest.approx(
            plain.chance(share, upper=True)
        )
    assert caught.chance(0.5 * 0.19, upper=True) == 0.0
    assert caught.chance(0.5, upper=False) == 1.0
    certain = replace(plain, given_catch=1.0)
    assert [certain.chance(x, upper=True) for x in (0.0, 0.99, 1.0)] == [0.0, 0.0, 1.0]
    low, high = caught.limits(LEVEL)
    assert low == pytest.approx(0.5 * (0.2 + 0.8 * plain.lower(LEVEL)))
    assert high == pytest.approx(0.5 * (0.2 + 0.8 * plain.upper(LEVEL)))


def test_a_limit_is_where_the_chance_reaches_the_level() -> None:
    """Also where the search begins too near: few units, one of them much larger, an uncertain attempt."""
    sums, counts = np.array([[0.0, 0.02, 3.0]]), np.array([2.0, 1.0, 1.0])
    for attempt in (observed_limit.CERTAIN, Triangular(0.05, 0.05, 0.9)):
        risk = ObservedRisk(np.array([1.0, 1.0, 6.0]), sums, counts, 6.0, attempt=attempt)
        for level in (0.6, 0.975, 0.9999):
            assert risk.chance(risk.upper(level), upper=True) == pytest.approx(level, abs=1e-9)
            assert risk.chance(risk.lower(level), upper=False) == pytest.approx(1 - level, abs=1e-9)


def test_the_p_value_is_that_of_all_permutations() -> None:
    """Two leaks among six documents in groups of two: both in one group in 3 of 15 ways."""
    risks, group = np.array([1.0, 1.0, 0, 0, 0, 0]), np.array([0, 0, 1, 1, 2, 2])
    assert likeness_of_groups(risks, group, rng=np.random.default_rng(3)) == pytest.approx(0.2, abs=0.03)
    apart = np.array([1.0, 0, 1.0, 0, 0, 0])
    assert likeness_of_groups(apart, group, rng=np.random.default_rng(3)) == 1.0
    uneven = np.array([1.0, 0.5, 0, 0, 0, 0])
    assert likeness_of_groups(uneven, group, rng=np.random.default_rng(3)) == pytest.approx(0.2, abs=0.03)
    every = np.array([1.0, 1.0, 0.5, 0.5, 0.5, 0.5])  # 1 and 1 together in 3 of 15 ways
    assert likeness_of_groups(every, group, rng=np.random.default_rng(3)) == pytest.approx(0.2, abs=0.03)
    for nothing_to_compare in (np.ones(6), np.array([1.0, 0, 0, 0, 0, 0])):
        assert likeness_of_groups(nothing_to_compare, group, rng=np.random.default_rng(3)) == 1.0


@pytest.mark.parametrize("leaking", [1, 2, 30])
def test_limits_are_looked_for_within_a_few_standard_errors(
    leaking: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Leaks of 0.8 or 1 in 1,000 documents: what is further away than a few leaks is not computed."""
    counts = np.array([1000.0 - leaking, leaking / 2, leaking / 2])
    risk = ObservedRisk.of_values(np.array([0.0, 0.8, 1.0]), counts)
    asked: list[float] = []

    def chance(one: ObservedRisk, x: float, *, upper: bool) -> float:
        asked.append(x)
        return own(one, x, upper=upper)

    own = ObservedRisk.chance
    monkeypatch.setattr(ObservedRisk, "chance", chance)
    monkeypatch.setattr(observed_limit, "_KEPT", {})
    limit = risk.upper(LEVEL)
    assert own(risk, limit, upper=True) == pytest.approx(LEVEL, abs=1e-9)
    assert risk.estimate <= min(asked)
    assert max(asked) <= (leaking + 6 * np.sqrt(leaking) + 6) / 1000
