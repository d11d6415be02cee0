"""Values of a list in every form that a text can give them."""

from __future__ import annotations

import pytest

from reidrisk.detect.known.listed import ListedValues


def found(text: str, *values: str) -> list[str]:
    return [text[one.start : one.end] for one in ListedValues(values).places(text)]


WRITTEN = {
    "hyphen at a line end": ("Kennedy", "of Kenn-\nedy.", "Kenn-\nedy"),
    "capitals at a line end": ("Kennedy", "of KENN-\nEDY.", "KENN-\nEDY"),
    "short word, hyphen at a line end": ("Anna", "An-\nna fell", "An-\nna"),
    "hyphen of its own": ("Smith-Jones", "Smith-\n  Jones", "Smith-\n  Jones"),
    "soft hyphen at a line end": ("Anna", "An\u00ad\nna", "An\u00ad\nna"),
    "space at a line end": ("New York", "New\nYork", "New\nYork"),
    "many spaces": ("New York", "New \t\u00a0 York", "New \t\u00a0 York"),
    "no space": ("New York", "inNew, NewYork", "NewYork"),
    "line end in a word": ("Kennedy", "Kenn\nedy", "Kenn\nedy"),
    "line end in a number": ("12345678", "id 12345\n678", "12345\n678"),
    "spaced out": ("Kennedy", "K E N N E D Y", "K E N N E D Y"),
    "short number": ("321", "321 mg, 43215, 1321", "321"),
    "ligature": ("Griffith", "a Gri\ufb03th b", "Gri\ufb03th"),
    "separators": ("555-123-4567", "call 555.123.4567", "555.123.4567"),
    "date": ("2019-03-07", "on 7 March 2019", "7 March 2019"),
    "date as it is": ("7.3.19", "on 7.3.19", "7.3.19"),
    "spaces of Chinese": ("田中太郎", "患者 田中 太郎です", "田中 太郎"),
}
ABSENT = {
    "number of two lines": ("0731", "2019-03-07\n31 May"),
    "word of two lines": ("Anna", "An\nna"),
    "number beside a hyphen": ("201203", "2012-\n03"),
    "space within a word": ("today", "to day"),
    "piece of an id": ("Figure 2019", "in 2019"),
    "part of a ligature": ("Grif", "Gri\ufb03th"),
    "day without its year": ("2019-03-07", "on 7 March"),
}


@pytest.mark.parametrize("case", WRITTEN)
def test_found(case: str) -> None:
    value, text, place = WRITTEN[case]
    assert found(text, value) == [place]


@pytest.mark.parametrize("case", ABSENT)
def test_not_found(case: str) -> None:
    value, text = ABSENT[case]
    assert found(text, value) == []


def test_every_value_is_counted_also_within_another() -> None:
    places = ListedValues(["New York", "York City", "York"]).places("New York City and York")
    assert [(one.number, one.start, one.end) for one in places] == [
        (1, 0, 8),
        (2, 4, 13),
        (3, 4, 8),
        (3, 18, 22),
    ]
