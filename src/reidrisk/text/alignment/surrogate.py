"""Align a text with surrogates, or changed in any way, with its original: which words are gone?"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

import numpy as np

from reidrisk.stats.arrays import Bools
from reidrisk.text.alignment.placement import Allowance
from reidrisk.text.alignment.result import DocumentAlignment, Doubt, MaskedSpan, Span
from reidrisk.text.alignment.survival import Survival, survival
from reidrisk.text.alignment.tokens import Tokens, number_tokens, same_for_a_reader
from reidrisk.text.formats.location import misaligned

REPLACED = "REPLACED"
"""The label of a replaced word: the text does not show which type the tool assigned."""
LEAST_KEPT = 0.5
"""Share of the words outside the gold standard that must be found again; otherwise the texts do not match."""
_LONG_ENOUGH = 4
"""A word with this many letters inside a longer word of the released text is not there by chance."""


def align_surrogate(original: str, released: str, identifiers: Sequence[Span] = ()) -> DocumentAlignment:
    """The words of the original that the released text no longer contains at their position.

    A word is gone if no best alignment of the two texts keeps it. If some alignments keep it, there is a
    doubt and it counts as visible; so does a word inside a longer word. Case, composed letters and white
    space do not matter. `identifiers` are the spans of the gold standard, in any order.
    """
    here, there = Tokens.of(original), Tokens.of(released)
    found = survival(*number_tokens(here, there))
    _check_same_document(here, found, identifiers)
    gone = _ReplacedWords(original, released, identifiers).spans(here, there, found)
    masked = tuple(MaskedSpan(start, end, REPLACED) for start, end in gone)
    return DocumentAlignment(masked, tuple(_doubts(here, found)))


def _check_same_document(tokens: Tokens, found: Survival, identifiers: Sequence[Span]) -> None:
    inside = _inside(tokens, identifiers)
    words = np.array([tokens.is_word(at) for at in range(len(tokens))], dtype=bool) & ~inside
    kept = int(np.count_nonzero(words & (found.always | found.perhaps)))
    total = int(np.count_nonzero(words))
    if kept < LEAST_KEPT * total:
        share = f"{kept:,} of the {total:,} words outside the gold standard"
        hint = "Check that both are the same document. A translation or a summary cannot be aligned."
        raise misaligned(f"only {share} are in the released text, in the same order", hint=hint)


def _inside(tokens: Tokens, identifiers: Sequence[Span]) -> Bools:
    """Which tokens an identifier touches."""
    starts, ends = [span[0] for span in tokens.spans], [span[1] for span in tokens.spans]
    inside = np.zeros(len(tokens), dtype=bool)
    for start, end in identifiers:
        inside[bisect_right(ends, start) : bisect_left(starts, end)] = True
    return inside


class _ReplacedWords:
    """Words that no best alignment keeps, unless a longer word of the released text contains them."""

    def __init__(self, original: str, released: str, identifiers: Sequence[Span]) -> None:
        self._original = original
        self._edges = sorted({edge for span in identifiers for edge in span})
        self._allowance = Allowance(len(original) + len(released))

    def spans(self, here: Tokens, there: Tokens, found: Survival) -> Iterator[Span]:
        """The spans that are gone, joined where only white space is between them."""
        kept = found.always | found.perhaps
        for stretch, _ in found.stretches:
            inserted = [there.keys[at] for at in range(*stretch.there) if found.free[at]]
            # a line end is never part of a word, so that no word is found across two tokens
            text = "\n".join(dict.fromkeys(inserted))
            run: Span | None = None
            for at in range(*stretch.here):
                for start, end, is_gone in self._pieces(here, at, text) if not kept[at] else [(0, 0, False)]:
                    if is_gone:
                        run = (start, end) if run is None else (run[0], end)
                    elif run is not None:
                        yield run
                        run = None
            if run is not None:
                yield run

    def _pieces(self, tokens: Tokens, at: int, inserted: str) -> Iterator[tuple[int, int, bool]]:
        """A token, or its parts if an identifier starts or ends within it, and whether each is gone."""
        start, end = tokens.spans[at]
        inner = self._edges[bisect_right(self._edges, start) : bisect_left(self._edges, end)]
        for first, last in pairwise([start, *inner, end]):
            piece = same_for_a_reader(self._original[first:last]) if inner else tokens.keys[at]
            least = 1 if inner else _LONG_ENOUGH if piece.isascii() else 2
            yield first, last, len(piece) < least or not self._held(piece, inserted)

    def _held(self, piece: str, inserted: str) -> bool:
        if not self._allowance.take(len(inserted)):
            return True
        if piece.isdigit():  # digits within a longer number are a different number
            return re.search(rf"(?<!\d){re.escape(piece)}(?!\d)", inserted) is not None
        return piece in inserted


def _doubts(tokens: Tokens, found: Survival) -> Iterator[Doubt]:
    """Spans where best alignments differ, each from the first such word to the last."""
    for stretch, ways in found.stretches:
        first: int | None = None
        last = stretch.here[0]
        for at in range(*stretch.here):
            if found.always[at] and first is not None:
                yield Doubt(tokens.spans[first][0], tokens.spans[last][1], ways)
                first = None
            if found.perhaps[at] and tokens.is_word(at):
                first, last = at if first is None else first, at
        if first is not None:
            yield Doubt(tokens.spans[first][0], tokens.spans[last][1], ways)


def whole_identifiers(masked: Sequence[MaskedSpan], identifiers: Collection[Span]) -> tuple[MaskedSpan, ...]:
    """The masked spans if an identifier counts as replaced as soon as any word of it is replaced.

    >>> whole_identifiers([MaskedSpan(0, 4)], [(0, 9), (10, 12)])
    (MaskedSpan(start=0, end=4, label='REDACTED'), MaskedSpan(start=0, end=9, label='REPLACED'))
    """
    starts = [one.start for one in masked]
    touched = []
    for start, end in sorted(set(identifiers)):
        at = bisect_left(starts, end) - 1
        if at >= 0 and masked[at].end > start:
            touched.append(MaskedSpan(start, end, REPLACED))
    return (*masked, *touched)
