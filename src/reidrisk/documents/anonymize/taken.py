"""Stretches of blocks that do not overlap, asked quickly whether they meet another."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from reidrisk.documents.review.opinions import Place


class Taken:
    """Places that are spoken for."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._starts: dict[str, list[int]] = {}
        self._ends: dict[str, list[int]] = {}
        for block, start, end in sorted(places):
            ends = self._ends.setdefault(block, [])
            self._starts.setdefault(block, []).append(start)
            ends.append(max(end, ends[-1]) if ends else end)

    def meets(self, place: Place) -> bool:
        """Whether a place shares a character with one of them.

        >>> taken = Taken([("body", 3, 5), ("body", 8, 9)])
        >>> [taken.meets(("body", start, start + 2)) for start in (0, 2, 5, 6, 7)]
        [False, True, False, False, True]
        """
        block, start, end = place
        before = bisect_left(self._starts.get(block, []), end)
        return before > 0 and self._ends[block][before - 1] > start
