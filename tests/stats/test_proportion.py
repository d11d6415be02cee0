from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binomtest, norm, truncnorm

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats
from reidrisk.stats.choices import Method, Model
from reidrisk.stats.proportion import (
    METHODS,
    MODELS,
    Bound,
    beta_quantiles,
    interval,
    lower_bound,
    mean,
    quantiles,
)

ENDS: tuple[Bound, Bound] = ("low", "high")
REPAIRED: tuple[Method, Method] = ("clopper_pearson", "jeffreys_modified")
counted = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counted)
def test_wilson_and_clopper_pearson_agree_with_scipy(seen: tuple[int, int]) -> None:
    k, n = seen
    test = binomtest(k, n)
    for method, theirs in (("wilson", "wilson"), ("clopper_pearson", "exact")):
        expected = test.proportion_ci(0.95, theirs)
        assert interval(k, n, method=method) == pytest.approx((expected.low, expected.high), abs=1e-8)  # type: ignore[arg-type]


@given(counted, st.sampled_from(METHODS))
def test_intervals_hold_the_share_and_grow_with_the_level(seen: tuple[int, int], method: str) -> None:
    k, n = seen
    low, high = interval(k, n, method=method, level=0.9)  # type: ignore[arg-type]
    wide_low, wide_high = interval(k, n, method=method, level=0.99)  # type: ignore[arg-type]
    assert wide_low <= low + 1e-12 <= high + 2e-12 <= wide_high + 3e-12
    if method != "jeffreys":
        assert low - 1e-9 <= k / n <= high + 1e-9


@given(counted, st.sampled_from(MODELS))
def test_quantiles_rise_and_their_average_is_the_mean(seen: tuple[int, int], model: str) -> None:
    k, n = seen
    u = (np.arange(4000) + 0.5) / 4000
    values = quantiles(u, successes=k, trials=n, model=model)  # type: ignore[arg-type]
    assert np.all(np.diff(values) >= -1e-12)
    found = mean(successes=k, trials=n, model=model)  # type: ignore[arg-type]
    assert found == pytest.approx(float(values.mean()), abs=2e-3)


@given(st.floats(0.5, 400), st.floats(0.5, 400))
def test_the_spline_has_eight_digits(a: float, b: float) -> None:
    u = np.linspace(1e-6, 1 - 1e-6, 701)
    assert beta_quantiles(u, a, b) == pytest.approx(beta.ppf(u, a, b), rel=1e-7, abs=1e-12)


def test_modified_jeffreys_is_repaired_at_the_ends_only() -> None:
    u = np.array([0.025, 0.975])
    for k, n in ((3, 50), (49, 50)):
        plain = quantiles(u, successes=k, trials=n, model="jeffreys")
        bounds: tuple[Bound, ...] = ("low", "high")
        for bound in bounds:
            modified = quantiles(u, successes=k, trials=n, model="jeffreys_modified", bound=bound)
            assert modified == pytest.approx(plain)
    upper = quantiles(u, successes=0, trials=50, model="jeffreys_modified", bound="high")[1]
    assert upper == pytest.approx(1 - 0.025 ** (1 / 50))
    lower = quantiles(u, successes=50, trials=50, model="jeffreys_modified", bound="low")[0]
    assert lower == pytest.approx(0.025 ** (1 / 50))


def test_one_sided_bound_is_the_end_of_the_wider_interval() -> None:
    assert lower_bound(90, 100, level=0.95) == pytest.approx(interval(90, 100, level=0.9)[0])


@pytest.mark.parametrize(("k", "n"), [(1, 0), (-1, 5), (6, 5)])
def test_impossible_counts_are_refused(k: int, n: int) -> None:
    with pytest.raises(InvalidSetting, match="Hint"):
        interval(k, n)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="wilson"):
        interval(1, 2, method="wilsn")  # type: ignore[arg-type]
    with pytest.raises(InvalidSetting, match="jeffreys"):
        quantiles(np.array([0.5]), successes=1, trials=2, model="jefreys")  # type: ignore[arg-type]


U = np.array([0.0, 0.025, 0.3, 0.9, 1.0])


def test_normal_models_against_scipy() -> None:
    """Three of ten: the spread is sqrt(0.3 0.7 / 10)."""
    spread = (0.3 * 0.7 / 10) ** 0.5
    plain = norm(0.3, spread).ppf(U)
    found = quantiles(U, successes=3, trials=10, model="normal")
    assert found == pytest.approx(plain)
    clipped = quantiles(U, successes=3, trials=10, model="normal_clip")
    assert clipped == pytest.approx(np.clip(plain, 0, 1))
    assert quantiles(np.array([0.001]), successes=3, trials=10, model="normal_clip")[0] == 0.0
    cut = truncnorm(-0.3 / spread, 0.7 / spread, 0.3, spread)
    assert quantiles(U, successes=3, trials=10, model="truncnorm") == pytest.approx(cut.ppf(U))
    assert mean(successes=3, trials=10, model="truncnorm") == pytest.approx(cut.mean(), abs=1e-7)
    assert mean(successes=3, trials=10, model="normal") == 0.3


