"""The tokens of a text with their position in lines and sentences."""

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
"""If a larger share of words than this is capitalized, capitals mean nothing."""
GLUED, SPACED, NEW_LINE, NEW_PARAGRAPH = range(4)


@dataclass(frozen=True, slots=True, eq=False)
class TokenLayout:
    """The tokens of several texts, one text after the other; no property depends on another text."""

    text: Ints
    """Number of the text, starting at 0."""
    opening: Ints
    """Position of the first token of the text."""
    start: Ints
    end: Ints
    word: Ints
    """Number of the word in the token index."""
    normal: Ints
    """Number of the normal form in the token index."""
    kind: Ints
    chunk: Ints
    """Number of the chunk in the token index."""
    glue: Ints
    """What comes before the token: nothing, a space, a line break, an empty line."""
    line: Ints
    """Number of the line; empty lines are not counted, and counting runs through all texts."""
    chain: Ints
    """Number of the chain, usually a sentence, within which labels depend on each other."""

    @property
    def size(self) -> int:
        """The number of tokens."""
        return int(self.start.size)


def lay_out(text: str, lexicon: TokenIndex) -> TokenLayout:
    """Split a text into tokens; new words and chunks are added to the index."""
    return lay_out_many((text,), lexicon)


def lay_out_many(texts: Sequence[str], lexicon: TokenIndex) -> TokenLayout:
    """Split several texts at once: much faster than one by one for short texts."""
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
    """For each token: the number of its text, where the text starts, and the position of its first token."""
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
    """A new chain starts at a line, after the end of a sentence, or when the chain gets too long."""
    begins = glue >= NEW_LINE
    if kind.size > 2:
        begins[2:] |= _sentence_begins(kind, length, glue) & (opening[2:] <= np.arange(kind.size - 2))
    inside = np.arange(kind.size) - np.maximum.accumulate(np.where(begins, np.arange(kind.size), 0))
    begins |= (inside > 0) & (inside % LONGEST_CHAIN == 0)
    return np.cumsum(begins, dtype=np.int64)


def _sentence_begins(kind: Ints, length: Ints, glue: Ints) -> Bools:
    """Sentence starts, from token 3 on; a short word before a period, such as Dr, is an abbreviation."""
    before = (kind[:-2] != CAPITAL) | (length[:-2] > 3)
    opens = (kind[2:] == CAPITAL) | (kind[2:] == NUMBER)
    return np.asarray((kind[1:-1] == STOP) & before & opens & (glue[2:] == SPACED))


def cues(layout: TokenLayout) -> tuple[Ints, Ints]:
    """For each token, the last colon on its line or at the end of the previous line, and the distance to it.

    -1 if there is none.
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
    """Capitalization of each token's text: 0 no capitals, 1 usual, 2 mostly capitals."""
    words = np.bincount(layout.text, weights=layout.kind >= SMALL)
    capitals = np.bincount(layout.text, weights=layout.kind == CAPITAL)
    style = np.where(capitals == 0, 0, np.where(capitals > MOSTLY * words, 2, 1))
    return np.asarray(style[layout.text], dtype=np.int64)


def same_words(layout: TokenLayout) -> Ints:
    """A number per token, shared only by tokens of the same text with the same normal form."""
    return np.asarray(layout.text * (1 + layout.normal.max(initial=0)) + layout.normal)


def spellings(layout: TokenLayout) -> Ints:
    """How the word of each token is written in the rest of the text.

    0 for numbers and symbols; otherwise a code for whether the token is capitalized, whether the word also
    occurs in lower case, and how often it occurs.
    """
    _, same, counts = np.unique(same_words(layout), return_inverse=True, return_counts=True)
    small = np.bincount(same, weights=layout.kind == SMALL, minlength=counts.size) > 0
    often = np.searchsorted(np.array([2, 3, 6]), counts, side="right")
    code = 1 + often[same] + 4 * small[same] + 8 * (layout.kind == CAPITAL)
    return np.asarray(np.where(layout.kind >= SMALL, code, 0), dtype=np.int64)
