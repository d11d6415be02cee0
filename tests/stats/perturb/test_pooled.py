"""Blocks of rows give the figures of all rows together."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pytest

from reidrisk.stats.perturb import column_change, correlation_change
from reidrisk.stats.pooled import PooledMoments, compare_blocks


@pytest.mark.parametrize("size", [1, 7, 100, 1000])
def test_blocks_give_the_figures_of_the_whole(size: int) -> None:
    rng = np.random.default_rng(3)
    before = rng.normal(1e6, 3, (200, 3)) @ np.array([[1, 0.5, 0], [0, 1, 0], [0, 0, 1.0]])
    before[rng.random(before.shape) < 0.05] = np.nan
    after = np.where(rng.random(before.shape) < 0.4, before, before + rng.normal(0, 1, before.shape))
    after[rng.random(before.shape) < 0.05] = np.nan
    places = range(0, 200, size)
    found, change = compare_blocks((before[at : at + size], after[at : at + size]) for at in places)
    for place, one in enumerate(found):
        assert astuple(one) == pytest.approx(astuple(column_change(before[:, place], after[:, place])))
    assert change == pytest.approx(correlation_change(before, after))
    moments = PooledMoments()
    for at in places:
        moments.add(before[at : at + size])
    whole = before[~np.isnan(before).any(axis=1)]
    assert moments.covariance == pytest.approx(np.cov(whole, rowvar=False), rel=1e-6)
    assert moments.mean == pytest.approx(whole.mean(axis=0))


def test_columns_that_do_not_vary_have_no_figures() -> None:
    same = np.ones((4, 2))
    found, change = compare_blocks([(same, same)])
    assert [astuple(one) for one in found] == [(0.0, None, None, None)] * 2
    assert change is None
    nothing = np.full((2, 1), np.nan)
    assert astuple(compare_blocks([(nothing, nothing)])[0][0]) == (None, None, None, None)


def test_a_constant_column_that_changed_has_only_the_share_of_changed_values() -> None:
    """Its variance is 0: nothing can be compared with it. In a single row nothing varies either."""
    before, after = np.full((5, 1), 3.0), np.array([[3.0], [4.0], [3.0], [3.0], [9.0]])
    for at in (2, 5):
        pairs = [(before[:at], after[:at]), (before[at:], after[at:])]
        found, change = compare_blocks(pairs)
        assert astuple(found[0]) == (2 / 5, None, None, None)
        assert change is None
    assert astuple(compare_blocks([(before[:1], after[1:2])])[0][0]) == (1.0, None, None, None)
