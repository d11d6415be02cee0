from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.detect.dictionaries.find import DictionaryDetector
from reidrisk.detect.dictionaries.lexicon import english
from reidrisk.detect.dictionaries.recase import has_no_capitals, recase


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("call patricia lindqvist tomorrow", "call Patricia Lindqvist tomorrow"),
        ("dr. young saw michael lee, who left", "dr. Young saw Michael Lee, who left"),
        ("frank l. was seen in new orleans", "Frank L. was seen in New Orleans"),
        ("admitted to quimbleford clinic in may", "admitted to Quimbleford Clinic in may"),
        ("my name is zhovna", "my name is Zhovna"),
        ("her mother will rest and may walk", "her mother will rest and may walk"),
        ("the driver began to enter the bus", "the driver began to enter the bus"),
        ("metformin for diabetes and hypertension", "metformin for diabetes and hypertension"),
    ],
)
def test_names_and_places_get_their_capitals(text: str, expected: str) -> None:
    assert recase(text, english()) == expected


def test_names_without_capitals_are_found() -> None:
    text = "please call patricia lindqvist about the mri"
    found = DictionaryDetector().find(text)
    assert [text[one.start : one.end] for one in found if one.confidence >= 0.5] == ["patricia lindqvist"]


def test_a_text_with_capitals_is_left_alone() -> None:
    assert not has_no_capitals("The driver saw patricia")
    assert not has_no_capitals("123 !")
    text = "The driver saw rose and grace."
    assert not [one for one in DictionaryDetector().find(text) if one.confidence >= 0.2]


@given(st.text(max_size=80))
def test_a_text_keeps_its_length_and_its_letters(text: str) -> None:
    new = recase(text, english())
    assert len(new) == len(text)
    assert all(now in (old, old.upper()) for old, now in zip(text, new, strict=True))
