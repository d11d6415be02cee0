"""A reader: text files with identifiers as [[TYPE|value]], named like the document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.location import display_path
from reidrisk.text.formats.reader import ReadSettings, SourceFile, load_text

MARK = re.compile(r"\[\[(?P<type>[A-Z]+)\|(?P<value>[^\]]+)\]\]")


class BracketReader:
    """Reads `Seen by [[NAME|Ann Lee]] today.`"""

    name = "brackets"
    title = "text with identifiers as [[TYPE|value]]"

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """The files of a folder that it reads."""
        return [file for file in files if file.suffix == ".txt"]

    def recognizes(self, path: SourceFile, head: bytes) -> bool:
        """Whether a file has this format."""
        return path.suffix == ".txt" and b"[[" in head

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The document of a file: the text without the marks, and where the values are in it."""
        marked, text, annotations, last = load_text(path, settings), "", [], 0
        for mark in MARK.finditer(marked):
            text += marked[last : mark.start()]
            annotations.append(Annotation(len(text), len(text) + len(mark["value"]), mark["type"]))
            text += mark["value"]
            last = mark.end()
        yield Document(path.stem, tuple(annotations), text + marked[last:], display_path(path))
