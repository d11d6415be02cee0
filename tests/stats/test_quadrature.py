from __future__ import annotations

import numpy as np
import pytest

from reidrisk.stats.distinctness import distinct_people
from reidrisk.stats.quadrature import gauss_points


def seasons() -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], ...]:
    rng = np.random.default_rng(3)
    chances = 1 + 0.1 * np.sin(np.arange(366) / 58) + rng.normal(0, 0.03, 366)
    chances[59] = 0.25
    chances /= chances.sum()
    return chances, chances.copy()


def test_polynomials_are_exact() -> None:
    points, weights = seasons()
    few, shares = gauss_points(points, weights, 6)
    assert len(few) == 6
    for degree in range(12):
        x, y = points * 366, few * 366
        assert shares @ y**degree == pytest.approx(weights @ x**degree, rel=1e-10)


@pytest.mark.parametrize("people", [200, 20_000, 1_000_000])
def test_few_points_stand_for_all_days(people: int) -> None:
    points, weights = seasons()
    few, shares = gauss_points(points, weights, 48)
    for g in (1, 5, people // 365 + 1):
        exact = float(weights @ distinct_people(g, people, 1 / points)) / people
        assert float(shares @ distinct_people(g, people, 1 / few)) / people == pytest.approx(exact, abs=1e-7)


def test_few_points_stay_as_they_are() -> None:
    points, weights = np.array([0.1, 0.3]), np.array([0.4, 0.6])
    assert gauss_points(points, weights, 5) == (points, weights)
