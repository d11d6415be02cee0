"""Split a text into tokens so that every annotation starts and ends with one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from reidrisk.text.corpus import Annotation

_PIECE = re.compile(r"\w+|[^\w\s]|\s+")
Token = tuple[int, int]
"""Start and end in the text."""


def pieces(text: str, annotations: Iterable[Annotation]) -> Iterator[Token]:
    """Words, signs and white space; together they are the whole text."""
    cuts = sorted({edge for mark in annotations for edge in (mark.start, mark.end)})
    number = 0
    for match in _PIECE.finditer(text):
        start, end = match.span()
        while number < len(cuts) and cuts[number] < end:
            if cuts[number] > start:
                yield start, cuts[number]
                start = cuts[number]
            number += 1
        yield start, end


def owners(
    tokens: Iterable[Token], annotations: Iterable[Annotation]
) -> Iterator[tuple[Token, Annotation | None]]:
    """Each token with the annotation that contains it; annotations do not overlap."""
    marks = sorted(annotations, key=lambda mark: mark.start)
    number = 0
    for token in tokens:
        while number < len(marks) and marks[number].end <= token[0]:
            number += 1
        inside = number < len(marks) and marks[number].start <= token[0]
        yield token, marks[number] if inside else None
