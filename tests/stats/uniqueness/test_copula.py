"""The Gaussian copula of the columns: known probabilities, and correlations that are found again."""

from __future__ import annotations

from itertools import product
from math import asin, floor, pi, sqrt

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from reidrisk.stats.uniqueness import copula
from reidrisk.stats.uniqueness.copula import (
    PairTable,
    cell_table,
    class_chances,
    correlation_matrix,
    latent_correlation,
    normal_quantile,
    positive,
    rectangles,
)
from reidrisk.stats.uniqueness.margins import margin_shares, singleton_ratio

HALVES = np.array([0.5, 0.5])


@pytest.mark.parametrize("rho", [-0.6, 0.0, 0.3, 0.6])
def test_two_halves_are_on_the_same_side_as_sheppard_says(rho: float) -> None:
    """Sheppard 1899: both below the median with the chance 1/4 + asin(rho) / (2 pi)."""
    found = cell_table(HALVES, HALVES, rho)
    same = 0.25 + asin(rho) / (2 * pi)
    assert found == pytest.approx(np.array([[same, 0.5 - same], [0.5 - same, same]]), abs=2e-3)


def test_without_correlation_cells_are_products_and_rows_keep_their_shares() -> None:
    rows, columns = np.array([0.2, 0.7, 0.1]), np.array([0.6, 0.4])
    assert cell_table(rows, columns, 0.0) == pytest.approx(np.outer(rows, columns))
    for rho in (-0.9, 0.5):
        found = cell_table(rows, columns, rho)
        assert found.shape == (3, 2)
        assert found.sum(axis=1) == pytest.approx(rows)
        assert found.sum(axis=0) == pytest.approx(columns, abs=0.02)
        assert (found[0, 0] > 0.12) == (rho > 0)


@pytest.mark.parametrize("rho", [-0.97, -0.5, 0.0, 0.33, 0.8])
def test_a_correlation_is_found_again(rho: float) -> None:
    table = 1000 * cell_table(np.array([0.2, 0.3, 0.5]), np.array([0.1, 0.4, 0.3, 0.2]), rho)
    assert latent_correlation(table) == pytest.approx(rho, abs=0.02)


def test_perfect_agreement_is_the_strongest_correlation() -> None:
    found = latent_correlation(np.diag([30.0, 40.0, 30.0]))
    assert 0.95 < found <= 0.99
    assert -0.99 <= latent_correlation(np.diag([30.0, 40.0, 30.0])[::-1]) < -0.95


def test_a_table_of_two_columns_keeps_the_cells_that_occur() -> None:
    found = PairTable.of(np.array([[4.0, 0.0], [3.0, 1.0]]))
    assert (found.row.tolist(), found.column.tolist(), found.records.tolist()) == (
        [0, 1, 1],
        [0, 0, 1],
        [4, 3, 1],
    )
    assert found.row_bounds.tolist() == [0, 0.5, 1]
    assert found.column_bounds.tolist() == [0, 7 / 8, 1]


CODES = np.array(list(product(range(3), range(2), range(2))))
NUMBER = np.array([9, 4, 2, 1, 3, 6, 2, 2, 1, 2, 5, 8])


def test_correlations_of_all_pairs_are_those_of_their_tables() -> None:
    found = correlation_matrix(CODES, NUMBER)
    cube = NUMBER.reshape(3, 2, 2).astype(float)
    for (one, other), rest in (((0, 1), 2), ((0, 2), 1), ((1, 2), 0)):
        expected = latent_correlation(cube.sum(axis=rest))
        assert found[one, other] == pytest.approx(expected, abs=1e-6)
    assert np.diag(found) == pytest.approx(np.ones(3))
    assert found == pytest.approx(found.T)


