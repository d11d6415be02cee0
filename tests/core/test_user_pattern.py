"""Patterns of users cannot keep the program busy for ever."""

from __future__ import annotations

import pickle

import pytest

from reidrisk.core.user_pattern import UserPattern
from reidrisk.errors import InvalidSetting
from reidrisk.resynthesis.corpus.note import person_in
from reidrisk.text.corpus import Document
from reidrisk.text.grouping import Grouping
from reidrisk.text.tally import Counting

CATASTROPHIC = r"(a+)+$"
LONG = "a" * 50_000 + "!"
"""Python's own engine would need longer than the universe is old."""


def test_a_catastrophic_pattern_ends_everywhere() -> None:
    assert UserPattern(CATASTROPHIC).first(LONG) is None
    assert UserPattern(CATASTROPHIC, multiline=True).starts(f"{LONG}\naa") == [len(LONG) + 1]
    assert Grouping.parse(CATASTROPHIC).key_of(Document(LONG, ())) is None
    chosen = Counting.choose(patient=CATASTROPHIC, split_patients=CATASTROPHIC)
    assert chosen.patient is not None
    assert chosen.patient.first(LONG) is None
    with pytest.raises(Exception, match="does not match the id"):
        person_in(LONG, CATASTROPHIC)


@pytest.mark.parametrize("pattern", ["(?=a)", r"(a)\1", "[", "(", "x" * 1001, "", "\ud800"])
def test_what_the_engine_does_not_know_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidSetting, match=r"not a regular expression(.|\n)*RE2 syntax"):
        UserPattern(pattern)


def test_places_are_those_of_characters() -> None:
    assert UserPattern("b").starts("é😀b\udcffb") == [2, 4]
    assert UserPattern("(x)?b").group("b") is None
    assert pickle.loads(pickle.dumps(UserPattern("(x)"))).first("ax") == "x"  # noqa: S301 - our own
