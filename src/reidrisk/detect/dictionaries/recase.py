"""Texts without capitals get those that names and places would have, so that the rules see them."""

from __future__ import annotations

import re

from reidrisk.detect.dictionaries.lexicon import Lexicon, WordKind, section_words
from reidrisk.detect.dictionaries.runs import FACILITY, FACILITY_HEAD, OPENERS, PEOPLE, STATES, TITLES

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]{2,})?|\d+")
_NOT_A_NAME = WordKind.COMMON | WordKind.CLINICAL | WordKind.ALSO_WORD
_INTRODUCES = TITLES | PEOPLE | section_words("introduces")
_BEFORE_PLACES = section_words("place-before") | section_words("at")
_GAPS = frozenset((" ", ". ", "-"))
_ENDS = frozenset(",.;:?!)\n")
_SHORTEST = 3
_MOST_WORDS = 4
_FEW_WORDS = 3


def has_no_capitals(text: str) -> bool:
    """Whether a text has letters and writes none of them as a capital."""
    return text.islower()


def recase(text: str, lexicon: Lexicon) -> str:
    """The text with a capital on each word that is listed as a name or place and is no common word.

    A word in no list gets one beside such a word, after a title or another word that introduces a person, and
    before a number; the words of a facility where one of them is no common word. The text keeps its length.
    """
    words = _Words(text, lexicon)
    words.mark_places()
    words.mark_names()
    words.mark_facilities()
    letters = list(text)
    for match, marked in zip(words.matches, words.marked, strict=True):
        large = letters[match.start()].upper()
        if marked and len(large) == 1:
            letters[match.start()] = large
    return "".join(letters)


class _Words:
    """The words of a text, their kinds, and which of them get a capital."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        self._text, self._lexicon = text, lexicon
        self.matches = list(WORD.finditer(text))
        self._words = [match[0] for match in self.matches]
        self._kinds = [lexicon.kinds(word) if word[0].isalpha() else 0 for word in self._words]
        self.marked = [self._is_listed(place) for place in range(len(self._words))]

    def _is_listed(self, place: int) -> bool:
        word, kinds = self._words[place], self._kinds[place]
        if len(word) < _SHORTEST or kinds & _NOT_A_NAME or not word[0].isalpha():
            return False
        known = self._lexicon
        return bool(kinds & WordKind.NAME) or word in known.countries or word in STATES or word in known.towns

    def _joined(self, place: int) -> bool:
        """Whether a word stands right after the word before it."""
        if not 0 < place < len(self._words):
            return False
        return self._text[self.matches[place - 1].end() : self.matches[place].start()] in _GAPS

    def _before(self, place: int) -> str:
        return self._words[place - 1] if place else ""

    def mark_places(self) -> None:
        """Towns, states and countries of several words."""
        known = self._lexicon
        for place in range(len(self._words)):
            for size in range(_MOST_WORDS, 1, -1):
                if not all(self._joined(place + step) for step in range(1, size)):
                    continue
                name = " ".join(self._words[place : place + size])
                if (name in known.towns and self._before(place) in _BEFORE_PLACES) or name in STATES:
                    self.marked[place : place + size] = [True] * size
                    break

    def mark_names(self) -> None:
        """Words beside a name, after a title, or where a name is likely."""
        listed = list(self.marked)
        for place, word in enumerate(self._words):
            if word[0].isalpha() and not listed[place]:
                after = self._joined(place) and (self.marked[place - 1] or self._before(place) in TITLES)
                next_one = self._joined(place + 1) and listed[place + 1]
                self.marked[place] = self._is_named(place, after_name=after, before_name=next_one)

    def _is_named(self, place: int, *, after_name: bool, before_name: bool) -> bool:
        word, kinds = self._words[place], self._kinds[place]
        if len(word) == 1 or word in ("st", "mt", "ft"):
            return after_name or (before_name and len(word) > 1)
        if kinds & _NOT_A_NAME:
            return self._is_doubtful_name(place, after_name=after_name, before_name=before_name)
        introduced = after_name or before_name or self._before(place) in _INTRODUCES
        return introduced or (self._joined(place + 1) and self._words[place + 1][0].isdigit())

    def _is_doubtful_name(self, place: int, *, after_name: bool, before_name: bool) -> bool:
        """A name that is also a word: after a title, at the end of a name, before a surname or an initial."""
        word, kinds = self._words[place], self._kinds[place]
        if not kinds & WordKind.NAME or kinds & WordKind.CLINICAL or word in OPENERS:
            return False
        if after_name and (not kinds & WordKind.COMMON or self._before(place) in TITLES):
            return True
        end = self.matches[place].end()
        if after_name and kinds & WordKind.SURNAME and self._text[end : end + 1] in _ENDS:
            return self._kinds[place - 1] & WordKind.FIRST > 0
        if not kinds & WordKind.FIRST:
            return False
        initial = self._joined(place + 1) and len(self._words[place + 1]) == 1
        return before_name or (initial and self._text[end + 2 : end + 3] == ".")

    def mark_facilities(self) -> None:
        """All words of a facility after `at` or the like, unless all of them are common."""
        for place, word in enumerate(self._words):
            if word not in FACILITY_HEAD or self.marked[place]:
                continue
            first = place
            while first > max(0, place - _FEW_WORDS) and self._joined(first) and not self._stops(first - 1):
                first -= 1
            named = any(not self._kinds[at] & _NOT_A_NAME for at in range(first, place))
            if named and (self._before(first) in _BEFORE_PLACES or self.marked[first]):
                self.marked[first : place + 1] = [True] * (place + 1 - first)

    def _stops(self, place: int) -> bool:
        word = self._words[place]
        return word in OPENERS or word in _BEFORE_PLACES or (len(word) < _SHORTEST and word not in FACILITY)
