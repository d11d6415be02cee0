"""The list of leaks: where each one is, and which part of it the tool did mask."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reidrisk.core.files import whole_file
from reidrisk.text.corpus import Annotation, Document, Role
from reidrisk.text.matching import Mask, MasksByLabel, WordCounter, masked_words
from reidrisk.text.roles import TypeMap
from reidrisk.text.settings import TextSettings
from reidrisk.text.tally import Counting, words_stored

Pieces = tuple[tuple[int, int], ...]
COLUMNS = (
    "tool",
    "document",
    "type",
    "counted_as",
    "role",
    "start",
    "end",
    "words",
    "masked_words",
    "masked",
)


AROUND = 120
"""Characters before and after a leak that its context has."""


@dataclass(frozen=True, slots=True)
class Leak:
    """An annotation of the gold standard that is not completely masked."""

    document: str
    type: str
    """The label of the gold standard."""
    counted_as: str
    role: Role
    start: int
    end: int
    words: int
    """Words that must be masked."""
    masked_words: int
    masked: Pieces
    """Offsets of the part that is masked; empty if nothing is."""
    text: str | None = field(default=None, repr=False)
    """The text of the annotation; only if it was requested."""
    document_number: int = 0
    """The number of the document in the order of reading. An id could say something about the patient."""


@dataclass(frozen=True, slots=True)
class LeakContext:
    """One leak with the text around it."""

    leak: Leak
    before: str = field(repr=False)
    pieces: tuple[tuple[str, bool], ...] = field(repr=False)
    """The text of the annotation in order, each piece with whether the tool masked it."""
    after: str = field(repr=False)


class LeakList:
    """Collects the leaks of documents. The text itself is kept only if `show_text` is true.

    With `context_of`, the text around this one leak is kept too; leaks are numbered from 0.
    """

    def __init__(self, *, show_text: bool = False, context_of: int | None = None) -> None:
        self.leaks: list[Leak] = []
        self.show_text = show_text
        self.context: LeakContext | None = None
        self._context_of = context_of
        self._counters: dict[str, WordCounter] = {}

    def __len__(self) -> int:
        return len(self.leaks)

    def add(
        self, gold: Document, marks: Sequence[Annotation], counting: Counting, settings: TextSettings
    ) -> None:
        """Add the leaks of one document, by the same rules as for counting."""
        text = gold.text or ""
        types = counting.types
        words = self._counters.setdefault(counting.ignored.name, WordCounter(counting.ignored))
        mask = Mask(marks)
        by_label = MasksByLabel([(mark, types.label_stands_for(mark.type)) for mark in marks])
        for mark in gold.annotations:
            label = types.compared_as(types.counted_as(mark.type))
            own = by_label[label] if settings.label == "same_label" else mask
            seen = masked_words(text, mark, own, words)
            if not seen.caught:
                surface = " ".join(text[start:end] for start, end in mark.pieces)
                self._add(gold, mark, types, (seen.words, seen.masked, own.within(mark.pieces), surface))
        for one in gold.misaligned:
            if one.found is None:
                number = words_stored(one, words)
                self._add(gold, one.stated, types, (number, 0, (), one.surface))

    def _add(
        self, gold: Document, mark: Annotation, types: TypeMap, seen: tuple[int, int, Pieces, str | None]
    ) -> None:
        role, (number, masked, pieces, surface) = types.role(mark)[0], seen
        if role is None or role == "ignored":
            return
        place = (gold.id, mark.type, types.counted_as(mark.type), role, mark.start, mark.end)
        kept = surface if self.show_text else None
        self.leaks.append(Leak(*place, number, masked, pieces, kept, document_number=gold.number))
        if len(self.leaks) - 1 == self._context_of:
            self.context = _in_context(self.leaks[-1], gold.text, surface)


def _in_context(leak: Leak, text: str | None, surface: str | None) -> LeakContext:
    if text is None or text[leak.start : leak.end].strip() == "":  # an annotation that does not fit its text
        return LeakContext(leak, "", ((surface or "", False),), "")
    pieces, at = [], leak.start
    for start, end in (*leak.masked, (leak.end, leak.end)):
        pieces += [(text[at:start], False), (text[start:end], True)]
        at = end
    before = text[max(leak.start - AROUND, 0) : leak.start]
    shown = tuple((piece, masked) for piece, masked in pieces if piece)
    return LeakContext(leak, before, shown, text[leak.end : leak.end + AROUND])


def write_leaks(lists: Iterable[tuple[str, LeakList]], path: str | Path, *, show_text: bool = False) -> None:
    """Write the leaks of one or more tools as CSV, in the order of the gold standard."""
    with whole_file(path) as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow((*COLUMNS, "text") if show_text else COLUMNS)
        for tool, found in lists:
            for leak in found.leaks:
                masked = ";".join(f"{start}-{end}" for start, end in leak.masked)
                place = (leak.role, leak.start, leak.end, leak.words, leak.masked_words, masked)
                row = (tool, leak.document, leak.type, leak.counted_as, *place)
                rows.writerow((*row, leak.text or "") if show_text else row)
