"""Work folders: only their owner can open them, and what a killed run left goes with the next run.

A work folder is `.reidrisk-RANDOM.work`. It is in the folder of the output, in the folder of `--temp`, or, if
a command has no output, in the system's temporary folder. As long as a run lives, it holds a lock in its
folder. The system forgets the lock of a run that was killed, so that the next run sees that nobody uses it.
"""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock

PREFIX, SUFFIX, LOCK = ".reidrisk-", ".work", ".lock"
TRIES = 100
"""A new folder may be taken for left and removed before it is locked; then another one is made."""


@dataclass(eq=False, slots=True)
class LockedFolder:
    """A work folder of this run, or one that a killed run left and this run has taken over."""

    path: Path
    lock: int | None = field(repr=False)
    """An open file; None where the system has no locks: then nobody takes the folder for left."""
    owner: int = field(default_factory=os.getpid)

    def remove(self) -> None:
        """Remove the folder with all that is in it; a second call does nothing."""
        if self.owner != os.getpid():  # a copy of the process that made it
            return
        with _OWN.lock:
            _OWN.folders[self.path] = self
        shutil.rmtree(self.path, ignore_errors=True)
        if not self.path.exists():  # otherwise the end of the run tries again
            self.release()

    def release(self) -> None:
        """Leave the folder where it is; the next run may take it."""
        with _OWN.lock:
            _OWN.folders.pop(self.path, None)
        if self.lock is not None:
            with suppress(OSError):
                os.close(self.lock)
            self.lock = None


@dataclass
class _Own:
    """The folders that this process has made and not removed yet."""

    folders: dict[Path, LockedFolder] = field(default_factory=dict)
    lock: RLock = field(default_factory=RLock)
    """Its holder can take it again: Python frees sessions at any moment, and they remove their folders."""


_OWN = _Own()


def new_work_folder(parent: str | Path) -> LockedFolder:
    """A new and locked folder that only its owner can open."""
    place = Path(parent).resolve()
    for _ in range(TRIES):
        path = place / f"{PREFIX}{secrets.token_hex(6)}{SUFFIX}"
        path.mkdir(mode=0o700)
        # Until it is removed, it is ours: whatever happens next, the end of the run removes it.
        with _OWN.lock:
            made = _OWN.folders[path] = LockedFolder(path, None)
        try:
            lock = _take(path, wait=True)
        except FileNotFoundError:  # another run has just removed it
            made.release()
            continue
        except OSError:  # no locks here
            return made
        made.lock = lock
        return made
    raise FileNotFoundError(2, "work folders disappear", str(place))


def lock_folder(path: Path) -> LockedFolder | None:
    """Take a folder that stays between runs; None if another run uses it."""
    try:
        return LockedFolder(path, _take(path, wait=False))
    except BlockingIOError:
        return None
    except OSError:
        return LockedFolder(path, None)


def is_work_name(name: str) -> bool:
    """Whether a work folder may have this name."""
    return name.startswith(PREFIX) and name.endswith(SUFFIX)


def left_in(parent: Path) -> Iterator[LockedFolder]:
    """Work folders that nobody uses any more. They are locked for this run: to be removed or released."""
    try:
        names = sorted(entry.name for entry in os.scandir(parent) if is_work_name(entry.name))
    except OSError:
        return
    for name in names:
        taken = take_left(parent.resolve() / name)
        if taken is not None:
            yield taken


def take_left(path: Path) -> LockedFolder | None:
    """A work folder that nobody uses any more; None if it is gone, in use, or not our own."""
    if sys.platform == "win32" or not is_work_name(path.name):
        return None
    try:
        found = path.lstat()
        is_own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
        if not is_own or stat.S_IMODE(found.st_mode) & 0o077:
            return None
        return LockedFolder(path, _take(path, wait=False))
    except OSError:
        return None


def _take(folder: Path, *, wait: bool) -> int:
    """Lock a folder; fails if it is removed meanwhile, or if another run holds it and nobody waits."""
    if sys.platform == "win32":
        raise OSError(0, "locks are not used on Windows")
    from fcntl import LOCK_EX, LOCK_NB, flock

    path = folder / LOCK
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        flock(lock, LOCK_EX if wait else LOCK_EX | LOCK_NB)
        if not os.path.samestat(path.stat(), os.fstat(lock)):
            raise FileNotFoundError(2, "the folder was removed", str(folder))
    except BaseException:
        os.close(lock)
        raise
    return lock


def remove_own() -> None:
    """Remove every work folder that this process still has: the last step of a run, however it ends."""
    with _OWN.lock:
        every = list(_OWN.folders.values())
    for one in every:
        one.remove()


atexit.register(remove_own)
