"""The class of a record in the population: against the Gamma mixture it comes from, by integrals and sums."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import gamma, nbinom

from reidrisk.stats.arrays import Floats
from reidrisk.stats.uniqueness.record_risk import NegativeBinomialClasses, Sampled, component_risk

SAMPLE = Sampled(50, 400)


def unsampled(size: int, chance: float, shape: float) -> Floats:
    """Chances of 0, 1, ... people outside the sample: Poisson, with a mean that the others tell about."""
    rate = shape / chance + SAMPLE.records - 1  # of the Gamma variable, given size - 1 of n - 1 others
    outside = SAMPLE.population - SAMPLE.records
    return np.asarray(nbinom.pmf(np.arange(20_000), shape + size - 1, rate / (rate + outside)))


@pytest.mark.parametrize("size", [1, 2, 3, 25])
@pytest.mark.parametrize(("chance", "shape"), [(0.01, 0.7), (0.002, 2.5)])
def test_the_figures_of_a_class_are_those_of_its_distribution(size: int, chance: float, shape: float) -> None:
    pmf = unsampled(size, chance, shape)
    whole = size + np.arange(pmf.size)
    found = component_risk(np.array([size]), np.array([chance]), shape, SAMPLE, cell_size=6)
    assert found.unique[0] == pytest.approx(pmf[0] if size == 1 else 0.0, rel=1e-9)
    assert found.below[0] == pytest.approx(pmf[whole < 6].sum(), rel=1e-9, abs=1e-15)
    assert found.inverse[0] == pytest.approx((pmf / whole).sum(), rel=1e-6)
    model = NegativeBinomialClasses.of(np.array([size]), np.array([chance]), shape, SAMPLE)
    assert model.inverse_square()[0] == pytest.approx((pmf / whole.astype(float) ** 2).sum(), rel=1.5e-3)


def test_nobody_outside_is_alike_as_often_as_the_integral_over_the_true_chance_says() -> None:
    chance, shape, size = 0.01, 0.7, 1
    rate = shape / chance + SAMPLE.records - 1
    density = gamma(shape + size - 1, scale=1 / rate).pdf
    expected, _ = quad(lambda q: density(q) * np.exp(-350 * q), 0, 1)
    found = NegativeBinomialClasses.of(np.array([size]), np.array([chance]), shape, SAMPLE)
    assert found.unique()[0] == pytest.approx(expected, rel=1e-6)


def test_of_a_full_count_the_classes_are_those_of_the_sample() -> None:
    size = np.array([1, 2, 5, 6, 30])
    found = NegativeBinomialClasses.of(size, np.full(5, 0.01), 0.7, Sampled(50, 50))
    assert found.success.tolist() == [1.0] * 5
    assert found.unique().tolist() == [1, 0, 0, 0, 0]
    assert found.below(6).tolist() == [1, 1, 1, 0, 0]
    assert found.inverse() == pytest.approx(1 / size)
    assert found.inverse_square() == pytest.approx(1 / size**2, rel=1e-3)


def test_no_figure_is_above_that_of_the_sample() -> None:
    size = np.array([1, 3, 19, 20, 200])
    found = NegativeBinomialClasses(size, size - 0.5, np.full(5, 1 - 1e-12))
    assert np.all(found.inverse() <= 1 / size)
    assert np.all(found.inverse_square() <= 1 / size**2)
    assert found.inverse() == pytest.approx(1 / size, rel=1e-6)
    # Of a full count it is equal: a sum over nodes would be above by the rounding of its terms.
    every = np.arange(1, 200)
    whole = NegativeBinomialClasses.of(every, np.full(every.size, 0.01), 0.7, Sampled(50, 50))
    assert np.all(whole.inverse() <= 1 / every)
    assert np.all(whole.inverse_square() <= 1 / every**2)
