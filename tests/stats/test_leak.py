from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from reidrisk.errors import InvalidSetting
from reidrisk.stats.leak import (
    at_least,
    at_least_fast,
    direct_risk,
    poisson_binomial_tails,
    quasi_leak,
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
