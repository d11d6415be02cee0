from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest
from scipy.stats import beta, triang

from reidrisk.errors import InvalidSetting
from reidrisk.stats.uncertain import Beta, Blend, Triangular

U = np.array([0.0, 0.1, 0.5, 0.9, 1.0])


@pytest.mark.parametrize("abc", [(0.1, 0.3, 0.6), (0.0, 0.0, 1.0), (0.2, 0.7, 0.7), (0.0, 0.5, 1.0)])
def test_a_triangle_against_scipy(abc: tuple[float, float, float]) -> None:
    low, mode, high = abc
    theirs = triang((mode - low) / (high - low), low, high - low)
    ours = Triangular(*abc)
    assert ours.quantiles(U) == pytest.approx(theirs.ppf(U))
    assert (ours.mean, ours.variance) == pytest.approx((theirs.mean(), theirs.var()))
    assert not ours.is_constant


def test_a_constant_has_one_value() -> None:
    found = Triangular.constant(0.3)
    assert found == Triangular(0.3, 0.3, 0.3)
    assert (found.is_constant, found.mean) == (True, 0.3)
    assert found.variance == pytest.approx(0, abs=1e-15)
    assert found.quantiles(U).tolist() == [0.3] * 5
    assert Triangular.constant(0.0).mean == 0.0
    assert Triangular.constant(1.0).mean == 1.0


@pytest.mark.parametrize(("a", "b"), [(0.5, 3.0), (2.0, 0.5), (211.5, 99.5)])
def test_a_posterior_against_scipy(a: float, b: float) -> None:
    found = Beta(a, b)
    assert found.quantiles(U) == pytest.approx(beta.ppf(U, a, b))
    assert (found.mean, found.spread) == pytest.approx((beta.mean(a, b), beta.std(a, b)))
    assert not found.is_constant


@pytest.mark.parametrize(("a", "b"), [(0, 1), (1, 0), (-1, 2), (inf, 1), (1, inf), (nan, 1), (1, nan)])
def test_what_is_no_posterior_is_refused(a: float, b: float) -> None:
    with pytest.raises(InvalidSetting, match="not a valid distribution"):
        Beta(a, b)


def test_a_blend_rises_with_its_parts() -> None:
    one, two = Triangular(0.1, 0.3, 0.6), Beta(3, 5)
    found = Blend(((0.25, one), (0.75, two)))
    assert found.mean == pytest.approx(0.25 * one.mean + 0.75 * 3 / 8)
    assert found.quantiles(U) == pytest.approx(0.25 * one.quantiles(U) + 0.75 * two.quantiles(U))
    assert not found.is_constant
    assert not Blend(((0.5, one), (0.5, Triangular.constant(0.2)))).is_constant
    assert Blend(((0.5, Triangular.constant(0.1)), (0.5, Triangular.constant(0.2)))).is_constant
