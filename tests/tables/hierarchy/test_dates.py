from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.tables.hierarchy.hierarchy import Hierarchy

ALL = ["day", "month", "quarter", "half_year", "year", "decade"]


def test_labels() -> None:
    levels = Hierarchy.dates("d", ALL).on([date(1999, 12, 31), date(2007, 3, 14)])
    assert levels.names == (*ALL, "suppressed")
    assert [labels[1] for labels in levels.labels[1:]] == [
        "2007-03",
        "2007-Q1",
        "2007-H1",
        "2007",
        "2000-2009",
        "*",
    ]
    assert [labels[0] for labels in levels.labels[1:-1]] == [
        "1999-12",
        "1999-Q4",
        "1999-H2",
        "1999",
        "1990-1999",
    ]


def test_a_day_is_above_a_time_of_day() -> None:
    levels = Hierarchy.dates("d", ["day", "week"]).on(
        [datetime(2007, 12, 30, 23), datetime(2007, 12, 31, 0), datetime(2008, 1, 6, 7)]  # noqa: DTZ001
    )
    assert levels.names == ("exact", "day", "week", "suppressed")
    assert levels.labels[1].tolist() == ["2007-12-30", "2007-12-31", "2008-01-06"]
    assert levels.labels[2].tolist() == ["2007-W52", "2008-W01", "2008-W01"]


@given(st.dates())
def test_weeks_are_those_of_iso(day: date) -> None:
    year, week, _ = day.isocalendar()
    if 1 < day.year < 9999:
        assert Hierarchy.dates("d", ["week"]).on([day]).labels[1][0] == f"{year:04d}-W{week:02d}"


def test_texts_are_dates_too() -> None:
    levels = Hierarchy.dates("d", ["day", "month"]).on(["2007-03-14", "2007-03-15T10:30", " 2007-04-01"])
    assert levels.names[:2] == ("exact", "day")
    assert levels.labels[2].tolist() == ["2007-03", "2007-03", "2007-04"]
    assert Hierarchy.dates("d", ["month"]).on(["2007-03-14"]).names[0] == "day"


@pytest.mark.parametrize("odd", ["2007-02-30", "14.3.2007", "1999-13", 20070314, "2007-W11-3", 3.5])
def test_what_is_no_date_is_counted_and_not_shown(odd: Any) -> None:
    with pytest.raises(
        BadData, match="'admitted' has 1 value \\(9 rows\\) not in the form of a date"
    ) as caught:
        Hierarchy.dates("admitted", ["month"]).on(["2008-01-01", odd], [5, 9])
    assert str(odd) not in str(caught.value)


@pytest.mark.parametrize("longer", ["month", "quarter", "half_year", "year", "decade"])
def test_weeks_do_not_nest_in_months_or_years(longer: str) -> None:
    with pytest.raises(InvalidSetting, match=f"both week and {longer}, but a week can lie in two"):
        Hierarchy.dates("d", ["day", "week", longer])


@pytest.mark.parametrize(
    ("levels", "said"),
    [
        (["day", "mnth"], r"d.levels\[1\].*'mnth'(.|\n)*Did you mean 'month'"),
        (["month", "day"], "short to long"),
        (["day", "day"], "each once"),
        ([], r"d.levels is not a list, or it is empty"),
        ([3], r"d.levels\[0\]"),
    ],
)
def test_refusals(levels: list[Any], said: str) -> None:
    with pytest.raises(InvalidSetting, match=said):
        Hierarchy.dates("d", levels)
