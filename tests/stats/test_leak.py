from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom, poisson

from reidrisk.errors import InvalidSetting
from reidrisk.stats.leak import (
    any_of,
    at_least,
    at_least_fast,
    direct_risk,
    mean_at_least,
    poisson_binomial_tails,
    quasi_leak,
    quasi_leak_by_document,
    total_reidentification,
    value_leak,
)

probability = st.floats(0, 1)
pairs = st.lists(st.tuples(probability, probability), min_size=1, max_size=6)


@given(pairs, probability)
def test_direct_risk_is_bounded_by_the_sum_and_falls_with_recall(
    types: list[tuple[float, float]], h: float
) -> None:
    weights, recalls = map(np.array, zip(*types, strict=True))
    risk = direct_risk(weights, recalls, recognition=h)
    assert 0 <= risk <= min(1, float(np.sum(h * weights * (1 - recalls)))) + 1e-12
    assert direct_risk(weights, (recalls + 1) / 2, recognition=h) <= risk + 1e-12
    assert direct_risk(weights, recalls, recognition=h / 2) <= risk + 1e-12


@given(pairs)
def test_the_order_of_types_does_not_matter(types: list[tuple[float, float]]) -> None:
    weights, recalls = zip(*types, strict=True)
    assert direct_risk(weights, recalls) == pytest.approx(direct_risk(weights[::-1], recalls[::-1]))


@given(pairs)
def test_recognition_of_one_makes_the_gate_irrelevant(types: list[tuple[float, float]]) -> None:
    weights, recalls = map(np.array, zip(*types, strict=True))
    assert direct_risk(weights, recalls, gates=recalls >= 0.9) == direct_risk(weights, recalls)


@given(st.integers(0, 40), probability, st.integers(1, 4))
def test_at_least_is_the_binomial_tail(n: int, p: float, needed: int) -> None:
    tail = binom.sf(needed - 1, n, p)
    assert float(at_least(needed, n, p)) == pytest.approx(tail, rel=1e-9, abs=1e-15)
    assert float(at_least_fast(needed, np.array(n), np.array(p))) == pytest.approx(tail, rel=1e-6, abs=1e-12)


@given(st.floats(1.001, 50), st.floats(1e-6, 0.999))
def test_fast_and_precise_tail_agree_for_fractions_too(n: float, p: float) -> None:
    fast = float(at_least_fast(2, np.array(n), np.array(p)))
    assert fast == pytest.approx(float(at_least(2, n, p)), rel=1e-6, abs=1e-12)


@given(
    st.floats(1, 30), probability, st.sampled_from(["continuous", "interpolate", "ceil", "floor", "poisson"])
)
def test_quasi_leak_is_a_probability_that_grows_with_values(n: float, p: float, mode: str) -> None:
    risk = quasi_leak(n, p, mode=mode)  # type: ignore[arg-type]
    assert 0 <= risk <= 1
    assert quasi_leak(n + 1, p, mode=mode) >= risk - 1e-12  # type: ignore[arg-type]


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="interpolate"):
        quasi_leak(2.5, 0.1, mode="interpolated")  # type: ignore[arg-type]


@given(probability, st.floats(0, 20))
def test_more_instances_leak_more(recall: float, times: float) -> None:
    assert 0 <= float(value_leak(recall, times)) <= float(value_leak(recall, times + 1)) <= 1


@given(st.lists(st.lists(probability, max_size=5), min_size=1, max_size=5), st.integers(1, 3))
def test_group_tails_equal_the_enumeration_of_all_patterns(groups: list[list[float]], needed: int) -> None:
    flat = np.array([p for group in groups for p in group], dtype=float)
    sizes = np.array([len(group) for group in groups], dtype=np.int64)
    found = poisson_binomial_tails(flat, sizes, needed=needed)
    for chance, group in zip(found, groups, strict=True):
        patterns = product((0, 1), repeat=len(group))
        expected = sum(
            float(np.prod([p if hit else 1 - p for p, hit in zip(group, pattern, strict=True)]))
            for pattern in patterns
            if sum(pattern) >= needed
        )
        assert chance == pytest.approx(expected, abs=1e-12)


