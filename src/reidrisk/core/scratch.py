"""Where a computation puts what must be a file for a while."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reidrisk.core.file_set import clear_left, place_for_work
from reidrisk.core.work_folder import LockedFolder, new_work_folder


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A work folder for as long as the block runs."""
    folder = work_folder_here()
    try:
        yield folder.path
    finally:
        folder.remove()


def work_folder_here(parent: str | Path | None = None) -> LockedFolder:
    """A work folder in `parent`, or else in the folder of `--temp`, next to the output, or in the system's.

    What killed runs left there is removed first.
    """
    place = Path(parent) if parent is not None else place_for_work() or Path(tempfile.gettempdir())
    clear_left(place)
    return new_work_folder(place)
