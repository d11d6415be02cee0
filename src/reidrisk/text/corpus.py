"""Annotated documents: readers produce them, everything else in this room uses them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from reidrisk.core.shown_ids import shown_document, shown_source
from reidrisk.errors import MisalignedOffsets, UnmatchedDocuments

Role = Literal["direct", "quasi", "ignored"]
Misaligned = Literal["refuse", "skip", "search"]
"""What to do with annotations that do not fit their text: stop, leave them out, or search for their text."""
ROLES: tuple[Role, ...] = ("direct", "quasi", "ignored")


@dataclass(frozen=True, slots=True)
class Annotation:
    """A marked span of a text. Offsets are code points, the end is exclusive."""

    start: int
    end: int
    type: str
    """The label as in the file, such as PATIENT or DATE."""
    role: Role | None = None
    """Direct, quasi or ignored, if the file itself states it; otherwise the type decides."""
    entity: str | None = field(default=None, repr=False)
    """Annotations with the same entity id in a document mean the same person, place or date."""
    fragments: tuple[tuple[int, int], ...] = ()
    """The pieces of a discontinuous annotation in order; empty if it is continuous."""
    score: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise MisalignedOffsets(
                f"An annotation of type {self.type!r} runs from {self.start} to {self.end}.",
                hint="Offsets count characters from 0; the end is exclusive and greater than the start.",
            )
        if self.fragments and not _in_order(self.fragments, self.start, self.end):
            raise MisalignedOffsets(
                f"The pieces of an annotation of type {self.type!r} are not in order within it.",
                hint="List the pieces from first to last, none empty, none outside start and end.",
            )

    @property
    def pieces(self) -> tuple[tuple[int, int], ...]:
        """The spans that the annotation covers; usually one."""
        return self.fragments or ((self.start, self.end),)


def _in_order(pieces: tuple[tuple[int, int], ...], start: int, end: int) -> bool:
    edges = [edge for piece in pieces for edge in piece]
    rising = all(first < last for first, last in pieces) and edges == sorted(edges)
    return rising and (edges[0], edges[-1]) == (start, end)


@dataclass(frozen=True, slots=True)
class MisalignedNote:
    """An annotation that does not fit its text, before the settings decide what becomes of it."""

    number: int
    """The annotation, from 1."""
    problem: str
    hint: str


@dataclass(frozen=True, slots=True)
class MisalignedMark:
    """An annotation that does not fit its text, and what became of it."""

    stated: Annotation
    """With the offsets of the file."""
    found: Annotation | None
    """Where its stored text is; None if it was skipped."""
    surface: str | None = field(default=None, repr=False)
    """The text stored with it."""


@dataclass(frozen=True, slots=True)
class ReleasedText:
    """A text as it would be released, without offsets: alignment finds what is masked."""

    text: str = field(repr=False)
    how: Literal["redacted", "surrogate"]
    """Redacted: marks replace identifiers and nothing else changed. Surrogate: changed in any way."""


@dataclass(frozen=True, slots=True)
class Document:
    """One text with its annotations. The text never appears in its repr."""

    id: str
    annotations: tuple[Annotation, ...]
    text: str | None = field(default=None, repr=False)
    """None if the file contains only annotations, like most tool outputs."""
    source: str = ""
    """The file it was read from, for messages."""
    notes: tuple[str, ...] = ()
    """Decisions of the reader, such as "offsets were read as UTF-16 units"."""
    surfaces: tuple[str | None, ...] = field(default=(), repr=False)
    """Texts stored with the annotations of a document without text; checked once the text is known."""
    released: ReleasedText | None = None
    """The text that a tool would release, if it gave only that."""
    about: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Other fields of the document in its file, such as a ward or a year; for grouping."""
    misfits: tuple[MisalignedNote, ...] = ()
    """Annotations that do not fit the text, as the reader found them; settled before anyone else sees them.
    """
    misaligned: tuple[MisalignedMark, ...] = ()
    """Annotations that did not fit the text: skipped ones are gone, moved ones are also in `annotations`."""
    number: int = field(default=0, repr=False, compare=False)
    """In the order of reading, from 1: how messages name the document. 0 if it was not read."""

    def place(self, number: int) -> str:
        """Where annotation `number` (from 1) is, for messages."""
        return f"{self.where}, annotation {number}"

    @property
    def shown(self) -> str:
        """The words for it in messages: its number, or its id if ids may be shown."""
        return shown_document(self.id, self.number)

    @property
    def where(self) -> str:
        """The same with the file that it was read from."""
        source = shown_source(self.source, self.id) if self.source else "the corpus"
        return f"{source}, {self.shown}"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents in memory with unique ids."""

    documents: tuple[Document, ...]

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for at, document in enumerate(self.documents, start=1):
            if document.id in seen:
                raise UnmatchedDocuments(
                    f"The corpus contains {shown_document(document.id, at)} twice.",
                    hint="Give every document a unique id; `patient` merges documents of one patient.",
                )
            seen.add(document.id)

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)
