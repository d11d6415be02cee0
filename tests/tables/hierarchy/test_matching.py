from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.tables.hierarchy.matching import NOWHERE, meaning, rows_of, written


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (39, "39"),
        (39.0, "39"),
        (39, "39.0"),
        (1, "01"),
        ("01", "1"),
        (2.5, "2.50"),
        (Decimal("2.50"), "2.5"),
        (Decimal("1E+3"), "1000"),
        (1e22, "10000000000000000000000"),
        (-0.0, "0"),
        (True, "True"),
        (False, "false"),
        ("TRUE", "true"),
        (date(2007, 3, 14), "2007-03-14"),
        (date(2007, 3, 14), "2007-03-14 00:00:00"),
        (datetime(2007, 3, 14), "2007-03-14"),  # noqa: DTZ001
        (datetime(2007, 3, 14, 5, 6), "2007-03-14 05:06"),  # noqa: DTZ001
        (" east", "east "),
        (None, ""),
        (None, "NULL"),
    ],
)
def test_alike_in_meaning(value: Any, text: str) -> None:
    assert rows_of([value], ["other", text]).tolist() == [1]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1E5", "100000"),
        (True, "Yes"),
        (True, "1"),
        ("east", "East"),
        (39, "39.5"),
        (None, "None"),
        ("2007-02-30", "2007-03-02"),
        (float("nan"), "0"),
    ],
)
def test_not_alike(value: Any, text: str) -> None:
    assert rows_of([value], [text]).tolist() == [NOWHERE]


def test_written_alike_comes_first_and_two_meanings_are_none() -> None:
    assert rows_of(["01", "1", " 1"], ["1", "01"]).tolist() == [1, 0, 0]
    assert rows_of([1], ["01", "001"]).tolist() == [NOWHERE]


@given(st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans(), st.dates()))
def test_every_value_is_found_as_it_is_written(value: Any) -> None:
    assert rows_of([value], [written(value)]).tolist() == [0]
    assert meaning(written(value)) == written(value)


@given(st.text())
def test_meaning_is_the_same_twice(text: str) -> None:
    assert meaning(meaning(text)) == meaning(text)
