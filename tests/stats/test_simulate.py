from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import beta, binom, poisson, triang

from reidrisk.stats import simulate
from reidrisk.stats.counts import Counts, counts
from reidrisk.stats.models import DirectModel, DirectType, ObservedProportion, QuasiModel
from reidrisk.stats.simulate import (
    affordable_draws,
    direct_dimensions,
    draw_direct,
    draw_mean_quasi,
    draw_quasi,
    draw_type,
    quasi_dimensions,
    uniforms,
)
from reidrisk.stats.uncertain import Triangular

RNG = np.random.default_rng(11)
HALF = Triangular.constant(0.5)
WEIGHT, RECALL, OTHER = (
    ObservedProportion(4, 10, "laplace"),
    ObservedProportion(8, 10, "laplace"),
    ObservedProportion(3, 5, "laplace"),
)
ATTEMPT, SHARED, OWN = Triangular(0.1, 0.2, 0.6), Triangular(0.2, 0.5, 0.9), Triangular(0.0, 0.3, 0.4)


def triangle(given: Triangular, u: float) -> float:
    width = given.high - given.low
    return float(triang.ppf(u, (given.mode - given.low) / width, given.low, width))


def share(given: ObservedProportion, u: float) -> float:
    """Its posterior with a uniform prior."""
    return float(beta.ppf(u, given.successes + 1, given.trials - given.successes + 1))


