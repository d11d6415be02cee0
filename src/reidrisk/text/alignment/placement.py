"""Where the visible pieces of a redacted text can stand in the original: first and last place of each.

A redacted text is a pattern: visible pieces with something hidden between them. Laid out from the
left, each piece at its first fit after the one before, no layout can have it earlier; from the right,
none later. A piece may stand wherever it occurs between the two, since what is hidden may have any
length: the pieces before it fit to the left of it and those after it to the right. So that the layout
is certain where first and last place agree, and every other place of a piece is known without trying
combinations. Both passes read the text once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from reidrisk.text.alignment.result import MOST_WAYS, Span

SCANS = 50
"""Texts are searched for other places at most so many times over; beyond, whole stretches are in doubt."""
_COUNTED = 100_000


@dataclass(frozen=True, slots=True)
class Misfit:
    """The texts do not belong together."""

    piece: int
    """The number, from 0, of the first visible piece that is not found after those before it."""


@dataclass(frozen=True, slots=True)
class Placement:
    """The visible pieces of a redacted text in their original."""

    text: str = field(repr=False)
    pieces: Sequence[str] = field(repr=False)
    hidden: Sequence[int]
    """How many characters are hidden at least between each piece and the next."""
    first: Sequence[int]
    last: Sequence[int]

    def gaps(self) -> Iterator[tuple[int, int]]:
        """Pairs of pieces whose place is certain, with none such between them."""
        yield from pairwise(at for at, (a, b) in enumerate(zip(self.first, self.last, strict=True)) if a == b)

    def between(self, before: int, after: int) -> Span:
        """The stretch of the original between two pieces whose place is certain."""
        return self.first[before] + len(self.pieces[before]), self.first[after]

    def perhaps_visible(self, before: int, after: int, allowance: Allowance) -> list[Span]:
        """All that any layout shows between two certain pieces, in order of starts."""
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
        """How many layouts there are between two certain pieces, as far as they are counted."""
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
    """How much may still be searched, so that no text takes for ever."""

    def __init__(self, characters: int) -> None:
        self._left = SCANS * (characters + 1000)

    def take(self, characters: int) -> bool:
        """Whether so many characters may be searched once more."""
        self._left -= characters
        return self._left >= 0


def occurrences(text: str, piece: str, start: int, end: int) -> list[int]:
    """Every place of a piece within start..end, overlapping ones too."""
    found = []
    at = text.find(piece, start, end)
    while at >= 0:
        found.append(at)
        at = text.find(piece, at + 1, end)
    return found


def place_pieces(text: str, pieces: Sequence[str], hidden: Sequence[int]) -> Placement | Misfit:
    """First and last place of every piece; the first piece begins the text and the last one ends it."""
    first = _earliest(text, pieces, hidden)
    if isinstance(first, Misfit):
        return first
    # from the right by reading backwards: only the search forwards is linear for every text
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
