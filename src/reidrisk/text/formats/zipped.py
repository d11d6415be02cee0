"""Files inside a zip file, read where they are: nothing is unpacked to the disk."""

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

from reidrisk.errors import UnreadableFile
from reidrisk.text.formats.location import display_path

MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
"""How a zip file begins, with entries and without."""
MOST_ENTRIES = 1_000_000
LARGEST_TOTAL = 16 * 2**30
"""Bytes that all entries together may have when unpacked."""
LARGEST_RATIO = 200
"""How often larger than packed an entry may be; text is seldom more than 20 times."""
SMALL = 2**20
"""An entry below this size is harmless, whatever its ratio."""

_ELSEWHERE = re.compile(r"[\\\0]|\A[A-Za-z]:")
"""Signs that other systems take for folders and disks."""
_ENCRYPTED = 0x1
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)
_UNPACK = "Unpack it yourself where it is safe to do so, and give the folder."


class Archive:
    """An open zip file whose table of contents was found harmless."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except _DAMAGE:
            problem = f"{display_path(path)} is no zip file, or damaged."
            raise UnreadableFile(problem, hint="Check that it is complete.") from None
        infos = [info for info in self._zip.infolist() if not info.filename.endswith("/")]
        try:
            _check(infos, display_path(path))
        except UnreadableFile:
            self.close()
            raise
        self._infos = {_name(info): info for info in infos}

    def entries(self) -> list[ZipEntry]:
        """The files of the folder in the zip file that is not just the only folder in another."""
        visible = [PurePosixPath(name) for name in self._infos if not _hidden(name)]
        folder = PurePosixPath()
        while visible and not any(path.parent == folder for path in visible):
            inner = {path.parts[len(folder.parts)] for path in visible}
            if len(inner) > 1:
                break
            folder /= inner.pop()
        return [ZipEntry(self, str(path)) for path in visible if path.parent == folder]

    def has(self, name: str) -> bool:
        """Whether there is an entry of this name."""
        return name in self._infos

    def open(self, name: str) -> BinaryIO:
        """The bytes of an entry; damage shows as an error of the operating system."""
        if name not in self._infos:
            raise FileNotFoundError(errno.ENOENT, "there is no such entry")
        try:
            stream = self._zip.open(self._infos[name])
        except _DAMAGE as error:
            raise _damaged() from error
        return cast("BinaryIO", io.BufferedReader(_EntryStream(stream)))

    def close(self) -> None:
        """Give the file back."""
        self._zip.close()


class _EntryStream(io.RawIOBase):
    """The bytes of an entry, with errors that callers know from files."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        try:
            data = self._stream.read(len(buffer))
        except _DAMAGE as error:
            raise _damaged() from error
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
        """The entry of another name beside it."""
        return ZipEntry(self.archive, str(PurePosixPath(self.path).with_name(name)))

    def with_suffix(self, suffix: str) -> ZipEntry:
        """The entry beside it that differs in the suffix only."""
        return ZipEntry(self.archive, str(PurePosixPath(self.path).with_suffix(suffix)))


def _name(info: zipfile.ZipInfo) -> str:
    """Folder and name of an entry, without the dots that some programs write before them."""
    return str(PurePosixPath(info.filename))


def _hidden(name: str) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(name).parts)


def _damaged() -> OSError:
    return OSError(errno.EIO, "its data in the zip file are damaged or packed in an unknown way")


def _check(infos: list[zipfile.ZipInfo], source: str) -> None:
    """Refuse names that lead elsewhere, secrets, and what unpacks to more than any corpus has."""
    if len(infos) > MOST_ENTRIES:
        raise UnreadableFile(f"{source} holds more than {MOST_ENTRIES:,} files.", hint=_UNPACK)
    if len({_name(info) for info in infos}) < len(infos):
        raise UnreadableFile(f"{source} holds two files of one name.", hint="Pack it anew.")
    if sum(info.file_size for info in infos) > LARGEST_TOTAL:
        raise UnreadableFile(f"{source} unpacks to more than {LARGEST_TOTAL // 2**30} GiB.", hint=_UNPACK)
    for number, info in enumerate(infos, 1):
        problem = _problem(info)
        if problem:
            raise UnreadableFile(f"{source}, entry {number}: {problem}.", hint=_UNPACK)


def _problem(info: zipfile.ZipInfo) -> str:
    """What is wrong with an entry; empty if nothing is."""
    path = PurePosixPath(info.filename)
    usual = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    most = max(SMALL, LARGEST_RATIO * info.compress_size)
    problems = {
        "it has no name": not path.parts,
        "its name leads out of the zip file": (
            path.is_absolute() or ".." in path.parts or _ELSEWHERE.search(info.filename) is not None
        ),
        "it is a link, not a file": stat.S_ISLNK(info.external_attr >> 16),
        "it is encrypted": bool(info.flag_bits & _ENCRYPTED),
        "it is packed in an unusual way": info.compress_type not in usual,
        "it is a zip file inside a zip file": path.suffix.lower() == ".zip",
        f"it unpacks to more than {LARGEST_RATIO} times its size": info.file_size > most,
    }
    return next((problem for problem, there in problems.items() if there), "")
