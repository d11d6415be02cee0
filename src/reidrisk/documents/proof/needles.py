"""Search many values at once in a text, whatever its case, spaces and forms of letters."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping

from reidrisk.documents.alternatives import alternatives

_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_HYPHEN = re.compile(r"[-\u2010\u2011]\s*\n\s*")
_LINE_END = re.compile(r"\s*\n\s*")
_SPACES = re.compile(r"\s+")
_SPACED_OUT = re.compile(r"(?<!\w)(?:\w ){2,}\w(?!\w)")
_SHORT_NUMBER = 4
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
    pattern = re.compile(_bounded(re.escape(folded(value)), _edges(folded(value))))
    return len(pattern.findall(folded(text)))


class Needles:
    """Values to be searched together."""

    def __init__(self, values: Mapping[int, str]) -> None:
        groups: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(dict)
        for number, value in values.items():
            plain = folded(value)
            for form in {plain, plain.replace(" ", "")} - {""}:
                groups[_edges(form)].setdefault(form, []).append(number)
        self._groups = [
            (re.compile(_bounded(alternatives(group), edges)), group) for edges, group in groups.items()
        ]

    def found(self, text: str, *, plainly: bool = False) -> set[int]:
        """The numbers of the values that stand in a text; `plainly` without looking for broken words."""
        hits: set[int] = set()
        for number, form in enumerate([folded(text)] if plainly else forms(text)):
            for pattern, group in self._groups:
                for found in pattern.finditer(form):
                    if number == 0 or not _is_short_number(found[0]):
                        hits.update(group[found[0]])
        return hits


def _is_short_number(value: str) -> bool:
    """Whether a value is a number that two cells of a table, one above the other, make up by chance."""
    return len(value) < _SHORT_NUMBER and value.isdigit()


def _edges(value: str) -> tuple[str, str]:
    """What must not stand right before and right after a value."""
    return _edge(value, value[0]), _edge(value, value[-1])


def _edge(value: str, letter: str) -> str:
    if letter.isdigit():
        return r"\d"
    return r"\w" if letter.isalpha() and len(value) < _WHOLE_WORDS else ""


def _bounded(pattern: str, edges: tuple[str, str]) -> str:
    before, after = edges
    return (f"(?<!{before})" if before else "") + f"(?:{pattern})" + (f"(?!{after})" if after else "")
