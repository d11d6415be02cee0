"""Find values of a list wherever a text has them, however its lines, letters and spaces are."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from reidrisk.core.matching import can_be_cut, fold, fold_in_place, is_spaceless, stands_alone
from reidrisk.detect.known.index import automaton_of
from reidrisk.detect.known.rows import LIST_COLUMN, dates_of, kind_of, type_of
from reidrisk.detect.known.writings import SEPARATOR, find_date_mentions, fold_text

CONFIDENCE = 0.98
SOURCE = f"known:{LIST_COLUMN}"
_JOINTS = ("", "-", "/", ".")
"""What may part the pieces of a number; a space needs no form of its own."""
_TELLING = 6
"""Digits that a number needs to be the same with other separators."""
_SPACED = 4
"""Letters of a word that may be spaced out."""
_LINE_END = re.compile("[\n\r\v\f\x85\u2028\u2029]")
_CUT = re.compile("[-\u00ad\u2010\u2011][^\\S\n\r\u2028]*[\n\r\u2028]")


@dataclass(frozen=True, slots=True, order=True)
class ListedPlace:
    """A place where a value of the list stands."""

    start: int
    end: int
    number: int
    """Of the value in the list, from 1."""


@dataclass(frozen=True, slots=True)
class _Form:
    number: int
    spaces: frozenset[int] = field(repr=False)
    """How many characters stand before each space."""
    may_be_cut: bool
    low: str = field(repr=False)
    """Without spaces, as it is searched."""


@dataclass(frozen=True, slots=True)
class _Tight:
    """A folded text without its spaces, and where each character stands in it."""

    text: str = field(repr=False)
    places: array[int] = field(repr=False)


class ListedValues:
    """The values of a list, each with its number from 1."""

    def __init__(self, values: Sequence[str]) -> None:
        self.texts = tuple(values)
        self._forms: dict[str, list[_Form]] = {}
        self._dates: dict[date, list[int]] = {}
        self._types = [type_of(LIST_COLUMN, kind_of(LIST_COLUMN, value.strip())) for value in values]
        for number, value in enumerate(values, 1):
            for meant in dates_of(value.strip()):
                self._dates.setdefault(meant, []).append(number)
            for low in dict.fromkeys(_writings(fold(value))):
                self._add(number, low)
        self._ordered = list(self._forms.values())
        self._automaton: Any = automaton_of(list(self._forms))

    def type(self, number: int) -> str:
        """The type of a value's findings."""
        return self._types[number - 1]

    def places(self, text: str) -> list[ListedPlace]:
        """Every place of every value in order; places of different values may overlap."""
        low, offsets = fold_in_place(text)
        found = set(self._dated(text))
        if self._automaton is not None:
            tight = _tight(low, ())
            found.update(self._matched(text, low, offsets, tight))
            hyphens = _cut_hyphens(text, offsets)
            if hyphens:
                found.update(self._matched(text, low, offsets, _tight(low, hyphens)))
        return list(_apart(sorted(found)))

    def _add(self, number: int, low: str) -> None:
        words = low.split()
        tight = "".join(words)
        if not tight:
            return
        ends, spaces = 0, set()
        for word in words[:-1]:
            ends += len(word)
            spaces.add(ends)
        self._forms.setdefault(tight, []).append(_Form(number, frozenset(spaces), can_be_cut(low), tight))

    def _dated(self, text: str) -> Iterator[ListedPlace]:
        if not self._dates:
            return
        for start, end, meanings in find_date_mentions(fold_text(text)):
            for meaning in meanings:
                if isinstance(meaning, date):
                    yield from (ListedPlace(start, end, number) for number in self._dates.get(meaning, ()))

    def _matched(self, text: str, low: str, offsets: array[int], tight: _Tight) -> Iterator[ListedPlace]:
        matches = self._automaton.find_matches_as_indexes(tight.text, overlapping=True)
        for index, first, last in matches:
            start, end = tight.places[first], tight.places[last - 1] + 1
            begin, close = offsets[start], offsets[end - 1] + 1
            if _splits(offsets, start, end) or not stands_alone(low, start, end):
                continue
            gaps = [
                (at - first, text[offsets[tight.places[at - 1]] + 1 : offsets[tight.places[at]]])
                for at in range(first + 1, last)
                if tight.places[at] - tight.places[at - 1] > 1
            ]
            for form in self._ordered[index]:
                if _fits(form, gaps):
                    yield ListedPlace(begin, close, form.number)


def _writings(low: str) -> Iterator[str]:
    """A folded value, and a number of several pieces with other separators."""
    yield low.strip()
    parts = [part for part in SEPARATOR.split(low.strip()) if part]
    if len(parts) > 1 and sum(map(str.isdecimal, low)) >= _TELLING and not dates_of(low.strip()):
        yield from (joint.join(parts) for joint in _JOINTS)
        yield " ".join(parts)


def _cut_hyphens(text: str, offsets: array[int]) -> frozenset[int]:
    """The hyphens of a folded text that stand at the end of a line."""
    ends = {found.start() for found in _CUT.finditer(text)}
    return frozenset(at for at, place in enumerate(offsets) if place in ends) if ends else frozenset()


def _tight(low: str, dropped: frozenset[int] | tuple[()]) -> _Tight:
    places = array("q", (at for at, sign in enumerate(low) if sign != " " and at not in dropped))
    return _Tight("".join([low[at] for at in places]), places)


def _splits(offsets: array[int], start: int, end: int) -> bool:
    """Whether a stretch begins or ends within what is one character of the text, such as a ligature."""
    return (start > 0 and offsets[start - 1] == offsets[start]) or (
        end < len(offsets) and offsets[end - 1] == offsets[end]
    )


def _fits(form: _Form, gaps: Sequence[tuple[int, str]]) -> bool:
    """Whether a value is written there: its spaces may be missing, and the end of a line may cut it."""
    own = {at for at, _ in gaps}
    if form.spaces - own and not form.may_be_cut:
        return False
    if len(form.low) >= _SPACED and len(gaps) == len(form.low) - 1:
        return True
    return all(at in form.spaces or _is_cut(form, at, gap) for at, gap in gaps)


def _is_cut(form: _Form, at: int, gap: str) -> bool:
    if is_spaceless(form.low[at - 1]) and is_spaceless(form.low[at]):
        return True
    if not _LINE_END.search(gap):
        return False
    hyphen = bool(gap.strip()) and form.low[at - 1].isalpha() and form.low[at].isalpha()
    return form.may_be_cut or hyphen


def _apart(places: Sequence[ListedPlace]) -> Iterator[ListedPlace]:
    """Places without those that lie in a longer place of the same value."""
    last: dict[int, ListedPlace] = {}
    for one in sorted(places, key=lambda place: (place.start, -place.end)):
        before = last.get(one.number)
        if before is None or one.start >= before.end:
            last[one.number] = one
            yield one
