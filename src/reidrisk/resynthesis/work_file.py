"""What is known between the first look and the second: findings and keyed hashes, on the disk, never text."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.detect.finding import Finding
from reidrisk.errors import BadData
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from reidrisk.resynthesis.real import Hashing

_TABLES = """
CREATE TABLE IF NOT EXISTS about (settings TEXT);
CREATE TABLE IF NOT EXISTS real_values (hash INTEGER PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS days (person INTEGER, day INTEGER, PRIMARY KEY (person, day)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS found (number INTEGER PRIMARY KEY, text INTEGER, findings TEXT);
"""
DATABASE, WRITTEN = "found.sqlite", "written.txt"
CACHED = 2**16


class WorkFolder:
    """A hidden folder beside the output. It is removed at the end, and kept if files can be resumed."""

    def __init__(self, out: Path, settings: str, *, resume: bool) -> None:
        self.path = out.parent / f".{out.name}.work"
        self.resumed = resume and self.path.is_dir()
        if self.resumed:
            self._check(settings)
        else:
            self.remove()
            self.path.mkdir(mode=0o700)
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
                f"What was begun in {path_text(self.path)} had another key, version or settings.",
                hint="Repeat the command as it was, or remove the output and begin anew without --resume.",
            )

    @property
    def database(self) -> Path:
        """The file that workers read."""
        return self.path / DATABASE

    def remember(
        self,
        number: int,
        text: int,
        findings: Sequence[Finding],
        values: Iterable[int],
        days: Iterable[tuple[int, int]],
    ) -> None:
        """What one text holds, as numbers that tell nothing without the key."""
        self._database.executemany("INSERT OR IGNORE INTO real_values VALUES (?)", ((one,) for one in values))
        self._database.executemany("INSERT OR IGNORE INTO days VALUES (?, ?)", days)
        self._database.execute(
            "INSERT OR REPLACE INTO found VALUES (?, ?, ?)", (number, text, pack_findings(findings))
        )

    def known(self, number: int, text: int) -> bool:
        """Whether a text was looked at before; refuses one that has changed since."""
        row = self._database.execute("SELECT text FROM found WHERE number = ?", (number,)).fetchone()
        if row is not None and row[0] != text:
            raise BadData(
                f"Text {number} is not the one that was read before.",
                hint="Files were changed or added: remove the output and begin anew without --resume.",
            )
        return row is not None

    def findings(self) -> Iterator[list[Finding]]:
        """Those of every text, in order."""
        for (text,) in self._database.execute("SELECT findings FROM found ORDER BY number"):
            yield unpack_findings(text)

    def commit(self) -> None:
        """Safe from now on."""
        self._database.commit()

    def written(self) -> set[str]:
        """Ids of texts that were written before."""
        path = self.path / WRITTEN
        return set(path.read_text(encoding="utf-8").split("\0")) if path.exists() else set()

    def wrote(self, name: str) -> None:
        """Remember that a text is written."""
        with (self.path / WRITTEN).open("a", encoding="utf-8") as file:
            file.write(f"{name}\0")

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def remove(self) -> None:
        """Leave nothing behind."""
        for name in (DATABASE, f"{DATABASE}-journal", WRITTEN):
            (self.path / name).unlink(missing_ok=True)
        if self.path.is_dir():
            self.path.rmdir()


class RealValuesOnDisk:
    """Reads what a work folder holds; every worker has its own."""

    def __init__(self, path: Path, keyed: KeyedDraw) -> None:
        self._database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        self._hashing = Hashing(keyed)
        self.holds = lru_cache(maxsize=CACHED)(self._holds)

    def _holds(self, value: str) -> bool:
        query = "SELECT 1 FROM real_values WHERE hash = ?"
        return self._database.execute(query, (self._hashing.value(value),)).fetchone() is not None

    def days_of(self, person: str) -> frozenset[int]:
        """The person's dates as days from an unknown day on."""
        query = "SELECT day FROM days WHERE person = ?"
        rows = self._database.execute(query, (self._hashing.person(person),))
        return frozenset(day for (day,) in rows)


def pack_findings(findings: Sequence[Finding]) -> str:
    """Findings as a line."""
    return json.dumps([[one.start, one.end, one.type, one.confidence, one.source] for one in findings])


def unpack_findings(text: str) -> list[Finding]:
    """Findings from a line."""
    return [Finding(*row) for row in json.loads(text)]
