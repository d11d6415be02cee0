"""Files are written completely or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from reidrisk.errors import UnreadableFile


@contextmanager
def written_whole(path: str | Path) -> Iterator[TextIO]:
    """A text file that appears under its name only when everything was written."""
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
    """A new file that takes the name of the path once the work within is done."""
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
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def placed_whole(path: str | Path, *, folder: bool) -> Iterator[Path]:
    """A place beside `path` to write a file or to fill a folder; it gets its name only when all is done."""
    target = new_folder(path) if folder else writable(path)
    try:
        holder = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
    except OSError as error:
        raise _cannot_write(path, error) from error
    part = holder / target.name
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
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        shutil.rmtree(holder, ignore_errors=True)


def new_folder(path: str | Path) -> Path:
    """Where a folder would be made, or why it cannot be; nothing is written yet."""
    try:
        target = Path(path).resolve()
        taken = target.exists() and not (target.is_dir() and not any(target.iterdir()))
        nowhere = not target.parent.is_dir()
    except (OSError, RuntimeError, ValueError) as error:
        raise _cannot_write(path, error) from error
    if taken:
        raise UnreadableFile(
            f"{path} is there already and is not an empty folder.",
            hint="Name a folder that does not exist yet.",
        )
    if nowhere:
        raise _cannot_write(path, FileNotFoundError(2, "the folder above it does not exist"))
    return target


def writable(path: str | Path) -> Path:
    """Where a file would be written, or why it cannot be; nothing is written yet.

    Links are followed. What is no ordinary file, such as a device, is never replaced.
    """
    try:
        target = Path(path).resolve()
        odd = target.exists() and not target.is_file()
        nowhere = not target.parent.is_dir()
    except (OSError, RuntimeError, ValueError) as error:
        raise _cannot_write(path, error) from error
    if odd:
        raise UnreadableFile(f"{path} is no ordinary file and is not replaced.", hint="Name a file to write.")
    if nowhere:
        raise _cannot_write(path, FileNotFoundError(2, "its folder does not exist"))
    return target


def write_text(path: str | Path, text: str) -> None:
    """Write a text file completely or not at all."""
    with written_whole(path) as file:
        file.write(text)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _cannot_write(path: str | Path, error: Exception) -> UnreadableFile:
    reason = getattr(error, "strerror", None) or "the operating system refused"
    return UnreadableFile(
        f"{path} cannot be written: {reason}.",
        hint="Check that the folder exists, that you may write there and that the disk has room.",
    )
