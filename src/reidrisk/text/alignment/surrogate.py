"""A released text with surrogates, or changed in any other way: which words of the original are gone."""

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
"""The label of what is gone: nothing says what kind of identifier the tool took it for."""
LEAST_KEPT = 0.5
"""Share of the words outside the gold standard that must be found again, or the texts are strangers."""
_TELLING = 4
"""A word of so many letters inside another word of the released text is no chance."""


def align_surrogate(original: str, released: str, identifiers: Sequence[Span] = ()) -> DocumentAlignment:
    """The words of the original that the released text no longer holds in their place.

    A word is gone if no best alignment of the two texts keeps it; if some do, there is a doubt and
    it counts as visible. So it does inside a longer word. Case, composed letters and white space make
    no difference. `identifiers` are the spans of the gold standard, in any order.
    """
    here, there = Tokens.of(original), Tokens.of(released)
    found = survival(*number_tokens(here, there))
    _refuse_strangers(here, found, identifiers)
    gone = _ReplacedWords(original, released, identifiers).spans(here, there, found)
    masked = tuple(MaskedSpan(start, end, REPLACED) for start, end in gone)
    return DocumentAlignment(masked, tuple(_doubts(here, found)))


def _refuse_strangers(tokens: Tokens, found: Survival, identifiers: Sequence[Span]) -> None:
    inside = _inside(tokens, identifiers)
    words = np.array([tokens.is_word(at) for at in range(len(tokens))], dtype=bool) & ~inside
    kept = int(np.count_nonzero(words & (found.always | found.perhaps)))
    total = int(np.count_nonzero(words))
    if kept < LEAST_KEPT * total:
        share = f"{kept:,} of the {total:,} words outside the gold standard"
        hint = "Check that both are the same document; a translation or a summary cannot be aligned."
        raise misaligned(f"only {share} are found in the released text, in their order", hint=hint)


def _inside(tokens: Tokens, identifiers: Sequence[Span]) -> Bools:
    """Tokens that any identifier touches."""
    starts, ends = [span[0] for span in tokens.spans], [span[1] for span in tokens.spans]
    inside = np.zeros(len(tokens), dtype=bool)
    for start, end in identifiers:
        inside[bisect_right(ends, start) : bisect_left(starts, end)] = True
    return inside


class _ReplacedWords:
    """The words that no best alignment keeps, and whether a longer word of the released text holds one."""

    def __init__(self, original: str, released: str, identifiers: Sequence[Span]) -> None:
        self._original = original
        self._edges = sorted({edge for span in identifiers for edge in span})
        self._allowance = Allowance(len(original) + len(released))

    def spans(self, here: Tokens, there: Tokens, found: Survival) -> Iterator[Span]:
        """What is gone, joined where only white space is between."""
        kept = found.always | found.perhaps
        for stretch, _ in found.stretches:
            inserted = [there.keys[at] for at in range(*stretch.there) if found.free[at]]
            # a line end cannot be part of a word, so that no word is found across two of them
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
        """A token, or its parts where an identifier begins or ends within it; whether each is gone."""
        start, end = tokens.spans[at]
        inner = self._edges[bisect_right(self._edges, start) : bisect_left(self._edges, end)]
        for first, last in pairwise([start, *inner, end]):
            piece = same_for_a_reader(self._original[first:last]) if inner else tokens.keys[at]
            least = 1 if inner else _TELLING if piece.isascii() else 2
            yield first, last, len(piece) < least or not self._held(piece, inserted)

    def _held(self, piece: str, inserted: str) -> bool:
        if not self._allowance.take(len(inserted)):
            return True
        if piece.isdigit():  # digits within a longer number are another number
            return re.search(rf"(?<!\d){re.escape(piece)}(?!\d)", inserted) is not None
        return piece in inserted


def _doubts(tokens: Tokens, found: Survival) -> Iterator[Doubt]:
    """Places where best alignments differ about words, each from the first such word to the last."""
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
    """What is masked if an identifier counts as replaced as soon as any word of it is.

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
