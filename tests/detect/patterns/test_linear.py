"""No expression can blow up: proved by its width, and by counting steps on texts made to hurt."""

from __future__ import annotations

import re

import pytest

from reidrisk.detect import detector as consistency
from reidrisk.detect.dictionaries import addresses, institutions, recase, runs
from reidrisk.detect.dictionaries import find as dictionary
from reidrisk.detect.dictionaries import names as last_first
from reidrisk.detect.known import writings as known_dates
from reidrisk.detect.patterns import find
from reidrisk.detect.patterns import find as cues
from reidrisk.detect.patterns.pattern import IdentifierPattern, any_of
from tests.detect.patterns.steps import StepCounter, parser

WIDEST = 600
UNITS = (
    "a",
    "A",
    "1",
    " ",
    "-",
    ".",
    "_",
    "'",
    "/",
    "(",
    "1 ",
    "1-",
    "1.",
    "A ",
    "A-",
    "a ",
    "Aa ",
    "12 ",
    "1a",
    "A1",
    "a'",
    ",",
    "May ",
    "may 3 ",
    "1 May ",
    "Aa, ",
    "seven ",
    "seventy-",
    "1/1",
    "0:",
    "a@",
    "@",
    "a.b",
    "www.",
    "mr ",
    "St. ",
    "1A2B-",
    "id ",
    "id no ",
    "no of ",
    "x1 ",
    "Apt ",
    "the ",
    "St ",
    "123 Elm ",
    "Hospital ",
    "Centro de ",
    "+1 ",
    "(1)",
    "’",
    "é",
    "１",
)
SCANNERS = {
    "number anchor": find.NUMBER,
    "word with a capital": runs.CAPITAL,
    "last, first": last_first.LAST_FIRST,
    "title in lower case": dictionary.LOW_TITLE,
    "label in lower case": dictionary.LOW_LABEL,
    "consistency": consistency.WORD,
    "word of a text without capitals": recase.WORD,
    "number of a house": addresses.NUMBER,
    "street without a number": addresses.NAMED_STREET,
    "corner of two streets": addresses.CORNER,
    "address of the armed forces": addresses.MILITARY,
    "institution": institutions.NAME,
    "known numeric date": known_dates.NUMERIC,
    "known joined date": known_dates.JOINED,
    "known day first": known_dates.DAY_FIRST,
    "known month first": known_dates.MONTH_FIRST,
}


AT_A_NUMBER = {
    "English street": addresses.ENGLISH_STREET,
    "street with its kind first": addresses.KIND_FIRST,
    "street in a newer town": addresses.PLACED_STREET,
    "town": addresses.TOWN,
    "gap in an address": addresses.GAP,
}


@pytest.mark.parametrize("name", AT_A_NUMBER)
def test_an_address_takes_few_steps_from_its_number(name: str) -> None:
    expression = AT_A_NUMBER[name]
    assert parser.parse(expression.pattern).getwidth()[1] <= WIDEST
    for unit in UNITS:
        counter = StepCounter(expression)
        next(counter._run(counter._nodes, f" {unit}" * (400 // len(unit)), 0, {}), None)
        assert counter.steps < 20_000, unit


def named(pattern: IdentifierPattern) -> str:
    return f"{pattern.name}-{pattern.anchor}"


@pytest.mark.parametrize("pattern", find.ALL, ids=named)
def test_a_pattern_looks_at_few_characters_from_its_anchor(pattern: IdentifierPattern) -> None:
    assert parser.parse(pattern.expression.pattern).getwidth()[1] <= WIDEST


@pytest.mark.parametrize("pattern", find.ALL, ids=named)
def test_a_pattern_takes_few_steps_at_an_anchor_whatever_follows(pattern: IdentifierPattern) -> None:
    for unit in UNITS:
        counter = StepCounter(pattern.expression)
        text = unit * (400 // len(unit))
        next(counter._run(counter._nodes, text, 0, {}), None)
        assert counter.steps < 20_000, unit


def test_what_is_tried_first_is_as_narrow_as_the_patterns() -> None:
    union = any_of(find.ALL)
    assert union is not None
    assert parser.parse(union.pattern).getwidth()[1] <= WIDEST


@pytest.mark.parametrize("name", SCANNERS)
def test_twice_the_text_takes_about_twice_the_steps(name: str) -> None:
    for unit in UNITS:
        once, twice = (StepCounter(SCANNERS[name]).search_all(unit * size) for size in (60, 120))
        assert twice <= 2.3 * once + 80, unit


def test_the_words_before_a_number_are_looked_at_in_a_window() -> None:
    assert cues.VALUE.match("1" * 10_000) is not None
    assert parser.parse(cues.VALUE.pattern).getwidth()[1] <= WIDEST


def test_the_counter_agrees_with_pythons_matcher() -> None:
    for pattern in find.ALL:
        for text in (
            "03/14/2020",
            "May 3rd, 1961",
            "(310) 555-1234",
            "12 Elm Street",
            "AB1234563",
            "www.example.org/x",
        ):
            counter = StepCounter(pattern.expression)
            end = next(counter._run(counter._nodes, text, 0, {}), None)
            match = re.compile(pattern.expression).match(text)
            assert end == (None if match is None else match.end()), pattern.name
