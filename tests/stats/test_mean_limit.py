from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betainc
from scipy.stats import beta

from reidrisk.stats import mean_limit
from reidrisk.stats.mean_limit import (
    beta_chance,
    chance_not_positive,
    clopper_pearson,
    merge_units,
    quantile_of,
    split_on_grid,
)


def test_limits_without_a_leak_or_with_nothing_else_are_powers() -> None:
    """Clopper and Pearson 1934: (1 - U)^n = 1 - level where nothing leaked, L^n where everything did."""
    none, every = clopper_pearson(0, 40, 0.975), clopper_pearson(40, 40, 0.975)
    assert none == pytest.approx((0.0, 1 - 0.025 ** (1 / 40)), rel=1e-12, abs=0)
    assert every == pytest.approx((0.025 ** (1 / 40), 1.0), rel=1e-12)
    low, high = clopper_pearson(3, 10, 0.975)
    assert beta.cdf(low, 3, 8) == pytest.approx(0.025)
    assert beta.cdf(high, 4, 7) == pytest.approx(0.975)
    assert clopper_pearson(1, 1, 0.9) == pytest.approx((0.1, 1.0))
    assert clopper_pearson(0, 1, 0.9) == pytest.approx((0.0, 0.9))


@pytest.mark.parametrize("factor", [0.05, 0.4, 1.0, 3.0, 20.0])
def test_two_kinds_of_units_follow_the_beta_distribution(factor: float) -> None:
    """G_k - b G_m <= 0 exactly if G_k / (G_k + G_m) <= b / (1 + b): about 11 digits, far into the tails."""
    for one, two in ((1.0, 1.0), (3.0, 2.0), (40.0, 3.0), (2.0, 160.0), (90.0, 90.0), (0.5, 7.25)):
        expected = betainc(one, two, factor / (1 + factor))
        found = chance_not_positive(np.array([[1.0, -factor], [-1.0, factor]]), np.array([one, two]))
        assert found[0] == pytest.approx(expected, rel=1e-10, abs=1e-13)
        assert found[1] == pytest.approx(1 - expected, rel=1e-10, abs=1e-13)


def test_different_exponentials_follow_partial_fractions() -> None:
    """Pr(sum a_j G_j > 0) is the sum over positive a_j of the product of a_j / (a_j - a_k)."""
    rows = np.array(
        [
            [2.0, 1.0, -1.0, -3.0],
            [0.1, 0.03, -0.2, -4.0],
            [5.0, 3.0, 1.0, -0.5],
            [-1.0, -2.0, -7.0, 0.25],
            [1.0, 1e-3, -1e-3, -1.0],
        ]
    )
    for row, found in zip(rows, chance_not_positive(rows, np.ones(4)), strict=True):
        above = sum(np.prod([one / (one - other) for other in row if other != one]) for one in row if one > 0)
        assert 1 - found == pytest.approx(above, rel=1e-10)


def test_units_that_never_occur_and_units_without_a_leak_change_nothing() -> None:
    rows = np.array([[1.0, -2.0, 0.0, 50.0], [0.0, 0.0, 0.0, 50.0], [0.0, -1.0, 0.0, -50.0]])
    found = chance_not_positive(rows, np.array([1.0, 1.0, 3.0, 0.0]))
    assert found == pytest.approx([2 / 3, 1.0, 1.0], abs=1e-12)
    assert chance_not_positive(np.array([[2.0, 3.0], [1.0, 0.0]]), np.ones(2)).tolist() == [0.0, 0.0]


