"""Words of a text with their places in lines and sections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reidrisk.detect.model.lexicon import CAPITAL, CHUNK, COLON, NUMBER, SMALL, STOP, TokenIndex
from reidrisk.stats.arrays import Bools, Ints

LINE_END = re.compile("\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")
LONGEST_CHAIN = 150
MOSTLY = 0.8
"""Share of words with capitals from which on capitals say nothing."""
GLUED, SPACED, NEW_LINE, NEW_PARAGRAPH = range(4)


@dataclass(frozen=True, slots=True, eq=False)
class TokenLayout:
    """The tokens of some texts, one text after the other; no property of a token tells of another text."""

    text: Ints
    """Number of the text, from 0."""
    opening: Ints
    """Place of the first token of the text."""
    start: Ints
    end: Ints
    word: Ints
    """Number in the lexicon."""
    normal: Ints
    """Number of the normal form in the lexicon."""
    kind: Ints
    chunk: Ints
    """Number of the chunk in the lexicon."""
    glue: Ints
    """What stands before the token: nothing, a space, a line end, an empty line."""
    line: Ints
    """Lines that hold anything, counted through all texts."""
    chain: Ints
    """Number of the piece, mostly a sentence, in which the labels of tokens depend on each other."""

    @property
    def size(self) -> int:
        """The number of tokens."""
        return int(self.start.size)


def lay_out(text: str, lexicon: TokenIndex) -> TokenLayout:
    """Cut a text; new words and chunks are entered in the lexicon."""
    return lay_out_many((text,), lexicon)


def lay_out_many(texts: Sequence[str], lexicon: TokenIndex) -> TokenLayout:
    """Cut several texts at once: much faster than one by one if they are short."""
    known, add = lexicon.chunks, lexicon.add
    joined = "\n".join(texts)
    starts, numbers = [], []
    for match in CHUNK.finditer(joined):
        chunk = match[0]
        number = known.get(chunk)
        numbers.append(add(chunk) if number is None else number)
        starts.append(match.start())
    chunks = np.array(numbers, dtype=np.int64)
    place, word, start, end = lexicon.tokens_of(chunks)
    offset = np.array(starts, dtype=np.int64)
    normal, kind, length = lexicon.about(word)
    start, end = start + offset[place], end + offset[place]
    ends = np.array([match.end() for match in LINE_END.finditer(joined)], dtype=np.int64)
    row = np.searchsorted(ends, start, side="right")
    text, base, opening = _texts(texts, start)
    glue = _glue(start, end, row)
    glue[opening] = NEW_PARAGRAPH
    line = np.cumsum(glue >= NEW_LINE, dtype=np.int64)
    chain = _chains(kind, length, glue, opening)
    start, end = start - base, end - base
    return TokenLayout(text, opening, start, end, word, normal, kind, chunks[place], glue, line, chain)


def _texts(texts: Sequence[str], start: Ints) -> tuple[Ints, Ints, Ints]:
    """Of each token: the number of its text, where that begins, and the place of its first token."""
    sizes = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) + 1
    bases = np.cumsum(sizes) - sizes
    text = np.searchsorted(bases, start, side="right") - 1
    return text, bases[text], np.searchsorted(text, text, side="left")


def _glue(start: Ints, end: Ints, row: Ints) -> Ints:
    glue = np.full(start.size, NEW_PARAGRAPH, dtype=np.int64)
    if start.size:
        skipped = row[1:] - row[:-1]
        spaced = np.where(start[1:] > end[:-1], SPACED, GLUED)
        glue[1:] = np.where(skipped == 0, spaced, np.where(skipped == 1, NEW_LINE, NEW_PARAGRAPH))
    return glue


def _chains(kind: Ints, length: Ints, glue: Ints, opening: Ints) -> Ints:
    """A new chain begins with a line, after a full stop that ends a sentence, or where one grows too long."""
    begins = glue >= NEW_LINE
    if kind.size > 2:
        begins[2:] |= _sentence_begins(kind, length, glue) & (opening[2:] <= np.arange(kind.size - 2))
    inside = np.arange(kind.size) - np.maximum.accumulate(np.where(begins, np.arange(kind.size), 0))
    begins |= (inside > 0) & (inside % LONGEST_CHAIN == 0)
    return np.cumsum(begins, dtype=np.int64)


def _sentence_begins(kind: Ints, length: Ints, glue: Ints) -> Bools:
    """From the third token on. A short word before the stop, such as Dr, is taken for an abbreviation."""
    before = (kind[:-2] != CAPITAL) | (length[:-2] > 3)
    opens = (kind[2:] == CAPITAL) | (kind[2:] == NUMBER)
    return np.asarray((kind[1:-1] == STOP) & before & opens & (glue[2:] == SPACED))


def cues(layout: TokenLayout) -> tuple[Ints, Ints]:
    """For each token the last colon of its line, or at the end of the line before, and the way from it.

    -1 where there is none.
    """
    here = np.arange(layout.size)
    colon = np.maximum.accumulate(np.where(layout.kind == COLON, here, -1)) if layout.size else here
    before = np.maximum(colon, 0)
    last = np.ones(layout.size, dtype=bool)
    last[:-1] = layout.line[1:] != layout.line[:-1]
    near = layout.line == layout.line[before]
    near |= last[before] & (layout.line == layout.line[before] + 1)
    colon = np.where((colon >= layout.opening) & near & (colon < here), colon, -1)
    return colon, np.where(colon >= 0, here - colon, -1)


def styles(layout: TokenLayout) -> Ints:
    """How the text of each token is written: 0 without capitals, 1 as usual, 2 mostly in capitals."""
    words = np.bincount(layout.text, weights=layout.kind >= SMALL)
    capitals = np.bincount(layout.text, weights=layout.kind == CAPITAL)
    style = np.where(capitals == 0, 0, np.where(capitals > MOSTLY * words, 2, 1))
    return np.asarray(style[layout.text], dtype=np.int64)


def same_words(layout: TokenLayout) -> Ints:
    """A number for each token that only tokens of the same text and the same normal form share."""
    return np.asarray(layout.text * (1 + layout.normal.max(initial=0)) + layout.normal)


def spellings(layout: TokenLayout) -> Ints:
    """How the word of each token is written in the rest of the text.

    0 for numbers and signs; else by its own capital, whether it occurs with a small letter, and how
    often it occurs.
    """
    _, same, counts = np.unique(same_words(layout), return_inverse=True, return_counts=True)
    small = np.bincount(same, weights=layout.kind == SMALL, minlength=counts.size) > 0
    often = np.searchsorted(np.array([2, 3, 6]), counts, side="right")
    code = 1 + often[same] + 4 * small[same] + 8 * (layout.kind == CAPITAL)
    return np.asarray(np.where(layout.kind >= SMALL, code, 0), dtype=np.int64)
