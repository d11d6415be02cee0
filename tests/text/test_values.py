from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.text.values import normalize


@pytest.mark.parametrize(
    "writing",
    [
        "2019-03-14",
        "2019/3/14",
        "03/14/2019",
        "3/14/19",
        "3.14.2019",
        "March 14, 2019",
        "March 14th, 2019",
        "Mar. 14 2019",
        "14 March 2019",
        "14th of March 2019",
        "14. März 2019",
        "14 de marzo de 2019",
        "14/03/2019",
        "MARCH  14,\n2019",
    ],
)
def test_one_date_in_all_usual_writings(writing: str) -> None:
    assert normalize(writing) == "2019-03-14"


def test_an_ambiguous_date_follows_the_chosen_order() -> None:
    assert normalize("03/04/2019") == "2019-03-04"
    assert normalize("03/04/2019", date_order="dmy") == "2019-04-03"


@pytest.mark.parametrize(
    ("value", "same"),
    [
        ("May 2019", "2019-05"),
        ("14 May", "--05-14"),
        ("July 4", "--07-04"),
        ("12/31/'99", "1999-12-31"),
        ("1963", "1963"),
        ("Dr. Jane  DOE", "jane doe"),
        ("St. Mary's Hospital.", "st. mary's hospital"),
        ("Dr.", "dr"),
        ("99/99/2019", "99/99/2019"),
        ("may", "may"),
    ],
)
def test_other_values(value: str, same: str) -> None:
    assert normalize(value) == same


words = st.lists(st.text("abcdefgéöñXYZ'-", min_size=1, max_size=8), min_size=1, max_size=4)


@given(words, st.sampled_from([" ", "  ", "\n", " \t "]))
def test_case_and_white_space_make_no_difference(parts: list[str], space: str) -> None:
    plain = " ".join(parts)
    assert normalize(space.join(parts).upper()) == normalize(plain)
    assert normalize(f"Dr. {plain}") == normalize(plain) or normalize(plain) == ""


@given(words, words)
def test_different_words_stay_different(one: list[str], other: list[str]) -> None:
    if " ".join(one).casefold() != " ".join(other).casefold():
        assert normalize(" ".join(one)) != normalize(" ".join(other))


@given(st.dates(), st.sampled_from(["%Y-%m-%d", "%m/%d/%Y", "%B %d, %Y", "%d %b %Y"]))
def test_every_day_of_the_calendar(day: object, form: str) -> None:
    from datetime import date

    assert isinstance(day, date)
    if day.year >= 1000:
        assert normalize(day.strftime(form)) == day.isoformat()