def test_a_matrix_that_is_not_one_of_correlations_becomes_one() -> None:
    impossible = np.array([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]])
    found = positive(impossible)
    assert np.diag(found) == pytest.approx(np.ones(3))
    assert found == pytest.approx(found.T)
    assert 0 < np.linalg.eigvalsh(found).min() < 0.001
    values, vectors = np.linalg.eigh(impossible)
    raised = vectors @ np.diag(np.maximum(values, 0.001)) @ vectors.T
    scale = np.sqrt(np.outer(np.diag(raised), np.diag(raised)))
    assert found == pytest.approx(raised / scale)
    fine = np.array([[1.0, 0.5], [0.5, 1.0]])
    assert positive(fine) == pytest.approx(fine)


def test_rectangles_of_one_and_of_independent_columns_are_exact() -> None:
    lower, upper = np.array([[-1.0, -np.inf, 0.2]] * 2), np.array([[0.5, 1.0, np.inf]] * 2)
    own = ndtr(upper) - ndtr(lower)
    assert rectangles(lower[:, :1], upper[:, :1], np.eye(1)) == pytest.approx(own[:, 0])
    assert rectangles(lower, upper, np.eye(3)) == pytest.approx(own.prod(axis=1))


@pytest.mark.parametrize("rho", [-0.5, 0.7])
def test_rectangles_that_fill_the_plane_have_the_cells_of_the_table(rho: float) -> None:
    rows, columns = np.array([0.2, 0.5, 0.3]), np.array([0.6, 0.4])
    ends = [ndtri(np.concatenate([[0.0], np.cumsum(one)]).clip(0, 1)) for one in (rows, columns)]
    cells = list(product(range(3), range(2)))
    lower = np.array([[ends[0][one], ends[1][two]] for one, two in cells])
    upper = np.array([[ends[0][one + 1], ends[1][two + 1]] for one, two in cells])
    found = rectangles(lower, upper, np.array([[1.0, rho], [rho, 1.0]]))
    assert found.sum() == pytest.approx(1)
    assert found == pytest.approx(cell_table(rows, columns, rho).ravel(), abs=0.004)


def test_three_columns_are_on_the_same_side_as_is_known() -> None:
    """All three below their medians: 1/8 + (asin r12 + asin r13 + asin r23) / (4 pi)."""
    matrix = np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.4], [0.2, 0.4, 1.0]])
    expected = 1 / 8 + (asin(0.5) + asin(0.2) + asin(0.4)) / (4 * pi)
    found = rectangles(np.full((1, 3), -np.inf), np.zeros((1, 3)), matrix)
    assert found[0] == pytest.approx(expected, abs=2e-3)


def test_rows_with_the_same_first_limits_do_not_disturb_each_other() -> None:
    matrix = np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.4], [0.2, 0.4, 1.0]])
    lower = np.array([[-1, -1, 0], [-1, -1, 0], [-1, -1, 0.5], [-1, 0.2, 0.5], [-1, 0.2, 0.5], [0, 0.2, 0.5]])
    upper = lower + np.array([[1, 1, 1], [1, 1, 2], [1, 1, 1], [1, 1, 1], [1, 2, 1], [1, 2, 1]])
    alone = [rectangles(low[None], high[None], matrix)[0] for low, high in zip(lower, upper, strict=True)]
    assert rectangles(lower.astype(float), upper.astype(float), matrix).tolist() == alone


def test_points_are_those_of_the_lattice() -> None:
    points = copula._points(22)
    assert points.shape == (21, 200)
    for at, prime in ((0, 2), (1, 3), (4, 11), (20, 73)):
        for number in (1, 2, 200):
            place = number * sqrt(prime) + 0.5
            assert points[at, number - 1] == pytest.approx(abs(2 * (place - floor(place)) - 1), abs=1e-9)
    assert copula._points(1).shape == (1, 200)
    primes = [number for number in range(2, 60) if copula._is_prime(number)]
    assert primes == [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59]


