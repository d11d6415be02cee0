"""A folder for what must be a file for a while; what a run that was killed left goes with the next one."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PREFIX = "reidrisk."
_LOCK = ".lock"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder in the system's temporary folder that only its owner can open.

    It is removed at the end. The system forgets the lock of a run that was killed, so that the next run
    sees that its folder is no longer used, and removes it.
    """
    _remove_left()
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as name:
        lock = _locked(Path(name))
        try:
            yield Path(name)
        finally:
            if lock is not None:
                os.close(lock)


def _locked(folder: Path) -> int | None:
    """Lock a folder; the file has its name only once it is locked, so that nobody finds it open."""
    if sys.platform == "win32":
        return None
    from fcntl import LOCK_EX, flock

    new = folder / f"{_LOCK}.new"
    lock = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        flock(lock, LOCK_EX)
        new.rename(folder / _LOCK)
    except OSError:  # a system of files without locks: nobody takes the folder for left
        os.close(lock)
        return None
    return lock


def _remove_left() -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        if _is_left(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _is_left(folder: Path) -> bool:
    """Whether a folder is our own and nobody uses it any more."""
    if sys.platform == "win32":
        return False
    from fcntl import LOCK_EX, LOCK_NB, flock

    try:
        if folder.is_symlink() or folder.stat().st_uid != os.getuid():
            return False
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        flock(lock, LOCK_EX | LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True
