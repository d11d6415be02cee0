from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import beta, binom, gamma, poisson, triang

from reidrisk.stats import exact
from reidrisk.stats.counts import Counts, counts
from reidrisk.stats.exact import (
    ScaledRisk,
    _Convolution,
    _Products,
    exact_direct,
    exact_direct_mean,
    exact_quasi,
    exact_quasi_mean,
)
from reidrisk.stats.models import DirectModel, DirectType, ObservedProportion, QuasiModel
from reidrisk.stats.nodes import midpoints
from reidrisk.stats.uncertain import Triangular

SURE, HALF = Triangular.constant(1.0), Triangular.constant(0.5)
TRIANGLES = [
    Triangular(0.1, 0.3, 0.8),
    Triangular(0.1, 0.1, 0.8),
    Triangular(0.1, 0.8, 0.8),
    Triangular(0, 0, 1),
]
VALUES, WEIGHTS = np.array([0.3, -0.2, 0.0, 0.9, -0.6, 0.3]), np.array([1.0, 2.0, 3.0, 2.0, 1.0, 0.5])


def below(attempt: Triangular, x: float, values: np.ndarray, weights: np.ndarray) -> float:
    """Pr(attempt x risk <= x), value by value."""
    width = attempt.high - attempt.low
    known = triang((attempt.mode - attempt.low) / width, attempt.low, width)
    total = 0.0
    for value, weight in zip(values, weights, strict=True):
        if value == 0:
            total += weight * (x >= 0)
        else:
            total += weight * (known.cdf(x / value) if value > 0 else known.sf(x / value))
    return float(total / weights.sum())


@pytest.mark.parametrize("attempt", TRIANGLES)
def test_products_with_a_triangle_have_the_distribution_of_their_parts(attempt: Triangular) -> None:
    """Only positive values, only negative ones, both, and none but zero."""
    for kept in (VALUES > -1, VALUES > 0, VALUES < 0, VALUES >= 0, VALUES == 0):
        values, weights = VALUES[kept], WEIGHTS[kept]
        found = _Products.of(values, weights, attempt)
        for x in (-0.7, -0.3, -0.1, -0.03, 0.0, 0.02, 0.05, 0.1, 0.24, 0.5, 0.71, 0.95):
            assert found.chance_up_to(x) == pytest.approx(below(attempt, x, values, weights), abs=1e-12)


@pytest.mark.parametrize("attempt", TRIANGLES)
def test_quantiles_of_products_are_where_their_distribution_reaches_the_level(attempt: Triangular) -> None:
    levels = (0.01, 0.2, 0.31, 0.35, 0.6, 0.64, 0.8, 0.999)
    for level, found in zip(levels, ScaledRisk(VALUES, WEIGHTS, attempt).quantiles(levels), strict=True):
        if 3 / 9.5 <= level <= 6 / 9.5:  # a third has no risk at all
            assert found == 0.0
        else:
            assert below(attempt, found, VALUES, WEIGHTS) == pytest.approx(level, abs=1e-9)
    only = ScaledRisk(np.array([0.0, 0.5]), np.array([1.0, 3.0]), attempt).quantiles((0.1, 0.25, 0.7))
    assert only[:2] == (0.0, 0.0)
    assert 0.25 + 0.75 * below(attempt, only[2], np.array([0.5]), np.ones(1)) == pytest.approx(0.7)
    assert ScaledRisk(np.zeros(2), np.ones(2), attempt).quantiles((0.1, 0.9)) == (0.0, 0.0)


def test_values_too_small_to_divide_by_count_as_zero() -> None:
    found = _Products.of(np.array([0.5, 1e-160, 0.5e-149]), np.array([1.0, 2.0, 3.0]), TRIANGLES[0])
    assert found.zero == pytest.approx(2 / 6)
    assert found.chance_up_to(0.0) == pytest.approx(2 / 6)


