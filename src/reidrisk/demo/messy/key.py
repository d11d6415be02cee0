"""The answer key of a messy table: what identifies whom, and what counts as full detail."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from reidrisk.core.files import write_bytes

RARE = 5
"""A place or an occupation shared by fewer people than this identifies on its own."""
DATES = ("date", "birth date")
RARE_TEXTS = ("rare place", "rare occupation")
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[ T]\d.*)?")
_POSITION = re.compile(r"-?\d{1,3}\.\d{3,}")


@dataclass(frozen=True, slots=True)
class KeyedIdentifier:
    """One direct identifier of one person, as it stands in the raw file."""

    kind: str
    """name, phone, e-mail, id, address or IP address."""
    column: str
    """Where it stands; in a column of free text it is only a part of the value."""
    value: str = field(repr=False)
    """A full name is written "last, first"; a name without a comma is only one part of a name."""


@dataclass(frozen=True, slots=True)
class FullDetail:
    """A quasi-identifier that must not leave at full detail, whatever the other columns are."""

    column: str
    kind: str
    """date, birth date, postal code, age over 89, rare place, rare occupation or position."""
    styles: tuple[str, ...] = ()
    """How dates are written, for `strptime`."""
    values: frozenset[str] = field(default=frozenset(), repr=False)
    """The values at full detail in the raw file, as `normal` writes them."""

    def normal(self, cell: str) -> str | None:
        """One form for each value at full detail; None for a cell that has less detail.

        >>> day = FullDetail("seen", "date", ("%m/%d/%Y",))
        >>> day.normal("03/07/2022 "), day.normal("2022-03-07 10:15:00"), day.normal("03/2022")
        ('2022-03-07', '2022-03-07', None)
        """
        return _normal(self.kind, self.styles, cell.strip())


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """What identifies whom in one table. Its repr names columns and kinds, never a value."""

    person: str | None
    """The column that says whom a row is about; None where each row is one person."""
    direct: Mapping[str, tuple[str, ...]]
    """Columns with direct identifiers, wholly or inside values, and their kinds."""
    quasi: tuple[FullDetail, ...]
    identifiers: Mapping[str, tuple[KeyedIdentifier, ...]] = field(repr=False)
    """Direct identifiers by person: the value of the person column, or the number of the row."""
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = field(repr=False)
    """The cells of the raw file; dates of a SAS file are written as ISO 8601."""

    @property
    def listed(self) -> tuple[str, ...]:
        """Columns that the key lists, as a direct identifier or for their detail."""
        return tuple(name for name in self.columns if name in self.direct or name in self._details)

    @property
    def _details(self) -> set[str]:
        return {detail.column for detail in self.quasi}


@dataclass(frozen=True, slots=True)
class MessyTable:
    """One generated file and its answer key."""

    name: str
    file_name: str
    key: AnswerKey
    content: bytes = field(repr=False)

    def write(self, folder: str | Path) -> Path:
        """Write the file to a folder, which is created if necessary."""
        path = Path(folder) / self.file_name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, self.content)
        return path


def fold(text: str) -> str:
    """Lower case without accents, so that spellings of one name are equal.

    >>> fold("Hélène MÜLLER-Weiß")
    'helene muller-weiss'
    """
    if text.isascii():
        return text.casefold()
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


@lru_cache(maxsize=100_000)
def _normal(kind: str, styles: tuple[str, ...], cell: str) -> str | None:
    if kind in DATES:
        return _day(cell, styles)
    if kind == "postal code":
        code = re.sub(r"\W", "", cell.removesuffix(".0")).upper()
        code = code[:5] if re.fullmatch(r"\d{5}|\d{9}", code) else code
        return code.lstrip("0") if re.fullmatch(r"\d{4,5}|[A-Z]{1,2}\d\w?\d[A-Z]{2}", code) else None
    if kind == "age over 89":
        age = re.fullmatch(r"(9\d|1[0-2]\d)(?:\.0+)?", cell)
        return age.group(1) if age else None
    if kind == "position":
        return f"{float(cell):.3f}" if _POSITION.fullmatch(cell) else None
    return fold(cell) or None


def _day(cell: str, styles: tuple[str, ...]) -> str | None:
    if _ISO.fullmatch(cell):
        cell, styles = cell[:10], ("%Y-%m-%d",)
    for style in styles:
        try:
            return datetime.strptime(cell, style).date().isoformat()  # noqa: DTZ007
        except ValueError:
            continue
    return None
