from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.stats.proportional_fitting import Margin, fit_table, round_table


def two_way_margins(real: np.ndarray) -> list[Margin]:
    """County by race, county by sex, county by age."""
    each = [np.arange(size) for size in real.shape]
    return [
        Margin((each[0], each[1], None, None), real.sum(axis=(2, 3), keepdims=True).astype(float)),
        Margin((each[0], None, each[2], None), real.sum(axis=(1, 3), keepdims=True).astype(float)),
        Margin((each[0], None, None, each[3]), real.sum(axis=(1, 2), keepdims=True).astype(float)),
    ]


@given(st.integers(0, 2**32 - 1), st.floats(0.05, 4.0))
def test_whole_people_keep_all_two_way_margins(seed: int, mean: float) -> None:
    real = np.random.default_rng(seed).poisson(mean, (3, 4, 2, 7))
    margins = two_way_margins(real)
    fitted = fit_table(np.ones(real.shape), margins, tolerance=1e-6).table
    found = round_table(fitted, margins)
    assert found.missed == (0, 0, 0)
    assert found.table.min() >= 0
    for margin in margins:
        np.testing.assert_array_equal(margin.of(found.table.astype(float)), margin.totals)


@given(st.integers(0, 2**32 - 1))
def test_the_first_margin_alone_keeps_cells_within_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    real = rng.poisson(2.0, (5, 6))
    margin = Margin((np.arange(5), None), real.sum(axis=1, keepdims=True).astype(float))
    fitted = fit_table(rng.uniform(0.1, 1.0, (5, 6)), [margin]).table
    found = round_table(fitted, [margin])
    assert found.missed == (0,)
    assert np.abs(found.table - fitted).max() < 1


def test_what_has_nobody_gets_nobody() -> None:
    table = np.array([[0.0, 2.5, 2.5], [0.0, 1.5, 0.5]])
    rows = Margin((np.arange(2), None), np.array([[5.0], [2.0]]))
    columns = Margin((None, np.arange(3)), np.array([[0.0, 4.0, 3.0]]))
    found = round_table(table, [rows, columns])
    assert found.table[:, 0].tolist() == [0, 0]
    assert found.missed == (0, 0)


def test_what_cannot_be_met_is_told() -> None:
    rows = Margin((np.arange(2), None), np.array([[1.0], [1.0]]))
    columns = Margin((None, np.arange(2)), np.array([[3.0, 1.0]]))
    assert round_table(np.full((2, 2), 0.5), [rows, columns]).missed == (0, 2)
