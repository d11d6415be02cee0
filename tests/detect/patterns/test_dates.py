from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.detect.known.date_writings import date_writings
from tests.detect.patterns.finding import found


@pytest.mark.parametrize(
    "value",
    [
        "03/14/2020",
        "14.03.2020",
        "3-14-20",
        "2020-03-14",
        "2020-03-14T10:15:00Z",
        "March 14, 2020",
        "March 14th, 2020",
        "Mar. 14 2020",
        "14 March 2020",
        "14-Mar-2020",
        "14MAR2020",
        "the 14th",
        "Monday, March 14, 2020",
        "March 2020",
        "Mar-2020",
        "03/2020",
        "Q3 2020",
        "spring of 2020",
        "Christmas 2019",
        "March 14-16, 2020",
        "14th of March, 2020",
        "march 14 2020",
    ],
)
def test_usual_writings(value: str) -> None:
    if value == "the 14th":
        assert found(f"seen {value}") == []
    else:
        assert found(f"She came {value}; then she left.") == [(value, "DATE")]


@given(st.dates(date(1900, 1, 1), date(2049, 12, 31)))
def test_every_writing_of_a_date_is_found(day: date) -> None:
    for writing in date_writings(day):
        if any(character.isdigit() for character in writing.split()[-1]) and str(day.year) in writing:
            text = f"seen on {writing}."
            assert [kind for _, kind in found(text)] == ["DATE"], "a writing is missed"


@pytest.mark.parametrize("text", ["born in 1961", "seen on 3/14", "since March", "in May"])
def test_partial_dates_need_a_word_before_them(text: str) -> None:
    assert [kind for _, kind in found(text)] == ["DATE"]


@pytest.mark.parametrize(
    "text",
    [
        "it may be so",
        "they march on",
        "BP 120/80",
        "strength 5/5",
        "2000 mg",
        "13/32/2020",
        "99.99.99",
        "the 2019 guidelines",
        "in 2,021",
    ],
)
def test_what_is_no_date(text: str) -> None:
    assert found(text) == []
