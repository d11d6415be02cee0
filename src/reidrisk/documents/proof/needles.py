"""Search many values at once in a text, and count them, whatever its case, spaces and forms of letters."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.matching import can_be_cut, fold, stands_alone

Codes = NDArray[np.uint64]
_BITS = 21
"""Of a code point; three of them make one number."""
_FIRST = 3
_HYPHEN = re.compile(r"[-\u2010\u2011]\s*\n\s*")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_SPACED_OUT = re.compile(r"(?<!\w)(?:\w ){2,}\w(?!\w)")
_WHOLE_WORDS = 6
"""Shorter values count only as whole words: a short name is part of many words."""
_GLUED = 6
"""Shorter values of several words are other words where their spaces are left out."""
_AROUND = 8
"""Characters that tell whether a value goes on; prefixes of Hebrew and Arabic are shorter."""
_WORD = re.compile(r"\w+")


class FixedForms:
    """Texts that are found wherever they stand, one within another too."""

    def __init__(self, forms: Iterable[str]) -> None:
        short: dict[int, set[str]] = defaultdict(set)
        self._long: set[str] = set()
        lengths: dict[str, set[int]] = defaultdict(set)
        for form in forms:
            if len(form) < _FIRST:
                short[len(form)].add(form)
            else:
                self._long.add(form)
                lengths[form[:_FIRST]].add(len(form))
        self._lengths = {start: sorted(own) for start, own in lengths.items()}
        self._starts = _sorted_keys(self._lengths, _FIRST)
        self._short = {length: _sorted_keys(own, length) for length, own in short.items()}

    def places(self, text: str) -> Iterator[tuple[int, str]]:
        """Where texts stand, and which.

        >>> sorted(FixedForms(["an", "ann", "nna"]).places("anna"))
        [(0, 'an'), (0, 'ann'), (1, 'nna')]
        """
        for length, keys in self._short.items():
            for at in _where(keys, _keys(text, length)):
                yield at, text[at : at + length]
        for at in _where(self._starts, _keys(text, _FIRST)) if self._lengths else ():
            for length in self._lengths[text[at : at + _FIRST]]:
                piece = text[at : at + length]
                if piece in self._long:
                    yield at, piece


def _keys(text: str, length: int) -> Codes:
    """A number for every so many characters of a text, at most three, one after the other."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    last = max(len(codes) - length + 1, 0)
    keys: Codes = codes[:last]
    for at in range(1, length):
        keys = keys | (codes[at : last + at] << np.uint64(at * _BITS))
    return keys


def _sorted_keys(forms: Iterable[str], length: int) -> Codes:
    """The numbers of texts of one length."""
    return np.sort(_keys("".join(forms), length)[::length])


def _where(wanted: Codes, here: Codes) -> list[int]:
    """Places of numbers among which one of the wanted is; these are in order, and there is one."""
    nearest = np.minimum(np.searchsorted(wanted, here), len(wanted) - 1)
    places: list[int] = np.flatnonzero(wanted[nearest] == here).tolist()
    return places


def folded(text: str) -> str:
    """The text as it is compared: without case, accents, kinds of spaces, and forms of letters."""
    return " ".join(fold(text).split())


@dataclass(frozen=True, slots=True)
class SearchForm:
    """A text in one form in which values could stand in it."""

    text: str = field(repr=False)
    is_joined: bool = False
    """Whether words of it were put together: what stands across a seam may be there by chance."""
    seams: frozenset[int] = field(default=frozenset(), repr=False)
    """Offsets at which a line ended that was put together with the next one."""

    def holds(self, at: int, value: str, *, is_given: bool) -> bool:
        """Whether a value that begins at an offset is there on its own."""
        end = at + len(value)
        if (self.seams or (self.is_joined and value.isdecimal())) and not can_be_cut(value):
            return False
        start = at if at in self.seams else max(0, at - _AROUND)
        around = self.text[start : end if end in self.seams else end + _AROUND]
        if is_given:
            return stands_alone(around, at - start, end - start)
        return _is_whole(around, at - start, value)

    def parts(self, at: int, value: str) -> tuple[str, ...]:
        """The pieces of a value that ends of lines part; none where it is whole."""
        cuts = [at, *sorted(one for one in self.seams if at < one < at + len(value)), at + len(value)]
        return tuple(self.text[first:last].strip() for first, last in pairwise(cuts)) if len(cuts) > 2 else ()


def forms(text: str, *, plainly: bool = False) -> Iterator[SearchForm]:
    """A text in every form in which a value could stand in it; `plainly` without looking for broken words."""
    plain = folded(text)
    yield SearchForm(plain)
    if "_" in plain:
        yield SearchForm(plain.replace("_", " "))
    if _RIGHT_TO_LEFT.search(text):
        yield SearchForm(folded(text[::-1]))
    if plainly:
        return
    if "\n" in text:
        if _HYPHEN.search(text):
            yield SearchForm(folded(_HYPHEN.sub("", text)), is_joined=True)
        yield _joined_lines(text)
    spaced = [found[0].replace(" ", "") for found in _SPACED_OUT.finditer(plain)]
    if spaced:
        yield SearchForm(" ".join(spaced), is_joined=True)
        yield SearchForm(" ".join(part[::-1] for part in spaced), is_joined=True)


