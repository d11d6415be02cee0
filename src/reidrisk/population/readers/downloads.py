"""Files as downloaded from the US Census Bureau: alone, in a folder, or in archives."""

from __future__ import annotations

import codecs
import csv
import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reidrisk.core.input_limits import check_archive
from reidrisk.core.wording import path_text
from reidrisk.errors import BadData, UnreadableFile

TEXTS = (".csv", ".txt")
LONGEST = 12
"""Largest number of digits of a count."""


@dataclass(frozen=True, slots=True)
class CensusSheet:
    """One CSV file."""

    path: Path
    member: str | None = None
    """Name within the archive, if `path` is an archive."""
    header: tuple[str, ...] = field(default=(), repr=False)

    @property
    def name(self) -> str:
        """The file name, which may identify the table."""
        return Path(self.member or self.path).name

    @property
    def place(self) -> str:
        """The path for messages."""
        return path_text(f"{self.path}: {self.member}" if self.member else self.path)

    def rows(self) -> Iterator[list[str]]:
        """All rows below the header."""
        lines = self._lines()
        next(lines, None)
        yield from lines

    def _lines(self) -> Iterator[list[str]]:
        try:
            with self._opened() as file:
                yield from csv.reader(_decoded(file), strict=True)
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
            raise UnreadableFile(
                f"{self.place} cannot be read.", hint="Download it again, or unpack it yourself."
            ) from None
        except csv.Error:
            raise UnreadableFile(f"{self.place} is not a CSV file.", hint="Download it again.") from None

    def _opened(self) -> io.BufferedIOBase:
        if self.member is None:
            return self.path.open("rb")
        content = zipfile.ZipFile(self.path).read(self.member)
        return io.BytesIO(content)

    def peeked(self) -> CensusSheet:
        """The same file with its header."""
        try:
            first = next(self._lines(), [])
        except UnreadableFile:
            first = []  # not a file of the Bureau; the reader that opens it reports the error
        return CensusSheet(self.path, self.member, tuple(cell.strip() for cell in first))


def sheets_of(source: Path) -> tuple[CensusSheet, ...]:
    """The text files in a file, archive or folder, each with its header; other files are skipped."""
    if source.is_dir():
        paths = sorted(path for path in source.rglob("*") if path.is_file() and not path.name.startswith("."))
    else:
        paths = [source]
    return tuple(sheet.peeked() for path in paths for sheet in _sheets(path))


def _sheets(path: Path) -> Iterable[CensusSheet]:
    if path.suffix.lower() in TEXTS:
        return [CensusSheet(path)]
    if path.suffix.lower() != ".zip":
        return []
    try:
        with zipfile.ZipFile(path) as archive:
            check_archive(archive.infolist(), str(path))
            names = [name for name in archive.namelist() if name.lower().endswith(TEXTS)]
    except (OSError, zipfile.BadZipFile, NotImplementedError, ValueError):
        raise UnreadableFile(f"{path_text(path)} is not an archive.", hint="Download it again.") from None
    return [CensusSheet(path, name) for name in sorted(names)]


def _decoded(file: Iterable[bytes]) -> Iterator[str]:
    """Decode lines; place names are UTF-8 in some of the Bureau's files and Latin-1 in others."""
    for at, line in enumerate(file):
        text = line.removeprefix(codecs.BOM_UTF8) if at == 0 else line
        try:
            yield text.decode("utf-8")
        except UnicodeDecodeError:
            yield text.decode("latin-1")


def whole_number(text: str) -> int | None:
    """Read a count; revised counts have a suffix, such as 4779736(r38235).

    >>> whole_number("4779736(r38235)"), whole_number("(X)")
    (4779736, None)
    """
    digits = text.strip().partition("(r")[0].replace(",", "")
    return int(digits) if digits.isdecimal() and len(digits) <= LONGEST else None


def refuse_misfits(misfits: int, place: str) -> None:
    """Refuse a file with cells that have no count."""
    if misfits:
        raise BadData(
            f"{place}: cells without a count: {misfits:,}.",
            hint="Choose areas for which the Bureau publishes the table, and download it again.",
        )
