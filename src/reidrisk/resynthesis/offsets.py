"""From places in the new text to places in the old one, and back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from reidrisk.errors import InvalidSetting


class Change(NamedTuple):
    """A piece of the old text and the piece of the new text that stands in its place."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


@dataclass(frozen=True, slots=True)
class OffsetMap:
    """Where every character went. Offsets are code points; between changes both texts are the same."""

    changes: tuple[Change, ...]
    """In the order of the text, not overlapping."""

    def __post_init__(self) -> None:
        old = [edge for change in self.changes for edge in change[:2]]
        new = [edge for change in self.changes for edge in change[2:]]
        if old != sorted(old) or new != sorted(new):
            raise InvalidSetting(
                "The changes of a text are out of order.", hint="Give them from first to last, none twice."
            )

    def to_new(self, start: int, end: int) -> tuple[int, int]:
        """The span of the new text for a span of the old; a replaced piece counts as a whole.

        >>> OffsetMap((Change(0, 4, 0, 6),)).to_new(5, 9)
        (7, 11)
        """
        return _moved(self.changes, (start, end))

    def to_old(self, start: int, end: int) -> tuple[int, int]:
        """The span of the old text for a span of the new; a surrogate counts as a whole.

        >>> OffsetMap((Change(0, 4, 0, 6),)).to_old(2, 3)
        (0, 4)
        """
        return _moved([Change(*one[2:], *one[:2]) for one in self.changes], (start, end))


def _moved(changes: Sequence[Change], span: tuple[int, int]) -> tuple[int, int]:
    starts = [change.old_start for change in changes]
    start, end = span
    first = bisect_right(starts, start) - 1
    last = bisect_right(starts, max(end - 1, start)) - 1
    begin = _edge(changes, first, start, inside=2)
    return begin, max(begin, _edge(changes, last, end, inside=3))


def _edge(changes: Sequence[Change], at: int, place: int, *, inside: int) -> int:
    """A place after the change `at`; within it the edge of its piece."""
    if at < 0:
        return place
    change = changes[at]
    if place < change.old_end or (inside == 3 and place == change.old_end):
        return change[inside]
    return place - change.old_end + change.new_end
