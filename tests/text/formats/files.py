"""What the tests of readers share: files in a folder, read by name and recognised without, and refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.errors import BadData, MisalignedOffsets
from reidrisk.text.corpus import Document
from reidrisk.text.formats.reader import ReadSettings
from reidrisk.text.read import read_documents

SECRETS = ("Müller", "Ángel", "719435", "Anna")


def save(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(path: Path, name: str, *, annotator: str = "first") -> list[Document]:
    """The documents, the same if the format is not named."""
    settings = ReadSettings(annotator=annotator)
    named = list(read_documents(path, format=name, settings=settings))
    assert list(read_documents(path, settings=settings)) == named
    return named


def read_one(path: Path, name: str, *, annotator: str = "first") -> Document:
    (document,) = read(path, name, annotator=annotator)
    return document


def marked(document: Document) -> list[tuple[str, str]]:
    """Type and text of every annotation."""
    assert document.text is not None
    return [(a.type, document.text[a.start : a.end]) for a in document.annotations]


def refused(path: Path, name: str, says: str, *, kind: type[BadData] = MisalignedOffsets) -> None:
    """Reading fails with such a message, which names the file and nothing that is in it."""
    with pytest.raises(kind, match=says) as info:
        list(read_documents(path, format=name))
    message = str(info.value)
    assert "Hint:" in message
    assert path.name in message
    assert not any(secret in message for secret in SECRETS)
