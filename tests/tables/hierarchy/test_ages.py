from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from tests.tables.hierarchy.rules import WEEKS_THEN_YEARS


def labels(hierarchy: Hierarchy, values: list[Any], level: str) -> list[Any]:
    levels = hierarchy.on(values)
    return list(levels.labels[levels.number(level)])


def test_weeks_up_to_one_year_then_years() -> None:
    ages = Hierarchy.ages("age", ["days", WEEKS_THEN_YEARS, "years"], unit="days")
    days = [0, 6, 7, 13, 364, 365, 366, 730, 731, 6574]
    assert ages.on(days).names == ("days", "weeks, then years", "years", "suppressed")
    assert labels(ages, days, "weeks, then years") == [
        *("0 weeks", "0 weeks", "1 week", "1 week", "52 weeks", "52 weeks"),
        *("1 year", "1 year", "2 years", "17 years"),
    ]
    assert labels(ages, days, "years") == [0, 0, 0, 0, 0, 0, 1, 1, 2, 17]


def test_a_band_goes_where_its_first_day_goes() -> None:
    """Day 31 is in the second month, but its week begins in the first."""
    direct = Hierarchy.ages("age", ["months"], unit="days")
    by_weeks = Hierarchy.ages("age", ["weeks", "months"], unit="days")
    assert labels(direct, [28, 31], "months") == [0, 1]
    assert labels(by_weeks, [28, 31], "months") == [0, 0]


@given(st.integers(0, 2000))
def test_twelve_months_are_a_year(month: int) -> None:
    ages = Hierarchy.ages("age", ["months", "quarters", "years"], unit="months")
    assert labels(ages, [month], "years") == [month // 12]
    assert labels(ages, [month], "quarters") == [month // 3]


@given(st.integers(0, 130))
def test_whole_years_stay_as_they_are(year: int) -> None:
    levels = Hierarchy.ages("age", ["years", {"name": "fives", "years": 5}], unit="years").on([year])
    assert levels.names == ("years", "fives", "suppressed")
    assert levels.labels[1][0] == f"{year // 5 * 5}-{year // 5 * 5 + 4}"


def test_fractions_of_years() -> None:
    ages = Hierarchy.ages("age", ["years", "10 years"], unit="years")
    assert ages.on([1.5, 34.99, 35.0]).names == ("exact", "years", "10 years", "suppressed")
    assert labels(ages, [1.5, 34.99, 35.0], "years") == [1, 34, 35]
    assert labels(ages, [1.5, 34.99, 35.0], "10 years") == ["0-9", "30-39", "30-39"]


def test_ninety_and_above_are_one_group() -> None:
    ages = Hierarchy.ages("age", ["years", "7 years"], unit="years", top="90 years")
    assert labels(ages, [83, 84, 89, 90, 104], "years") == ["83", "84", "89", "90+", "90+"]
    assert labels(ages, [83, 84, 89, 90, 104], "7 years") == ["77-83", "84-89", "84-89", "90+", "90+"]
    in_days = Hierarchy.ages("age", ["months", WEEKS_THEN_YEARS["name"]][:1], unit="days", top="90 years")
    assert labels(in_days, [10, 40_000], "months") == ["0", "90+ years"]


def test_longer_bands_begin_where_the_shorter_end() -> None:
    slow = {"name": "slow", "steps": [{"below": "18 months", "by": "1 month"}, {"by": "5 years"}]}
    ages = Hierarchy.ages("age", [slow], unit="months")
    assert labels(ages, [0, 1, 17, 18, 59, 60], "slow") == [
        *("0 months", "1 month", "17 months", "1-4 years", "1-4 years", "5-9 years"),
    ]


def test_length_of_stay_by_weeks_months_and_quarters() -> None:
    stay = Hierarchy.of("stay", {"kind": "duration", "unit": "days", "levels": ["days", "weeks", "quarters"]})
    assert labels(stay, [3, 10, 100], "weeks") == [0, 1, 14]
    assert labels(stay, [3, 10, 100], "quarters") == [0, 0, 1]


def test_what_is_no_number_is_counted_and_not_shown() -> None:
    for odd in ("old", True, float("nan"), float("inf")):
        with pytest.raises(BadData, match="'age' has 1 value not in the form of a number"):
            Hierarchy.ages("age", ["years"], unit="years").on([odd])
    assert labels(Hierarchy.ages("age", ["10 years"], unit="years"), ["39", " 40 "], "10 years") == [
        "30-39",
        "40-49",
    ]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"levels": ["years"], "unit": "yeers"}, r"age.unit cannot be 'yeers'(.|\n)*'years'"),
        ({"levels": ["years"]}, "age needs the setting 'unit'"),
        ({"levels": ["yeers"], "unit": "days"}, r"age.levels\[0\]"),
        ({"levels": ["months", "weeks"], "unit": "days"}, r"age.levels\[1\] has shorter bands"),
        (
            {"levels": [WEEKS_THEN_YEARS, "months"], "unit": "days"},
            r"age.levels\[1\] has shorter bands than the level before it from 365.25 days on",
        ),
        ({"levels": [{"years": 0}], "unit": "days"}, r"age.levels\[0\].years is not a whole number"),
        ({"levels": [{"name": "x"}], "unit": "days"}, r"age.levels\[0\] does not say how long"),
        ({"levels": [{"years": 1, "days": 2}], "unit": "days"}, r"age.levels\[0\] does not say how long"),
        ({"levels": [{"yaers": 1}], "unit": "days"}, r"age.levels\[0\] has no setting 'yaers'(.|\n)*'years'"),
        ({"levels": [{"steps": [{"by": "1 year"}]}], "unit": "days"}, "needs the setting 'name'"),
        (
            {"levels": [{"name": "x", "steps": [{"by": "year"}]}], "unit": "days"},
            r"steps\[0\].by is not a length",
        ),
        (
            {"levels": [{"name": "x", "steps": [{"by": "1 week"}, {"by": "1 year"}]}], "unit": "days"},
            r"steps\[0\] lacks the setting 'below'",
        ),
        (
            {"levels": [{"name": "x", "steps": [{"by": "1 week", "below": "1 year"}]}], "unit": "days"},
            r"steps\[0\] has the setting 'below'",
        ),
        (
            {
                "levels": [
                    {
                        "name": "x",
                        "steps": [
                            {"by": "1 day", "below": "1 year"},
                            {"by": "1 week", "below": "1 month"},
                            {"by": "1 year"},
                        ],
                    }
                ],
                "unit": "days",
            },
            r"steps\[1\] ends before",
        ),
        ({"levels": ["years"], "unit": "years", "top": 90}, "age.top is not a length of time"),
        ({"levels": ["years"], "unit": "years", "top": "0 years"}, "age.top is not a length of time"),
    ],
)
def test_refusals(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidSetting, match=said):
        Hierarchy.of("age", {"kind": "age", **settings})
