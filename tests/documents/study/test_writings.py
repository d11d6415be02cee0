"""Dates as reports write them: the ways to read them, and names of months before a day and a year."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.documents.study.writings import dates_in
from reidrisk.resynthesis.dates.forms import find_dates, turned

_PIECES = st.sampled_from(
    (
        "3",
        "04",
        "00",
        "12",
        "13",
        "2019",
        "19",
        "/",
        "-",
        ".",
        " ",
        ", ",
        "March",
        "Sept.",
        "\t",
        "x",
        "20190304",
    )
)


@given(st.lists(_PIECES, max_size=12))
def test_a_date_read_day_first_is_turned_into_what_reading_month_first_gives(pieces: list[str]) -> None:
    text = "".join(pieces)
    day_first, month_first = list(dates_in(text)), list(dates_in(text, month_first=True))
    assert [turned(one) or one for one in day_first] == month_first
    for one, other in zip(find_dates(text, "dmy"), find_dates(text, "mdy"), strict=True):
        assert (turned(one) or one) == other


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("03/04/2019 is 04-03-2019", [(2019, 4, 3), (2019, 3, 4)]),
        ("May 1, 2019 May 2, 2020", [(2019, 5, 1), (2020, 5, 2)]),
        ("1 September 12, 2019", [(2019, 9, 12)]),
        ("in 12, 2019 and 3, 2020, Sept. 30, 2021", [(2019, None, None), (2020, None, None), (2021, 9, 30)]),
        ("March 12, 20191", [(None, 3, 12)]),
        ("xMarch 12, 2019", [(2019, None, None)]),
    ],
)
def test_days_after_names_of_months(text: str, days: list[tuple[int | None, ...]]) -> None:
    assert [(one.year, one.month, one.day) for one in dates_in(text)] == days
