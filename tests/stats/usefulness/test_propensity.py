from __future__ import annotations

import numpy as np
import pytest

from reidrisk.stats.arrays import Floats
from reidrisk.stats.usefulness.scores import propensity


def _stacked(original: Floats, released: Floats) -> tuple[Floats, Floats, Floats]:
    rows = np.vstack([original, released])
    labels = np.repeat([0.0, 1.0], [len(original), len(released)])
    return np.column_stack([np.ones(len(rows)), rows]), labels, np.ones(len(rows))


def test_the_same_records_cannot_be_told_apart() -> None:
    rows = np.random.default_rng(1).normal(size=(50, 3))
    found = propensity(*_stacked(rows, rows))
    assert found.pmse == pytest.approx(0, abs=1e-15)
    assert found.ratio == pytest.approx(0, abs=1e-9)


def test_the_expectation_is_that_of_the_paper() -> None:
    # Snoke et al. 2018: (k - 1) (1 - c)^2 c / N, standard deviation sqrt(2 (k - 1)) (1 - c)^2 c / N.
    rng = np.random.default_rng(1)
    found = propensity(*_stacked(rng.normal(size=(300, 4)), rng.normal(size=(100, 4))))
    assert found.parameters == 5
    assert found.expected == pytest.approx(4 * 0.75**2 * 0.25 / 400)
    assert found.standardised == pytest.approx(
        (found.pmse - found.expected) / (np.sqrt(8) * 0.75**2 * 0.25 / 400)
    )


@pytest.mark.parametrize("released", [500, 1500])
def test_records_drawn_anew_from_the_original_have_the_expected_score(released: int) -> None:
    rng = np.random.default_rng(3)
    original = np.column_stack([rng.normal(size=1000), rng.integers(0, 2, 1000), rng.exponential(size=1000)])
    ratios = []
    for _ in range(150):
        drawn = original[rng.integers(0, 1000, released)]
        ratio = propensity(*_stacked(original, drawn)).ratio
        assert ratio is not None
        ratios.append(ratio)
    assert np.mean(ratios) == pytest.approx(1, abs=4 * np.sqrt(2 / 3 / 150))


def test_records_that_are_quite_different_reach_the_largest_score() -> None:
    found = propensity(*_stacked(np.zeros((200, 1)), np.ones((200, 1))))
    assert found.is_held
    assert found.pmse == pytest.approx(0.25, abs=0.02)


def test_columns_of_one_value_have_no_ratio() -> None:
    found = propensity(*_stacked(np.ones((20, 1)), np.ones((20, 1))))
    assert (found.parameters, found.ratio, found.standardised) == (1, None, None)


def test_weights_stand_for_records() -> None:
    rng = np.random.default_rng(5)
    one, two = rng.integers(0, 3, (60, 1)).astype(float), rng.integers(0, 4, (60, 1)).astype(float)
    design, labels, weights = _stacked(one, two)
    whole = propensity(design, labels, weights)
    rows, counts = np.unique(np.column_stack([design, labels]), axis=0, return_counts=True)
    few = propensity(rows[:, :-1], rows[:, -1], counts.astype(float))
    assert few.pmse == pytest.approx(whole.pmse)
    assert few.ratio == pytest.approx(whole.ratio)
