"""Locks that the system forgets when their process ends, however it ends."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

PATIENCE = 0.3
"""Seconds: somebody who asks whether a lock is held holds it for a moment."""


@dataclass(eq=False, slots=True)
class HeldLock:
    """A lock that this process holds until it is released or ends."""

    path: Path
    descriptor: int | None = field(repr=False)

    def release(self) -> None:
        """Let others have the lock; a second call does nothing."""
        if self.descriptor is not None:
            with suppress(OSError):
                os.close(self.descriptor)
            self.descriptor = None


def take_lock(path: Path) -> HeldLock | None:
    """The lock in a file, which is created if it is missing; None if another process holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _NO_LINK | _CLOSED_IN_CHILDREN, 0o600)
    end = time.monotonic() + PATIENCE
    while not _try_lock(descriptor):
        if time.monotonic() > end:
            os.close(descriptor)
            return None
        time.sleep(0.01)
    return HeldLock(path, descriptor)


def is_locked(path: Path) -> bool:
    """Whether a process holds the lock in a file now."""
    try:
        descriptor = os.open(path, os.O_RDWR | _NO_LINK | _CLOSED_IN_CHILDREN)
    except OSError:
        return False
    try:
        return not _try_lock(descriptor, shared=True)
    finally:
        os.close(descriptor)


@contextmanager
def waiting_for(path: Path) -> Iterator[None]:
    """Hold a lock during the block; until it is free, wait."""
    while (held := take_lock(path)) is None:
        continue
    try:
        yield
    finally:
        held.release()


_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_CLOSED_IN_CHILDREN = getattr(os, "O_CLOEXEC", 0)


def _try_lock(descriptor: int, *, shared: bool = False) -> bool:
    if sys.platform == "win32":
        from msvcrt import LK_NBLCK, locking

        try:
            locking(descriptor, LK_NBLCK, 1)
        except OSError:
            return False
        return True
    from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, flock

    try:
        flock(descriptor, (LOCK_SH if shared else LOCK_EX) | LOCK_NB)
    except BlockingIOError:
        return False
    return True
