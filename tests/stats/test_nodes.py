from __future__ import annotations

import numpy as np
import pytest

from reidrisk.stats.nodes import (
    density_nodes,
    equal_nodes,
    joint_nodes,
    midpoints,
    normal_nodes,
    recognition_nodes,
)
from reidrisk.stats.uncertain import Beta, Blend, Triangular


@pytest.mark.parametrize("abc", [(0.1, 0.3, 0.9), (0.2, 0.2, 0.5), (0.2, 0.5, 0.5)])
@pytest.mark.parametrize("side", [2, 3, 32])
def test_nodes_of_a_triangle_have_its_moments(abc: tuple[float, float, float], side: int) -> None:
    """Gauss-Legendre nodes integrate polynomials exactly, the density included."""
    triangle = Triangular(*abc)
    values, weights = density_nodes(triangle, side=side)
    assert weights.sum() == pytest.approx(1, rel=1e-12)
    mean = weights @ values
    assert mean == pytest.approx(triangle.mean, rel=1e-12)
    assert weights @ (values - mean) ** 2 == pytest.approx(triangle.variance, rel=1e-12)
    assert abc[0] < values.min() < values.max() < abc[2]
    assert (weights > 0).all()
    assert len(values) == side * (2 if abc[0] < abc[1] < abc[2] else 1)


@pytest.mark.parametrize(("side", "number"), [(32, 41), (8, 17), (20, 41)])
def test_nodes_of_a_posterior_have_its_moments(side: int, number: int) -> None:
    given = Beta(7.5, 3.5)
    values, weights = density_nodes(given, side=side)
    assert len(values) == len(weights) == number
    assert weights.sum() == pytest.approx(1)
    assert weights @ values == pytest.approx(given.mean, abs=1e-5)
    assert (weights @ (values - given.mean) ** 2) ** 0.5 == pytest.approx(given.spread, abs=1e-3)


def test_what_is_known_is_one_node() -> None:
    for given in (Triangular.constant(0.3), Blend(((1.0, Triangular.constant(0.3)),))):
        values, weights = density_nodes(given)
        assert (values.tolist(), weights.tolist()) == ([0.3], [1.0])
        assert recognition_nodes(given) == [0.3]


def test_equally_likely_nodes() -> None:
    assert midpoints(4).tolist() == [0.125, 0.375, 0.625, 0.875]
    assert midpoints(1).tolist() == [0.5]
    values, weights = equal_nodes(5)
    assert values == pytest.approx([0.1, 0.3, 0.5, 0.7, 0.9])
    assert weights.tolist() == [0.2] * 5
    found = recognition_nodes(Triangular(0.1, 0.3, 0.8))
    assert len(found) == 121
    assert np.mean(found) == pytest.approx(0.4, abs=1e-4)
    assert found == sorted(found)


def test_nodes_in_the_normal_score_are_symmetric_and_reach_far() -> None:
    u, weights = normal_nodes(9, reach=4.0)
    assert u[[0, 4, 8]] == pytest.approx([3.167124183e-5, 0.5, 1 - 3.167124183e-5])
    assert u + u[::-1] == pytest.approx(np.ones(9))
    assert weights.sum() == pytest.approx(1)
    assert weights[5] / weights[4] == pytest.approx(np.exp(-0.5))  # one step is a standard deviation
    assert weights[8] / weights[4] == pytest.approx(np.exp(-8))
    far, _ = normal_nodes(3, reach=12.0)
    assert far.tolist() == [1e-15, 0.5, 1 - 1e-15]


def test_pairs_of_uncertain_values_are_independent_and_keep_their_means() -> None:
    one, two = Triangular(0.1, 0.3, 0.8), Triangular(0.0, 0.1, 0.2)
    pairs = np.array(joint_nodes(one, two))
    assert len(pairs) == 233
    assert pairs.mean(axis=0) == pytest.approx([one.mean, two.mean], abs=1e-4)
    assert (pairs[:, 0] * pairs[:, 1]).mean() == pytest.approx(one.mean * two.mean, abs=2e-4)
    for column, given in zip(pairs.T, (one, two), strict=True):  # each goes through all its values
        assert np.sort(column) == pytest.approx(given.quantiles(midpoints(233)))


def test_pairs_with_a_known_value() -> None:
    one, known = Triangular(0.1, 0.3, 0.8), Triangular.constant(0.6)
    assert joint_nodes(one, known) == [(value, 0.6) for value in recognition_nodes(one)]
    assert joint_nodes(known, one) == [(0.6, value) for value in recognition_nodes(one)]
    assert joint_nodes(known, known) == [(0.6, 0.6)]
