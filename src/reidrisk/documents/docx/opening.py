"""Open a DOCX as the zip file that it is, or say why that cannot be done."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from reidrisk.errors import UnreadableFile

MOST_ENTRIES = 20_000
LARGEST_TOTAL = 8 * 2**30
"""Bytes that all entries together may have when unpacked."""
LARGEST_XML = 2**30
"""Bytes of one entry that is parsed; a thousand pages have some twenty million."""
LARGEST_RATIO = 500
SMALL = 2**20
"""An entry below this size is harmless, whatever its ratio."""
DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)

_ANOTHER = {
    b"%PDF": "PDF",
    b"{\\rtf": "RTF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\x1f\x8b": "packed with gzip",
}
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


@contextmanager
def opened_zip(path: str | Path) -> Iterator[zipfile.ZipFile]:
    """The zip file, found harmless by its table of contents."""
    _check_head(Path(path))
    try:
        archive = zipfile.ZipFile(path)
    except DAMAGE:
        raise damaged(path) from None
    with archive:
        _check_entries(archive.infolist(), path)
        yield archive


def read_entry(archive: zipfile.ZipFile, name: str, *, most: int = LARGEST_TOTAL) -> bytes:
    """The bytes of an entry that is there."""
    try:
        if archive.getinfo(name).file_size > most:
            raise _bomb(archive.filename or "The file")
        with archive.open(name) as file:
            return file.read()
    except DAMAGE:
        raise damaged(archive.filename or "The file") from None


def damaged(path: object) -> UnreadableFile:
    """The error of a file that is a DOCX only in part."""
    return UnreadableFile(
        f"{path} is damaged: its parts cannot be read.", hint="Open it in Word, save it anew and give that."
    )


def no_docx(path: object, kind: str) -> UnreadableFile:
    """The error of a file that is something else."""
    return UnreadableFile(
        f"{path} is no DOCX but {kind}.", hint="Give it the extension of what it is, or save it as DOCX."
    )


def _check_head(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(2**16)
    except OSError as error:
        reason = error.strerror or "the operating system refused"
        raise UnreadableFile(f"{path} cannot be read: {reason}.", hint="Check the path.") from error
    if not head:
        raise UnreadableFile(f"{path} is empty: 0 bytes.", hint="Export or copy the document again.")
    if head.startswith(_OLE):
        raise _old(path)
    if not head.startswith(b"PK\x03\x04"):
        kind = next((name for start, name in _ANOTHER.items() if head.startswith(start)), "something else")
        raise no_docx(path, kind)


def _old(path: Path) -> UnreadableFile:
    with path.open("rb") as file:
        kept = b""
        while chunk := file.read(2**20):
            if _ENCRYPTED in kept + chunk:
                return UnreadableFile(
                    f"{path} is encrypted and needs a password.",
                    hint="Save a copy without a password in Word and give that.",
                )
            kept = chunk[-len(_ENCRYPTED) :]
    return UnreadableFile(f"{path} is no DOCX but an old Office file.", hint="Save it as DOCX in Word.")


def _check_entries(infos: list[zipfile.ZipInfo], path: str | Path) -> None:
    if len(infos) > MOST_ENTRIES or sum(info.file_size for info in infos) > LARGEST_TOTAL:
        raise _bomb(path)
    if any(info.file_size > max(SMALL, LARGEST_RATIO * info.compress_size) for info in infos):
        raise _bomb(path)
    if any(info.flag_bits & 0x1 for info in infos):
        raise UnreadableFile(f"{path} is encrypted.", hint="Save a copy without a password and give that.")
    names = [info.filename.casefold() for info in infos]
    if len(set(names)) < len(names):
        raise UnreadableFile(
            f"{path} holds two parts of one name, of which a reader sees only one.",
            hint="Open it in Word, save it anew and give that.",
        )
    for name in names:
        if ".." in PurePosixPath(name).parts or name.startswith("/") or "\\" in name:
            raise UnreadableFile(
                f"{path} has a part whose name leads out of it.", hint="Save it anew in Word."
            )


def _bomb(path: object) -> UnreadableFile:
    return UnreadableFile(
        f"{path} unpacks to far more than a document has.", hint="Where is it from? It may be an attack."
    )
