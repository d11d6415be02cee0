"""A threshold is more than a number: somebody chose it for a reason."""

from __future__ import annotations

from math import floor, nan
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.core.classes import ClassSizes
from reidrisk.core.estimate import Estimate
from reidrisk.core.threshold import Threshold
from reidrisk.errors import InvalidSetting, NothingToMeasure

FRAME = {"sex": ["F", "M"]}


@pytest.mark.parametrize("size", range(1, 60))
def test_a_cell_size_and_its_probability(size: int) -> None:
    threshold = Threshold.from_cell_size(size, "test")
    assert threshold.probability == 1 / size
    assert threshold.cell_size == size
    assert threshold.rounded_from is None
    assert threshold.accepts(1 / size)
    assert not threshold.accepts(1 / size * (1 + 1e-9))
    assert threshold.accepts(1 / (size + 1))


def test_the_cell_size_behind_a_probability_that_was_rounded_down() -> None:
    """0.33 means 3, and 0.09 means 11; a class of three has a risk above 0.33, so that four are needed."""
    for size, decimals in ((3, 2), (3, 3), (11, 2), (7, 2), (6, 3), (12, 3), (30, 3)):
        rounded = floor(10**decimals / size) / 10**decimals
        threshold = Threshold(rounded, "literal")
        assert (threshold.cell_size, threshold.rounded_from) == (size + 1, size), (size, decimals)
    for exact in (0.5, 0.2, 0.1, 0.05, 0.04, 1.0, 0.075, 0.6, 0.34):
        assert Threshold(exact, "literal").rounded_from is None


@pytest.mark.parametrize("probability", [0.0, -0.1, 1.0001, nan])
def test_what_is_no_threshold_is_refused(probability: float) -> None:
    with pytest.raises(InvalidSetting, match="must be a probability"):
        Threshold(probability, "test")
    with pytest.raises(InvalidSetting, match="1 or more"):
        Threshold.from_cell_size(0, "test")


def test_an_estimate_and_its_limits() -> None:
    assert str(Estimate(0.1, 0.05, 0.25)) == "0.1000 (0.0500 to 0.2500)"
    assert Estimate(0.1, 0.1, 0.1).to_dict() == {"value": 0.1, "low": 0.1, "high": 0.1, "level": 0.95}
    for value, low, high in ((nan, 0, 1), (0.5, nan, 1), (0.5, 0, nan), (0.5, 0.7, 0.6)):
        with pytest.raises(InvalidSetting, match="not an estimate"):
            Estimate(value, low, high)


def test_sizes_of_classes() -> None:
    sizes = ClassSizes.of([3, 1, 2, 3, 1, 5])
    assert sizes.counts == ((1, 2), (2, 1), (3, 2), (5, 1))
    assert (sizes.records, sizes.classes, sizes.smallest) == (15, 6, 1)
    assert sizes.unique_share == 2 / 15
    assert [sizes.records_below(k) for k in (1, 2, 3, 4, 5, 6)] == [0, 2, 4, 10, 10, 15]
    pairs = ClassSizes(((2, 4), (7, 0)))
    assert (pairs.counts, pairs.unique_share) == (((2, 4),), 0.0)
    for nothing in ((), ((3, 0),), ((0, 2),)):
        with pytest.raises(NothingToMeasure):
            ClassSizes(nothing)


@pytest.mark.parametrize(("given", "size"), [(11, 11), (0.2, 5)])
def test_a_number_is_refused_with_what_to_write(given: Any, size: int) -> None:
    table = pytest.importorskip("pyarrow").table(FRAME)
    for call in (rr.table_risk, rr.deidentify):
        with pytest.raises(InvalidSetting, match="which has a reason") as error:
            call(table, ["sex"], threshold=given)
        assert f"from_cell_size({size}, " in error.value.hint
