"""What a writer is, what its format can carry, and the shapes that files have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from reidrisk.text.corpus import Document


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
