"""One run at a time for a release: the lock that a run holds as long as it lives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reidrisk.core.kernel_lock import HeldLock, is_locked, take_lock
from reidrisk.core.trail import FOLDER, RELEASE_FILE, release_folder_of
from reidrisk.core.wording import path_text
from reidrisk.errors import AlreadyRunning

JOBS = "jobs"


def jobs_folder(release: Path) -> Path:
    """The folder of the jobs of a release, next to its file."""
    return release.parent / FOLDER / JOBS


def lock_path(release: Path) -> Path:
    """The lock of a release; other release files of the same folder have their own."""
    own = "lock" if release.name == RELEASE_FILE else f"{release.name}.lock"
    return jobs_folder(release) / own


def is_running(release: Path) -> bool:
    """Whether a run of the release is alive."""
    return is_locked(lock_path(release))


def take_run(release: Path) -> HeldLock | None:
    """The lock of the release, which this process now holds; AlreadyRunning if another one does.

    None if nothing can be written next to the release file, or if it is in a folder that is no release folder
    (`core/trail.py`): jobs do not run from there.
    """
    if release_folder_of(release) != release.parent:
        return None
    path = lock_path(release)
    try:
        path.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
        held = take_lock(path)
    except OSError:
        return None
    if held is None:
        raise AlreadyRunning(
            f"An assessment of {path_text(release)} is already running.",
            hint="Wait until it has finished, or stop it.",
        )
    return held


@contextmanager
def only_run(release: Path) -> Iterator[None]:
    """No other run of the release during the block."""
    held = take_run(release)
    try:
        yield
    finally:
        if held is not None:
            held.release()
