"""Texts without capitals get those that a name would have, so that the rules for names see it."""

from __future__ import annotations

import re

from reidrisk.detect.dictionaries.lexicon import Lexicon, WordKind, section_words
from reidrisk.detect.dictionaries.runs import PEOPLE, STATES, TITLES

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]{2,})?|\d+")
_NOT_A_NAME = WordKind.COMMON | WordKind.CLINICAL | WordKind.ALSO_WORD
_INTRODUCES = TITLES | PEOPLE | section_words("introduces")
_GAPS = frozenset((" ", ". ", "-"))
_SHORTEST = 3


def has_no_capitals(text: str) -> bool:
    """Whether a text has letters and writes none of them as a capital."""
    return text.islower()


def recase(text: str, lexicon: Lexicon) -> str:
    """The text with a capital on each word that is listed as a name or place and is no common word.

    A word in no list gets one beside such a word, after a title or another word that introduces a person, and
    before a number. The text keeps its length.
    """
    words = [match for match in WORD.finditer(text)]
    listed = [_is_listed(match[0], lexicon) for match in words]
    letters = list(text)
    for place, match in enumerate(words):
        if listed[place] or _is_introduced(text, words, listed, place, lexicon):
            large = letters[match.start()].upper()
            letters[match.start()] = large if len(large) == 1 else letters[match.start()]
    return "".join(letters)


def _is_listed(word: str, lexicon: Lexicon) -> bool:
    if len(word) < _SHORTEST or not word[0].isalpha():
        return False
    kinds = lexicon.kinds(word)
    if kinds & _NOT_A_NAME:
        return False
    return bool(kinds & WordKind.NAME) or word in lexicon.countries or word in STATES or word in lexicon.towns


def _is_introduced(
    text: str, words: list[re.Match[str]], listed: list[bool], place: int, lexicon: Lexicon
) -> bool:
    """Whether a word in no list, or an initial, stands where a name is likely."""
    match = words[place]
    if not match[0][0].isalpha():
        return False
    after_name = place > 0 and listed[place - 1] and text[words[place - 1].end() : match.start()] in _GAPS
    if len(match[0]) == 1:
        return after_name
    kinds = lexicon.kinds(match[0])
    before = words[place - 1][0] if place else ""
    if kinds & _NOT_A_NAME:
        named = bool(kinds & WordKind.NAME) and not kinds & WordKind.CLINICAL
        return named and (before in TITLES or after_name and not kinds & WordKind.COMMON)
    next_one = words[place + 1] if place + 1 < len(words) else None
    if next_one is not None and text[match.end() : next_one.start()] in _GAPS:
        after_name = after_name or listed[place + 1] or next_one[0][0].isdigit()
    return after_name or before in _INTRODUCES
