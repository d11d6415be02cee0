"""Append to a file that several processes write: one at a time, everything or nothing."""

from __future__ import annotations

import os
import sys


def wait_for_turn(descriptor: int) -> None:
    """Wait until no other process appends; the system forgets the lock when the file is closed."""
    if sys.platform != "win32":
        from fcntl import LOCK_EX, flock

        flock(descriptor, LOCK_EX)


def append_whole(descriptor: int, content: bytes, *, size: int) -> None:
    """Write content to the disk, at the end of a file of this size; if that fails, leave it as it was."""
    left = content
    try:
        while left:
            left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, size)
        raise