def _joined_lines(text: str) -> SearchForm:
    parts, seams, size = [], [], 0
    for line in text.splitlines():
        part = folded(line)
        if part:
            parts.append(part)
            size += len(part)
            seams.append(size)
    return SearchForm("".join(parts), is_joined=True, seams=frozenset(seams[:-1]))


def counted(text: str, value: str) -> int:
    """How often a value stands in a text, read as a proof reads it.

    >>> counted("Ann saw Anna, and ANN\\n left", "ann")
    2
    """
    return Needles({1: value}).counts(text)[1]


def _spellings(plain: str, *, is_given: bool) -> set[str]:
    """A value, and the same without spaces: some programs leave them out."""
    glued = plain.replace(" ", "")
    return {plain, glued if not is_given or len(glued) >= _GLUED else plain} - {""}


class Needles:
    """Values to be searched together; those that are `given` count as whole words only, however long."""

    def __init__(self, values: Mapping[int, str], *, given: Collection[int] = ()) -> None:
        self._numbers: dict[str, list[int]] = defaultdict(list)
        for number, value in values.items():
            for form in _spellings(folded(value), is_given=number in given):
                self._numbers[form].append(number)
        self._plain = {number: folded(value) for number, value in values.items()}
        self._given = {self._plain[number] for number in given if number in self._plain}
        self._given |= {plain.replace(" ", "") for plain in self._given}
        self._forms = FixedForms(self._numbers)

    def found(self, text: str, *, plainly: bool = False) -> set[int]:
        """The numbers of the values that stand in a text; `plainly` without looking for broken words."""
        return {number for number, _ in self.places(text, plainly=plainly)}

    def places(self, text: str, *, plainly: bool = False) -> Counter[tuple[int, tuple[str, ...]]]:
        """How often values are in a text: their numbers, with the pieces into which ends of lines cut them.

        A value that is whole somewhere has no pieces, and counts once.
        """
        hits: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
        for form in forms(text, plainly=plainly):
            for at, value in self._forms.places(form.text):
                if () in hits[value] or not form.holds(at, value, is_given=value in self._given):
                    continue
                parts = form.parts(at, value)
                if parts or not form.seams:
                    hits[value][parts] += 1
        found: Counter[tuple[int, tuple[str, ...]]] = Counter()
        for value, pieces in hits.items():
            for number in self._numbers[value]:
                found.update(
                    {(number, ()): 1} if () in pieces else {(number, one): pieces[one] for one in pieces}
                )
        return found

    def counts(self, text: str) -> Counter[int]:
        """How often values stand in a text as they are written, without looking for broken words."""
        form = SearchForm(folded(text))
        found: Counter[str] = Counter(
            value
            for at, value in self._forms.places(form.text)
            if form.holds(at, value, is_given=value in self._given)
        )
        return Counter({number: found[value] for number, value in self._plain.items() if found.get(value)})


def _is_whole(text: str, at: int, value: str) -> bool:
    """Whether a value stands on its own: a number is no part of a longer one, a short word of no other."""
    end = at + len(value)
    before, after = text[at - 1] if at else "", text[end] if end < len(text) else ""
    return not (_goes_on(value, value[0], before) or _goes_on(value, value[-1], after))


def _goes_on(value: str, edge: str, beyond: str) -> bool:
    if not beyond:
        return False
    if edge.isdigit():
        return beyond.isdecimal()
    return edge.isalpha() and len(value) < _WHOLE_WORDS and (beyond.isalnum() or beyond == "_")


def words_of(text: str) -> list[str]:
    """The words of a text as they are compared."""
    return _WORD.findall(folded(text))


@dataclass(frozen=True, slots=True)
class Before:
    """The document as it was. Readers put words in other orders: what one of them makes up was so before."""

    path: Path
    gone: Mapping[str, int] = field(repr=False)
    """How many places of a value went, less those that came with new values."""
    loose: frozenset[str] = field(default=frozenset(), repr=False)
    """Values that words which stay make up where a reader puts them side by side."""
    words_gone: Mapping[str, int] = field(default_factory=dict, repr=False)
    """How many places of each word of such values went."""

    def words(self) -> frozenset[str]:
        """The words of loose values."""
        return frozenset(word for value in self.loose for word in words_of(value))

    def unexplained(self, values: Mapping[int, str], left: Left, texts: Iterable[str]) -> dict[int, str]:
        """The values of which more is left than a reader found in the texts before, less what went."""
        loose = {number: value for number, value in values.items() if value in self.loose}
        whole = {number: value for number, value in values.items() if number not in loose}
        words = {word for value in loose.values() for word in words_of(value)}
        old = Left(Needles(whole), words)
        for text in texts:
            old.add(text)
        found = {n: value for n, value in whole.items() if left.values[n] > old.values[n] - self.gone[value]}
        still = {word for word in words if left.words[word] > old.words[word] - self.words_gone.get(word, 0)}
        return found | {n: value for n, value in loose.items() if still.issuperset(words_of(value))}


class Left:
    """How often values and words stand in texts."""

    def __init__(self, needles: Needles, words: Collection[str]) -> None:
        self._needles, self._wanted = needles, words
        self.values: Counter[int] = Counter()
        self.words: Counter[str] = Counter()

    def add(self, text: str) -> None:
        """One text."""
        self.values.update(self._needles.counts(text))
        if self._wanted:
            self.words.update(word for word in words_of(text) if word in self._wanted)
