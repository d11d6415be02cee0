"""What kind of file bytes are, by what they begin with, and what is packed in them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Literal

EnclosedKind = Literal["pdf", "zip", "gzip", "bzip2", "xz", "tar", "picture", "rtf", "html", "text", "other"]
DEEPEST = 5
"""Files within files within files; more are not opened."""
LARGEST = 2**28
"""Bytes that are unpacked of one file."""
_LETTERS = re.compile(rb"[\x20-\x7e\x80-\xff]{8,}")
_WIDE = re.compile(rb"(?:[\x20-\x7e\xa0-\xff]\0){4,}")
_STARTS: tuple[tuple[bytes, EnclosedKind], ...] = (
    (b"%PDF-", "pdf"),
    (b"PK\x03\x04", "zip"),
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"{\\rtf", "rtf"),
    (b"\x89PNG\r\n\x1a\n", "picture"),
    (b"\xff\xd8\xff", "picture"),
    (b"GIF8", "picture"),
    (b"BM", "picture"),
    (b"II*\0", "picture"),
    (b"MM\0*", "picture"),
    (b"RIFF", "picture"),
    (b"\0\0\0\x0cjP", "picture"),
)
_NAMED = (
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\xd0\xcf\x11\xe0", "an old Office or OLE file"),
    (b"\x01\0\0\0", "a drawing (EMF)"),
    (b"\xd7\xcd\xc6\x9a", "a drawing (WMF)"),
    (b"SQLite format 3", "a database"),
)


class Locked(Exception):
    """A password is needed."""


class TooLarge(Exception):
    """More would be unpacked than is sensible."""


def kind_of_bytes(data: bytes) -> EnclosedKind:
    """What a file is.

    >>> kind_of_bytes(b"%PDF-1.7"), kind_of_bytes(b"Ann Lee"), kind_of_bytes(bytes(range(64)))
    ('pdf', 'text', 'other')
    """
    for start, kind in _STARTS:
        if data.startswith(start):
            return kind
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data[257:262] == b"ustar":
        return "tar"
    head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<!doctype html", b"<html")):
        return "html"
    return "text" if _is_text(data) else "other"


def _is_text(data: bytes) -> bool:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return True
    odd = sum(byte < 32 and byte not in (9, 10, 12, 13) for byte in data[:4096])
    return not odd


def name_of_kind(data: bytes) -> str:
    """A file that cannot be searched, in words."""
    return next((name for start, name in _NAMED if data.startswith(start)), "an unknown kind of file")


def letters_in(data: bytes) -> Iterator[str]:
    """Letters in a file of which nobody knows the format, in usual encodings."""
    runs = b"\n".join(_LETTERS.findall(data))
    yield runs.decode("latin-1")
    yield runs.decode("utf-8", "replace")
    for start in (0, 1):
        yield "\n".join(run.decode("utf-16-le", "replace") for run in _WIDE.findall(data[start:]))


def unpacked(data: bytes, kind: EnclosedKind) -> Iterator[tuple[str, bytes]]:
    """The files in an archive with their numbers, as names may tell values."""
    if kind == "zip":
        yield from _zip(data)
    elif kind == "tar":
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            files = (
                archive.extractfile(member) for member in archive if member.isfile() and _fits(member.size)
            )
            for number, file in enumerate((file for file in files if file is not None), 1):
                yield f"file {number}", file.read()
    else:
        yield "content", _unzipped(data, kind)


def _unzipped(data: bytes, kind: EnclosedKind) -> bytes:
    files: dict[str, Callable[[], gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile]] = {
        "gzip": lambda: gzip.GzipFile(fileobj=io.BytesIO(data)),
        "bzip2": lambda: bz2.BZ2File(io.BytesIO(data)),
        "xz": lambda: lzma.LZMAFile(io.BytesIO(data)),  # noqa: SIM115 - opened below
    }
    with files[kind]() as file:
        content = file.read(LARGEST + 1)
    _fits(len(content))
    return content


def _zip(data: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        total = 0
        for number, info in enumerate(archive.infolist(), 1):
            if info.is_dir():
                continue
            if info.flag_bits & 1:
                raise Locked
            total += info.file_size
            _fits(total)
            yield f"file {number}", archive.read(info)


def _fits(size: int) -> bool:
    if size > LARGEST:
        raise TooLarge
    return True


BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    OSError,
    EOFError,
    lzma.LZMAError,
    zlib.error,
    NotImplementedError,
)
"""What is raised on damaged archives."""
