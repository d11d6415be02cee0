"""What a writer is, what its format can hold, and how documents are made to fit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Protocol

from reidrisk.core.wording import plural
from reidrisk.errors import BadData
from reidrisk.text.corpus import Annotation, Document


@dataclass(frozen=True, slots=True)
class Carries:
    """What a format can say. What it cannot is refused, or left out with a note."""

    roles: bool = False
    entities: bool = False
    scores: bool = False
    fragments: bool = False
    """Discontinuous annotations."""
    overlaps: bool = True
    """Two annotations that share a character."""
    ids: bool = True
    """Names of documents; without, they are numbered."""
    without_text: bool = False
    """Documents of which only the annotations are known."""
    types: re.Pattern[str] | None = None
    """What a type has to look like; None if anything does."""
    names: re.Pattern[str] | None = None
    """What the name of a document has to look like."""
    characters: re.Pattern[str] | None = None
    """Characters that a text must not hold."""


FILE_NAME = re.compile(r"(?![.\s])[^\x00-\x1f/\\:*?\"<>|]{1,100}(?<![.\s])")
"""Names that can be those of files on every system."""
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
WORD = re.compile(r"\S+")


class Writer(Protocol):
    """One annotation format that can be written."""

    @property
    def name(self) -> str:
        """What the user calls the format on the command line."""

    @property
    def reads_as(self) -> str:
        """The name of the reader that reads it back."""

    @property
    def carries(self) -> Carries:
        """What the format can say."""

    @property
    def suffix(self) -> str:
        """The end of the name of the file that is written; empty if it is a folder."""

    def write(self, documents: Iterable[Document], target: Path) -> None:
        """Write the documents to a new file, or into an empty folder."""


@dataclass(frozen=True, slots=True)
class OneFile:
    """A format with all documents in one file: something before, one part each, something after."""

    name: str
    reads_as: str
    carries: Carries
    suffix: str
    part: Callable[[Document, int], str]
    """A document and its number, from 1, as text."""
    before: str = ""
    between: str = "\n"
    after: str = "\n"

    def write(self, documents: Iterable[Document], target: Path) -> None:
        """Write the documents to a new file."""
        with target.open("w", encoding="utf-8", newline="") as file:
            file.write(self.before)
            for number, document in enumerate(documents, 1):
                file.write((self.between if number > 1 else "") + self.part(document, number))
            file.write(self.after)


@dataclass(frozen=True, slots=True)
class FileEach:
    """A format with files of their own for every document."""

    name: str
    reads_as: str
    carries: Carries
    files: Callable[[Document], Mapping[str, str]]
    """The files of a document by name."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """Files that belong to all documents."""
    suffix: str = ""

    def write(self, documents: Iterable[Document], target: Path) -> None:
        """Write the documents into an empty folder."""
        for document in documents:
            _write(self.files(document), target)
        _write(self.beside, target)


def _write(files: Mapping[str, str], folder: Path) -> None:
    for name, content in files.items():
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            file.write(content)


_OTHER = "Choose a format that can: jsonl carries everything."


@dataclass(slots=True)
class Cargo:
    """Makes documents fit a format, and remembers what stayed behind."""

    format: str
    carries: Carries
    lost: Counter[str] = field(default_factory=Counter)

    def fitted(self, document: Document) -> Document:
        """The document without what the format leaves out, or an error for what it must not."""
        self._check_document(document)
        for number, annotation in enumerate(document.annotations, 1):
            self._check(annotation, document.place(number))
        if not self.carries.overlaps:
            self._check_overlaps(document)
        self.lost["document name"] += not self.carries.ids
        return replace(document, annotations=tuple(map(self._reduced, document.annotations)))

    def notes(self) -> tuple[str, ...]:
        """What was left out, and how often."""
        return tuple(
            f"left out, since {self.format} cannot hold them: {plural(times, what)}"
            for what, times in self.lost.items()
            if times
        )

    def _check_document(self, document: Document) -> None:
        place = f"{document.source or 'the corpus'}, document {document.id!r}"
        carries = self.carries
        if document.text is None and not carries.without_text:
            raise self._refusal(place, "a document without its text", "Give the file that holds the text.")
        if carries.names is not None and carries.names.fullmatch(document.id) is None:
            raise self._refusal(place, "a document of this name", "Name it anew, or choose another format.")
        if carries.characters is not None and carries.characters.search(document.text or ""):
            raise self._refusal(place, "a text with such control characters", _OTHER)

    def _check(self, annotation: Annotation, place: str) -> None:
        if annotation.fragments and not self.carries.fragments:
            raise self._refusal(place, "a discontinuous annotation", _OTHER)
        if self.carries.types is not None and self.carries.types.fullmatch(annotation.type) is None:
            raise self._refusal(place, "a type of this name", "Rename the type, or choose another format.")

    def _check_overlaps(self, document: Document) -> None:
        order = sorted(range(len(document.annotations)), key=lambda n: _edges(document.annotations, n))
        for before, after in pairwise(order):
            if document.annotations[after].start < document.annotations[before].end:
                what = f"an annotation that overlaps annotation {before + 1}"
                raise self._refusal(document.place(after + 1), what, _OTHER)

    def _reduced(self, annotation: Annotation) -> Annotation:
        role, entity, score = annotation.role, annotation.entity, annotation.score
        if role is not None and not self.carries.roles:
            role, _ = None, self.lost.update(["role"])
        if entity is not None and not self.carries.entities:
            entity, _ = None, self.lost.update(["entity id"])
        if score is not None and not self.carries.scores:
            score, _ = None, self.lost.update(["score"])
        return replace(annotation, role=role, entity=entity, score=score)

    def _refusal(self, place: str, what: str, hint: str) -> BadData:
        return BadData(f"{place}: {self.format} cannot hold {what}.", hint=hint)


def _edges(annotations: Sequence[Annotation], number: int) -> tuple[int, int]:
    return annotations[number].start, annotations[number].end


def signature(document: Document) -> int:
    """Equal for documents with one text and the same annotations, whatever their order and entity names."""
    ordered = sorted(
        document.annotations, key=lambda a: (a.start, a.end, a.type, a.fragments, a.role or "", a.score or 0)
    )
    names: dict[str, int] = {}
    marks = tuple(
        (
            a.start,
            a.end,
            a.type,
            a.role,
            None if a.entity is None else names.setdefault(a.entity, len(names)),
            a.fragments,
            a.score,
        )
        for a in ordered
    )
    return hash((document.text, marks))
