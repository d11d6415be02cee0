"""What randomised categories, swapped ranks and noise promise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats import swap
from reidrisk.stats.compiled import CompiledLoop
from reidrisk.stats.perturb import (
    ColumnChange,
    add_noise,
    check_matrix,
    column_change,
    correlation_change,
    expected_change,
    invariant,
    is_correctable,
    least_certain,
    randomize,
    redraw_matrix,
    with_noise,
)
from reidrisk.stats.swap import Points, mean_rank_shift, nearest, own_nearest, partners, swap_ranks


@pytest.fixture
def plain_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run loops as plain Python: for a few records that is faster than to compile them."""
    monkeypatch.setattr(CompiledLoop, "machine_code", property(lambda loop: loop.function))


COUNTS = st.lists(st.integers(1, 50), min_size=2, max_size=6).map(np.array)


@given(counts=COUNTS, keep=st.floats(0, 1))
def test_values_drawn_anew_keep_their_shares_in_expectation(counts: Any, keep: float) -> None:
    matrix = check_matrix(redraw_matrix(counts, keep))
    assert np.allclose(counts @ matrix, counts)
    assert np.diag(matrix).min() >= keep - 1e-12
    assert 0 <= least_certain(matrix, counts) <= 1


@given(counts=COUNTS, data=st.data())
def test_any_matrix_becomes_invariant(counts: Any, data: st.DataObject) -> None:
    size = len(counts)
    rows = st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any)
    given_rows = np.array(data.draw(st.lists(rows, min_size=size, max_size=size)), dtype=np.float64)
    matrix = invariant(given_rows / given_rows.sum(axis=1, keepdims=True), counts)
    assert np.allclose(counts @ check_matrix(matrix), counts)


def test_randomised_follows_the_matrix_and_the_seed() -> None:
    codes = np.repeat([0, 1, -1], [30_000, 10_000, 5])
    matrix = np.array([[0.9, 0.1], [0.3, 0.7]])
    found = randomize(codes, matrix, np.random.default_rng(7))
    assert (found[codes == -1] == -1).all()
    assert np.mean(found[codes == 0] == 1) == pytest.approx(0.1, abs=0.01)
    assert np.mean(found[codes == 1] == 0) == pytest.approx(0.3, abs=0.02)
    assert np.array_equal(found, randomize(codes, matrix, np.random.default_rng(7)))
    same = randomize(codes, np.eye(2), np.random.default_rng(7))
    assert np.array_equal(same, codes)


@settings(deadline=None)
@given(
    values=st.lists(st.one_of(st.integers(0, 9), st.none()), min_size=1, max_size=40),
    within=st.floats(0.01, 1),
    seed=st.integers(0, 5),
)
def test_swapped_values_are_the_same_values_of_near_ranks(values: Any, within: float, seed: int) -> None:
    numbers = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    sources = swap_ranks(numbers, within, np.random.default_rng(seed))
    assert sorted(sources.tolist()) == list(range(len(numbers)))
    assert np.array_equal(sources[sources], np.arange(len(numbers))), "two change places"
    known = ~np.isnan(numbers)
    assert np.array_equal(np.isnan(numbers[sources]), ~known)
    ordered = np.sort(numbers[known])
    reach = int(within * known.sum())
    for row in np.flatnonzero(known):
        lowest = np.searchsorted(ordered, numbers[row], "left")
        highest = np.searchsorted(ordered, numbers[row], "right") - 1
        other = numbers[sources[row]]
        assert np.searchsorted(ordered, other, "right") - 1 >= lowest - reach
        assert np.searchsorted(ordered, other, "left") <= highest + reach


def test_most_values_are_swapped_when_all_differ() -> None:
    values = np.arange(1000, dtype=np.float64)
    sources = swap_ranks(values, 0.05, np.random.default_rng(7))
    moved = np.abs(values[sources] - values)
    assert moved.max() <= 50
    assert np.mean(moved > 0) > 0.9


def test_noise_keeps_means_variances_and_correlations() -> None:
    rng = np.random.default_rng(7)
    values = rng.multivariate_normal([10, -5], [[4, 3], [3, 9]], 50_000)
    values[:5, 0] = np.nan
    noisy = with_noise(values, 0.5, rng)
    known = ~np.isnan(values).any(axis=1)
    assert np.array_equal(np.isnan(noisy), np.isnan(values))
    assert np.allclose(noisy[known].mean(axis=0), values[known].mean(axis=0), atol=0.05)
    assert np.allclose(np.cov(noisy[known].T), np.cov(values[known].T), atol=0.2)
    assert np.corrcoef(noisy[known, 0], values[known, 0])[0, 1] == pytest.approx(1 / np.sqrt(1.5), abs=0.01)


