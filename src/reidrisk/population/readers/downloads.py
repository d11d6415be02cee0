"""Files as the US Census Bureau hands them out: alone, in a folder, or in archives."""

from __future__ import annotations

import codecs
import csv
import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.errors import BadData, UnreadableFile

TEXTS = (".csv", ".txt")
LONGEST = 12
"""Digits of a count."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One file of values with commas between."""

    path: Path
    member: str | None = None
    """Its name in the archive, if `path` is one."""
    header: tuple[str, ...] = field(default=(), repr=False)

    @property
    def name(self) -> str:
        """The file's own name, for what it tells."""
        return Path(self.member or self.path).name

    @property
    def place(self) -> str:
        """For messages."""
        return path_text(f"{self.path}: {self.member}" if self.member else self.path)

    def rows(self) -> Iterator[list[str]]:
        """Every line below the header."""
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
            raise UnreadableFile(
                f"{self.place} is no file of values with commas between.", hint="Download it again."
            ) from None

    def _opened(self) -> io.BufferedIOBase:
        if self.member is None:
            return self.path.open("rb")
        content = zipfile.ZipFile(self.path).read(self.member)
        return io.BytesIO(content)

    def peeked(self) -> Sheet:
        """The same with its header read."""
        try:
            first = next(self._lines(), [])
        except UnreadableFile:
            first = []  # no file of the Bureau; whoever reads it will say what is wrong
        return Sheet(self.path, self.member, tuple(cell.strip() for cell in first))


def sheets_of(source: Path) -> tuple[Sheet, ...]:
    """The texts in a file, an archive or a folder of them, each with its header; others are passed over."""
    if source.is_dir():
        paths = sorted(path for path in source.rglob("*") if path.is_file() and not path.name.startswith("."))
    else:
        paths = [source]
    return tuple(sheet.peeked() for path in paths for sheet in _sheets(path))


def _sheets(path: Path) -> Iterable[Sheet]:
    if path.suffix.lower() in TEXTS:
        return [Sheet(path)]
    if path.suffix.lower() != ".zip":
        return []
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.lower().endswith(TEXTS)]
    except (OSError, zipfile.BadZipFile):
        raise UnreadableFile(f"{path_text(path)} is no archive.", hint="Download it again.") from None
    return [Sheet(path, name) for name in sorted(names)]


def _decoded(file: Iterable[bytes]) -> Iterator[str]:
    """Names of places are UTF-8 in some of the Bureau's files and Latin-1 in others."""
    for at, line in enumerate(file):
        text = line.removeprefix(codecs.BOM_UTF8) if at == 0 else line
        try:
            yield text.decode("utf-8")
        except UnicodeDecodeError:
            yield text.decode("latin-1")


def whole_number(text: str) -> int | None:
    """A count as the Bureau writes it: revised ones have a mark behind, such as 4779736(r38235).

    >>> whole_number("4779736(r38235)"), whole_number("(X)")
    (4779736, None)
    """
    digits = text.strip().partition("(r")[0].replace(",", "")
    return int(digits) if digits.isdecimal() and len(digits) <= LONGEST else None


def refuse_misfits(misfits: int, place: str) -> None:
    """Cells that hold no count."""
    if misfits:
        raise BadData(
            f"{place}: {misfits:,} of its cells hold no count.",
            hint="Choose areas for which the Bureau publishes the table, and download it again.",
        )
