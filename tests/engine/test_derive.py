"""Derived variables count whole units, and refuse what they cannot be made from."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.core.schema import Derived
from reidrisk.engine.duckdb.dates import with_derived
from reidrisk.engine.duckdb.table import open_embedded
from reidrisk.errors import BadData, UnknownColumn

pa = pytest.importorskip("pyarrow")

DAYS = st.dates(date(1900, 1, 1), date(2100, 1, 1))


def derived(start: list[Any], end: list[Any], unit: Any) -> list[Any]:
    table = open_embedded(pa.table({"in": start, "out": end, "rest": list(range(len(start)))}))
    wider = with_derived(table, [Derived("stay", "in", "out", unit)])
    assert wider.columns == ("in", "out", "stay", "rest")
    return [row[2] for row in wider.relation.fetchall()]


@given(st.lists(st.tuples(DAYS, st.integers(0, 40_000)), min_size=1, max_size=20))
@settings(max_examples=15)
def test_days_and_weeks_are_those_of_python(pairs: list[tuple[date, int]]) -> None:
    start = [day for day, _ in pairs]
    end = [day + timedelta(days=number) for day, number in pairs]
    assert derived(start, end, "days") == [number for _, number in pairs]
    assert derived(start, end, "weeks") == [number // 7 for _, number in pairs]


@given(st.lists(st.tuples(DAYS, st.integers(0, 40_000)), min_size=1, max_size=20))
@settings(max_examples=20)
def test_years_pass_on_the_day(pairs: list[tuple[date, int]]) -> None:
    start = [day for day, _ in pairs if (day.month, day.day) != (2, 29)] or [date(2000, 1, 1)]
    end = [day + timedelta(days=number) for day, (_, number) in zip(start, pairs, strict=False)]
    ages = [
        to.year - by.year - ((to.month, to.day) < (by.month, by.day))
        for by, to in zip(start, end, strict=True)
    ]
    assert derived(start, end, "years") == ages


def test_months_are_whole_ones() -> None:
    start = [date(2020, 1, 15)] * 3
    assert derived(start, [date(2020, 2, 14), date(2020, 2, 15), date(2021, 1, 15)], "months") == [0, 1, 12]


def test_moments_count_by_their_day_and_missing_ones_are_missing() -> None:
    late, early = datetime.fromisoformat("2020-01-01 23:00"), datetime.fromisoformat("2020-01-02 01:00")
    assert derived([late, None, late], [early, early, None], "days") == [1, None, None]


def test_derived_of_derived_sources_in_any_order() -> None:
    table = open_embedded(pa.table({"out": [date(2020, 1, 5)], "in": [date(2020, 1, 2)]}))
    both = with_derived(table, [Derived("stay", "in", "out"), Derived("weeks", "in", "out", "weeks")])
    assert set(both.columns) == {"out", "in", "stay", "weeks"}
    assert both.notes[-1] == "derived: stay, weeks"
    assert with_derived(table, []) is table


def test_refusals_show_no_value() -> None:
    table = open_embedded(
        pa.table({"in": [date(2020, 1, 5)] * 2, "out": [date(2020, 1, 2)] * 2, "name": ["CANARY"] * 2})
    )
    for one, kind, words in (
        (Derived("stay", "in", "out"), BadData, "2 rows with 'out' before 'in'"),
        (Derived("NAME", "in", "out"), BadData, "already has a column"),
        (Derived("stay", "name", "out"), BadData, "cannot be read as a date"),
        (Derived("stay", "inn", "out"), UnknownColumn, "Did you mean 'in'"),
    ):
        with pytest.raises(kind, match=words) as refused:
            with_derived(table, [one])
        assert "CANARY" not in str(refused.value)
        assert "2020" not in str(refused.value)