def test_values_that_are_not_whole_in_every_mode() -> None:
    """With a chance of 0.3 for each: two of two leak with 0.09, two or more of three with 0.216."""
    of_two, of_three = binom.sf(1, 2, 0.3), binom.sf(1, 3, 0.3)
    assert (of_two, of_three) == pytest.approx((0.09, 0.216))
    for values, mode, expected in (
        (2.5, "floor", of_two),
        (2.5, "ceil", of_three),
        (2.4, "round", of_two),
        (2.5, "round", of_three),
        (2.5, "interpolate", (of_two + of_three) / 2),
        (2.25, "interpolate", 0.75 * of_two + 0.25 * of_three),
        (2.0, "interpolate", of_two),
        (2.5, "poisson", poisson.sf(1, 0.75)),
        (2.5, "continuous", beta.cdf(0.3, 2, 1.5)),
        (3.0, "continuous", of_three),
    ):
        assert quasi_leak(values, 0.3, mode=mode) == pytest.approx(expected), (values, mode)  # type: ignore[arg-type]
    assert quasi_leak(2.5, 0.3, needed=1, mode="ceil") == pytest.approx(1 - 0.7**3)
    assert quasi_leak(1.0, 0.3) == 0.0
    assert quasi_leak(1.0, 0.3, mode="interpolate") == 0.0


def test_a_value_leaks_if_one_of_its_places_does() -> None:
    assert value_leak(0.9, [0, 1, 2, 3]) == pytest.approx([0, 0.1, 0.19, 0.271])
    assert value_leak(0.9, [0, 1, 2, 3], independent=False) == pytest.approx([0, 0.1, 0.1, 0.1])
    assert value_leak([0.0, 1.0, -0.2], 2).tolist() == [1.0, 0.0, 1.0]
    assert value_leak([0.0, 1.0, -0.2], 0).tolist() == [0.0, 0.0, 0.0]
    assert value_leak([-0.2], 2, independent=False).tolist() == [1.0]


def test_leaks_of_several_types_and_what_was_caught() -> None:
    """1 - (1 - 0.3) (1 - 0.1) (1 - 0), and through caught values with 0.2 or else leaked ones."""
    assert any_of(np.array([0.3, 0.1, 0.0])) == pytest.approx(0.37)
    assert any_of(np.array([0.3, 1.0])) == 1.0
    assert any_of(np.zeros(2)) == 0.0
    assert any_of(np.full(3, 1e-18)) == pytest.approx(3e-18, rel=1e-12)
    assert total_reidentification(0.3, given_catch=0.2) == pytest.approx(0.2 * 0.7 + 0.3)
    assert total_reidentification(0.3, given_catch=0.2, given_leak=0.5) == pytest.approx(0.14 + 0.15)
    assert total_reidentification(0.3) == 0.3
    gates = np.array([True, False])
    risk = direct_risk([0.5, 0.4], [0.8, 0.5], recognition=[0.5, 0.1], gates=gates, attempt=0.3)
    assert risk == pytest.approx(0.3 * (1 - (1 - 0.05) * (1 - 0.2)))
    assert direct_risk([0.0, 0.5], [np.nan, 0.8]) == pytest.approx(0.1)


@pytest.mark.parametrize("needed", [1, 2, 3])
def test_a_mean_over_numbers_of_values(needed: int) -> None:
    values, chances, leak = (
        np.array([0.0, 1, 2, 5]),
        np.array([0.1, 0.2, 0.3, 0.4]),
        np.array([0.0, 0.3, 1.0]),
    )
    expected = [chances @ binom.sf(needed - 1, values, one) for one in leak]
    assert mean_at_least(needed, values, chances, leak) == pytest.approx(expected)
    for number in values:
        for one in leak:
            fast = at_least_fast(needed, np.array(number), np.array(one))
            assert float(fast) == pytest.approx(binom.sf(needed - 1, number, one))


def test_values_of_each_document_by_hand() -> None:
    """Documents with two, no and one value; the chances are halved by the recognition."""
    found = quasi_leak_by_document(np.array([2, 0, 1]), np.array([1, 2, 3]), 0.8, needed=1, exposure=0.5)
    leaks = [0.5 * 0.2, 0.5 * 0.36, 0.5 * (1 - 0.8**3)]
    assert found == pytest.approx((1 - (1 - leaks[0]) * (1 - leaks[1]) + 0 + leaks[2]) / 3)
    both = quasi_leak_by_document(np.array([2, 0, 1]), np.array([1, 2, 3]), 0.8, exposure=0.5)
    assert both == pytest.approx(leaks[0] * leaks[1] / 3)
