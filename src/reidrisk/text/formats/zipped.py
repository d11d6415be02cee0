"""Read files inside a zip file without unpacking it to disk."""

from __future__ import annotations

import errno
import io
import re
import stat
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, Literal, cast

from reidrisk.core.input_limits import check_archive
from reidrisk.errors import UnreadableFile
from reidrisk.text.formats.location import display_path

MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
"""The first bytes of a zip file, with and without entries."""
_ELSEWHERE = re.compile(r"[\\\0]|\A[A-Za-z]:")
"""Characters that other systems use for folders and drives."""
_ENCRYPTED = 0x1
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)
_UNPACK = "Unpack it yourself in a safe place, and give the folder."


class Archive:
    """An open zip file whose table of contents was checked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except _DAMAGE:
            problem = f"{display_path(path)} is not a zip file, or is damaged."
            raise UnreadableFile(problem, hint="Check that it is complete.") from None
        infos = [info for info in self._zip.infolist() if not info.filename.endswith("/")]
        try:
            _check(infos, display_path(path))
        except UnreadableFile:
            self.close()
            raise
        self._infos = {_name(info): info for info in infos}

    def entries(self) -> list[ZipEntry]:
        """The files of the outermost folder that is not just a wrapper around one other folder."""
        visible = [PurePosixPath(name) for name in self._infos if not _hidden(name)]
        folder = PurePosixPath()
        while visible and not any(path.parent == folder for path in visible):
            inner = {path.parts[len(folder.parts)] for path in visible}
            if len(inner) > 1:
                break
            folder /= inner.pop()
        return [ZipEntry(self, str(path)) for path in visible if path.parent == folder]

    def has(self, name: str) -> bool:
        """Whether there is an entry with this name."""
        return name in self._infos

    def open(self, name: str) -> BinaryIO:
        """The bytes of an entry; damage raises an `OSError`."""
        if name not in self._infos:
            raise FileNotFoundError(errno.ENOENT, "there is no such entry")
        try:
            stream = self._zip.open(self._infos[name])
        except _DAMAGE:
            raise _damaged() from None
        return cast("BinaryIO", io.BufferedReader(_EntryStream(stream)))

    def close(self) -> None:
        """Close the file."""
        self._zip.close()


class _EntryStream(io.RawIOBase):
    """The bytes of an entry, with the same errors as for files."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        try:
            data = self._stream.read(len(buffer))
        except _DAMAGE:
            raise _damaged() from None
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


@dataclass(frozen=True, slots=True, order=True)
class ZipEntry:
    """One file in a zip file."""

    archive: Archive = field(compare=False, repr=False)
    path: str
    """Folder and name inside the zip file."""

    @property
    def name(self) -> str:
        """The name without its folder."""
        return PurePosixPath(self.path).name

    @property
    def suffix(self) -> str:
        """The end of the name from its last dot."""
        return PurePosixPath(self.path).suffix

    @property
    def stem(self) -> str:
        """The name without its suffix."""
        return PurePosixPath(self.path).stem

    def __str__(self) -> str:
        """Zip file and entry, as a path."""
        return f"{self.archive.path}/{self.path}"

    def open(self, mode: Literal["rb"]) -> BinaryIO:  # noqa: ARG002 - as for a file on the disk
        """The bytes."""
        return self.archive.open(self.path)

    def exists(self) -> bool:
        """Whether there is such an entry."""
        return self.archive.has(self.path)

    def with_name(self, name: str) -> ZipEntry:
        """The entry with another name in the same folder."""
        return ZipEntry(self.archive, str(PurePosixPath(self.path).with_name(name)))

    def with_suffix(self, suffix: str) -> ZipEntry:
        """The entry in the same folder that differs only in the suffix."""
        return ZipEntry(self.archive, str(PurePosixPath(self.path).with_suffix(suffix)))


def _name(info: zipfile.ZipInfo) -> str:
    """Folder and name of an entry, without the leading dots that some programs write."""
    return str(PurePosixPath(info.filename))


def _hidden(name: str) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(name).parts)


def _damaged() -> OSError:
    return OSError(errno.EIO, "its data in the zip file are damaged or use an unknown compression")


def _check(infos: list[zipfile.ZipInfo], source: str) -> None:
    """Refuse names that lead outside, encrypted entries, and contents larger than any corpus."""
    check_archive(infos, source)
    if len({_name(info) for info in infos}) < len(infos):
        raise UnreadableFile(f"{source} contains two files with the same name.", hint="Create it again.")
    for number, info in enumerate(infos, 1):
        problem = _problem(info)
        if problem:
            raise UnreadableFile(f"{source}, entry {number}: {problem}.", hint=_UNPACK)


def _problem(info: zipfile.ZipInfo) -> str:
    """What is wrong with an entry; empty if nothing is."""
    path = PurePosixPath(info.filename)
    usual = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    problems = {
        "it has no name": not path.parts,
        "its name leads out of the zip file": (
            path.is_absolute() or ".." in path.parts or _ELSEWHERE.search(info.filename) is not None
        ),
        "it is a link, not a file": stat.S_ISLNK(info.external_attr >> 16),
        "it is encrypted": bool(info.flag_bits & _ENCRYPTED),
        "it uses an unusual compression": info.compress_type not in usual,
        "it is a zip file inside a zip file": path.suffix.lower() == ".zip",
    }
    return next((problem for problem, there in problems.items() if there), "")