def test_refusals() -> None:
    rng = np.random.default_rng(7)
    with pytest.raises(InvalidSetting, match="keep a value"):
        redraw_matrix(np.array([1, 1]), 1.1)
    with pytest.raises(InvalidSetting, match="add up"):
        check_matrix(np.array([[0.5, 0.4], [0.0, 1.0]]))
    with pytest.raises(InvalidSetting, match="square"):
        check_matrix(np.array([[1.5, -0.5], [0.0, 1.0]]))
    with pytest.raises(InvalidSetting, match="Ranks"):
        swap_ranks(np.array([1.0]), 0.0, rng)
    with pytest.raises(InvalidSetting, match="variance"):
        with_noise(np.ones((3, 1)), 0.0, rng)
    with pytest.raises(NothingToMeasure):
        with_noise(np.full((3, 1), np.nan), 0.1, rng)


@pytest.mark.usefixtures("plain_loops")
def test_partners_by_hand() -> None:
    """The first free rank from the drawn one onward, at most three away; the last one finds nobody."""
    drawn = np.array([0.4, 0.0, 0.9, 0.9, 0.0, 0.0, 0.5])
    assert partners(drawn, 3).tolist() == [2, 3, 0, 1, 5, 4, 6]
    assert partners(np.zeros(5), 1).tolist() == [1, 0, 3, 2, 4]
    assert partners(np.full(4, 0.999), 9).tolist() == [3, 2, 1, 0]
    assert partners(np.zeros(0), 3).tolist() == []


def test_ranks_shift_by_their_share_of_all_ranks() -> None:
    """Ties have their mid-rank, and missing values do not count."""
    before = np.array([1.0, 1.0, 3.0, 4.0, np.nan, 9.0])
    after = np.array([3.0, 1.0, 1.0, 4.0, 2.0, np.nan])
    assert mean_rank_shift(before, after) == pytest.approx((1.5 + 0 + 1.5 + 0) / 4 / 4)
    assert mean_rank_shift(before, np.full(6, np.nan)) is None


@pytest.mark.usefixtures("plain_loops")
def test_the_nearest_originals_and_their_ties() -> None:
    """By hand: squared distances of numbers, 2 for another category or one missing value."""
    people = np.array([[0.0, 1], [0, 2], [3, 1], [np.nan, 1]])
    targets = np.array([[0.0, 1], [0, 3], [3, 1], [np.nan, 1], [1.4, 1]])
    best, ties, own = nearest(targets, people, np.array([False, True]), np.array([0, 0, 1, 3, 2]))
    assert best == pytest.approx([0, 2, 0, 0, 1.96])
    assert ties.tolist() == [1, 2, 1, 1, 1]
    assert own == pytest.approx([0, 2, 11, 0, 1.6**2])


@pytest.mark.usefixtures("plain_loops")
def test_right_links_are_shared_among_equals() -> None:
    """Two equal people, and two that nobody resembles; the numbers are measured in standard deviations."""
    rows = np.array([[0.0, 5], [0, 5], [40, 5], [400, 7]])
    kinds = np.array([False, True])
    found = own_nearest(Points(rows, kinds), Points(rows, kinds), np.arange(4), np.random.default_rng(1))
    assert (found.guesses, found.originals) == (4, 4)
    assert found.right == pytest.approx(3.0)
    moved = rows.copy()
    moved[2, 0], moved[3, 0] = 390, 50
    wrong = own_nearest(Points(rows, kinds), Points(moved, kinds), np.arange(4), np.random.default_rng(1))
    assert wrong.right == pytest.approx(1.0)
    spread = np.std(rows[:, 0])
    shown = Points(rows, kinds).standardize(Points(rows, kinds))
    assert shown == pytest.approx(rows / [spread, 1])
    flat = Points(np.full((3, 1), 7.0), np.array([False]))
    assert flat.standardize(flat).tolist() == [[7.0]] * 3
    unknown = Points(np.full((2, 1), np.nan), np.array([False]))
    assert flat.standardize(unknown).tolist() == [[7.0]] * 3


@pytest.mark.usefixtures("plain_loops")
@pytest.mark.parametrize(("pairs", "guesses"), [(3_000, 150), (2_400, 120), (100, 100), (10**9, 140)])
def test_fewer_records_are_linked_if_there_are_many_pairs(
    monkeypatch: pytest.MonkeyPatch, pairs: int, guesses: int
) -> None:
    monkeypatch.setattr(swap, "PAIRS", pairs)
    monkeypatch.setattr(swap, "GUESSES", 140 if pairs > 10**6 else 2000)
    people = Points(np.arange(20.0)[:, None], np.array([False]))
    after = Points(np.repeat(people.rows, 10, axis=0), people.categories)
    found = own_nearest(people, after, np.repeat(np.arange(20), 10), np.random.default_rng(1))
    assert found.guesses == guesses
    assert found.right == pytest.approx(guesses)


