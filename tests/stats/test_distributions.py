"""Counts, uncertain probabilities and products with an attempt, each against a second way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import triang

from reidrisk.errors import InvalidSetting
from reidrisk.stats.counts import counts
from reidrisk.stats.exact import ScaledRisk
from reidrisk.stats.leak import at_least
from reidrisk.stats.uncertain import Beta, Triangular

ordered = st.lists(st.floats(0, 1), min_size=3, max_size=3).map(sorted)


@given(ordered)
def test_triangular_quantiles_agree_with_scipy(abc: list[float]) -> None:
    a, b, c = abc
    if c - a < 1e-6:
        return
    u = np.linspace(0, 1, 21)
    theirs = triang((b - a) / (c - a), loc=a, scale=c - a)
    assert Triangular(a, b, c).quantiles(u) == pytest.approx(theirs.ppf(u), abs=1e-9)
    assert Triangular(a, b, c).mean == pytest.approx(theirs.mean())


@pytest.mark.parametrize(
    "abc", [(0.5, 0.4, 0.6), (0.1, 0.2, 1.2), (-0.1, 0.2, 0.3), (float("nan"), 0.1, 0.2)]
)
def test_what_is_no_triangle_is_refused(abc: tuple[float, float, float]) -> None:
    with pytest.raises(InvalidSetting, match="lowest, most likely and highest"):
        Triangular(*abc)


def test_a_posterior_knows_its_moments() -> None:
    parrot = Beta(211.5, 99.5)
    draws = parrot.quantiles(np.random.default_rng(1).random(200_000))
    assert draws.mean() == pytest.approx(parrot.mean, abs=1e-3)
    assert draws.std() == pytest.approx(parrot.spread, rel=0.02)
    with pytest.raises(InvalidSetting):
        Beta(0, 1)


@given(st.floats(1, 20), st.sampled_from(["poisson", "shifted_poisson", "zero_truncated", "fixed"]))
def test_counts_have_the_mean_that_was_asked_for(mean: float, model: str) -> None:
    found = counts(model, mean=mean)  # type: ignore[arg-type]
    assert found.mean == pytest.approx(mean, rel=1e-9)
    assert found.chances.sum() == pytest.approx(1)
    if model in ("shifted_poisson", "zero_truncated"):
        assert found.support.min() >= 1


def test_observed_counts_are_resampled_as_they_are() -> None:
    observed = [0, 0, 3, 7, 7, 7]
    found = counts("empirical", mean=4.0, observed=observed)
    assert found.support.tolist() == [0, 3, 7]
    assert found.quantiles(np.array([0.0, 0.3, 0.4, 0.99])).tolist() == [0, 0, 3, 7]


def test_a_negative_binomial_needs_more_spread_than_a_poisson() -> None:
    assert counts("negative_binomial", mean=2.0, observed=[2, 2, 2]).rate == pytest.approx(2)
    wide = counts("negative_binomial", mean=3.0, observed=[0, 0, 0, 12])
    assert wide.mean == pytest.approx(3.0, rel=1e-6)
    assert float(wide.support**2 @ wide.chances) - 9 == pytest.approx(36, rel=1e-4)


@given(st.lists(st.integers(0, 400), min_size=60, max_size=400))
def test_fewer_points_keep_mass_and_mean(observed: list[int]) -> None:
    """Also in the far tail, and for what the counts are used for: the chance of two leaks."""
    full = counts("empirical", mean=0, observed=[*observed, 3000])
    few = full.coarse()
    assert few.support.size <= 41 + 175
    assert few.chances.sum() == pytest.approx(1)
    assert few.mean == pytest.approx(full.mean)
    for leak in (1e-5, 1e-3, 0.05):
        risks = [float(at_least(2, one.support, leak) @ one.chances) for one in (full, few)]
        assert risks[1] == pytest.approx(risks[0], rel=2e-3)


def test_an_unknown_count_model_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="poisson"):
        counts("poison", mean=1)  # type: ignore[arg-type]


@given(ordered, st.integers(0, 10_000), st.booleans())
def test_products_with_an_attempt_agree_with_drawing(abc: list[float], seed: int, signed: bool) -> None:
    if abc[2] - abc[0] < 0.05:
        return
    rng = np.random.default_rng(seed)
    values = rng.choice([0.0, *rng.random(6)], size=8) * (rng.choice([-1, 1], 8) if signed else 1)
    weights = rng.random(8) + 0.1
    attempt = Triangular(*abc)
    levels = (0.05, 0.5, 0.95)
    found = ScaledRisk(values, weights, attempt).quantiles(levels)
    picks = rng.choice(values, size=400_000, p=weights / weights.sum())
    drawn = picks * attempt.quantiles(rng.random(400_000))
    for level, value in zip(levels, found, strict=True):
        below, upto = np.mean(drawn < value - 1e-9), np.mean(drawn <= value + 1e-9)
        assert below - 0.004 <= level <= upto + 0.004


def test_a_constant_attempt_scales_the_quantiles() -> None:
    values = np.linspace(0, 1, 1001)
    risk = ScaledRisk(values, np.ones(1001), Triangular.constant(0.4))
    assert risk.quantiles((0.5,))[0] == pytest.approx(0.2, abs=1e-3)
    steps = ScaledRisk(np.array([0.0, 1.0]), np.array([0.3, 0.7]), Triangular.constant(1.0), smooth=False)
    assert steps.quantiles((0.29, 0.31)) == (0.0, 1.0)