@pytest.mark.parametrize(("draws", "rows"), [(1, 2), (2, 2), (3, 4), (8, 8), (9, 16)])
def test_sobol_points_are_a_power_of_two(draws: int, rows: int) -> None:
    found = uniforms("sobol", draws=draws, dimensions=3, rng=np.random.default_rng(1))
    assert found.shape == (rows, 3)
    assert 0 < found.min() < found.max() < 1
    assert (np.sort(found, axis=0) * rows // 1 == np.arange(rows)[:, None]).all()  # one in each part


def test_pseudo_random_points_are_as_many_as_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    found = uniforms("montecarlo", draws=5, dimensions=2, rng=np.random.default_rng(1))
    assert found.tolist() == np.random.default_rng(1).random((5, 2)).tolist()
    monkeypatch.setattr(simulate, "SOBOL_DIMENSIONS", 3)
    assert uniforms("sobol", draws=5, dimensions=4, rng=np.random.default_rng(1)).shape == (5, 4)
    assert uniforms("sobol", draws=5, dimensions=3, rng=np.random.default_rng(1)).shape == (8, 3)


@pytest.mark.parametrize("catch", [0.0, 0.15])
def test_draws_of_direct_risk_are_equation_20_at_their_uniforms(catch: float) -> None:
    types = (
        DirectType(WEIGHT, RECALL, gate=True),
        DirectType(OTHER, RECALL, gate=None, recognition=OWN),
        DirectType(WEIGHT, OTHER, gate=False),
    )
    model = DirectModel(types, SHARED, ATTEMPT, cutoff=0.75, given_catch=catch)
    assert direct_dimensions(model) == 11
    cube = RNG.random((40, 11))
    for u, found in zip(cube, draw_direct(model, cube), strict=True):
        second = share(RECALL, u[6])
        leaks = (
            triangle(SHARED, u[1]) * share(WEIGHT, u[2]) * (1 - share(RECALL, u[3])),
            (triangle(OWN, u[7]) if second >= 0.75 else 1) * share(OTHER, u[5]) * (1 - second),
            share(WEIGHT, u[8]) * (1 - share(OTHER, u[9])),
        )
        risk = 1 - np.prod(1 - np.array(leaks))
        assert found == pytest.approx(triangle(ATTEMPT, u[0]) * (catch + (1 - catch) * risk), rel=1e-9)
        for place, leak in enumerate(leaks):
            assert draw_type(model, place, u[None, :])[0] == pytest.approx(np.log(1 - leak), rel=1e-9)


def test_a_type_that_always_leaks_is_certain_to_leak() -> None:
    every = ObservedProportion(1, 1, "laplace", certain=True)
    none = ObservedProportion(0, 1, "laplace", certain=True)
    model = DirectModel((DirectType(every, none, gate=False),), HALF, Triangular.constant(0.4))
    assert draw_direct(model, RNG.random((3, 5))) == pytest.approx([0.4] * 3, rel=1e-12)


def quasi(**changed: object) -> QuasiModel:
    given = {
        "values": Counts(np.array([1.0, 2.0, 5.0]), np.array([0.2, 0.5, 0.3])),
        "repeats": Counts(np.array([1.0, 3.0]), np.array([0.6, 0.4])),
        "gate": True, "recognition": SHARED, "attempt": ATTEMPT, "scale": 0.8, **changed,
    }  # fmt: skip
    return QuasiModel(RECALL, **given)  # type: ignore[arg-type]


def combined(how: str, leak: float, missed: float, catch: float) -> float:
    """The rules of `caught.py`, as they are printed."""
    rules = {
        "eq8": catch + (1 - catch) * leak,
        "max": max(catch, leak),
        "literal": min(1.0, catch * (1 - missed) + leak),
    }
    return rules[how]


@pytest.mark.parametrize("how", ["eq8", "max", "literal"])
@pytest.mark.parametrize("needed", [1, 2])
def test_draws_of_quasi_risk_are_equation_21_at_their_uniforms(how: str, needed: int) -> None:
    """Number of values and of repeats by table lookup, the chance of enough leaks by the binomial."""
    catch = Triangular(0.0, 0.1, 0.3)
    model = quasi(combine=how, needed=needed, given_catch=catch)
    assert quasi_dimensions(model) == 7
    assert quasi_dimensions(quasi(given_catch=0.1)) == 6
    cube = RNG.random((30, 7))
    by_document, by_parameter = draw_quasi(model, cube), draw_mean_quasi(model, cube)
    for u, document, parameter in zip(cube, by_document, by_parameter, strict=True):
        recall, attempt, recognition = share(RECALL, u[0]), triangle(ATTEMPT, u[1]), triangle(SHARED, u[2])
        caught = triangle(catch, u[6])

        def risk(
            values: int, repeats: int, parts: tuple[float, ...] = (recall, recognition, caught)
        ) -> float:
            missed = 1 - parts[0] ** repeats
            leak = 0.8 * binom.sf(needed - 1, values, parts[1] * missed)
            return combined(how, float(leak), missed, parts[2])

        values = 1 if u[3] < 0.2 else 2 if u[3] < 0.7 else 5
        repeats = 1 if u[4] < 0.6 else 3
        assert document == pytest.approx(attempt * risk(values, repeats), rel=1e-9)
        pairs = product(((1, 0.2), (2, 0.5), (5, 0.3)), ((1, 0.6), (3, 0.4)))
        mean = sum(one * two * risk(n, m) for (n, one), (m, two) in pairs)
        assert parameter == pytest.approx(attempt * mean, rel=1e-9)


@pytest.mark.parametrize("shape", [None, 12.0])
def test_a_poisson_number_of_values_is_thinned_in_closed_form(shape: float | None) -> None:
    model = quasi(values=counts("poisson", mean=3.0), rate_shape=shape, given_catch=0.1, scale=1.0)
    cube = RNG.random((20, 6))
    for u, found in zip(cube, draw_mean_quasi(model, cube), strict=True):
        recall, attempt, recognition = share(RECALL, u[0]), triangle(ATTEMPT, u[1]), triangle(SHARED, u[2])
        rate = 3.0
        if shape is not None:  # the mean number is Gamma(12.5) / 12 times the observed one
            from scipy.stats import gamma

            rate *= float(gamma.ppf(u[5], shape + 0.5)) / shape
        risks = [poisson.sf(1, rate * recognition * (1 - recall**times)) for times in (1, 3)]
        assert found == pytest.approx(attempt * (0.1 + 0.9 * (0.6 * risks[0] + 0.4 * risks[1])), rel=1e-9)


def test_leaks_of_all_places_together() -> None:
    model = quasi(independent=False, recognition=HALF, attempt=HALF, scale=1.0)
    cube = RNG.random((5, 6))
    for u, found in zip(cube, draw_mean_quasi(model, cube), strict=True):
        leak = 0.5 * (1 - share(RECALL, u[0]))
        expected = sum(chance * binom.sf(1, n, leak) for n, chance in ((1, 0.2), (2, 0.5), (5, 0.3)))
        assert found == pytest.approx(0.5 * expected, rel=1e-9)


def test_draws_are_reduced_to_a_power_of_two_that_is_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "WORK", 6 * 5000)
    assert affordable_draws(quasi(), 5000) == 5000
    assert affordable_draws(quasi(), 5001) == 4096
    assert affordable_draws(quasi(values=counts("poisson", mean=3.0)), 7500) == 7500
    assert affordable_draws(quasi(values=counts("poisson", mean=3.0)), 7501) == 4096
    monkeypatch.setattr(simulate, "WORK", 6 * 4096)
    assert affordable_draws(quasi(), 4097) == 4096
    monkeypatch.setattr(simulate, "WORK", 1)
    assert affordable_draws(quasi(), 9999) == 2048
