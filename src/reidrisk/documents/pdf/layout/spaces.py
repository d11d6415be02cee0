"""Where a piece of a line has spaces that no glyph draws."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

from reidrisk.documents.pdf.layout.pieces import Letter, Piece

_SPACE = 0.18
"""A gap of this many letter heights is a space."""
_EVEN = 0.1
"""Gaps that differ by less are alike."""
_ROW = 3
"""So many alike gaps in a row make a word spaced out, not many words."""


def spaces_in(piece: Piece) -> set[int]:
    """The letters, by their number, that a space stands before."""
    letters = piece.letters
    if any(len(letter.glyph.text or "") > 3 for letter in letters):
        return set(range(1, len(letters)))  # whole words that were recognised on a scan
    gaps = [_gap(before, after) for before, after in pairwise(letters)]
    usual = median(gaps) if len(gaps) >= _ROW else 0.0
    limit = _SPACE if usual < 0.6 * _SPACE else max(_SPACE, 1.6 * usual)
    wide = {at for at, gap in enumerate(gaps, 1) if gap > limit} - _spaced_out(letters, gaps)
    marks = {
        at
        for at, (one, other) in enumerate(pairwise(letters), 1)
        if _is_mark(one, other) or _is_mark(other, one)
    }
    return wide | marks


def _gap(before: Letter, after: Letter) -> float:
    return (after.start - before.end) / (min(before.height, after.height) or 1.0)


def _spaced_out(letters: list[Letter], gaps: list[float]) -> set[int]:
    """Gaps within words whose letters were set apart."""
    found: set[int] = set()
    row: list[int] = []
    for at, gap in enumerate([*gaps, 0.0], 1):
        inside = (
            gap > 0.6 * _SPACE
            and not _blank(letters[at - 1])
            and at < len(letters)
            and not _blank(letters[at])
        )
        alike = inside and all(abs(gap - gaps[one - 1]) < _EVEN for one in row)
        if not alike:
            found.update(row if len(row) >= _ROW else [])
            row = []
        if inside:
            row.append(at)
    return found


def _blank(letter: Letter) -> bool:
    return (letter.glyph.text or "x").isspace()


def _is_mark(number: Letter, word: Letter) -> bool:
    """Whether a small raised number stands at a word: the mark of a footnote, no part of the word."""
    raised = number.height < 0.85 * word.height and number.base - word.base > 0.15 * word.height
    return raised and (number.glyph.text or "").isdigit() and (word.glyph.text or "").isalpha()
