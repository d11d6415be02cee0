"""Log-linear models: against simulated truth, and whether the selection finds what depends on what."""

from __future__ import annotations

from itertools import product
from math import exp, expm1, sqrt

import numpy as np
import pytest

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.stats.arrays import Ints
from reidrisk.stats.uniqueness.loglinear import (
    CLEAR,
    MOST_CELLS,
    SampleCells,
    _bias,
    _misfit,
    expected_matches,
    fit_loglinear,
    independent_matches,
    select_loglinear,
)

SHAPE = (20, 12, 15, 8, 6)
FRACTION = 0.05
PEOPLE = 200_000


def population(seed: int, *, dependent: bool) -> Ints:
    """One cell number a person; with dependence columns 1 and 3 mostly follow from columns 0 and 2."""
    rng = np.random.default_rng(seed)
    columns = [rng.choice(size, PEOPLE, p=rng.dirichlet(np.full(size, 0.7))) for size in SHAPE]
    if dependent:
        columns[1] = np.where(rng.random(PEOPLE) < 0.7, columns[0] * 7 % SHAPE[1], columns[1])
        columns[3] = np.where(rng.random(PEOPLE) < 0.6, columns[2] * 5 % SHAPE[3], columns[3])
    return np.ravel_multi_index(tuple(columns), SHAPE)


def drawn(people: Ints, seed: int) -> tuple[SampleCells, int, float]:
    """A sample with the true numbers of population uniques and correct matches among its uniques."""
    rng = np.random.default_rng(seed)
    chosen = rng.choice(people, round(FRACTION * PEOPLE), replace=False)
    size = int(np.prod(SHAPE))
    whole, sample = np.bincount(people, minlength=size), np.bincount(chosen, minlength=size)
    cells, number = np.unique(chosen, return_counts=True)
    codes = np.stack(np.unravel_index(cells, SHAPE), axis=1)
    unique = sample == 1
    return (
        SampleCells.of(codes, number, FRACTION),
        int((whole[unique] == 1).sum()),
        float((1 / whole[unique]).sum()),
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_independent_columns_need_main_effects_only(seed: int) -> None:
    cells, uniques, matches = drawn(population(seed, dependent=False), seed)
    (model,) = select_loglinear(cells)
    assert not model.underfits
    assert model.matches.population_uniques == pytest.approx(uniques, rel=0.1)
    assert model.matches.correct_matches == pytest.approx(matches, rel=0.05)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_dependence_is_found_and_the_risk_met(seed: int) -> None:
    cells, uniques, matches = drawn(population(seed, dependent=True), seed)
    simple, *_, last = select_loglinear(cells)
    assert {term for term in last.terms if len(term) == 2} <= {(0, 1), (2, 3)}
    assert simple.underfits
    assert simple.matches.population_uniques > 1.3 * uniques
    assert last.matches.population_uniques == pytest.approx(uniques, rel=0.2)
    assert last.matches.correct_matches == pytest.approx(matches, rel=0.1)


def test_main_effects_are_the_product_of_margins() -> None:
    rng = np.random.default_rng(4)
    counts = rng.poisson(2.0, (3, 4, 2)).astype(float)
    codes = np.argwhere(counts)
    cells = SampleCells.of(codes, counts[counts > 0].astype(np.int64), 0.1)
    total = counts.sum()
    one, two, three = counts.sum((1, 2)), counts.sum((0, 2)), counts.sum((0, 1))
    expected = np.einsum("i,j,k->ijk", one, two, three) / total**2
    assert fit_loglinear(cells, ()).means == pytest.approx(expected, rel=1e-6)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(BadData, match="combinations"):
        SampleCells.of(np.array([[9999, 9999]]), np.array([1]), 0.1)
    with pytest.raises(InvalidSetting, match="column"):
        fit_loglinear(SampleCells(np.ones((2, 2)), 0.1), [(0, 5)])


def table(seed: int = 2) -> SampleCells:
    return SampleCells(np.random.default_rng(seed).poisson(1.2, (3, 2, 2)).astype(float), 0.2)


def test_the_bias_is_the_sum_of_its_terms() -> None:
    """As in the docstring of the module, cell by cell: L is the mean in the population, e the residual."""
    cells = table()
    means = fit_loglinear(cells, ()).means
    parts = []
    for at in product(range(3), range(2), range(2)):
        count, mean = cells.counts[at], means[at]
        people, residual = mean / 0.2, count - mean
        second = (1 - 0.2 * people - people * 0.8 / 2) * (residual**2 - count) / 0.2
        parts.append(exp(-people) * 0.8 * (people * residual + second))
    bias, spread = _bias(cells, means)
    assert bias == pytest.approx(sum(parts))
    assert spread == pytest.approx(sqrt(sum(part**2 for part in parts)))
    found = fit_loglinear(cells, ())
    assert (found.bias, found.standardised) == pytest.approx((bias, bias / spread))
    assert found.underfits == (bias / spread > 1.645)


def test_the_misfit_of_a_margin_is_that_of_pearson() -> None:
    cells = table()
    means = fit_loglinear(cells, ()).means
    for term, rest, freedom in (((0, 1), 2, 2), ((0, 2), 1, 2), ((1, 2), 0, 1)):
        seen, expected = cells.counts.sum(axis=rest), means.sum(axis=rest)
        pearson = ((seen - expected) ** 2 / expected).sum()
        found = _misfit(cells.counts, means, term)
        assert found == pytest.approx((pearson - freedom) / sqrt(2 * freedom))
    one = SampleCells(np.ones((1, 3)), 0.2)
    assert _misfit(one.counts, np.ones((1, 3)), (0, 1)) == pytest.approx(-2 / 2)


def test_a_margin_in_the_model_is_met() -> None:
    cells = table()
    found = fit_loglinear(cells, [(0, 2)])
    assert found.terms == ((0, 2), (1,))
    assert found.converged
    assert found.means.sum(axis=1) == pytest.approx(cells.counts.sum(axis=1), rel=1e-4)
    assert found.means.sum(axis=(0, 2)) == pytest.approx(cells.counts.sum(axis=(0, 2)), rel=1e-4)
    unique = found.means[cells.counts == 1]
    assert found.matches == expected_matches(unique, 0.2)


def test_expected_matches_of_poisson_people() -> None:
    """People of the cell who were not sampled: Poisson; alone if none, else one in so many."""
    means, fraction = [0.3, 0.02], 0.25
    left = [mean * 0.75 / 0.25 for mean in means]
    found = expected_matches(np.array(means), fraction)
    assert found.population_uniques == pytest.approx(sum(exp(-one) for one in left))
    assert found.correct_matches == pytest.approx(sum(-expm1(-one) / one for one in left))
    for wrong in ((0.0, 0.3), (0.5, 1.01), (0.5, 0.0), (-0.1, 0.3)):
        with pytest.raises(InvalidSetting, match="not compatible"):
            expected_matches(np.array([0.3, wrong[0]]), wrong[1])
    assert expected_matches(np.array([]), 0.3).correct_matches == 0


def test_independent_columns_are_the_model_of_main_effects() -> None:
    codes = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [2, 1, 1]])
    number = np.array([3, 1, 1, 2])
    found = independent_matches(codes, number, 0.1)
    fitted = fit_loglinear(SampleCells.of(codes, number, 0.1), ()).matches
    assert found.population_uniques == pytest.approx(fitted.population_uniques, rel=1e-5)
    assert found.correct_matches == pytest.approx(fitted.correct_matches, rel=1e-5)


