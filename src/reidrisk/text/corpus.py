"""Annotated documents: what every reader gives and everything else in this room takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from reidrisk.errors import MisalignedOffsets, UnmatchedDocuments

Role = Literal["direct", "quasi", "ignored"]
ROLES: tuple[Role, ...] = ("direct", "quasi", "ignored")


@dataclass(frozen=True, slots=True)
class Annotation:
    """A marked place in a text. Offsets are code points, the end is exclusive."""

    start: int
    end: int
    type: str
    """The label as the file has it, such as PATIENT or DATE."""
    role: Role | None = None
    """Direct, quasi or ignored where the file itself says so; otherwise the type decides."""
    entity: str | None = field(default=None, repr=False)
    """Annotations with one entity id in one document mean the same person, place or date."""
    fragments: tuple[tuple[int, int], ...] = ()
    """The pieces of a discontinuous annotation in order; empty if it is in one piece."""
    score: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise MisalignedOffsets(
                f"An annotation of type {self.type!r} runs from {self.start} to {self.end}.",
                hint="Offsets count characters from 0; the end is exclusive and greater than the start.",
            )
        if self.fragments and not _in_order(self.fragments, self.start, self.end):
            raise MisalignedOffsets(
                f"The pieces of an annotation of type {self.type!r} do not lie in order within it.",
                hint="Give the pieces from first to last, none empty, none beyond start and end.",
            )

    @property
    def pieces(self) -> tuple[tuple[int, int], ...]:
        """The spans that the annotation covers, one for most."""
        return self.fragments or ((self.start, self.end),)


def _in_order(pieces: tuple[tuple[int, int], ...], start: int, end: int) -> bool:
    edges = [edge for piece in pieces for edge in piece]
    rising = all(first < last for first, last in pieces) and edges == sorted(edges)
    return rising and (edges[0], edges[-1]) == (start, end)


@dataclass(frozen=True, slots=True)
class ReleasedText:
    """A text as it would be released, without offsets: what it masks is found by alignment."""

    text: str = field(repr=False)
    how: Literal["redacted", "surrogate"]
    """With marks in place of identifiers and nothing else changed, or rewritten in any way."""


@dataclass(frozen=True, slots=True)
class Document:
    """One text with its annotations. The text never appears in its repr."""

    id: str
    annotations: tuple[Annotation, ...]
    text: str | None = field(default=None, repr=False)
    """None where the file holds annotations only, as most tool outputs do."""
    source: str = ""
    """The file it was read from, for messages."""
    notes: tuple[str, ...] = ()
    """What the reader had to decide, such as "offsets were UTF-16 units"."""
    surfaces: tuple[str | None, ...] = field(default=(), repr=False)
    """Texts stored with the annotations where the document's own text is not: checked when it is at hand."""
    released: ReleasedText | None = None
    """The text that a tool would release, where that is all it gave."""
    about: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """What else its file says of the document as a whole, such as a ward or a year; for groups."""

    def place(self, number: int) -> str:
        """Where annotation `number` (from 1) stands, for messages."""
        return f"{self.source or 'the corpus'}, document {self.id!r}, annotation {number}"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents in memory, each id once."""

    documents: tuple[Document, ...]

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for document in self.documents:
            if document.id in seen:
                raise UnmatchedDocuments(
                    f"The corpus holds document {document.id!r} twice.",
                    hint="Give every document an id of its own; `patient` merges documents of one patient.",
                )
            seen.add(document.id)

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)
