"""One name that gets new content, loses it again if a later one fails, or goes."""

from __future__ import annotations

import errno
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reidrisk.core.recovery import Identity, identity, sync_file, sync_folder
from reidrisk.core.work_folder import LockedFolder

UNLINKED = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EXDEV)
"""Answers of systems on which a file cannot have a second name."""


@dataclass(eq=False)
class FileEntry:
    """One name that gets new content, or goes."""

    target: Path
    staged: Path | None
    """The new file or folder; None: the target is removed."""
    work: LockedFolder
    mode: int | None = None
    """Permissions of the file; None: as usual."""
    is_new: bool = False
    """A file that is there already is not replaced."""
    is_ours: bool = True
    """Whether `staged` is in the work folder, and goes with it."""
    shown: str | Path | None = None
    """The target as its user named it."""
    before: Identity | None = None
    old: Path | None = None
    """The old file under another name, until all renames are done."""

    def to_disk(self) -> None:
        """Write what the system still holds in memory, and set permissions."""
        if self.staged is None:
            return
        if self.staged.is_dir():
            for path in sorted(self.staged.rglob("*"), reverse=True):
                sync_folder(path) if path.is_dir() else sync_file(path)
            sync_folder(self.staged)
            return
        self.staged.chmod(0o666 & ~umask() if self.mode is None else self.mode)
        sync_file(self.staged)

    def keep_old(self, number: int) -> None:
        """Note what is there, and keep it reachable for the case that a later rename fails."""
        self.before = identity(self.target)
        if self.before is None or not self.target.is_file():
            return
        old = self.work.path / f"old-{number}"
        try:
            old.hardlink_to(self.target)
        except OSError as error:
            if error.errno not in UNLINKED:
                raise
            shutil.copy2(self.target, old)
        self.old = old

    def place(self) -> None:
        """Give the content its name."""
        if self.staged is None:
            self.target.unlink(missing_ok=True)
        elif self.is_new:
            self.target.hardlink_to(self.staged)
        else:
            self.target.parent.mkdir(parents=True, exist_ok=True)
            self.staged.replace(self.target)

    @property
    def is_placed(self) -> bool:
        """Whether the name has its new content."""
        if self.staged is None:
            return not self.target.exists()
        if self.is_new:
            return self.target.exists() and self.target.samefile(self.staged)
        return not self.staged.exists()

    def undo(self) -> None:
        """Give the name back to what had it."""
        if not self.is_placed:
            return
        if self.old is not None:
            self.old.replace(self.target)
        elif self.is_new:
            self.target.unlink()
        elif self.staged is not None:
            self.target.replace(self.staged)

    def told(self, base: Path) -> dict[str, Any]:
        """As a line of the journal; paths are relative, so that a folder that is moved can be completed."""
        paths = {"target": self.target, "staged": self.staged, "old": self.old}
        return {
            **{name: None if path is None else os.path.relpath(path, base) for name, path in paths.items()},
            "before": self.before,
        }


def umask() -> int:
    """The permissions that new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