def test_a_column_before_and_after_by_hand() -> None:
    found = column_change(np.array([1.0, 3, np.nan, 5]), np.array([2.0, np.nan, 4, 5]))
    assert found.share_changed == 0.5  # of the two rows that have a value before and after
    assert found.variance_ratio == pytest.approx(4.5 / 8)
    assert found.correlation == pytest.approx(1)
    assert found.information_loss == pytest.approx(0.5 / (np.sqrt(2) * np.sqrt(8)))
    same = column_change(np.array([1.0, 2, 4]), np.array([3.0, 3, 3]))
    assert (same.share_changed, same.variance_ratio, same.correlation) == (1.0, 0.0, None)
    nothing = ColumnChange(None, None, None, None)
    assert column_change(np.array([np.nan, 1.0]), np.array([1.0, np.nan])) == nothing
    assert column_change(np.array([1.0]), np.array([2.0])) == ColumnChange(1.0, None, None, None)
    assert column_change(np.array([1.0, 1]), np.array([2.0, 1])) == ColumnChange(0.5, None, None, None)


def test_the_largest_change_of_a_correlation() -> None:
    """Three columns, of which one loses its correlation with the others; rows with a gap do not count."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(30, 3)) @ np.array([[1.0, 0.5, 0.2], [0, 1, 0.3], [0, 0, 1]])
    y = x.copy()
    y[:, 2] = rng.permutation(y[:, 2])
    gaps = np.abs(np.corrcoef(x.T) - np.corrcoef(y.T))
    assert correlation_change(x, y) == pytest.approx(gaps.max())
    wide, gap = np.vstack([x, [[9.0, np.nan, 9]]]), np.vstack([y, [[9.0, 9, 9]]])
    assert correlation_change(wide, gap) == pytest.approx(gaps.max())
    flat = y.copy()
    flat[:, 2] = 1.0
    assert correlation_change(x, flat) == pytest.approx(0, abs=1e-12)
    assert correlation_change(x[:, :1], y[:, :1]) is None
    assert correlation_change(x[:1], y[:1]) is None
    assert correlation_change(x[:2], y[:2]) is not None


def test_what_a_matrix_protects_and_changes_by_hand() -> None:
    """Counts 3 and 1: of the released first values 2.7 + 0.2 of 4, 2.7 are right."""
    matrix, counts = np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([3, 1])
    assert least_certain(matrix, counts) == pytest.approx(0.8 / (0.3 + 0.8))
    assert least_certain(matrix, np.array([3, 0])) == 0.0
    assert expected_change(matrix, counts) == pytest.approx((0.3 + 0.2) / 4)
    assert redraw_matrix(counts, 1.0).tolist() == [[1, 0], [0, 1]]
    assert redraw_matrix(counts, 0.0).tolist() == [[0.75, 0.25]] * 2
    unseen = invariant(np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]), np.array([4, 4, 0]))
    assert np.array([4, 4, 0]) @ unseen == pytest.approx([4, 4, 0])
    assert unseen[2].tolist() == [0, 0, 1]
    assert unseen[0] == pytest.approx([2 / 3, 1 / 3, 0])
    assert is_correctable(matrix)
    assert not is_correctable(np.full((2, 2), 0.5))


def test_a_draw_at_the_end_of_a_row_has_its_last_value() -> None:
    class Ends:
        def random(self, size: int) -> Any:
            return np.array([0.0, 0.1, 0.5, 1 - 1e-16])[:size]

    matrix = np.array([[0.1, 0.9 - 1e-10], [0.0, 1.0]])
    found = randomize(np.zeros(4, dtype=np.int64), matrix, Ends())  # type: ignore[arg-type]
    assert found.tolist() == [0, 1, 1, 1]


def test_noise_is_scaled_back_to_the_variance() -> None:
    """Without noise in the draw, only the scale is left: deviations divided by sqrt(1 + share)."""
    values = np.array([[1.0], [3.0], [8.0]])
    found = add_noise(
        values, 3.0, np.random.default_rng(1), mean=np.array([4.0]), covariance=np.zeros((1, 1))
    )
    assert found == pytest.approx(4 + (values - 4) / 2)
    with pytest.raises(InvalidSetting, match="variance"):
        add_noise(values, np.inf, np.random.default_rng(1), mean=np.zeros(1), covariance=np.eye(1))
    assert with_noise(values[:2], 0.1, np.random.default_rng(1)).shape == (2, 1)
    with pytest.raises(NothingToMeasure):
        with_noise(values[:1], 0.1, np.random.default_rng(1))
