"""Find where the visible pieces of a redacted text can be in the original: first and last position of each.

A redacted text is a pattern: visible pieces with something hidden between them. Placing each piece from the
left at its first match after the previous piece gives its earliest position; placing from the right gives
its latest. A piece can be at any match between the two, because hidden parts may have any length: the
pieces before it fit to its left, and those after it to its right. So a piece is certain if its first and
last position are equal, and all other positions are known without trying combinations. Each pass reads the
text once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from reidrisk.text.alignment.result import MOST_WAYS, Span

SCANS = 50
"""How often a text may be searched for other positions; after that, whole stretches are in doubt."""
_COUNTED = 100_000


@dataclass(frozen=True, slots=True)
class Misfit:
    """The released text does not fit the original."""

    piece: int
    """Index, from 0, of the first visible piece that is not found after the previous ones."""


@dataclass(frozen=True, slots=True)
class Placement:
    """The positions of the visible pieces in the original."""

    text: str = field(repr=False)
    pieces: Sequence[str] = field(repr=False)
    hidden: Sequence[int]
    """The least number of characters hidden between each piece and the next."""
    first: Sequence[int]
    last: Sequence[int]

    def gaps(self) -> Iterator[tuple[int, int]]:
        """Consecutive pairs of pieces whose position is certain."""
        yield from pairwise(at for at, (a, b) in enumerate(zip(self.first, self.last, strict=True)) if a == b)

    def between(self, before: int, after: int) -> Span:
        """The stretch of the original between two pieces whose position is certain."""
        return self.first[before] + len(self.pieces[before]), self.first[after]

    def perhaps_visible(self, before: int, after: int, allowance: Allowance) -> list[Span]:
        """All spans that any placement shows between two certain pieces, sorted."""
        windows: dict[str, list[Span]] = {}
        for at in range(before + 1, after):
            own = windows.setdefault(self.pieces[at], [])
            start, end = self.first[at], self.last[at] + len(self.pieces[at])
            if own and start < own[-1][1]:
                own[-1] = (own[-1][0], end)
            else:
                own.append((start, end))
        found: list[Span] = []
        for piece, places in windows.items():
            for start, end in places:
                if allowance.take(end - start):
                    found += [(at, at + len(piece)) for at in occurrences(self.text, piece, start, end)]
                else:
                    found.append((start, end))
        return sorted(found)

    def ways(self, before: int, after: int) -> int:
        """The number of placements between two certain pieces, as far as they are counted."""
        inner = range(before + 1, after)
        sizes = [self.last[at] - self.first[at] + len(self.pieces[at]) for at in inner]
        if sum(sizes) > _COUNTED:
            return 2
        ends, totals = [self.first[before] + len(self.pieces[before])], [0, 1]
        for at in inner:
            piece = self.pieces[at]
            starts = occurrences(self.text, piece, self.first[at], self.last[at] + len(piece))
            reached, counts = 0, []
            for start in starts:
                while reached < len(ends) and ends[reached] + self.hidden[at - 1] <= start:
                    reached += 1
                counts.append(totals[reached])
            ends = [start + len(piece) for start in starts]
            totals = [min(total, MOST_WAYS) for total in accumulate(counts, initial=0)]
        return totals[-1]


class Allowance:
    """How many characters may still be searched, so that every text finishes."""

    def __init__(self, characters: int) -> None:
        self._left = SCANS * (characters + 1000)

    def take(self, characters: int) -> bool:
        """Whether this many more characters may be searched."""
        self._left -= characters
        return self._left >= 0


def occurrences(text: str, piece: str, start: int, end: int) -> list[int]:
    """All positions of a piece within start..end, including overlapping ones."""
    found = []
    at = text.find(piece, start, end)
    while at >= 0:
        found.append(at)
        at = text.find(piece, at + 1, end)
    return found


def place_pieces(text: str, pieces: Sequence[str], hidden: Sequence[int]) -> Placement | Misfit:
    """First and last position of each piece; the first piece starts the text and the last one ends it."""
    first = _earliest(text, pieces, hidden)
    if isinstance(first, Misfit):
        return first
    # from the right by reversing the text: only forward search is linear for every text
    backwards = [piece[::-1] for piece in reversed(pieces)]
    last = _earliest(text[::-1], backwards, hidden[::-1])
    if isinstance(last, Misfit):
        return Misfit(len(pieces) - 1 - last.piece)
    turned = [len(text) - at - len(piece) for at, piece in zip(last, backwards, strict=True)]
    return Placement(text, pieces, hidden, [*first[:-1], turned[0]], [0, *turned[-2::-1]])


def _earliest(text: str, pieces: Sequence[str], hidden: Sequence[int]) -> list[int] | Misfit:
    if not text.startswith(pieces[0]):
        return Misfit(0)
    found = [0]
    for number in range(1, len(pieces)):
        free = found[-1] + len(pieces[number - 1]) + hidden[number - 1]
        at = text.find(pieces[number], free)
        if at < 0:
            return Misfit(number)
        found.append(at)
    if len(pieces) == 1 and len(text) != len(pieces[0]):
        return Misfit(0)
    return found
