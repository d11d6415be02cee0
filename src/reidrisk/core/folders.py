"""Folders are written completely or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reidrisk.errors import UnreadableFile


def new_folder(path: str | Path) -> Path:
    """Where a folder would be written, or why it cannot be; nothing is written yet."""
    try:
        target = Path(path).resolve()
        taken = target.exists() and not (target.is_dir() and not any(target.iterdir()))
        nowhere = not target.parent.is_dir()
    except (OSError, RuntimeError, ValueError) as error:
        raise _cannot_write(path, error) from error
    if taken:
        raise UnreadableFile(
            f"{path} is there already and is not replaced.", hint="Name a folder that does not exist yet."
        )
    if nowhere:
        raise _cannot_write(path, FileNotFoundError(2, "the folder above it does not exist"))
    return target


@contextmanager
def folder_written_whole(path: str | Path) -> Iterator[Path]:
    """An empty folder that gets its name only when everything in it was written."""
    target = new_folder(path)
    try:
        part = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
    except OSError as error:
        raise _cannot_write(path, error) from error
    try:
        yield part
        part.chmod(0o755)
        if target.exists():
            target.rmdir()
        part.replace(target)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _cannot_write(path: str | Path, error: Exception) -> UnreadableFile:
    reason = getattr(error, "strerror", None) or "the operating system refused"
    return UnreadableFile(
        f"{path} cannot be written: {reason}.",
        hint="Check that the folder exists, that you may write there and that the disk has room.",
    )
