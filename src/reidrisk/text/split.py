"""Split texts about several patients: each part is counted as a document of its own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace

from reidrisk.core.user_pattern import UserPattern
from reidrisk.core.wording import plural
from reidrisk.errors import BadData, MisalignedOffsets
from reidrisk.text.corpus import Annotation, Document

Marks = tuple[Annotation, ...]
OPTION = "--split-patients"


class PatientSplit:
    """Cuts documents where a pattern matches; offsets stay those of the whole text.

    A part begins at a match and ends before the next one. What precedes the first match belongs to the first
    part. An annotation of the gold standard across a cut is an error, because the pattern then cuts through
    an identifier; a mask of the tool across a cut masks in both parts.
    """

    def __init__(self, pattern: UserPattern) -> None:
        self._pattern = pattern
        self._documents = self._split = self._parts = self._matches = 0

    def parts(self, document: Document, marks: Marks) -> Iterator[tuple[Document, Marks]]:
        """The parts of a document, each with its annotations and masks; named ID#1, ID#2, …"""
        text = document.text or ""
        starts = self._pattern.starts(text)
        self._documents += 1
        self._matches += len(starts)
        cuts = starts[1:]
        self._parts += len(cuts) + 1
        if not cuts:
            yield document, marks
            return
        self._split += 1
        gold = _by_part(document, cuts)
        edges = [0, *cuts, len(text) + 1]
        lost = [bisect_right(cuts, one.stated.start) for one in document.misaligned]
        for number in range(len(cuts) + 1):
            own = tuple(one for one, part in zip(document.misaligned, lost, strict=True) if part == number)
            part = replace(
                document, id=f"{document.id}#{number + 1}", annotations=gold[number], misaligned=own
            )
            yield part, _within(marks, edges[number], edges[number + 1])

    def add_counts(self, other: PatientSplit) -> None:
        """Add what was split in other documents."""
        self._documents += other._documents
        self._split += other._split
        self._parts += other._parts
        self._matches += other._matches

    def check(self) -> None:
        """Refuse a pattern that occurs nowhere."""
        if self._documents and not self._matches:
            raise BadData(
                "The pattern that begins a patient's part occurs in no text.",
                hint=f"{OPTION} is a regular expression for the line with which each patient's part begins, "
                "such as '^Patient: '. ^ and $ match at line ends.",
            )

    def notes(self) -> tuple[str, ...]:
        """What was split."""
        return (
            f"Texts about several patients: {self._split:,} of {self._documents:,}. They were split, and "
            f"{plural(self._parts, 'document')} counted, one per patient.",
        )


def _by_part(document: Document, cuts: list[int]) -> list[Marks]:
    found: list[list[Annotation]] = [[] for _ in range(len(cuts) + 1)]
    for number, mark in enumerate(document.annotations, start=1):
        part = bisect_right(cuts, mark.start)
        if bisect_right(cuts, mark.end - 1) != part:
            raise MisalignedOffsets(
                f"{document.place(number)}: the start of a patient's part is inside it.",
                hint=f"Change {OPTION} so that no part begins inside an identifier.",
            )
        found[part].append(mark)
    return [tuple(own) for own in found]


def _within(marks: Marks, start: int, end: int) -> Marks:
    """What masks cover between two offsets."""
    found = []
    for mark in marks:
        pieces = [(max(first, start), min(last, end)) for first, last in mark.pieces]
        pieces = [piece for piece in pieces if piece[0] < piece[1]]
        if pieces:
            fragments = tuple(pieces) if len(pieces) > 1 else ()
            found.append(replace(mark, start=pieces[0][0], end=pieces[-1][1], fragments=fragments))
    return tuple(found)
