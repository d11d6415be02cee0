from __future__ import annotations

import pytest

from tests.detect.patterns.finding import found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a 34-year-old woman", "34"),
        ("92 yo man", "92"),
        ("a 7 y/o boy", "7"),
        ("aged 45", "45"),
        ("Age: 61", "61"),
        ("45M with pain", "45"),
        ("a ninety-two year old", "ninety-two"),
        ("6-month-old infant", "6"),
        ("in her late 80s", "80s"),
        ("in his seventies", "seventies"),
        ("34 years of age", "34"),
        ("Teresa Castañeda, 76, is seen on rounds", "76"),
        ("At 91, he still does his garden", "91"),
        ("Her father had a heart attack at 55.", "55"),
    ],
)
def test_the_number_of_an_age_is_found(text: str, value: str) -> None:
    assert found(text) == [(value, "AGE")]


@pytest.mark.parametrize(
    "text",
    [
        "for 34 years",
        "a 500-year-old tree",
        "every 6 months",
        "seven days later",
        "12 weeks of therapy",
        "Sats held at 91.",
        "glucose, 76, was low at 80.5",
    ],
)
def test_other_spans_of_time_are_no_ages(text: str) -> None:
    assert found(text) == []
