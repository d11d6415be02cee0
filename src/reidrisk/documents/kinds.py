"""Every kind of document through one door: read its blocks, write a changed copy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from reidrisk.documents.document import Block, Change, Look
from reidrisk.documents.written import Check
from reidrisk.errors import UnreadableFile

_HOMES = {
    ".pdf": ("pdf.read", "read_pdf", "pdf.write", "write_pdf"),
    ".docx": ("docx.read", "read_docx", "docx.write", "write_docx"),
    ".html": ("plain.html", "read_html", "plain.html", "write_html"),
    ".htm": ("plain.html", "read_html", "plain.html", "write_html"),
    ".rtf": ("plain.rtf", "read_rtf", "plain.rtf", "write_rtf"),
    ".txt": ("plain.text", "read_text", "plain.text", "write_text"),
    ".md": ("plain.text", "read_text", "plain.text", "write_text"),
}
SUFFIXES = tuple(_HOMES)
"""The extensions of files that can be read and written."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How documents with one extension are read and written."""

    suffix: str
    read: Callable[[Path], Iterator[Block]]
    write: Callable[..., Any]


def kind_of(path: str | Path) -> Kind:
    """The kind of a document by its extension; its bytes are looked at when it is read."""
    end = Path(path).suffix.lower()
    if end not in _HOMES:
        raise UnreadableFile(
            f"{path} is no kind of document that is known.", hint=f"Known: {', '.join(SUFFIXES)}."
        )
    read_home, reader, write_home, writer = _HOMES[end]
    return Kind(end, getattr(_module(read_home), reader), getattr(_module(write_home), writer))


def read_document(path: str | Path) -> Iterator[Block]:
    """The blocks of a document, one at a time."""
    return kind_of(path).read(Path(path))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done to one document."""

    blocks: int
    changes: int
    concerns: tuple[str, ...] = ()


def write_document(
    source: str | Path, out: str | Path, changes: Iterable[Change], *, look: Look | None, check: Check
) -> Outcome:
    """Write a copy with the changes; `check` sees the file before it gets its name."""
    kind = kind_of(source)
    done = kind.write(source, out, changes, look=look, check=check)
    if kind.suffix == ".pdf":
        return Outcome(done.pages, done.changes, done.concerns)
    return Outcome(done.blocks, done.changes, done.notes)


def _module(home: str) -> Any:
    return import_module(f"reidrisk.documents.{home}")
