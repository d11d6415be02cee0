"""Values that were given: where they stand in a document, and how many of these places went."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from reidrisk.detect.finding import Finding
from reidrisk.detect.known.listed import CONFIDENCE, SOURCE, ListedValues
from reidrisk.documents.detection.flow import Flow, flows
from reidrisk.documents.detection.participants import FoundPlace
from reidrisk.documents.detection.plausible import outside
from reidrisk.documents.document import Block, Change

_REACH = 200
"""Characters on both sides of a page end that are read together."""


@dataclass(frozen=True, slots=True)
class GivenPlace:
    """A value, or the part of it that stands in one block."""

    block: Block
    start: int
    end: int
    number: int
    """Of the value, from 1."""
    type: str
    mention: tuple[str, int]
    """The same for the parts of a value that the end of a page cuts."""


@dataclass(frozen=True, slots=True)
class ValueCount:
    """What became of a value in a document; the value itself is never told."""

    number: int
    """Of the value among those given, from 1."""
    found: int
    removed: int


def given_in(block: Block, values: ListedValues) -> list[GivenPlace]:
    """The values in a block."""
    return [
        GivenPlace(block, one.start, one.end, one.number, values.type(one.number), (block.name, one.start))
        for one in values.places(block.text)
    ]


def given_across(flow: Flow, values: ListedValues) -> Iterator[GivenPlace]:
    """The values that begin in a text and end on the next page."""
    if flow.following is None:
        return
    first = max(0, flow.own - _REACH)
    for one in values.places(flow.text[first : flow.own + _REACH]):
        start, end = one.start + first, one.end + first
        if start >= flow.own or not flow.text[flow.own : end].strip():
            continue
        for block, begin, close in flow.places(start, end):
            mention = (f"{flow.block.name} and on", start)
            yield GivenPlace(block, begin, close, one.number, values.type(one.number), mention)


def with_given(kept: Sequence[FoundPlace], given: Iterable[GivenPlace], text: str) -> list[FoundPlace]:
    """The places of a block in order, and those of given values, none overlapping another.

    A place that holds a whole given value stays as it is; where they share a part, the given value counts.
    """
    new: list[FoundPlace] = []
    shared: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for start, end, kind in _united(given):
        first = bisect_right(kept, start, key=lambda one: one.end)
        last = bisect_left(kept, end, key=lambda one: one.start)
        if any(one.start <= start and end <= one.end for one in kept[first:last]):
            continue
        new.append(FoundPlace(start, end, kind, CONFIDENCE, SOURCE))
        for at in range(first, last):
            shared[at].append((start, end))
    for at, one in enumerate(kept):
        new += _parts(one, shared[at], text) if at in shared else [one]
    return sorted(new, key=lambda one: one.start)


def _united(given: Iterable[GivenPlace]) -> list[tuple[int, int, str]]:
    """Places that overlap are one, of the type of the longest."""
    found: list[tuple[int, int, str]] = []
    longest = 0
    for one in sorted(given, key=lambda one: (one.start, -one.end)):
        if found and one.start < found[-1][1]:
            start, end, kind = found[-1]
            kind = one.type if one.end - one.start > longest else kind
            found[-1] = (start, max(end, one.end), kind)
            longest = max(longest, one.end - one.start)
        else:
            found.append((one.start, one.end, one.type))
            longest = one.end - one.start
    return found


def _parts(one: FoundPlace, taken: Sequence[tuple[int, int]], text: str) -> Iterator[FoundPlace]:
    """What is left of a place beside others: no whole value any more."""
    whole = Finding(one.start, one.end, one.type, one.confidence, one.source)
    inside = [(max(start, one.start), min(end, one.end)) for start, end in taken]
    for first, last in outside(whole, inside, text):
        yield replace(one, start=first, end=last, variable=None)


def count_given(
    blocks: Sequence[Block], values: ListedValues, changes: Iterable[Change], *, is_wrapped: bool
) -> tuple[ValueCount, ...]:
    """How often each value stands in a document, and how many of these places the changes take out."""
    gone = _Gone(changes)
    mentions: dict[tuple[int, str, int], bool] = {}
    for flow in flows(blocks, is_wrapped=is_wrapped):
        for one in given_across(flow, values):
            _note(mentions, one, gone)
    for block in blocks:
        for one in given_in(block, values):
            _note(mentions, one, gone)
    found = Counter(number for number, _, _ in mentions)
    removed = Counter(number for (number, _, _), is_gone in mentions.items() if is_gone)
    return tuple(
        ValueCount(number, found[number], removed[number]) for number in range(1, len(values.texts) + 1)
    )


def _note(mentions: dict[tuple[int, str, int], bool], one: GivenPlace, gone: _Gone) -> None:
    key = (one.number, *one.mention)
    mentions[key] = mentions.get(key, True) and gone.holds(one)


class _Gone:
    """Stretches that are taken out."""

    def __init__(self, changes: Iterable[Change]) -> None:
        self._spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for one in sorted(changes):
            self._spans[one.block].append((one.start, one.end))

    def holds(self, place: GivenPlace) -> bool:
        """Whether nothing of a place stays but spaces."""
        spans = self._spans.get(place.block.name, [])
        at = place.start
        for start, end in spans[max(0, bisect_right(spans, (place.start, place.start)) - 1) :]:
            if start >= place.end:
                break
            if place.block.text[at:start].strip():
                return False
            at = max(at, end)
        return not place.block.text[at : place.end].strip()
