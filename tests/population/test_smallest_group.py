"""The smallest group of a population: counted, or at most five in a hundred likely to be smaller."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.stats import binom

from reidrisk.population.measure import UNLIKELY, smallest_group
from reidrisk.stats.distinctness import Kinds


def kinds(*rows: tuple[int, int, int]) -> tuple[tuple[float, Kinds], ...]:
    """Groups of people over bins, with people at risk."""
    people, bins, members = (np.array(column, dtype=np.float64) for column in zip(*rows, strict=True))
    return ((1.0, Kinds(people, bins, csr_matrix(members[None, :]))),)


def test_counted_groups_are_counted() -> None:
    assert smallest_group(kinds((7, 1, 7), (4, 1, 4), (90, 1, 90))) == 4
    assert smallest_group(kinds((7, 1, 7), (4, 1, 0))) == 7
    assert smallest_group((*kinds((7, 1, 7)), *kinds((3, 1, 3)))) == 3
    assert smallest_group(kinds((4, 1, 0))) is None


@pytest.mark.parametrize(("people", "bins"), [(200, 365), (4_000, 365), (30_000, 365), (90_000, 12)])
def test_modeled_groups_are_rarely_smaller(people: int, bins: int) -> None:
    found = smallest_group(kinds((people, bins, people)))
    sizes = np.arange(1, people + 1)
    expected = np.cumsum(sizes * bins * binom.pmf(sizes, people, 1 / bins))
    assert found == int(np.argmax(expected > UNLIKELY)) + 1


def test_a_simulation_seldom_finds_a_smaller_group() -> None:
    found = smallest_group(kinds((9_000, 365, 9_000)))
    assert found is not None
    assert found > 1
    rng = np.random.default_rng(7)
    drawn = rng.multinomial(9_000, np.full(365, 1 / 365), size=2_000)
    assert np.mean(drawn.min(axis=1) < found) <= UNLIKELY
