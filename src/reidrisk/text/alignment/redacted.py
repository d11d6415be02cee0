"""Align a redacted text with its original: which spans do the marks hide?"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from itertools import chain

from reidrisk.text.alignment.marks import RedactionMark, find_marks
from reidrisk.text.alignment.placement import Allowance, Misfit, Placement, place_pieces
from reidrisk.text.alignment.result import NO_LABEL, DocumentAlignment, Doubt, MaskedSpan, Span, without
from reidrisk.text.alignment.tokens import same_for_a_reader
from reidrisk.text.formats.location import misaligned

_WHITE = re.compile(r"[\s\ufeff]+")


def flatten(text: str) -> str:
    """Replace each stretch of white space and byte order marks by one space.

    >>> flatten("a\\r\\n\\tb ")
    'a b '
    """
    return _WHITE.sub(" ", text)


@dataclass(frozen=True, slots=True)
class FlatText:
    """A text with single spaces and none at its ends, and the way back to the original offsets."""

    text: str = field(repr=False)
    starts: array[int] = field(repr=False)
    """For each character, its start in the original."""

    @classmethod
    def of(cls, original: str) -> FlatText:
        """Flatten a text, and keep the origin of each character."""
        starts = array("q")
        at = 0
        for white in _WHITE.finditer(original):
            starts.extend(range(at, white.start()))
            if white.start() > 0 and white.end() < len(original):
                starts.append(white.start())
            at = white.end()
        starts.extend(range(at, len(original)))
        return cls(flatten(original).strip(" "), starts)

    def origin(self, span: Span) -> Span:
        """A nonempty span, in offsets of the original."""
        start, end = span
        return self.starts[start], self.starts[end - 1] + 1


_BRACKETS = "[]<>{}"
_WORD = re.compile(r"\w+")
_HINT = (
    "The visible text must be that of the original, in the same order; only white space may differ. If the "
    "tool also changed other text, or inserted surrogates without marks, use the format `surrogate`."
)


def align_redacted(original: str, released: str, known: Collection[str] = ()) -> DocumentAlignment:
    """The spans of the original that a redacted text hides, whatever the marks look like.

    A span counts as masked if every placement of the visible pieces masks it. Where placements differ in
    more than white space, there is a doubt. `known` are the labels that may appear in results.
    """
    redaction = _Redaction.of(released)
    exact = place_pieces(original, redaction.pieces, redaction.hidden)
    if isinstance(exact, Placement):
        return _PlacedMarks(exact, redaction, find_marks(original, like=released), known).aligned()
    flat = FlatText.of(original)
    redaction = redaction.flat()
    loose = place_pieces(flat.text, redaction.pieces, redaction.hidden)
    if isinstance(loose, Misfit):
        raise _no_fit(loose, len(redaction.hidden))
    reading = _PlacedMarks(loose, redaction, find_marks(flat.text, like=released), known)
    return _back(reading.aligned(), flat)


def _no_fit(misfit: Misfit, marks: int) -> Exception:
    if not marks:
        return misaligned("it has no mark but differs from the original text", hint=_HINT)
    where = "before mark 1" if misfit.piece == 0 else f"after mark {misfit.piece}"
    return misaligned(f"the text {where} of {marks} is not found in the original", hint=_HINT)


def _back(aligned: DocumentAlignment, flat: FlatText) -> DocumentAlignment:
    masked = [
        replace(one, start=span[0], end=span[1])
        for one in aligned.masked
        for span in [flat.origin((one.start, one.end))]
    ]
    doubts = [Doubt(*flat.origin((one.start, one.end)), one.ways) for one in aligned.doubts]
    return DocumentAlignment(tuple(masked), tuple(doubts), loose=True)


@dataclass(frozen=True, slots=True)
class _Redaction:
    """A redacted text as visible pieces with marks between them."""

    pieces: tuple[str, ...] = field(repr=False)
    groups: tuple[tuple[RedactionMark, ...], ...]
    """The marks between each piece and the next; adjacent marks form one group."""

    @classmethod
    def of(cls, released: str) -> _Redaction:
        pieces: list[str] = []
        groups: list[list[RedactionMark]] = []
        at = 0
        for mark in find_marks(released):
            if groups and mark.start == at:
                groups[-1].append(mark)
            else:
                pieces.append(released[at : mark.start])
                groups.append([mark])
            at = mark.end
        return cls((*pieces, released[at:]), tuple(map(tuple, groups)))

    @property
    def hidden(self) -> tuple[int, ...]:
        """Every mark hides at least one character."""
        return tuple(len(group) for group in self.groups)

    def flat(self) -> _Redaction:
        """The same with single spaces, and none at the ends."""
        pieces = [flatten(piece) for piece in self.pieces]
        pieces[0] = pieces[0].lstrip(" ")
        pieces[-1] = pieces[-1].rstrip(" ")
        groups = [[replace(mark, text=flatten(mark.text)) for mark in group] for group in self.groups]
        return _Redaction(tuple(pieces), tuple(map(tuple, groups)))


@dataclass(frozen=True, slots=True)
class _PlacedMarks:
    """The marks of a redacted text with their positions in the original."""

    placement: Placement
    redaction: _Redaction
    original_marks: list[RedactionMark]
    """What looks like a mark but was already in the original."""
    known: Collection[str]

    def aligned(self) -> DocumentAlignment:
        masked: list[MaskedSpan] = []
        doubts: list[Doubt] = []
        allowance = Allowance(len(self.placement.text))
        for before, after in self.placement.gaps():
            marks = tuple(chain.from_iterable(self.redaction.groups[before:after]))
            span = self.placement.between(before, after)
            if after == before + 1:
                holes = self._shown(span, marks)
                span = self._inner(span, marks)
            else:
                holes = self.placement.perhaps_visible(before, after, allowance)
                holes = sorted([*holes, *self._shown(span, marks)])
                doubts += self._doubt(before, after)
            label = self._label(marks)
            masked += [
                MaskedSpan(start, end, label)
                for start, end in without(span, holes)
                if not self.placement.text[start:end].isspace()
            ]
        return DocumentAlignment(tuple(masked), tuple(doubts))

    def _inner(self, span: Span, marks: tuple[RedactionMark, ...]) -> Span:
        """The span without brackets that are in the original and around the mark: `[[NAME]]` for `[Ann]`."""
        start, end = span
        text, first, last = self.placement.text, marks[0].text, marks[-1].text
        while end - start > 2 and first[0] == text[start] and last[-1] == text[end - 1]:
            if first[0] not in _BRACKETS or len(first) < 3 or len(last) < 3:
                break
            start, end, first, last = start + 1, end - 1, first[1:], last[:-1]
        return start, end

    def _shown(self, span: Span, marks: tuple[RedactionMark, ...]) -> list[Span]:
        """The spans that the marks themselves show: text that was in the original, and values inside marks.

        A mark such as `[Ann]` shows what it hides if the original has just Ann; a known label does not.
        """
        text = self.placement.text
        hidden = same_for_a_reader(text[slice(*span)])
        unknown = [mark for mark in marks if mark.label(self.known) == NO_LABEL]
        if any(same_for_a_reader(mark.inner) == hidden for mark in unknown):
            return [span]
        own = {mark.text for mark in marks}
        start, end = (bisect_left(self.original_marks, edge, key=lambda mark: mark.start) for edge in span)
        found = [(mark.start, mark.end) for mark in self.original_marks[start:end] if mark.text in own]
        values = {word.casefold() for mark in marks for word in _WORD.findall(mark.value)}
        if values:
            words = _WORD.finditer(text, *span)
            found += [word.span() for word in words if word[0].casefold() in values]
        return sorted(found)

    def _doubt(self, before: int, after: int) -> list[Doubt]:
        placement = self.placement
        inner = range(before + 1, after)
        if all(placement.pieces[at].isspace() for at in inner):
            return []
        end = placement.last[after - 1] + len(placement.pieces[after - 1])
        return [Doubt(placement.first[before + 1], end, placement.ways(before, after))]

    def _label(self, marks: Iterable[RedactionMark]) -> str:
        labels = {mark.label(self.known) for mark in marks}
        return labels.pop() if len(labels) == 1 else NO_LABEL