def test_terms_are_added_until_the_model_is_not_too_simple() -> None:
    """Two columns are the same, the third is independent: one term is needed, and it is the right one."""
    rng = np.random.default_rng(6)
    twin, other = rng.integers(0, 6, 300), rng.integers(0, 3, 300)
    codes, number = np.unique(np.stack([twin, twin, other], axis=1), axis=0, return_counts=True)
    cells = SampleCells.of(codes, number, 0.05)
    assert cells.counts.shape == (6, 6, 3)
    found = select_loglinear(cells)
    assert found[0].terms == ((0,), (1,), (2,))
    assert _misfit(cells.counts, found[0].means, (0, 1)) > CLEAR
    if len(found) > 1:
        assert found[1].terms == ((0, 1), (2,))
    assert len(found) <= 4
    assert found[-1].standardised <= 0 or not found[-1].underfits or len(found) == 4


def test_the_largest_table_that_is_allowed() -> None:
    codes = np.array([[1, 2], [0, 0]])
    assert SampleCells.of(codes, np.array([1, 4]), 0.1, most=6).counts.tolist() == [[4, 0, 0], [0, 0, 1]]
    with pytest.raises(BadData, match="6 combinations"):
        SampleCells.of(codes, np.array([1, 1]), 0.1, most=5)
    assert MOST_CELLS >= 10**6
