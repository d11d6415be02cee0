"""Complete or remove what killed runs left in a folder."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from reidrisk.core.wording import path_text, plural
from reidrisk.core.work_folder import LockedFolder, is_work_name, left_in, take_left

JOURNAL, UNDO, LEAD = "journal.json", "undo.json", "lead"
"""Files of a work folder: what is to be renamed, what is to be undone, and which folder has the journal."""
UNSYNCED = (errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES, errno.EPERM, errno.EISDIR)
"""Answers of systems on which folders cannot be synced."""
Identity = tuple[int, int, int]
"""Of a file: its number, size and time of change."""


def clear_folder(folder: Path, *, tell: Callable[[str], None]) -> None:
    """Complete or remove what killed runs left in a folder, and name it."""
    for left in left_in(folder):
        try:
            message = _cleared(left)
        except (OSError, ValueError, LookupError, TypeError) as error:  # a journal that the disk has lost
            left.release()
            reason = getattr(error, "strerror", None) or "its journal cannot be read"
            message = f"An interrupted run left {path_text(left.path)}, which cannot be removed: {reason}."
        if message:
            tell(message)


def _cleared(left: LockedFolder) -> str:
    """Complete what has a journal, undo what was to be undone, remove the rest; what was done, in words."""
    if (left.path / UNDO).is_file():
        return _ended(
            left, _replay(left, UNDO, _put_back), "Undid what an interrupted run had begun to write"
        )
    if (left.path / JOURNAL).is_file():
        return _ended(
            left, _replay(left, JOURNAL, _put_in_place), "Completed what an interrupted run had written"
        )
    if (left.path / LEAD).is_file():
        lead = left.path.parent / (left.path / LEAD).read_text(encoding="utf-8")
        if lead.exists():
            taken = take_left(Path(os.path.normpath(lead)))
            if taken is None:  # another run is completing it
                left.release()
                return ""
            said = _cleared(taken)
            left.remove()
            return said
    files = sum(1 for path in left.path.rglob("*") if path.is_file() and path.parent != left.path)
    left.remove()
    return f"Removed what an interrupted run left: {path_text(left.path)} ({plural(files, 'file')})."


def _ended(left: LockedFolder, names: list[str], what: str) -> str:
    """Remove the work folder; those in other folders of the same set were removed with their files."""
    left.remove()
    return f"{what}: {', '.join(names) or path_text(left.path)}."


def _replay(left: LockedFolder, name: str, act: Callable[..., bool]) -> list[str]:
    """Do what a journal lists; the names for which there was something to do."""
    base, done = left.path.parent, []
    others: set[Path] = set()
    for line in json.loads((left.path / name).read_text(encoding="utf-8")):
        target, staged, old = (
            None if line[key] is None else Path(os.path.normpath(base / line[key]))
            for key in ("target", "staged", "old")
        )
        before = None if line["before"] is None else tuple(line["before"])
        if target is not None and act(target, staged, old, before):
            done.append(path_text(target))
            sync_folder(target.parent)
        others |= {parent for parent in (staged or base).parents if is_work_name(parent.name)}
    for other in others - {left.path}:
        taken = take_left(other)
        if taken is not None:
            taken.remove()
    return done


def _put_in_place(target: Path, staged: Path | None, _old: Path | None, before: Identity | None) -> bool:
    """Give a name its new content, unless somebody has changed the old one since."""
    if identity(target) != before or (staged is not None and not staged.exists()):
        return False
    if staged is None:
        target.unlink(missing_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        staged.replace(target)
    return True


def _put_back(target: Path, staged: Path | None, old: Path | None, before: Identity | None) -> bool:
    """Give a name its old content again, if it has the new one."""
    if identity(target) == before or (staged is not None and staged.exists()):
        return False
    if old is not None and old.exists():
        old.replace(target)
    elif before is None and target.is_file():
        target.unlink()
    elif before is None and staged is not None:
        target.replace(staged)
    else:
        return False
    return True


def identity(path: Path) -> Identity | None:
    """What tells a file from one that somebody wrote later under its name."""
    try:
        found = path.stat()
    except OSError:
        return None
    if path.is_dir() and not any(path.iterdir()):
        return None  # an empty folder is as good as none
    return found.st_ino, found.st_size, found.st_mtime_ns


def write_synced(path: Path, text: str) -> None:
    """Write a small file to disk, whole or not at all."""
    part = path.with_name(f"{path.name}.new")
    with part.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def sync_file(path: Path) -> None:
    """Write what the system still holds of a file to disk."""
    if path.is_file() and not path.is_symlink():
        with path.open("rb+") as file:
            os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Write the names in a folder to disk, where the system can do that."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in UNSYNCED:
            raise
    finally:
        os.close(descriptor)
