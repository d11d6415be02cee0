"""Read and list files that somebody may have prepared: no link is followed, no pipe is waited for."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.errors import UnreadableFile

CHUNK = 2**20
NOT_REGULAR = "is not a regular file"
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_KINDS = {
    stat.S_IFLNK: "a link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFBLK: "a device",
    stat.S_IFCHR: "a device",
}


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """Something in a folder, by its path relative to the folder."""

    path: str
    kind: str
    """`file`, `folder`, or in words what it is instead, such as "a link"."""


def folder_entries(folder: Path) -> Iterator[FolderEntry]:
    """Everything below a folder, hidden files too; links are listed and not followed."""
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as found:
            for one in sorted(found, key=lambda entry: entry.name):
                path = Path(one.path)
                kind = _kind(one.stat(follow_symlinks=False).st_mode)
                yield FolderEntry(path.relative_to(folder).as_posix(), kind)
                if kind == "folder":
                    waiting.append(path)


def _kind(mode: int) -> str:
    if stat.S_ISREG(mode):
        return "file"
    return "folder" if stat.S_ISDIR(mode) else _KINDS.get(stat.S_IFMT(mode), "something else")


def hash_regular(path: Path, *, follow: bool = False) -> tuple[str, int]:
    """SHA-256 and number of bytes of a regular file; anything else is refused at once."""
    digest, size = hashlib.sha256(), 0
    for chunk in _chunks(path, follow=follow):
        digest.update(chunk)
        size += len(chunk)
    return digest.hexdigest(), size


def read_regular(path: Path, *, most: int, start: int = 0) -> bytes:
    """The content of a regular file that is no link and has at most so many bytes, from `start` on."""
    found, size = [], start
    for chunk in _chunks(path, follow=False, start=start):
        size += len(chunk)
        if size > most:
            raise UnreadableFile(
                f"{path_text(path)} is larger than {most // 2**20} MiB.",
                hint="reidrisk writes no such file there. Find out who changed it.",
            )
        found.append(chunk)
    return b"".join(found)


def _chunks(path: Path, *, follow: bool, start: int = 0) -> Iterator[bytes]:
    try:
        descriptor = os.open(path, _READ | (0 if follow else _NO_LINK))
        with open(descriptor, "rb") as file:  # noqa: PTH123 - the descriptor was opened without waiting
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise _refused(path, NOT_REGULAR)
            if start:
                file.seek(start)
            while chunk := file.read(CHUNK):
                yield chunk
    except (OSError, ValueError) as error:
        if not follow and path.is_symlink():
            raise _refused(path, "is a link") from None
        raise _refused(path, f"cannot be read: {getattr(error, 'strerror', None) or 'refused'}") from None


def _refused(path: Path, why: str) -> UnreadableFile:
    return UnreadableFile(
        f"{path_text(path)} {why}.", hint="Check the path and that you are allowed to read it."
    )
