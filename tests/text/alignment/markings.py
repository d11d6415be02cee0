"""Texts redacted or rewritten as tools do, and what an alignment should make of them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from reidrisk.text.alignment.result import DocumentAlignment
from reidrisk.text.corpus import Annotation
from reidrisk.text.matching import Mask

AS_LONG = "+"
"""After a sign: one for each character that is hidden, blanks excepted."""
MARKINGS = {
    "physionet": "[**Name 12**]",
    "tagged": "<<NAME:Zq Wx>>",
    "blocks": "████",
    "blocks as long": "█+",
    "square": "[NAME]",
    "angle": "<NAME_3>",
    "curly": "{{NAME}}",
    "asterisks": "*****",
    "asterisks as long": "*+",
    "lines": "___",
    "crosses": "XXXX",
}


def redacted(text: str, marks: Iterable[Annotation], marking: str) -> str:
    """The text with a mark in place of every masked stretch."""
    mask = Mask(marks)
    pieces, at = [], 0
    for start, end in zip(mask.starts, mask.ends, strict=True):
        pieces += [text[at:start], _mark(text[start:end], marking)]
        at = end
    return "".join(pieces) + text[at:]


def _mark(hidden: str, marking: str) -> str:
    return re.sub(r"\S", marking[0], hidden) if marking.endswith(AS_LONG) else marking


def visible(text: str, spans: Iterable[tuple[int, int]]) -> set[int]:
    """The characters in the spans that are not white space."""
    return {at for start, end in spans for at in range(start, end) if not text[at].isspace()}


def masked_by(aligned: DocumentAlignment, text: str) -> set[int]:
    return visible(text, ((one.start, one.end) for one in aligned.masked))


def in_doubt(aligned: DocumentAlignment, text: str) -> set[int]:
    return visible(text, ((one.start, one.end) for one in aligned.doubts))


def scrambled(text: str, *, rng: np.random.Generator) -> str:
    """A surrogate of the same shape in which no character stays."""
    digits, letters = "0123456789", "bcdfghjklmnpqrstvwxz"

    def other(found: re.Match[str]) -> str:
        source = digits if found[0].isdigit() else letters
        return str(rng.choice([sign for sign in source if sign != found[0].lower()]))

    return re.sub(r"[^\W_]", other, text)
