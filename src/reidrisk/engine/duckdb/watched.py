"""Files that must stay as they are while they are worked on.

A text file is parsed once and not looked at again: what is said about a file, or released from it, would
otherwise belong to a file that is no longer there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.errors import BadData

Looks = tuple[int, int, int]
"""Size, time of the last change in nanoseconds, and number of the file on its disk."""
_written: set[Looks] = set()
"""How files look that this process wrote itself: a command may put its result in the place of its source."""


@dataclass(frozen=True, slots=True)
class WatchedFiles:
    """Files with how they looked before the first byte was read."""

    found: dict[Path, Looks] = field(default_factory=dict)

    def watch(self, paths: Iterable[Path]) -> None:
        """Remember how the files look now."""
        self.found.update((path, looks) for path in paths if (looks := _looks(path)) is not None)

    def refuse_changed(self) -> None:
        """Refuse to go on if a file is not what it was."""
        for path, before in self.found.items():
            now = _looks(path)
            if now != before and now not in _written:
                what = "was removed" if now is None else "changed"
                raise BadData(
                    f"{path_text(path)} {what} while it was read: the result would not be that of one file.",
                    hint="Run the command again when no other program writes to the file, or copy it first.",
                )


def note_written(path: Path) -> None:
    """The file was written by this process."""
    looks = _looks(path)
    if looks is not None:
        _written.add(looks)


def _looks(path: Path) -> Looks | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ino
