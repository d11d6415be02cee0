"""Told values beside shown ones: bands are compared number by number."""

from __future__ import annotations

from itertools import product

import pytest

from reidrisk.relational.told import NumberRange, adds_nothing, number_range

NUMBERS = [step / 2 for step in range(-6, 17)]
"""Every half from -3 to 8: between and on the ends of the bands below."""


def members(band: NumberRange) -> set[float]:
    return {
        one
        for one in NUMBERS
        if (one > band.low if band.is_low_open else one >= band.low)
        and (one < band.high if band.is_high_open else one <= band.high)
    }


def test_a_band_covers_another_if_it_has_all_its_numbers() -> None:
    ends = [(low, high) for low in range(4) for high in range(low + 1, 5)]
    bands = [NumberRange(*both, *open_) for both in ends for open_ in product((False, True), repeat=2)]
    for wide, narrow in product(bands, repeat=2):
        assert wide.covers(narrow) == (members(narrow) <= members(wide)), (wide, narrow)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("3", {3.0}),
        (" -2 ", {-2.0}),
        ("1.5", {1.5}),
        ("1-3", {1.0, 1.5, 2.0, 2.5, 3.0}),
        ("1 to 2", {1.0, 1.5, 2.0}),
        ("1 bis 2", {1.0, 1.5, 2.0}),
        ("1 – 2", {1.0, 1.5, 2.0}),
        ("(1, 2]", {1.5, 2.0}),
        ("]1; 2]", {1.5, 2.0}),
        ("[1, 2)", {1.0, 1.5}),
        ("[1, 2[", {1.0, 1.5}),
        ("7+", {7.0, 7.5, 8.0}),
        (">=7", {7.0, 7.5, 8.0}),
        ("≥ 7", {7.0, 7.5, 8.0}),
        ("> 7", {7.5, 8.0}),
        ("<-2", {-3.0, -2.5}),
        ("<= -2", {-3.0, -2.5, -2.0}),
        ("≤-2", {-3.0, -2.5, -2.0}),
    ],
)
def test_bands_are_read_as_they_are_written(text: str, wanted: set[float]) -> None:
    band = number_range(text)
    assert band is not None
    assert members(band) == wanted


def test_what_is_at_the_level_of_the_table_or_above_adds_nothing() -> None:
    assert adds_nothing("  Graz ", "graz")
    assert adds_nothing("*", "Graz")
    assert adds_nothing("Styria", "Graz", {"Graz": frozenset({"graz", "styria"})})
    assert not adds_nothing("Vienna", "Graz", {"Graz": frozenset({"graz", "styria"})})
    assert not adds_nothing("Graz", None), "the table shows nothing"
    assert not adds_nothing("27", "nurse")
    assert not adds_nothing("nurse", "27")
    assert adds_nothing("20-39", "25-29")
    assert not adds_nothing("25-29", "20-39")
