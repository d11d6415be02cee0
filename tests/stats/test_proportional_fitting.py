from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.stats.proportional_fitting import Margin, agreeing, fit_table, largest_disagreement


def margin(totals: ArrayLike, *groups: list[int] | None) -> Margin:
    own = tuple(None if group is None else np.array(group, dtype=np.intp) for group in groups)
    return Margin(own, np.asarray(totals, dtype=np.float64))


def test_a_textbook_table() -> None:
    """Rows 150 and 300, columns 200 and 250, from 40 30 35 50: by hand to convergence."""
    start = np.array([[40.0, 30.0], [35.0, 50.0]])
    rows = margin([[150.0], [300.0]], [0, 1], None)
    columns = margin([[200.0, 250.0]], None, [0, 1])
    found = fit_table(start, [rows, columns], tolerance=1e-9)
    assert found.converged
    np.testing.assert_allclose(found.table.sum(axis=1), [150, 300])
    np.testing.assert_allclose(found.table.sum(axis=0), [200, 250])
    odds = found.table[0, 0] * found.table[1, 1] / (found.table[0, 1] * found.table[1, 0])
    assert odds == pytest.approx(40 * 50 / (30 * 35))


def test_without_a_start_the_fit_is_independence() -> None:
    rows, columns = margin([[30.0], [70.0]], [0, 1], None), margin([[20.0, 80.0]], None, [0, 1])
    found = fit_table(np.ones((2, 2)), [rows, columns], tolerance=1e-9)
    np.testing.assert_allclose(found.table, [[6, 24], [14, 56]])
    assert found.rounds == 1


@given(st.integers(0, 2**32 - 1))
def test_margins_of_a_real_table_are_met(seed: int) -> None:
    rng = np.random.default_rng(seed)
    real = rng.poisson(5.0, (4, 3, 6)).astype(float) + 0.1
    bands = [0, 0, 1, 1, 1, 2]
    given_margins = [
        margin(real.sum(axis=2, keepdims=True), [0, 1, 2, 3], [0, 1, 2], None),
        margin(
            np.add.reduceat(real, [0, 2, 5], axis=2).sum(axis=1, keepdims=True), [0, 1, 2, 3], None, bands
        ),
        margin(real.sum(axis=(0, 1), keepdims=True), None, None, [0, 1, 2, 3, 4, 5]),
    ]
    for own in given_margins:
        np.testing.assert_allclose(own.of(real), own.totals)
    found = fit_table(np.ones_like(real), given_margins, tolerance=1e-6)
    assert found.converged
    for own in given_margins:
        np.testing.assert_allclose(own.of(found.table), own.totals, atol=1e-6)
    for first in given_margins:
        for second in given_margins:
            assert largest_disagreement(first, second) < 1e-9


@given(st.integers(0, 2**32 - 1))
def test_a_table_that_has_the_margins_is_left_alone(seed: int) -> None:
    real = np.random.default_rng(seed).uniform(0.5, 9.0, (3, 4))
    margins = [
        margin(real.sum(axis=1, keepdims=True), [0, 1, 2], None),
        margin(real.sum(axis=0, keepdims=True), None, [0, 1, 2, 3]),
    ]
    np.testing.assert_allclose(fit_table(real, margins).table, real)


def test_bands_that_do_not_nest_share_only_their_common_cuts() -> None:
    """0-4, 5-17, 18+ against 0-4, 5-14, 15+: only under 5 and over 4 can be compared."""
    one = margin([[10.0, 20.0, 30.0]], None, [0, 1, 1, 2])
    two = margin([[10.0, 15.0, 35.0]], None, [0, 1, 2, 2])
    assert largest_disagreement(one, two) == 0
    three = margin([[12.0, 15.0, 33.0]], None, [0, 1, 2, 2])
    assert largest_disagreement(one, three) == 2
    scaled = agreeing(three, [one])
    np.testing.assert_allclose(scaled.totals, [[10.0, 15.0 * 50 / 48, 33.0 * 50 / 48]])
    assert largest_disagreement(one, scaled) < 1e-9


def test_margins_that_contradict_each_other_do_not_converge() -> None:
    rows, columns = margin([[30.0], [70.0]], [0, 1], None), margin([[20.0, 90.0]], None, [0, 1])
    found = fit_table(np.ones((2, 2)), [rows, columns], most_rounds=20)
    assert not found.converged
    assert found.rounds == 20
    assert found.largest_gap > 1


def test_people_where_the_start_has_nothing_are_refused() -> None:
    start = np.array([[0.0, 0.0], [1.0, 1.0]])
    with pytest.raises(BadData, match="1 totals of a margin"):
        fit_table(start, [margin([[5.0], [5.0]], [0, 1], None)])


@pytest.mark.parametrize(
    ("totals", "groups"), [([[1.0], [-1.0]], [0, 1]), ([[1.0]], [0, 1]), ([[1.0], [np.nan]], [0, 1])]
)
def test_nonsense_margins_are_refused(totals: list[list[float]], groups: list[int]) -> None:
    with pytest.raises(InvalidSetting, match="margin"):
        Margin((np.array(groups), None), np.array(totals))


def test_a_negative_start_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="starting table"):
        fit_table(np.array([[-1.0]]), [])
