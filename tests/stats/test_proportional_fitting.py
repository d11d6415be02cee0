from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.stats.proportional_fitting import (
    Margin,
    _repair,
    _together,
    agreeing,
    fit_table,
    largest_disagreement,
    round_table,
)


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


def test_levels_that_the_other_margin_does_not_have_disagree_by_their_total() -> None:
    two, three = margin([[4.0], [6.0]], [0, 1], None), margin([[4.0], [6.0], [2.5]], [0, 1], None)
    assert largest_disagreement(two, three) == 2.5
    assert largest_disagreement(three, two) == 2.5


def test_a_margin_agrees_with_several_others_after_some_rounds() -> None:
    """Rows and columns of a table, whose cells are a margin, too: proportional fitting by hand."""
    cells = margin([[40.0, 30.0], [35.0, 50.0]], [0, 1], [0, 1])
    rows, columns = margin([[150.0], [300.0]], [0, 1], None), margin([[200.0, 250.0]], None, [0, 1])
    found = agreeing(cells, [rows, columns])
    fitted = fit_table(cells.totals, [rows, columns], tolerance=1e-9).table
    np.testing.assert_allclose(found.totals, fitted, rtol=1e-9)
    once = agreeing(cells, [rows])
    np.testing.assert_allclose(once.totals, [[150 * 4 / 7, 150 * 3 / 7], [300 * 35 / 85, 300 * 50 / 85]])
    np.testing.assert_allclose(agreeing(cells, [rows, columns], rounds=1).totals.sum(axis=0), [200, 250])
    nothing = agreeing(margin([[0.0], [3.0]], [0, 1], None), [margin([[5.0], [6.0]], [0, 1], None)])
    assert nothing.totals.tolist() == [[0.0], [6.0]]


def test_sums_and_spreads_over_groups() -> None:
    table = np.arange(12.0).reshape(2, 6)
    bands = margin(np.zeros((2, 3)), [0, 1], [0, 0, 1, 2, 2, 2])
    np.testing.assert_allclose(bands.of(table), [[1, 2, 12], [13, 8, 30]])
    assert bands.spread(np.array([[1.0, 2, 3], [4, 5, 6]])).tolist() == [
        [1, 1, 2, 3, 3, 3],
        [4, 4, 5, 6, 6, 6],
    ]
    assert bands.flat((2, 6)).tolist() == [0, 0, 1, 2, 2, 2, 3, 3, 4, 5, 5, 5]
    assert margin([[0.0, 0.0]], None, [1, 0]).of(np.array([[1.0, 2.0], [5.0, 7.0]])).tolist() == [[9.0, 6.0]]
    assert margin([[0.0]], None, None).flat((2, 2)).tolist() == [0, 0, 0, 0]
    longer = margin([[0.0, 0.0, 0.0]], None, [0, 1])  # a total of a level that the table does not have
    assert longer.of(np.array([[1.0, 2.0]])).tolist() == [[1.0, 2.0, 0.0]]


def test_a_fit_ends_where_every_total_is_within_the_tolerance() -> None:
    start = np.array([[40.0, 30.0], [35.0, 50.0]])
    both = [margin([[150.0], [300.0]], [0, 1], None), margin([[200.0, 250.0]], None, [0, 1])]
    gaps = [fit_table(start, both, tolerance=0.0, most_rounds=rounds).largest_gap for rounds in (1, 2, 3)]
    assert gaps == sorted(gaps, reverse=True)
    found = fit_table(start, both, tolerance=gaps[1])
    assert (found.rounds, found.largest_gap, found.converged) == (2, gaps[1], True)
    np.testing.assert_allclose(found.table.sum(axis=0), [200, 250])
    assert np.abs(found.table.sum(axis=1) - [150, 300]).max() == pytest.approx(gaps[1])
    untouched = fit_table(start, [])
    assert (untouched.rounds, untouched.largest_gap, untouched.table.tolist()) == (1, 0.0, start.tolist())
    empty = fit_table(np.zeros((2, 2)), [margin([[0.0], [0.0]], [0, 1], None)])
    assert empty.table.tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_rounding_meets_the_first_margin_and_moves_no_cell_by_one() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        totals = rng.integers(0, 6, 4)
        table = np.insert(rng.dirichlet(np.ones(4), 4), 2, 0.0, axis=1) * totals[:, None]
        rows = margin(table.sum(axis=1, keepdims=True), [0, 1, 2, 3], None)
        found = round_table(table, [rows])
        assert found.table.sum(axis=1).tolist() == totals.tolist()
        assert found.missed == (0,)
        assert np.abs(found.table - table).max() < 1
        assert found.table.min() >= 0


