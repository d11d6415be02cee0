"""Files on disk between the first and the second pass: findings and keyed hashes, never text."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path

from reidrisk.core.file_set import errors_about
from reidrisk.core.wording import path_text
from reidrisk.core.work_folder import LOCK, LockedFolder, lock_folder
from reidrisk.detect.finding import Finding
from reidrisk.errors import BadData, UnreadableFile
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from reidrisk.resynthesis.real import Hashing

_TABLES = """
CREATE TABLE IF NOT EXISTS about (settings TEXT);
CREATE TABLE IF NOT EXISTS real_values (hash INTEGER PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS found (number INTEGER PRIMARY KEY, text INTEGER, findings TEXT);
"""
DATABASE, WRITTEN, TEXTS = "found.sqlite", "written.txt", "texts"
CACHED = 2**16


@contextmanager
def database_errors(out: Path) -> Iterator[None]:
    """Turn an error of the database into one that names the work folder; its own text may quote a value."""
    try:
        yield
    except sqlite3.Error as error:
        reason = "the disk is full" if "full" in str(error) else "the database refused"
        raise UnreadableFile(
            f"{path_text(work_path(out))} cannot be written: {reason}.",
            hint="Check that the disk has room and that you may write next to the output.",
        ) from None


def work_path(out: Path) -> Path:
    """Where the work folder of an output is."""
    return out.parent / f".{out.name}.work"


def lock_work(out: Path) -> LockedFolder:
    """The work folder of an output, new or left by an earlier run, for this run alone."""
    path = work_path(out)
    with errors_about(path):
        path.mkdir(mode=0o700, exist_ok=True)
    lock = lock_folder(path)
    if lock is None:
        raise BadData(
            f"Another run is writing {path_text(out)}.", hint="Wait until it has ended, or stop it."
        )
    return lock


def clear_work(path: Path, tell: Callable[[str], None]) -> None:
    """Remove what an earlier run left in a work folder that this run has locked."""
    left = [one for one in path.iterdir() if one.name != LOCK]
    if left:
        tell(f"Removed what an interrupted run left: {path_text(path)}.")
    for one in left:
        shutil.rmtree(one) if one.is_dir() else one.unlink()


class WorkFolder:
    """A hidden folder next to the output. It is removed at the end, but kept if the run can be resumed."""

    def __init__(
        self, out: Path, settings: str, *, resume: bool, tell: Callable[[str], None] = lambda _: None
    ) -> None:
        self.path = work_path(out)
        self._lock: LockedFolder | None = None
        is_new = not self.path.exists()
        try:
            self._lock = lock_work(out)
            self._open(settings, resume=resume, tell=tell)
        except BaseException as error:
            if is_new and not isinstance(error, BadData):  # that is said of folders of other runs
                shutil.rmtree(self.path, ignore_errors=True)
            if self._lock is not None:
                self._lock.release()
            raise

    def _open(self, settings: str, *, resume: bool, tell: Callable[[str], None]) -> None:
        self.resumed = resume and (self.path / DATABASE).exists()
        if self.resumed:
            self._check(settings)
        else:
            clear_work(self.path, tell)
        self._database = sqlite3.connect(self.path / DATABASE)
        self._database.executescript(_TABLES)
        if not self.resumed:
            self._database.execute("INSERT INTO about VALUES (?)", (settings,))
            self._database.commit()

    def _check(self, settings: str) -> None:
        known = None
        if (self.path / DATABASE).is_file():
            with closing(sqlite3.connect(self.path / DATABASE)) as database:
                known = database.execute("SELECT settings FROM about").fetchone()
        if known is None or known[0] != settings:
            raise BadData(
                f"The earlier run in {path_text(self.path)} used a different key, version or settings.",
                hint="Repeat the same command, or remove the output and start again without --resume.",
            )

    @property
    def database(self) -> Path:
        """The database that workers read."""
        return self.path / DATABASE

    @property
    def texts(self) -> Path:
        """The folder that becomes the output when all texts are written."""
        path = self.path / TEXTS
        path.mkdir(exist_ok=True)
        return path

    def remember(self, number: int, text: int, findings: Sequence[Finding], values: Iterable[int]) -> None:
        """Store the findings of one text, and its values as numbers that reveal nothing without the key."""
        self._database.executemany("INSERT OR IGNORE INTO real_values VALUES (?)", ((one,) for one in values))
        self._database.execute(
            "INSERT OR REPLACE INTO found VALUES (?, ?, ?)", (number, text, pack_findings(findings))
        )

    def known(self, number: int, text: int) -> bool:
        """Whether a text was read before; raises an error if it has changed since."""
        row = self._database.execute("SELECT text FROM found WHERE number = ?", (number,)).fetchone()
        if row is not None and row[0] != text:
            raise BadData(
                f"Text {number} has changed since the earlier run.",
                hint="Files were changed or added. Remove the output and start again without --resume.",
            )
        return row is not None

    def findings(self) -> Iterator[list[Finding]]:
        """The findings of every text, in order."""
        for (text,) in self._database.execute("SELECT findings FROM found ORDER BY number"):
            yield unpack_findings(text)

    def commit(self) -> None:
        """Save the work so far."""
        self._database.commit()

    def written(self) -> set[str]:
        """Ids of the texts that were written before."""
        path = self.path / WRITTEN
        return set(path.read_text(encoding="utf-8").split("\0")) if path.exists() else set()

    def wrote(self, name: str) -> None:
        """Record that a text was written."""
        with (self.path / WRITTEN).open("a", encoding="utf-8") as file:
            file.write(f"{name}\0")

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def keep(self) -> None:
        """Leave the folder to a run that resumes the work."""
        self.close()
        if self._lock is not None:
            self._lock.release()

    def remove(self) -> None:
        """Remove the folder and its files."""
        self.close()
        if self._lock is not None:
            self._lock.remove()


def remove_finished(out: Path, tell: Callable[[str], None]) -> None:
    """Remove the work folder of a run that was killed after its output was complete."""
    path = work_path(out)
    if path.is_dir() and not (path / TEXTS).exists():
        remove_left(path, tell)


def remove_left(path: Path, tell: Callable[[str], None]) -> None:
    """Remove a work folder, unless another run uses it."""
    lock = lock_folder(path)
    if lock is not None:
        lock.remove()
        tell(f"Removed what an interrupted run left: {path_text(path)}.")


class RealValuesOnDisk:
    """Reads the real values from a work folder; each worker has its own connection."""

    def __init__(self, path: Path, keyed: KeyedDraw) -> None:
        self._database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        self._hashing = Hashing(keyed)
        self.holds = lru_cache(maxsize=CACHED)(self._holds)

    def _holds(self, value: str) -> bool:
        query = "SELECT 1 FROM real_values WHERE hash = ?"
        return self._database.execute(query, (self._hashing.value(value),)).fetchone() is not None


def pack_findings(findings: Sequence[Finding]) -> str:
    """Findings as one line of JSON."""
    return json.dumps([[one.start, one.end, one.type, one.confidence, one.source] for one in findings])


def unpack_findings(text: str) -> list[Finding]:
    """Findings from one line of JSON."""
    return [Finding(*row) for row in json.loads(text)]
