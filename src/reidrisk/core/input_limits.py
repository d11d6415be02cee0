"""The largest inputs that are read, declared once: what is larger is refused before it takes the machine.

A limit is raised for one command by `--input-limit NAME=NUMBER`, or by the environment variable below, which
the processes that a command starts see, too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from zipfile import ZipInfo

from reidrisk.errors import InvalidSetting, UnreadableFile

LIMITS = "REIDRISK_LIMITS"
"""The environment: NAME=NUMBER, separated by commas."""
OPTION = "--input-limit"


@dataclass(frozen=True, slots=True)
class InputLimit:
    """One limit on inputs."""

    name: str
    most: int
    """Unless it is changed."""
    unit: str
    about: str
    """What it limits, for the reference page."""

    def now(self) -> int:
        """The limit that holds now."""
        return _changed().get(self.name, self.most)

    def check(self, found: float, place: str) -> None:
        """Refuse what is larger."""
        if found > self.now():
            raise self.exceeded(place)

    def exceeded(self, place: str) -> UnreadableFile:
        """The error: which limit, and how to raise it."""
        return UnreadableFile(
            f"{place} has more than {self.now():,} {self.unit}.",
            hint=f"If you trust this file, raise the limit: {self.raising}",
        )

    @property
    def raising(self) -> str:
        """What to type."""
        return f"{OPTION} {self.name}=NUMBER"


COLUMNS = InputLimit("columns", 10_000, "columns", "Columns of a table.")
LINE = InputLimit(
    "line", 2_000_000, "bytes in one line", "Length of a row of a table in a text file (CSV, TSV)."
)
FIELD = InputLimit(
    "field",
    64 * 2**20,
    "characters in one field",
    "Length of a field of a CSV or TSV file with texts, of a line of JSON Lines (in bytes).",
)
NESTING = InputLimit(
    "nesting", 100, "levels of nesting", "Nesting of JSON, YAML and XML files. DOCX: 256, not to be changed."
)
ARCHIVE_RATIO = InputLimit(
    "archive_ratio",
    500,
    "times its packed size inside",
    "Unpacked size of a part of more than 1 MiB of an archive (ZIP, DOCX, XLSX, GZ), by its packed size.",
)
ARCHIVE_BYTES = InputLimit(
    "archive_bytes", 16 * 2**30, "bytes inside", "Unpacked size of all parts of an archive (ZIP, DOCX, XLSX)."
)
ARCHIVE_PARTS = InputLimit("archive_parts", 1_000_000, "parts", "Files in an archive (ZIP, DOCX, XLSX).")
PAGES = InputLimit("pages", 50_000, "pages", "Pages of a PDF.")
OBJECTS = InputLimit("objects", 5_000_000, "objects", "Objects of a PDF.")

INPUT_LIMITS = (
    COLUMNS,
    LINE,
    FIELD,
    NESTING,
    ARCHIVE_RATIO,
    ARCHIVE_BYTES,
    ARCHIVE_PARTS,
    PAGES,
    OBJECTS,
)
SMALL_PART = 2**20
"""A part of an archive up to this size is harmless, whatever its ratio."""


def check_part(unpacked: int, packed: int, place: str) -> None:
    """Refuse a part of an archive that grows out of all proportion."""
    if unpacked > SMALL_PART:
        ARCHIVE_RATIO.check(unpacked / max(packed, 1), place)


def check_archive(parts: Sequence[ZipInfo], place: str) -> None:
    """Refuse a ZIP file by what its table of contents says; unpacking stops at these sizes."""
    ARCHIVE_PARTS.check(len(parts), place)
    ARCHIVE_BYTES.check(sum(part.file_size for part in parts), place)
    for part in parts:
        check_part(part.file_size, part.compress_size, place)


def check_depth(value: object, place: str) -> None:
    """Refuse JSON that is nested too deeply; level by level, so that no depth is too much for the check."""
    level = [value] if isinstance(value, dict | list) else []
    most = NESTING.now()
    depth = 0
    while level:
        depth += 1
        if depth > most:
            raise NESTING.exceeded(place)
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]


def limit_values(texts: tuple[str, ...] | list[str]) -> dict[str, int]:
    """Limits from texts of the form NAME=NUMBER.

    >>> limit_values(["columns=20000"])
    {'columns': 20000}
    """
    known = {one.name for one in INPUT_LIMITS}
    found: dict[str, int] = {}
    for text in texts:
        name, _, number = (part.strip() for part in text.partition("="))
        if name not in known:
            raise InvalidSetting.among("A limit", name, [one.name for one in INPUT_LIMITS])
        if not number.isdecimal() or not 0 < int(number) <= 10**15:
            raise InvalidSetting(
                f"The limit {name} is not a whole number above 0.", hint=f"For example: {OPTION} {name}=20000"
            )
        found[name] = int(number)
    return found


@contextmanager
def changed_limits(values: Mapping[str, int]) -> Iterator[None]:
    """Change limits inside the block."""
    before = os.environ.get(LIMITS)
    if values:
        both = {**_changed(), **values}
        os.environ[LIMITS] = ",".join(f"{name}={number}" for name, number in both.items())
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(LIMITS, None)
        else:
            os.environ[LIMITS] = before


def _changed() -> dict[str, int]:
    text = os.environ.get(LIMITS)
    return limit_values(text.split(",")) if text else {}