def test_quantiles_at_the_joints_of_their_formula() -> None:
    for share in (
        1e-300,
        1e-20,
        1e-11,
        1.5e-11,
        0.01,
        0.0749,
        0.075,
        0.0751,
        0.3,
        0.5,
        0.9249,
        0.9251,
        0.999,
    ):
        assert normal_quantile(share) == pytest.approx(float(ndtri(share)), rel=1e-12, abs=1e-14)
    assert normal_quantile(0.0) == normal_quantile(1e-300) == pytest.approx(float(ndtri(1e-300)))
    assert normal_quantile(1.0) == pytest.approx(8.2, abs=0.02)


def test_chances_of_tuples() -> None:
    found = class_chances(CODES, NUMBER, ordinal=(True, True, True))
    counts = [np.bincount(column, weights=NUMBER).astype(np.int64) for column in CODES.T]
    shares = [margin_shares(one).seen for one in counts]
    expected = [np.prod([share[code] for share, code in zip(shares, row, strict=True)]) for row in CODES]
    assert found.independent == pytest.approx(expected)
    assert found.by_copula.sum() == pytest.approx(1)
    assert found.cautious.tolist() == found.by_copula.tolist()
    assert [one.tolist() for one in found.order] == [[0, 1, 2], [0, 1], [0, 1]]
    assert found.correlation == pytest.approx(correlation_matrix(CODES, NUMBER))
    assert found.by_copula[[0, 11]].min() > 2 * found.by_copula[[3, 8]].max()
    some = class_chances(CODES, NUMBER, ordinal=(True, True, True), only=np.array([7, 2]))
    assert some.by_copula == pytest.approx(found.by_copula[[7, 2]], rel=1e-6)
    assert some.independent == pytest.approx(found.independent[[7, 2]])


def test_one_column_has_its_shares_and_columns_of_one_category_are_left_out() -> None:
    counts = np.array([10, 4, 1, 1, 1, 1])
    codes = np.stack([np.zeros(6, dtype=int), np.arange(6)], axis=1)
    found = class_chances(codes, counts, ordinal=(False, True))
    shares = margin_shares(counts)
    assert found.by_copula == pytest.approx(shares.seen)
    assert found.independent.tolist() == found.by_copula.tolist()
    ratio = singleton_ratio(counts, shares)
    assert ratio < 1
    assert found.cautious == pytest.approx(shares.seen * np.where(counts == 1, ratio, 1.0))
    assert [one.tolist() for one in found.order] == [[0, 1, 2, 3, 4, 5]]
    assert found.correlation.tolist() == [[1.0]]
    nothing = class_chances(codes[:, :1], counts, ordinal=(False,), only=np.array([1, 2]))
    assert nothing.by_copula.tolist() == nothing.cautious.tolist() == [1.0, 1.0]
    assert nothing.order == ()
    assert nothing.correlation.shape == (0, 0)


def test_rare_values_make_cautious_chances_smaller_in_every_column() -> None:
    codes = np.array([[0, 0], [1, 0], [2, 1], [3, 2], [4, 3], [0, 4], [0, 5]])
    number = np.array([20, 10, 1, 1, 1, 1, 1])
    found = class_chances(codes, number, ordinal=(True, True))
    counts = [np.bincount(column, weights=number).astype(np.int64) for column in codes.T]
    ratios = [singleton_ratio(one, margin_shares(one)) for one in counts]
    assert min(ratios) < 1
    first = np.where(counts[0][codes[:, 0]] == 1, ratios[0], 1.0)
    second = np.where(counts[1][codes[:, 1]] == 1, ratios[1], 1.0)
    assert found.cautious == pytest.approx(found.by_copula * first * second)


def test_the_order_of_the_columns_makes_hardly_a_difference() -> None:
    found = class_chances(CODES, NUMBER, ordinal=(True, True, True))
    turned = class_chances(CODES[:, ::-1], NUMBER, ordinal=(True, True, True))
    assert turned.by_copula == pytest.approx(found.by_copula, rel=0.05)