def test_rows_computed_at_once_or_apart_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.array([[2.0, -float(at)] for at in range(1, 8)])
    expected = [at / (2 + at) for at in range(1, 8)]
    for cells in (1, 2 * mean_limit.CHUNK * 2, 2 * mean_limit.CHUNK * 3):
        monkeypatch.setattr(mean_limit, "CELLS", cells)
        assert chance_not_positive(rows, np.ones(2)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("near", [(0.5, 0.7), (0.0, 0.1), (0.9, 1.8), (-1.0, 9.0), (0.6, 2.0), (0.65, 1.9)])
@pytest.mark.parametrize("level", [0.001, 0.09, 0.2, 0.975])
def test_a_quantile_is_found_wherever_the_search_begins(near: tuple[float, float], level: float) -> None:
    found = quantile_of(lambda x: min((x / 2) ** 2, 1.0), level, top=2.0, near=near)
    assert found == pytest.approx(2 * level**0.5, rel=1e-11)


def test_quantiles_at_the_ends() -> None:
    """Where the chance jumps at 0 or at the top, the quantile is 0 or the top itself."""

    def jumps(x: float) -> float:
        return 1.0 if x >= 3.0 else 0.4 + 0.1 * x

    for near in ((0.0, 3.0), (1.0, 2.0), (-1.0, 5.0)):
        assert quantile_of(jumps, 0.3, top=3.0, near=near) == 0.0
        assert quantile_of(jumps, 0.4, top=3.0, near=near) == 0.0
        assert quantile_of(jumps, 0.55, top=3.0, near=near) == pytest.approx(1.5, rel=1e-11)
        assert quantile_of(jumps, 0.9, top=3.0, near=near) == 3.0


def test_equal_units_are_merged_and_others_are_not() -> None:
    sizes = np.array([1.0, 2.0, 1.0, 1.0, 2.0, 1.0])
    sums = np.array(
        [[0.0, 1.0, 0.5, 0.0, 1.0, 0.0], [9.0, 9.0, 9.0, 9.0, 9.0, 9.0], [0.0, 1.0, 0.5, 0.0, 2.0, 0.0]]
    )
    counts = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    size, total, number = merge_units(sizes, sums, counts)
    found = {(a, *column): n for a, column, n in zip(size, total.T.tolist(), number, strict=True)}
    assert found == {(1, 0, 9, 0): 11.0, (1, 0.5, 9, 0.5): 3.0, (2, 1, 9, 1): 2.0, (2, 1, 9, 2): 5.0}
    size, total, number = merge_units(sizes, sums[:1], counts)
    found = {(a, *column): n for a, column, n in zip(size, total.T.tolist(), number, strict=True)}
    assert found == {(1, 0): 11.0, (1, 0.5): 3.0, (2, 1): 7.0}


def test_a_grid_keeps_number_and_mean_and_hardly_moves_a_value() -> None:
    values, counts = np.array([0.0, 0.301, 1.2, 2.0, 2.0]), np.array([3.0, 2.0, 1.0, 5.0, 0.0])
    points, number = split_on_grid(values, counts, top=2.0)
    assert number.sum() == pytest.approx(11)
    assert points @ number == pytest.approx(values @ counts, rel=1e-12)
    assert (number > 0).all()
    assert points.min() == 0.0
    assert points.max() == 2.0
    assert number[0] == pytest.approx(3)
    assert number[-1] == pytest.approx(5)
    step = 2.0 / mean_limit.MOST_DISTINCT
    assert np.abs(points[:, None] - values).min(axis=1).max() < step
    assert len(points) == 6  # both ends, and two neighbors of each value between
    spread = (points - points @ number / 11) ** 2 @ number
    own = (values - values @ counts / 11) ** 2 @ counts
    assert own <= spread <= own + 3 * step**2


def test_a_value_on_the_grid_stays_where_it_is() -> None:
    step = 1 / mean_limit.MOST_DISTINCT
    points, number = split_on_grid(np.array([7 * step, 8 * step]), np.array([2.0, 3.0]), top=1.0)
    assert points.tolist() == [7 * step, 8 * step]
    assert number.tolist() == [2.0, 3.0]


def test_the_chance_of_shares_is_that_of_the_beta_distribution() -> None:
    x = np.array([-0.5, 0.0, 0.1, 0.5, 1.0, 1.5])
    upper = beta_chance(x, np.full(6, 3.0), 10.0, upper=True)
    assert upper == pytest.approx([0, 0, beta.cdf(0.1, 4, 7), beta.cdf(0.5, 4, 7), 1, 1])
    lower = beta_chance(x, np.full(6, 3.0), 10.0, upper=False)
    assert lower == pytest.approx([0, 0, beta.cdf(0.1, 3, 8), beta.cdf(0.5, 3, 8), 1, 1])


def test_the_chance_of_shares_at_both_ends() -> None:
    """Where nothing leaked the lower distribution is all at 0; where everything did, the upper one at 1."""
    x = np.array([-0.5, 0.0, 0.4, 0.999, 1.0, 1.5])
    assert beta_chance(x, np.zeros(6), 5.0, upper=False).tolist() == [0, 1, 1, 1, 1, 1]
    assert beta_chance(x, np.full(6, 5.0), 5.0, upper=True).tolist() == [0, 0, 0, 0, 1, 1]


@pytest.mark.parametrize("top", [0.5, 1.0, 40.0])
def test_a_quantile_that_is_where_it_is_expected_is_looked_for_only_there(top: float) -> None:
    """Each chance is an integral, and a look at the ends of the whole range takes several."""
    asked: list[float] = []

    def chance(x: float) -> float:
        asked.append(x)
        return float(beta.cdf(x / top, 3, 40))

    expected = top * float(beta.ppf(0.9, 3, 40))
    near = (0.5 * expected, 1.5 * expected)
    assert quantile_of(chance, 0.9, top=top, near=near) == pytest.approx(expected, rel=1e-9)
    assert near[0] <= min(asked) < max(asked) <= near[1]
