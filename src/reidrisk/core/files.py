"""Write files and folders completely or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from reidrisk.core.trail import log_written
from reidrisk.errors import UnreadableFile


@contextmanager
def whole_file(path: str | Path) -> Iterator[TextIO]:
    """Open a text file for writing; it appears under its name only once it is complete."""
    with _whole(path) as descriptor, open(descriptor, "w", encoding="utf-8", newline="\n") as file:  # noqa: PTH123
        yield file
        file.flush()
        os.fsync(file.fileno())


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a file completely or not at all."""
    with _whole(path) as descriptor, open(descriptor, "wb") as file:  # noqa: PTH123
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _whole(path: str | Path) -> Iterator[int]:
    """Open a temporary file that is renamed to `path` when the block ends without an error."""
    target = writable(path)
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise _cannot_write(path, error) from error
    part = Path(name)
    try:
        yield descriptor
        part.chmod(0o666 & ~_umask())
        part.replace(target)
        log_written(target)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def whole_path(path: str | Path, *, folder: bool, suffix: str = "") -> Iterator[Path]:
    """A temporary file or folder next to `path`, which is renamed to `path` once it is complete.

    Until then its name ends with `suffix`.
    """
    target = new_folder(path) if folder else writable(path)
    try:
        holder = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
    except OSError as error:
        raise _cannot_write(path, error) from error
    part = holder / f"{target.name}{suffix}"
    try:
        if folder:
            part.mkdir()
        yield part
        for file in (one for one in part.rglob("*") if one.is_file()) if folder else [part]:
            with file.open("rb+") as written:
                os.fsync(written.fileno())
        if folder and target.is_dir():
            target.rmdir()
        part.replace(target)
        log_written(target)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        shutil.rmtree(holder, ignore_errors=True)


def new_folder(path: str | Path) -> Path:
    """Check that a folder can be created at `path`; nothing is written yet."""
    try:
        target = Path(path).resolve()
        taken = target.exists() and not (target.is_dir() and not any(target.iterdir()))
        nowhere = not target.parent.is_dir()
    except (OSError, RuntimeError, ValueError) as error:
        raise _cannot_write(path, error) from error
    if taken:
        raise UnreadableFile(
            f"{path} already exists and is not an empty folder.",
            hint="Choose a folder that does not exist yet.",
        )
    if nowhere:
        raise _cannot_write(path, FileNotFoundError(2, "its parent folder does not exist"))
    return target


def writable(path: str | Path) -> Path:
    """Check that a file can be written at `path`; nothing is written yet.

    Links are followed. Anything but a regular file, such as a device, is never replaced.
    """
    try:
        target = Path(path).resolve()
        odd = target.exists() and not target.is_file()
        nowhere = not target.parent.is_dir()
    except (OSError, RuntimeError, ValueError) as error:
        raise _cannot_write(path, error) from error
    if odd:
        raise UnreadableFile(
            f"{path} is not a regular file and is not replaced.", hint="Choose a file to write to."
        )
    if nowhere:
        raise _cannot_write(path, FileNotFoundError(2, "its folder does not exist"))
    return target


def write_text(path: str | Path, text: str) -> None:
    """Write a text file completely or not at all."""
    with whole_file(path) as file:
        file.write(text)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _cannot_write(path: str | Path, error: Exception) -> UnreadableFile:
    reason = getattr(error, "strerror", None) or "the operating system refused"
    return UnreadableFile(
        f"{path} cannot be written: {reason}.",
        hint="Check that the folder exists, that you may write there, and that the disk is not full.",
    )