def test_quantiles_of_values_alone() -> None:
    """A jump is at the first value whose share reaches the level; a density is joined by lines."""
    values, weights, attempt = np.array([3.0, 1.0, 2.0]), np.array([2.0, 1.0, 1.0]), Triangular.constant(0.1)
    jumps = ScaledRisk(values, weights, attempt, smooth=False).quantiles((0.0, 0.25, 0.26, 0.5, 0.51, 1.0))
    assert jumps == pytest.approx((0.1, 0.1, 0.2, 0.2, 0.3, 0.3))
    lines = ScaledRisk(values, weights, attempt).quantiles((0.125, 0.25, 0.375, 0.5625, 0.75, 0.9))
    assert lines == pytest.approx((0.1, 0.15, 0.2, 0.25, 0.3, 0.3))


def laplace(successes: int, trials: int) -> ObservedProportion:
    return ObservedProportion(successes, trials, "laplace")


def one_type(weight: float, gate: bool | None, **changed: object) -> DirectModel:
    known = ObservedProportion(weight, 1, "laplace", certain=True)
    given = {"recognition": HALF, "attempt": Triangular.constant(0.4), **changed}
    return DirectModel((DirectType(known, laplace(17, 20), gate),), **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(("gate", "factor"), [(True, 0.5), (False, 1.0)])
def test_one_type_in_closed_form(gate: bool, factor: float) -> None:
    """0.4 h w (1 - R) with R ~ Beta(18, 4)."""
    found = exact_direct(one_type(0.6, gate), (0.025, 0.975))
    assert found.mean == pytest.approx(0.4 * factor * 0.6 * 4 / 22)
    assert found.quantiles == pytest.approx(0.4 * factor * 0.6 * beta.ppf([0.025, 0.975], 4, 18))
    caught = exact_direct(one_type(0.6, gate, given_catch=0.1), (0.025, 0.975))
    leak = factor * 0.6 * beta.ppf([0.025, 0.975], 4, 18)
    assert caught.quantiles == pytest.approx(0.4 * (0.1 + 0.9 * leak), rel=2e-3)
    assert caught.mean == pytest.approx(0.4 * (0.1 + 0.9 * factor * 0.6 * 4 / 22))


def test_a_gate_that_each_draw_decides() -> None:
    """With R < 0.8 everything is recognized; E[(1 - R) (R < 0.8)] from the beta distribution."""
    model = one_type(1.0, None, cutoff=0.8)
    r = beta.ppf((np.arange(200_000) + 0.5) / 200_000, 18, 4)
    leak = np.where(r >= 0.8, 0.5, 1.0) * (1 - r)
    assert exact_direct_mean(model) == pytest.approx(0.4 * leak.mean(), rel=1e-3)
    assert exact_direct(model, (0.5, 0.975)).quantiles == pytest.approx(
        0.4 * np.quantile(leak, (0.5, 0.975)), rel=3e-3
    )


def by_brute_force(leaks: list[np.ndarray], levels: tuple[float, ...]) -> tuple[float, ...]:
    """Quantiles of 1 - prod(1 - leak) over all combinations of equally likely leaks."""
    risk = 1 - np.prod(np.meshgrid(*(1 - leak for leak in leaks)), axis=0).ravel()
    return tuple(np.quantile(risk, levels))


def test_two_types_agree_with_all_combinations_of_their_values() -> None:
    certain = ObservedProportion(3, 5, "laplace", certain=True)
    types = DirectType(certain, laplace(17, 20), True), DirectType(certain, laplace(9, 10), False)
    model = DirectModel(types, HALF, SURE)
    u = midpoints(1200)
    leaks = [0.5 * 0.6 * beta.ppf(u, 4, 18), 0.6 * beta.ppf(u, 2, 10)]
    levels = (0.025, 0.5, 0.975)
    found = exact_direct(model, levels)
    assert found.quantiles == pytest.approx(by_brute_force(leaks, levels), rel=2e-3)
    assert found.mean == pytest.approx(1 - (1 - 0.3 * 4 / 22) * (1 - 0.6 * 2 / 12))


def test_known_types_need_no_distribution() -> None:
    weight, recall = (ObservedProportion(part, 5, "laplace", certain=True) for part in (2, 4))
    types = DirectType(weight, recall, True), DirectType(weight, recall, False)
    found = exact_direct(DirectModel(types, HALF, SURE), (0.025, 0.975))
    expected = 1 - (1 - 0.5 * 0.4 * 0.2) * (1 - 0.4 * 0.2)
    assert found.mean == pytest.approx(expected)
    assert found.quantiles == pytest.approx((expected, expected))


def test_an_uncertain_weight_and_recognitions_agree_with_draws() -> None:
    """A type with its own recognition and one with the shared one."""
    shared, own = Triangular(0.2, 0.5, 0.9), Triangular(0.0, 0.3, 0.4)
    types = (
        DirectType(laplace(30, 60), laplace(17, 20), True),
        DirectType(laplace(20, 60), laplace(9, 10), True, recognition=own),
    )
    found = exact_direct(DirectModel(types, shared, SURE), (0.1, 0.975))
    rng = np.random.default_rng(1)
    u = rng.random((2, 100_000))
    first = shared.quantiles(u[0]) * rng.beta(31, 31, u.shape[1]) * rng.beta(4, 18, u.shape[1])
    second = own.quantiles(u[1]) * rng.beta(21, 41, u.shape[1]) * rng.beta(2, 10, u.shape[1])
    risk = 1 - (1 - first) * (1 - second)
    assert found.mean == pytest.approx(risk.mean(), rel=0.01)
    assert found.quantiles == pytest.approx(np.quantile(risk, (0.1, 0.975)), rel=0.02)


def quasi(**changed: object) -> QuasiModel:
    given = {
        "values": Counts(np.array([1.0, 2.0, 5.0]), np.array([0.2, 0.5, 0.3])),
        "repeats": Counts(np.array([1.0, 3.0]), np.array([0.6, 0.4])),
        "gate": True, "recognition": HALF, "attempt": SURE, "scale": 0.8, **changed,
    }  # fmt: skip
    return QuasiModel(laplace(17, 20), **given)  # type: ignore[arg-type]


PAIRS = [
    (n, m, one * two) for (n, one), (m, two) in product(((1, 0.2), (2, 0.5), (5, 0.3)), ((1, 0.6), (3, 0.4)))
]


@pytest.mark.parametrize("needed", [1, 2])
@pytest.mark.parametrize(("how", "catch"), [("eq8", 0.0), ("eq8", 0.2), ("max", 0.2), ("literal", 0.2)])
def test_quasi_risks_agree_with_a_sum_over_all_documents(how: str, catch: float, needed: int) -> None:
    """Number of values times number of repeats times recall, each document by itself."""
    model = quasi(combine=how, given_catch=catch, needed=needed)
    r = beta.ppf(midpoints(1500), 18, 4)
    risks = []
    for n, m, _ in PAIRS:
        missed = 1 - r**m
        leak = 0.8 * binom.sf(needed - 1, n, 0.5 * missed)
        rules = {
            "eq8": catch + (1 - catch) * leak,
            "max": np.maximum(catch, leak),
            "literal": np.minimum(1.0, catch * (1 - missed) + leak),
        }
        risks.append(rules[how])
    chances = np.array([chance for *_, chance in PAIRS])
    means = chances @ np.array(risks)
    found = exact_quasi(model, (0.1, 0.5, 0.975))
    assert found.mean == pytest.approx(means.mean(), rel=1e-4)
    assert exact_quasi_mean(model) == found.mean
    assert found.parameter == pytest.approx(np.quantile(means, (0.1, 0.5, 0.975)), rel=3e-3)
    order = np.argsort(np.concatenate(risks), kind="stable")
    reached = np.cumsum(np.repeat(chances / r.size, r.size)[order])
    places = np.searchsorted(reached, (0.1, 0.5, 0.975))
    assert found.per_document == pytest.approx(np.concatenate(risks)[order][places], rel=2e-2)


@pytest.mark.parametrize("shape", [None, 12.0])
def test_a_poisson_number_of_values_agrees_with_the_thinned_distribution(shape: float | None) -> None:
    model = quasi(values=counts("poisson", mean=3.0), rate_shape=shape, scale=1.0, attempt=HALF)
    r = beta.ppf(midpoints(400), 18, 4)[:, None]
    rates = 3.0 if shape is None else 3.0 * gamma.ppf(midpoints(400), shape + 0.5) / shape
    parts = [poisson.sf(1, rates * 0.5 * (1 - r**times)) for times in (1, 3)]
    means = (0.6 * parts[0] + 0.4 * parts[1]).ravel()
    found = exact_quasi(model, (0.1, 0.975))
    assert found.mean == pytest.approx(0.5 * means.mean(), rel=4e-3)
    assert found.parameter == pytest.approx(0.5 * np.quantile(means, (0.1, 0.975)), rel=2e-2)


def test_an_uncertain_recognition_and_catch_of_quasi_identifiers_agree_with_draws() -> None:
    recognition, catch = Triangular(0.2, 0.5, 0.9), Triangular(0.0, 0.1, 0.3)
    model = quasi(recognition=recognition, given_catch=catch)
    rng = np.random.default_rng(2)
    r, u = rng.beta(18, 4, 60_000), rng.random((2, 60_000))
    g, c = recognition.quantiles(u[0]), catch.quantiles(u[1])
    means = sum(chance * (c + (1 - c) * 0.8 * binom.sf(1, n, g * (1 - r**m))) for n, m, chance in PAIRS)
    found = exact_quasi(model, (0.1, 0.975))
    assert found.mean == pytest.approx(means.mean(), rel=5e-3)
    assert found.parameter == pytest.approx(np.quantile(means, (0.1, 0.975)), rel=1.5e-2)


def test_a_gate_of_quasi_identifiers_that_each_draw_decides() -> None:
    model = quasi(gate=None, cutoff=0.8, values=Counts(np.array([2.0]), np.ones(1)), scale=1.0)
    r = beta.ppf(midpoints(20_000), 18, 4)
    exposure = np.where(r >= 0.8, 0.5, 1.0)
    expected = sum(chance * ((exposure * (1 - r**m)) ** 2).mean() for m, chance in ((1, 0.6), (3, 0.4)))
    assert exact_quasi_mean(model) == pytest.approx(expected, rel=1e-3)


def test_many_counts_get_fewer_nodes_of_the_recall_but_not_too_few(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = exact_quasi(quasi(), (0.5,)).parameter[0]
    monkeypatch.setattr(exact, "GRID_POINTS", 1)
    assert exact_quasi(quasi(), (0.5,)).parameter[0] == pytest.approx(usual, rel=1e-3)


def test_an_uncertain_recognition_changes_nothing_where_it_does_not_count() -> None:
    """Gates are closed, or the type has a recognition of its own: that of the model enters nowhere."""
    certain, observed = ObservedProportion(3, 5, "laplace", certain=True), laplace(3, 5)
    for own in (None, Triangular(0.2, 0.5, 0.9)):
        types = (
            DirectType(observed, laplace(17, 20), False),
            DirectType(certain, laplace(9, 10), own is not None, own),
        )
        known = _Convolution(DirectModel(types, HALF, SURE), [0.5], "high").at(0.5)
        unsure = _Convolution(DirectModel(types, Triangular(0.1, 0.5, 0.9), SURE), [0.2, 0.5, 0.8], "high")
        for recognition in (0.2, 0.8):
            values, masses = unsure.at(recognition)
            assert values == pytest.approx(known[0], rel=1e-12)
            assert masses == pytest.approx(known[1], abs=1e-15)
