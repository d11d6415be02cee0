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
class Capabilities:
    """What a format can hold. What it cannot hold is refused, or left out with a note."""

    roles: bool = False
    entities: bool = False
    scores: bool = False
    fragments: bool = False
    """Discontinuous annotations."""
    overlaps: bool = True
    """Two annotations that share a character."""
    ids: bool = True
    """Names of documents; otherwise they are numbered."""
    without_text: bool = False
    """Documents of which only the annotations are known."""
    types: re.Pattern[str] | None = None
    """Pattern that a type must match; None if any type is allowed."""
    names: re.Pattern[str] | None = None
    """Pattern that the name of a document must match."""
    characters: re.Pattern[str] | None = None
    """Characters that a text must not contain."""


FILE_NAME = re.compile(r"(?![.\s])[^\x00-\x1f/\\:*?\"<>|]{1,100}(?<![.\s])")
"""Names that are valid file names on every system."""
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
WORD = re.compile(r"\S+")


class AnnotationWriter(Protocol):
    """One annotation format that can be written."""

    @property
    def name(self) -> str:
        """What the user calls the format on the command line."""

    @property
    def reads_as(self) -> str:
        """The name of the reader that reads it back."""

    @property
    def capabilities(self) -> Capabilities:
        """What the format can hold."""

    @property
    def suffix(self) -> str:
        """The suffix of the file that is written; empty if it is a folder."""

    def write(self, documents: Iterable[Document], target: Path) -> None:
        """Write the documents to a new file, or into an empty folder."""


@dataclass(frozen=True, slots=True)
class SingleFile:
    """A format with all documents in one file: a start, one part per document, an end."""

    name: str
    reads_as: str
    capabilities: Capabilities
    suffix: str
    part: Callable[[Document, int], str]
    """Turns a document and its number, from 1, into text."""
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
class FilePerDocument:
    """A format with one or more files per document."""

    name: str
    reads_as: str
    capabilities: Capabilities
    files: Callable[[Document], Mapping[str, str]]
    """The contents of the files of a document, by file name."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """Files that all documents share."""
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


_OTHER = "Choose a format that can; jsonl can hold everything."


@dataclass(slots=True)
class DocumentFitter:
    """Makes documents fit a format, and counts what was left out."""

    format: str
    capabilities: Capabilities
    left_out: Counter[str] = field(default_factory=Counter)

    def fit(self, document: Document) -> Document:
        """The document without what the format cannot hold; an error if that would change the annotations."""
        self._check_document(document)
        for number, annotation in enumerate(document.annotations, 1):
            self._check(annotation, document.place(number))
        if not self.capabilities.overlaps:
            self._check_overlaps(document)
        self.left_out["document name"] += not self.capabilities.ids
        return replace(document, annotations=tuple(map(self._reduced, document.annotations)))

    def notes(self) -> tuple[str, ...]:
        """Notes on what was left out, and how often."""
        return tuple(
            f"left out, because {self.format} cannot hold them: {plural(times, what)}"
            for what, times in self.left_out.items()
            if times
        )

    def _check_document(self, document: Document) -> None:
        place = document.where
        can_hold = self.capabilities
        if document.text is None and not can_hold.without_text:
            raise self._refusal(place, "a document without its text", "Give the file that holds the text.")
        if can_hold.names is not None and can_hold.names.fullmatch(document.id) is None:
            raise self._refusal(place, "a document with this name", "Rename it, or choose another format.")
        if can_hold.characters is not None and can_hold.characters.search(document.text or ""):
            raise self._refusal(place, "a text with these control characters", _OTHER)

    def _check(self, annotation: Annotation, place: str) -> None:
        if annotation.fragments and not self.capabilities.fragments:
            raise self._refusal(place, "a discontinuous annotation", _OTHER)
        if self.capabilities.types is not None and self.capabilities.types.fullmatch(annotation.type) is None:
            raise self._refusal(place, "a type with this name", "Rename the type, or choose another format.")

    def _check_overlaps(self, document: Document) -> None:
        order = sorted(range(len(document.annotations)), key=lambda n: _edges(document.annotations, n))
        for before, after in pairwise(order):
            if document.annotations[after].start < document.annotations[before].end:
                what = f"an annotation that overlaps annotation {before + 1}"
                raise self._refusal(document.place(after + 1), what, _OTHER)

    def _reduced(self, annotation: Annotation) -> Annotation:
        role, entity, score = annotation.role, annotation.entity, annotation.score
        if role is not None and not self.capabilities.roles:
            role, _ = None, self.left_out.update(["role"])
        if entity is not None and not self.capabilities.entities:
            entity, _ = None, self.left_out.update(["entity id"])
        if score is not None and not self.capabilities.scores:
            score, _ = None, self.left_out.update(["score"])
        return replace(annotation, role=role, entity=entity, score=score)

    def _refusal(self, place: str, what: str, hint: str) -> BadData:
        return BadData(f"{place}: {self.format} cannot hold {what}.", hint=hint)


def _edges(annotations: Sequence[Annotation], number: int) -> tuple[int, int]:
    return annotations[number].start, annotations[number].end


def signature(document: Document) -> int:
    """A hash: equal for documents with the same text and annotations, in any order, with any entity names."""
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
