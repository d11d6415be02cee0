"""Log-linear models: against simulated truth, and whether the selection finds what depends on what."""

from __future__ import annotations

import numpy as np
import pytest

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.stats.arrays import Ints
from reidrisk.stats.uniqueness.loglinear import SampleCells, fit_loglinear, select_loglinear

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
