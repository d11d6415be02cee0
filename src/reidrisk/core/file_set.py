"""Sets of files that appear together or not at all.

Everything is written to a work folder next to its place first. Once all of it is complete and on disk, it is
renamed. One rename cannot be cut in half, several can: so a journal is on disk before the first of several
renames. If one of them fails, those before it are undone. If the run is killed between them, the next run
that writes to one of these folders reads the journal and completes the set.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock

from reidrisk.core.file_entry import FileEntry, umask
from reidrisk.core.limits import limits_now
from reidrisk.core.recovery import (
    JOURNAL,
    LEAD,
    UNDO,
    clear_folder,
    sync_folder,
    write_synced,
)
from reidrisk.core.trail import log_written
from reidrisk.core.wording import path_text
from reidrisk.core.work_folder import LockedFolder, new_work_folder
from reidrisk.errors import UnwritableFile


@dataclass(eq=False)
class FileSet:
    """Files and folders that appear together."""

    tell: Callable[[str], None]
    """Says what became of the files that a killed run left."""
    places: list[Path] = field(default_factory=list)
    """Folders of outputs, the first of which has the work folders of everything else."""
    _entries: list[FileEntry] = field(default_factory=list)
    _works: list[LockedFolder] = field(default_factory=list)
    _made: list[Path] = field(default_factory=list)
    _after: list[Callable[[], None]] = field(default_factory=list)
    _instead: list[Callable[[], None]] = field(default_factory=list)
    _drafts: dict[Path, Path] = field(default_factory=dict)
    _elsewhere: list[Path] = field(default_factory=list)
    _lock: RLock = field(default_factory=RLock)
    _count: int = 0
    _is_mixed: bool = False
    """Whether some names may have new content and others not: then the journal must stay."""

    def visit(self, folder: Path) -> None:
        """A folder of an output: what killed runs left there is completed or removed."""
        with self._lock:
            if folder not in self.places:
                self.places.append(folder)
                clear_folder(folder, tell=self.tell)

    def make_folder(self, path: Path, *, parents: bool = True) -> None:
        """Create a folder for outputs; it goes again if nothing is written to it."""
        missing = [one for one in (path, *path.parents) if not one.exists()]
        path.mkdir(parents=parents, exist_ok=True)
        self._made += missing

    def stage(
        self,
        target: Path,
        *,
        shown: str | Path | None = None,
        folder: bool = False,
        suffix: str = "",
        mode: int | None = None,
        new: bool = False,
    ) -> Path:
        """A path in a work folder for the new content of `target`, alone in a folder of its own."""
        with self._lock:
            self._forget(target)
            work = self._work(target.parent)
            self._count += 1
            holder = work.path / str(self._count)
            holder.mkdir(mode=0o700)
            staged = holder / f"{target.name}{suffix}"
            if folder:
                staged.mkdir()
            self._entries.append(FileEntry(target, staged, work, mode, new, shown=shown))
            return staged

    def draft(self, folder: Path) -> Path:
        """New files of a folder: they are added to it at the end, or replace those of their names."""
        with self._lock:
            if folder not in self._drafts:
                work = self._work_for(folder)
                self._count += 1
                self._drafts[folder] = work.path / str(self._count) / folder.name
                self._drafts[folder].mkdir(parents=True, mode=0o700)
            return self._drafts[folder]

    def adopt(self, staged: Path, target: Path) -> None:
        """Rename a folder that is filled elsewhere; if the set fails, it stays there."""
        with self._lock:
            self._entries.append(FileEntry(target, staged, self._work(target.parent), is_ours=False))

    def remove_at_end(self, folder: Path) -> None:
        """A folder where others fill what is adopted: it goes with the set, unless a journal needs it."""
        self._elsewhere.append(folder)

    def remove(self, target: Path) -> None:
        """Remove a file when the others appear."""
        with self._lock:
            self._forget(target)
            above = next((folder for folder in self._drafts if target.is_relative_to(folder)), None)
            work = self._work(target.parent) if above is None else self._work_for(above)
            self._entries.append(FileEntry(target, None, work))

    def then(self, call: Callable[[], None]) -> None:
        """Call this once everything has its name."""
        self._after.append(call)

    def otherwise(self, call: Callable[[], None]) -> None:
        """Call this if nothing gets its name."""
        self._instead.append(call)

    def drop(self, staged: Path) -> None:
        """What was staged is not wanted after all."""
        with self._lock:
            self._entries = [one for one in self._entries if one.staged != staged]
            shutil.rmtree(staged.parent, ignore_errors=True)

    def now_at(self, path: Path) -> Path:
        """Where the content of a target is now."""
        for entry in self._entries:
            if entry.staged is not None and path == entry.target:
                return entry.staged
        for folder, draft in self._drafts.items():
            if path.is_relative_to(folder) and (inside := draft / path.relative_to(folder)).exists():
                return inside
        return path

    def holds(self, path: Path) -> bool:
        """Whether a path is in a folder that appears as a whole later."""
        folders = [entry.staged for entry in self._entries] + list(self._drafts.values())
        return any(folder in path.parents for folder in folders)

    @property
    def waits(self) -> bool:
        """Whether anything waits for its name."""
        return bool(self._entries or self._drafts)

    @property
    def size(self) -> int:
        """How many names wait for their content."""
        return len(self._entries)

    def shrink(self, size: int) -> None:
        """Forget what was staged last."""
        for entry in self._entries[size:]:
            self._drop_entry(entry)
        del self._entries[size:]

    def commit(self) -> None:
        """Give all files their names, or none."""
        with self._lock:
            try:
                self._place_all()
            except BaseException:
                self.discard()
                raise
            self._end()
        after, self._after = self._after, []
        self._instead.clear()
        for call in after:
            call()

    def discard(self) -> None:
        """Forget everything that was staged."""
        with self._lock:
            self._end()
            for folder in self._made:
                with suppress(OSError):
                    folder.rmdir()
            self._made.clear()
            self._after.clear()
            while self._instead:
                self._instead.pop()()

    def _end(self) -> None:
        self._entries.clear()
        self._drafts.clear()
        # The first has the journal and goes last: without it nobody would complete the others.
        for work in reversed(self._works):
            work.release() if self._is_mixed else work.remove()
        for folder in [] if self._is_mixed else self._elsewhere:
            shutil.rmtree(folder, ignore_errors=True)
        self._works.clear()
        self._elsewhere.clear()
        self._is_mixed = False

    def _forget(self, target: Path) -> None:
        for entry in [one for one in self._entries if one.target == target]:
            self._entries.remove(entry)
            self._drop_entry(entry)

    @staticmethod
    def _drop_entry(entry: FileEntry) -> None:
        if entry.is_ours and entry.staged is not None:
            shutil.rmtree(entry.staged.parent, ignore_errors=True)

    def _work_for(self, folder: Path) -> LockedFolder:
        """A work folder next to a folder, or in it if it is another disk."""
        is_disk = folder.is_dir() and _device(folder) != _device(folder.parent)
        return self._work(folder if is_disk else folder.parent)

    def _work(self, folder: Path) -> LockedFolder:
        """The work folder of this set in a folder: there the next run that writes to it finds it."""
        self.visit(folder)
        for work in self._works:
            if work.path.parent == folder:
                return work
        self._works.append(new_work_folder(folder))
        return self._works[-1]

    def _place_all(self) -> None:
        for call in tuple(_BEFORE) if self.waits else ():
            call(self)
        self._list_drafts()
        for number, entry in enumerate(self._entries):
            with errors_about(entry.shown or entry.target):
                entry.to_disk()
                entry.keep_old(number)
        if len(self._entries) > 1:
            self._write_journal()
        try:
            self._is_mixed = True
            for entry in self._entries:
                with errors_about(entry.shown or entry.target):
                    entry.place()
            for folder in self._folders():
                with errors_about(folder):
                    sync_folder(folder)
        except BaseException as error:
            self._undo(error)
            raise
        self._is_mixed = False
        self._made.clear()
        for entry in self._entries:
            if entry.staged is not None:
                log_written(entry.target, is_secret=entry.mode == 0o600)

    def _list_drafts(self) -> None:
        """Files of a draft get their names in the folder; a folder that is not there yet is renamed whole."""
        for folder, draft in self._drafts.items():
            work = self._work_for(folder)
            if not folder.exists():
                draft.chmod(0o777 & ~umask())
                self._entries.append(FileEntry(folder, draft, work))
                continue
            for path in sorted(one for one in draft.rglob("*") if one.is_file()):
                self._forget(folder / path.relative_to(draft))
                self._entries.append(FileEntry(folder / path.relative_to(draft), path, work, is_ours=False))
        self._drafts.clear()

    def _folders(self) -> list[Path]:
        """Every folder in which names have changed, also those that are new in theirs."""
        every = [entry.target.parent for entry in self._entries]
        above = [folder.parent for folder in every if folder not in self.places]
        return list(dict.fromkeys((*every, *above)))

    def _write_journal(self) -> None:
        """From the moment the journal has its name, a killed run is completed by the next one."""
        lead, *others = self._works
        with errors_about(self._entries[0].shown or self._entries[0].target):
            for work in others:
                write_synced(work.path / LEAD, os.path.relpath(lead.path, work.path.parent))
                sync_folder(work.path)
            listed = [entry.told(lead.path.parent) for entry in self._entries]
            write_synced(lead.path / JOURNAL, json.dumps(listed))
            for work in self._works:
                sync_folder(work.path)
                sync_folder(work.path.parent)

    def _undo(self, error: BaseException) -> None:
        """Undo the renames so far; if that fails or is killed, the next run does it."""
        journal = self._works[0].path / JOURNAL
        try:
            if journal.exists():
                journal.replace(journal.with_name(UNDO))
            for entry in reversed(self._entries):
                entry.undo()
        except OSError:
            problem = getattr(error, "problem", "The files cannot be written.")
            raise UnwritableFile(
                f"{problem} Those before it in the same set could not be put back.",
                hint="Repair the disk and repeat the command: it first puts them back, or completes the set.",
            ) from None
        self._is_mixed = False


@contextmanager
def errors_about(path: str | Path) -> Iterator[None]:
    """Turn an error of the system into one that names the output."""
    try:
        yield
    except OSError as error:
        raise cannot_write(path, error) from None


def cannot_write(path: str | Path, error: Exception) -> UnwritableFile:
    """An output cannot be written, and why."""
    reason = getattr(error, "strerror", None) or "the operating system refused"
    return UnwritableFile(
        f"{path_text(path)} cannot be written: {reason}.",
        hint="Check that the folder exists, that you may write there, and that the disk is not full.",
    )


def _log(message: str) -> None:
    logging.getLogger("reidrisk").warning(message)


_SET: ContextVar[FileSet | None] = ContextVar("file_set", default=None)
_TELL: ContextVar[Callable[[str], None]] = ContextVar("tell", default=_log)
"""Says what became of the files that a killed run left; also of those that do not wait for the others."""
_BEFORE: list[Callable[[FileSet], None]] = []
"""What to call with a set whose files are complete and about to get their names, in any thread."""


def current_set() -> FileSet | None:
    """The set that files written now belong to."""
    return _SET.get()


@contextmanager
def together(tell: Callable[[str], None] | None = None) -> Iterator[FileSet]:
    """All files that are written in the block appear together at its end, or none of them if it fails.

    Inside another such block, they wait for the end of that one.
    """
    outer = _SET.get()
    if outer is not None:
        size = outer.size
        try:
            yield outer
        except BaseException:
            outer.shrink(size)
            raise
        return
    told = _TELL.set(tell or _TELL.get())
    files = FileSet(_TELL.get())
    token = _SET.set(files)
    try:
        yield files
        files.commit()
    except BaseException:
        files.discard()
        raise
    finally:
        _SET.reset(token)
        _TELL.reset(told)


@contextmanager
def at_once() -> Iterator[None]:
    """What is written in the block does not wait for the other files of a set."""
    token = _SET.set(None)
    try:
        yield
    finally:
        _SET.reset(token)


@contextmanager
def before_names(call: Callable[[FileSet], None]) -> Iterator[None]:
    """Call this with every set that ends in the block, before its files get their names."""
    _BEFORE.append(call)
    try:
        yield
    finally:
        _BEFORE.remove(call)


def now_at(path: str | Path) -> Path:
    """Where a file is now: under its name, or in a work folder until its set is complete."""
    files = _SET.get()
    if files is None or not files.waits:
        return Path(path)
    resolved = Path(path).resolve()
    found = files.now_at(resolved)
    return Path(path) if found == resolved else found


def place_for_work() -> Path | None:
    """The folder for work folders: that of `--temp`, or that of the output; None without any."""
    temp = limits_now().temp
    if temp is not None:
        return Path(temp)
    files = _SET.get()
    return files.places[0] if files is not None and files.places else None


def work_beside(out: str | Path) -> None:
    """Say where an output will be, so that work folders are there too."""
    files = _SET.get()
    folder = Path(out).resolve().parent
    if files is not None and folder.is_dir():
        files.visit(folder)


def clear_left(folder: Path) -> None:
    """Complete or remove what killed runs left in a folder, and name it."""
    clear_folder(folder, tell=_TELL.get())


def _device(path: Path) -> int:
    return path.stat().st_dev
