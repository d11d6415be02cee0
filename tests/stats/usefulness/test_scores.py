from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.stats.usefulness.distances import ConfidenceInterval, overlap
from reidrisk.stats.usefulness.scores import auc, cross_validate, r_squared, score_model


@settings(max_examples=50)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4), st.integers(1, 3)), min_size=1, max_size=12))
def test_the_area_is_the_share_of_pairs_in_the_right_order(rows: list[tuple[bool, int, int]]) -> None:
    outcome, score, weights = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    pairs = [
        (weights[yes] * weights[no], (score[yes] > score[no]) + (score[yes] == score[no]) / 2)
        for yes in np.flatnonzero(outcome)
        for no in np.flatnonzero(outcome == 0)
    ]
    total = sum(weight for weight, _ in pairs)
    expected = sum(weight * right for weight, right in pairs) / total if total else None
    found = auc(outcome, score, weights)
    assert found == (None if expected is None else pytest.approx(expected))


def test_what_is_explained() -> None:
    outcome = np.array([1.0, 2.0, 3.0])
    assert r_squared(outcome, outcome, np.ones(3)) == 1
    assert r_squared(outcome, np.full(3, 2.0), np.ones(3)) == 0
    assert r_squared(np.ones(3), np.ones(3), np.ones(3)) is None


def test_noise_explains_nothing_out_of_sample() -> None:
    rng = np.random.default_rng(2)
    design = np.column_stack([np.ones(400), rng.normal(size=(400, 5))])
    data = design, rng.normal(size=400), np.ones(400)
    found = cross_validate(data, np.arange(400) % 5, is_linear=True)
    assert found is not None
    assert found < 0.02
    inside = score_model(data, data, is_linear=True)
    assert inside is not None
    assert inside > found


def test_a_category_that_does_not_occur_has_no_score() -> None:
    data = np.ones((4, 1)), np.zeros(4), np.ones(4)
    assert cross_validate(data, np.array([0, 0, 1, 1]), is_linear=False) is None


@settings(max_examples=50)
@given(st.tuples(*[st.floats(-5, 5)] * 4))
def test_overlap_lies_between_nothing_and_all_and_has_no_sides(ends: tuple[float, ...]) -> None:
    one, two = ConfidenceInterval(*sorted(ends[:2])), ConfidenceInterval(*sorted(ends[2:]))
    assert 0 <= overlap(one, two) <= 1
    assert overlap(one, two) == pytest.approx(overlap(two, one))
    assert overlap(one, one) == pytest.approx(1)


def test_what_an_interval_says() -> None:
    assert [ConfidenceInterval(*ends).says for ends in ((0.1, 1), (-1, 1), (-1, -0.1))] == [1, 0, -1]
