from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binomtest

from reidrisk.errors import InvalidSetting
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
