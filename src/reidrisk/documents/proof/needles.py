"""Search many values at once in a text, whatever its case, spaces and forms of letters."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from reidrisk.documents.proof.fixed_forms import FixedForms

_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_HYPHEN = re.compile(r"[-\u2010\u2011]\s*\n\s*")
_LINE_END = re.compile(r"\s*\n\s*")
_SPACES = re.compile(r"\s+")
_SPACED_OUT = re.compile(r"(?<!\w)(?:\w ){2,}\w(?!\w)")
_SHORT_NUMBER = 7
_WHOLE_WORDS = 6
"""Shorter values count only as whole words: a short name is part of many words."""


def folded(text: str) -> str:
    """The text as it is compared: without case, kinds of spaces, and forms of letters."""
    plain = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    return _SPACES.sub(" ", _UNSEEN.sub("", plain)).strip()


def forms(text: str) -> Iterator[str]:
    """A text in every form in which a value could stand in it."""
    plain = folded(text)
    yield plain
    if "\n" in text:
        yield folded(_HYPHEN.sub("", text))
        yield folded(_LINE_END.sub("", text))
    spaced = [found[0].replace(" ", "") for found in _SPACED_OUT.finditer(plain)]
    if spaced:
        yield " ".join(spaced)
        yield " ".join(part[::-1] for part in spaced)


def counted(text: str, value: str) -> int:
    """How often a value stands in a text, read as a proof reads it.

    >>> counted("Ann saw Anna, and ANN\\n left", "ann")
    2
    """
    return Needles({1: value}).counts(text)[1]


class Needles:
    """Values to be searched together."""

    def __init__(self, values: Mapping[int, str]) -> None:
        self._numbers: dict[str, list[int]] = defaultdict(list)
        for number, value in values.items():
            plain = folded(value)
            for form in {plain, plain.replace(" ", "")} - {""}:
                self._numbers[form].append(number)
        self._plain = {number: folded(value) for number, value in values.items()}
        self._forms = FixedForms(self._numbers)

    def found(self, text: str, *, plainly: bool = False) -> set[int]:
        """The numbers of the values that stand in a text; `plainly` without looking for broken words."""
        hits: set[str] = set()
        for number, form in enumerate([folded(text)] if plainly else forms(text)):
            for at, value in self._forms.places(form):
                if value in hits or (number and _is_short_number(value)):
                    continue
                if _is_whole(form, at, value):
                    hits.add(value)
        return {number for value in hits for number in self._numbers[value]}

    def counts(self, text: str) -> Counter[int]:
        """How often values stand in a text as they are written, without looking for broken words."""
        plain = folded(text)
        found: Counter[str] = Counter(
            value for at, value in self._forms.places(plain) if _is_whole(plain, at, value)
        )
        return Counter({number: found[value] for number, value in self._plain.items() if found.get(value)})


def _is_short_number(value: str) -> bool:
    """Whether a value is a number that cells of a table, one above the other, make up by chance.

    2019-03-07 above 31 May 2020 is no subject 0731.
    """
    return len(value) < _SHORT_NUMBER and value.isdigit()


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