def test_whole_tables_stay_as_they_are() -> None:
    whole = np.array([[3, 0, 2], [0, 0, 0], [1, 4, 5]])
    rows, columns = (
        margin([[5.0], [0.0], [10.0]], [0, 1, 2], None),
        margin([[4.0, 4.0, 7.0]], None, [0, 1, 2]),
    )
    found = round_table(whole.astype(float), [rows, columns])
    assert (found.table.tolist(), found.missed) == (whole.tolist(), (0, 0))


def test_rounding_favors_no_level() -> None:
    """One person in each of many groups, equally likely to have each of three levels."""
    found = round_table(np.full((300, 3), 1 / 3), [margin(np.ones((300, 1)), list(range(300)), None)])
    assert found.table.sum(axis=0) == pytest.approx([100, 100, 100], abs=2)


def test_people_move_until_the_other_margins_are_met_too() -> None:
    """Margins of a table of whole people; between them, cells that are not whole."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        real = rng.integers(0, 4, (3, 4))
        rows = margin(real.sum(axis=1, keepdims=True).astype(float), [0, 1, 2], None)
        columns = margin(real.sum(axis=0, keepdims=True).astype(float), None, [0, 1, 2, 3])
        table = fit_table(np.full((3, 4), 1.0), [rows, columns], tolerance=1e-9).table
        found = round_table(table, [rows, columns])
        assert found.table.sum(axis=1).tolist() == real.sum(axis=1).tolist()
        assert found.missed[0] == 0
        assert found.missed[1] == np.abs(found.table.sum(axis=0) - real.sum(axis=0)).sum()
        before = round_table(table, [rows]).table
        assert found.missed[1] <= np.abs(before.sum(axis=0) - real.sum(axis=0)).sum()
        assert found.table.min() >= 0


def test_a_person_moves_to_the_cell_that_lacks_one_most_within_the_same_total() -> None:
    """Two rows of one person each, both put in the first column; the second column needs one of them."""
    table = np.array([[0.9, 0.1], [0.6, 0.4]])
    rows, columns = margin([[1.0], [1.0]], [0, 1], None), margin([[1.0, 1.0]], None, [0, 1])
    whole = np.array([1, 0, 1, 0])
    places = [rows.flat((2, 2)), columns.flat((2, 2))]
    _repair(whole, table.ravel(), places, np.array([1, 1]))
    assert whole.tolist() == [1, 0, 0, 1]
    stuck = np.array([1, 0, 1, 0])
    _repair(stuck, np.array([1.0, 0.0, 1.0, 0.0]), places, np.array([1, 1]))
    assert stuck.tolist() == [1, 0, 1, 0]  # an empty cell takes nobody
    crowd = np.array([5, 0, 1])
    one = np.zeros(3, dtype=np.intp)
    _repair(crowd, np.array([2.0, 2.5, 1.5]), [one, np.array([0, 1, 2])], np.array([2, 2, 2]))
    assert crowd.tolist() == [2, 2, 2]


def test_three_margins_keep_the_first_two() -> None:
    rng = np.random.default_rng(3)
    real = rng.integers(0, 3, (2, 3, 2))
    margins = [
        margin(real.sum(axis=2, keepdims=True).astype(float), [0, 1], [0, 1, 2], None),
        margin(real.sum(axis=(1), keepdims=True).astype(float), [0, 1], None, [0, 1]),
        margin(real.sum(axis=(0, 1), keepdims=True).astype(float), None, None, [0, 1]),
    ]
    found = round_table(real.astype(float), margins)
    assert (found.table.tolist(), found.missed) == (real.tolist(), (0, 0, 0))
    together = _together([np.array([0, 0, 1, 1, 0]), np.array([2, 0, 2, 0, 2])])
    assert together.tolist() == [1, 0, 3, 2, 1]


def test_a_start_may_be_shares_and_one_person_is_already_somebody() -> None:
    rows, columns = margin([[30.0], [70.0]], [0, 1], None), margin([[20.0, 80.0]], None, [0, 1])
    found = fit_table(np.array([[0.1, 0.4], [0.1, 0.4]]), [rows, columns], tolerance=1e-9)
    np.testing.assert_allclose(found.table, [[6, 24], [14, 56]])
    for total in (1.0, 0.25):
        with pytest.raises(BadData, match="1 totals of a margin"):
            fit_table(np.array([[0.0, 0.0], [1.0, 1.0]]), [margin([[total], [5.0]], [0, 1], None)])


@pytest.mark.parametrize(
    "other", [margin([4.0, 6.0], [0, 1]), margin([[4.0], [4.0], [2.0]], [0, 1, 2], None)]
)
def test_margins_of_other_axes_or_levels_are_not_compared(other: Margin) -> None:
    with pytest.raises(ValueError, match="argument 2 is"):
        largest_disagreement(margin([[4.0], [6.0]], [0, 1], None), other)
