"""Every format of documents through one door: read its blocks, write a changed copy, prove it."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from reidrisk.core.wording import path_text
from reidrisk.documents.document import Block, Change, Check, Look
from reidrisk.documents.docx.proof import DOCX_CONTENTS, DOCX_TEXTS, by_office
from reidrisk.documents.plain.proof import HTML_CONTENTS, HTML_TEXTS, RTF_CONTENTS, RTF_TEXTS, TEXT_TEXTS
from reidrisk.documents.proof.needles import Before
from reidrisk.documents.proof.prove import CONTENT_READERS, TEXT_READERS, Proof, Reader, prove
from reidrisk.errors import FailedCheck, InvalidSetting, ReidRiskError, UnreadableFile

_HOMES = {
    ".pdf": ("pdf.reading", "read_pdf", "pdf.writing", "write_pdf"),
    ".docx": ("docx.format", "read_docx", "docx.format", "write_docx"),
    ".html": ("plain.html", "read_html", "plain.html", "write_html"),
    ".htm": ("plain.html", "read_html", "plain.html", "write_html"),
    ".rtf": ("plain.rtf", "read_rtf", "plain.rtf", "write_rtf"),
    ".txt": ("plain.text", "read_text", "plain.text", "write_text"),
    ".md": ("plain.text", "read_text", "plain.text", "write_text"),
}
SUFFIXES = tuple(_HOMES)
"""The extensions of files that can be read and written."""


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """How documents with one extension are read and written."""

    suffix: str
    read: Callable[[Path], Iterator[Block]]
    write: Callable[..., Any]


def kind_of(path: str | Path) -> DocumentKind:
    """The kind of a document by its extension; its bytes are looked at when it is read."""
    end = Path(path).suffix.lower()
    if end not in _HOMES:
        raise UnreadableFile(
            f"{path} is no kind of document that is known.", hint=f"Known: {', '.join(SUFFIXES)}."
        )
    read_home, reader, write_home, writer = _HOMES[end]
    return DocumentKind(end, getattr(_module(read_home), reader), getattr(_module(write_home), writer))


def read_document(path: str | Path) -> Iterator[Block]:
    """The blocks of a document, one at a time."""
    return kind_of(path).read(Path(path))


@dataclass(frozen=True, slots=True)
class DocumentOutcome:
    """What was done to one document."""

    blocks: int
    changes: int
    concerns: tuple[str, ...] = ()


def write_document(
    source: str | Path, out: str | Path, changes: Iterable[Change], *, look: Look | None, check: Check
) -> DocumentOutcome:
    """Write a copy with the changes; `check` sees the file before it gets its name."""
    kind = kind_of(source)
    done = kind.write(source, out, changes, look=look, check=check)
    if kind.suffix == ".pdf":
        return DocumentOutcome(done.pages, done.changes, done.concerns)
    return DocumentOutcome(done.blocks, done.changes, done.notes)


def _module(home: str) -> Any:
    return import_module(f"reidrisk.documents.{home}")


_READERS: dict[str, tuple[Sequence[Reader], Sequence[Reader]]] = {
    ".pdf": (TEXT_READERS, CONTENT_READERS),
    ".docx": (DOCX_TEXTS, DOCX_CONTENTS),
    ".html": (HTML_TEXTS, HTML_CONTENTS),
    ".htm": (HTML_TEXTS, HTML_CONTENTS),
    ".rtf": (RTF_TEXTS, RTF_CONTENTS),
    ".txt": (TEXT_TEXTS, ()),
    ".md": (TEXT_TEXTS, ()),
}
"""Readers of texts and of everything else, by the extension of a file."""


def prove_document(
    path: str | Path,
    values: Sequence[str],
    *,
    kept: Mapping[str, int] | None = None,
    before: Before | None = None,
    office: bool = False,
) -> Proof:
    """Search a document for values by readers of its kind; `office` asks LibreOffice too, if it is there."""
    end = Path(path).suffix.lower()
    if end not in _READERS:
        raise UnreadableFile(
            f"{path} is no kind of document that is known.", hint=f"Known: {', '.join(_READERS)}."
        )
    texts, contents = _READERS[end]
    if office and end == ".docx":
        texts = (*texts, by_office)
    return prove(path, values, kept=kept, before=before, texts=texts, contents=contents)


def document_paths(given: Iterable[str | Path]) -> tuple[Path, ...]:
    """The files that paths, folders and patterns mean, each once; no two of one name."""
    found: dict[Path, None] = {}
    for one in given:
        found |= dict.fromkeys(_files(str(one)))
    names = Counter(path.name for path in found)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise InvalidSetting(
            f"Two documents are called {path_text(twice[0])}.",
            hint="Rename one of them, or work on them one by one.",
        )
    return tuple(found)


def _files(given: str) -> list[Path]:
    path = Path(given)
    if path.is_dir():
        inside = sorted(one for one in path.rglob("*") if one.is_file() and not one.name.startswith("."))
        return [one for one in inside if one.suffix.lower() in SUFFIXES]
    if path.exists():
        return [path]
    found = sorted(Path(name) for name in glob.glob(given, recursive=True))  # noqa: PTH207
    if not found:
        raise UnreadableFile(
            f"{path_text(given)} is no document, folder or pattern that finds one.", hint="Check the path."
        )
    return found


def told(error: Exception) -> ReidRiskError:
    """An error in our own words; those of others may quote the document."""
    if isinstance(error, ReidRiskError):
        return error
    if isinstance(error, OSError):
        return UnreadableFile(
            f"{error.strerror or 'The operating system refused'}.", hint="Check the rights and the disk."
        )
    if os.environ.get("REIDRISK_DEBUG"):
        raise error
    return FailedCheck(
        f"reidrisk has a defect: {type(error).__name__}.",
        hint="Please report it. REIDRISK_DEBUG=1 shows the full trace, which may quote your data.",
    )