@pytest.mark.parametrize("model", ["normal", "normal_clip", "truncnorm"])
@pytest.mark.parametrize(("k", "share"), [(0, 0.0), (8, 1.0)])
def test_normal_models_have_no_spread_at_the_ends(model: Model, k: int, share: float) -> None:
    assert quantiles(U, successes=k, trials=8, model=model).tolist() == [share] * 5
    assert mean(successes=k, trials=8, model=model) == share


def test_beta_models_against_scipy() -> None:
    for k in (0, 3, 8):
        assert quantiles(U, successes=k, trials=8) == pytest.approx(beta.ppf(U, k + 0.5, 8.5 - k))
        laplace = quantiles(U, successes=k, trials=8, model="laplace")
        assert laplace == pytest.approx(beta.ppf(U, k + 1, 9 - k))
        assert mean(successes=k, trials=8, model="laplace") == pytest.approx((k + 1) / 10)
        assert mean(successes=k, trials=8) == pytest.approx((k + 0.5) / 9)
        assert mean(successes=k, trials=8, model="clopper_pearson") == pytest.approx((k + 0.5) / 9)
        centre = quantiles(U, successes=k, trials=8, model="clopper_pearson")
        assert centre == pytest.approx(beta.ppf(U, k + 0.5, 8.5 - k))


def test_the_two_distributions_of_clopper_and_pearson() -> None:
    def both(k: int) -> Floats:
        found = [quantiles(U, successes=k, trials=8, model="clopper_pearson", bound=bound) for bound in ENDS]
        return np.array(found)

    assert both(3) == pytest.approx(beta.ppf(U, [[3], [4]], [[6], [5]]))
    assert both(0) == pytest.approx(np.stack([np.zeros(5), beta.ppf(U, 1, 8)]))
    assert both(8) == pytest.approx(np.stack([beta.ppf(U, 8, 1), np.ones(5)]))


def test_wilson_quantiles_solve_their_equation_and_end_at_0_and_1() -> None:
    """A limit p of three in ten: (0.3 - p)^2 = z^2 p (1 - p) / 10."""
    found = quantiles(U, successes=3, trials=10, model="wilson")
    assert found[[0, -1]].tolist() == [0.0, 1.0]
    inner, z = found[1:-1], norm.ppf(U[1:-1])
    assert (0.3 - inner) ** 2 == pytest.approx(z**2 * inner * (1 - inner) / 10)
    assert np.sign(inner - 0.3) == pytest.approx(np.sign(z))
    for k in (0, 10):
        score = np.linspace(-6, 6, 2001)
        weights = norm.pdf(score)
        values = quantiles(norm.cdf(score), successes=k, trials=10, model="wilson")
        expected = float(weights @ values / weights.sum())
        assert mean(successes=k, trials=10, model="wilson") == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("k", "n"), [(0, 7), (2, 7), (7, 7), (40, 50)])
def test_intervals_by_their_definitions(k: int, n: int) -> None:
    z = norm.ppf(0.95)
    low, high = interval(k, n, method="jeffreys", level=0.9)
    assert (low, high) == pytest.approx(tuple(beta.ppf([0.05, 0.95], k + 0.5, n - k + 0.5)))
    low, high = interval(k, n, method="wald", level=0.9)
    half = z * (k * (n - k) / n**3) ** 0.5
    assert (low, high) == pytest.approx((max(0.0, k / n - half), min(1.0, k / n + half)))
    low, high = interval(k, n, method="agresti_coull", level=0.9)
    size, share = n + z**2, (k + z**2 / 2) / (n + z**2)
    half = z * (share * (1 - share) / size) ** 0.5
    assert (low, high) == pytest.approx((max(0.0, share - half), min(1.0, share + half)))
    exact, modified = (interval(k, n, method=one, level=0.9) for one in REPAIRED)
    if k in (0, n):
        assert modified == exact
    else:
        assert modified == pytest.approx(interval(k, n, method="jeffreys", level=0.9))


def test_few_and_many_quantiles_at_once_are_the_same() -> None:
    u = np.linspace(0.0005, 0.9995, 601)
    for a, b in ((0.5, 9.0), (30.0, 2.5)):
        few = [*beta_quantiles(u[:1], a, b), *beta_quantiles(u[1:], a, b)]
        assert beta_quantiles(u, a, b) == pytest.approx(few)
