"""Lists of rare and visible diseases, or of rarely used drugs, by which people are recognised."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.wording import path_text, plural
from reidrisk.engine.listed_codes import Code
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile

RECOGNISABLE = "these records are recognisable whatever their class"


@dataclass(frozen=True, slots=True)
class RareCode:
    """A code, or with a `*` at its end the beginning of codes."""

    code: str = field(repr=False)
    column: str | None = None
    """The only column to look in; None for all that are named."""
    reason: str = ""

    def __post_init__(self) -> None:
        if not self.plain[0]:
            raise InvalidSetting(
                "A code of a list of rare codes is empty, or only a *.", hint="Write at least one character."
            )

    @property
    def plain(self) -> Code:
        """In upper case, without dots and blanks, and whether it is a beginning."""
        text = "".join(self.code.replace(".", "").split()).upper()
        return text.rstrip("*"), text.endswith("*")


@dataclass(frozen=True, slots=True)
class RareCodes:
    """A list of codes and the columns to look in."""

    codes: tuple[RareCode, ...]
    columns: tuple[str, ...] = ()
    source: str = "a list"

    def __post_init__(self) -> None:
        columns = (self.columns,) if isinstance(self.columns, str) else tuple(self.columns)
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "codes", tuple(self.codes))
        if not self.codes:
            raise BadData(f"{self.source} lists no code.", hint="Write one code a line.")
        if not columns and any(code.column is None for code in self.codes):
            raise InvalidSetting(
                f"{self.source} does not say which column holds the codes.",
                hint="Name it with --rare-column, or in a column named `column` of the list.",
            )

    @classmethod
    def read(cls, path: str | Path, columns: Sequence[str] = ()) -> RareCodes:
        """One code a line, # for remarks; or a CSV file with `code`, and `column` and `reason` if wanted."""
        place = path_text(path)
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is no UTF-8 text"
            raise UnreadableFile(
                f"{place} cannot be read: {reason}.", hint="Name a text file with one code a line."
            ) from None
        lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
        return cls(_entries(lines), tuple(columns), place)

    def by_column(self) -> dict[str, list[Code]]:
        """The codes to look for in each column."""
        wanted: dict[str, list[Code]] = {name: [] for name in self.columns}
        for code in self.codes:
            for name in (code.column,) if code.column else self.columns:
                wanted.setdefault(name, []).append(code.plain)
        return {name: sorted(set(codes)) for name, codes in wanted.items() if codes}

    @property
    def listed(self) -> int:
        """Codes that differ."""
        return len({code.plain for code in self.codes})


@dataclass(frozen=True, slots=True)
class RareFound:
    """How many records hold a listed code; never which."""

    records: int
    of: int
    """All records."""
    listed: int
    present: int
    by_column: tuple[tuple[str, int, int], ...]
    """Column, records and codes."""
    source: str

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "records": self.records,
            "share": self.records / self.of,
            "codes_listed": self.listed,
            "codes_present": self.present,
            "by_column": [
                {"column": name, "records": records, "share": records / self.of, "codes_present": codes}
                for name, records, codes in self.by_column
            ],
            "warning": RECOGNISABLE if self.records else None,
        }

    def reason(self) -> str:
        """In a sentence for the verdict, which rests on the threshold alone."""
        if not self.records:
            return f"No record holds a code of the list of rare codes ({self.listed:,} listed)."
        return (
            f"{self.records:,} of {plural(self.of, 'record')} hold a code listed as rare and visible "
            f"({self.present:,} of {plural(self.listed, 'listed code')} occur): {RECOGNISABLE}. Remove or "
            "generalize them; the verdict on the classes does not count them."
        )


def _entries(lines: Sequence[str]) -> tuple[RareCode, ...]:
    delimiter = next((mark for mark in "\t;" if lines and mark in lines[0]), ",")
    header = [name.strip().casefold() for name in next(csv.reader(lines[:1], delimiter=delimiter), [])]
    if "code" not in header:
        return tuple(RareCode(line.strip()) for line in lines)
    rows = csv.DictReader(lines[1:], fieldnames=header, restval="", delimiter=delimiter)
    return tuple(
        RareCode(row["code"].strip(), row.get("column", "").strip() or None, row.get("reason", "").strip())
        for row in rows
        if row["code"].strip()
    )
