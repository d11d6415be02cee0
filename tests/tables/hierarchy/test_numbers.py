from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.tables.hierarchy.hierarchy import Hierarchy


def levels_of(
    levels: list[Any], values: list[Any], counts: list[int] | None = None, **ends: float
) -> list[Any]:
    built = Hierarchy.numbers("x", levels, suppress=False, **ends).on(values, counts)
    return [labels.tolist() for labels in built.labels[1:]]


def test_the_bands_of_the_published_example() -> None:
    """Ages 26 to 32 in two-year bands from 25 and decades from 21."""
    bands = [{"width": 2, "origin": 25}, {"width": 10, "origin": 21}]
    assert levels_of(bands, [26, 28, 29, 30, 31, 32]) == [
        ["25-26", "27-28", "29-30", "29-30", "31-32", "31-32"],
        ["21-30", "21-30", "21-30", "21-30", "31-40", "31-40"],
    ]


def test_widths_of_reals_hold_their_lower_end() -> None:
    assert levels_of([2.5], [2.4, 2.5, 5.0]) == [["[0, 2.5)", "[2.5, 5)", "[5, 7.5)"]]
    assert levels_of([0.1], [0.3, 0.7, 0.1 + 0.2]) == [["[0.3, 0.4)", "[0.7, 0.8)", "[0.3, 0.4)"]]
    assert levels_of([10], [Decimal("9.99"), Decimal("10.00")]) == [["[0, 10)", "[10, 20)"]]


@given(st.floats(-1e6, 1e6), st.sampled_from([0.1, 0.25, 7, 1000]))
def test_a_value_lies_in_its_interval(value: float, width: float) -> None:
    [[label]] = levels_of([{"width": width}], [value])
    text = str(label)
    if text.startswith("["):
        low, high = (float(part) for part in text[1:-1].split(", "))
        assert low <= value < high
        assert high - low == pytest.approx(width)


def test_one_whole_number_a_group_is_a_number() -> None:
    assert levels_of([{"width": 1}], [1.5, 2.5]) == [["[1, 2)", "[2, 3)"]]
    built = Hierarchy.numbers("x", [1, 5]).on([3, 4])
    assert built.names == ("width 1", "width 5", "suppressed")


def test_cuts_and_open_ends() -> None:
    assert levels_of([{"cuts": [18, 65]}], [17, 18, 64, 65]) == [["<18", "18-64", "18-64", ">=65"]]
    assert levels_of([10], [3, 5, 12, 89, 90, 104], top=90, bottom=5) == [
        ["<5", "5-9", "10-19", "80-89", ">=90", ">=90"]
    ]
    assert levels_of([], [9, 10, 11, 90], top=90, bottom=10) == [["<10", "10", "11", ">=90"]]
    assert levels_of([{"cuts": [10, 20]}], [1, 15, 30], top=15) == [["<10", ">=15", ">=15"]]
    assert levels_of([{"cuts": [0]}], [-5, 5], bottom=-3) == [["<-3", ">=0"]]


def test_negative_bands_can_be_read() -> None:
    assert levels_of([10], [-10, -1, 0]) == [["-10 to -1", "-10 to -1", "0-9"]]


def test_quantiles_have_about_equally_many_rows() -> None:
    assert levels_of([{"quantiles": 4}], [1, 2, 3, 4, 5, 6, 7, 8]) == [
        ["<3", "<3", "3-4", "3-4", "5-6", "5-6", ">=7", ">=7"]
    ]
    assert levels_of([{"quantiles": 2}], [1, 2, 3], [10, 1, 9]) == [["<2", ">=2", ">=2"]]
    assert levels_of([{"quantiles": 2}], [5]) == [["all"]]


@given(st.lists(st.integers(0, 10_000), min_size=40, max_size=200, unique=True), st.integers(2, 8))
def test_quantiles_of_distinct_values_are_even(values: list[int], parts: int) -> None:
    [labels] = levels_of([{"quantiles": parts}], sorted(values))
    sizes = np.unique(labels, return_counts=True)[1]
    assert len(sizes) == parts
    assert sizes.max() - sizes.min() <= 1


def test_quantiles_keep_the_groups_of_the_level_before() -> None:
    fives, halves = levels_of([5, {"quantiles": 2}], [1, 4, 6, 7, 8, 9, 11])
    assert fives == ["0-4", "0-4", "5-9", "5-9", "5-9", "5-9", "10-14"]
    assert halves == ["<5", "<5", ">=5", ">=5", ">=5", ">=5", ">=5"]


def test_rounding_goes_on_from_what_is_rounded() -> None:
    assert levels_of([{"round": 10}, {"round": 20}], [4, 5, 14, 15, 29]) == [
        [0, 10, 10, 20, 30],
        [0, 20, 20, 20, 40],
    ]
    assert levels_of([{"round": 0.5}], [0.2, 0.25]) == [["0", "0.5"]]


def test_levels_that_cannot_nest_are_refused_at_once() -> None:
    for levels in ([10, 15], [10, {"width": 20, "origin": 5}], [10, {"cuts": [18]}]):
        with pytest.raises(InvalidSetting, match=r"x.levels\[1\] .* has boundaries inside groups"):
            Hierarchy.numbers("x", levels)
    Hierarchy.numbers("x", [{"cuts": [10, 18, 65]}, {"cuts": [18]}])


def test_levels_that_split_these_data_are_refused_on_them() -> None:
    odd = Hierarchy.numbers("x", [{"round": 10}, {"width": 10}])
    with pytest.raises(BadData, match=r"'x': level 2 \(width 10\) splits groups of level 1 \(round 10\)"):
        odd.on([6, 12])
    assert odd.on([12, 13]).names[2] == "width 10"
    with pytest.raises(BadData, match=r"level 2 .* splits"):
        Hierarchy.numbers("x", [{"cuts": [18]}, 10]).on([3, 12])


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "x needs the setting 'levels'"),
        ({"levels": [0]}, r"x.levels\[0\] is not above 0"),
        ({"levels": ["five"]}, r"x.levels\[0\] has no width"),
        ({"levels": [{}]}, r"x.levels\[0\] needs one of: width"),
        ({"levels": [{"width": 5, "cuts": [1]}]}, "needs one of"),
        ({"levels": [{"cuts": [1], "origin": 3}]}, "origin goes with width"),
        ({"levels": [{"cuts": [2, 1]}]}, r"x.levels\[0\].cuts is not in ascending order"),
        ({"levels": [{"cuts": ["a"]}]}, r"x.levels\[0\].cuts\[0\] is not a number"),
        ({"levels": [{"quantiles": 1}]}, "not a whole number of 2 or more"),
        ({"levels": [{"widht": 1}]}, "Did you mean 'width'"),
        ({"levels": [5], "top": 1, "bottom": 2}, "x.bottom is not below top"),
        ({"levels": [5], "top": True}, "x.top is not a number"),
        ({"levels": 5}, "x.levels is not a list"),
        ({"levels": [float("nan")]}, "is not a number"),
    ],
)
def test_refusals(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidSetting, match=said):
        Hierarchy.of("x", {"kind": "number", **settings})
