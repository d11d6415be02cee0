"""Lists of rare and visible diseases, or rarely used drugs, that make people recognizable."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.reason import Reason
from reidrisk.core.wording import path_text, plural
from reidrisk.engine.results import Code
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile

STRUCTURED = re.compile(r"[A-Z][0-9][0-9A-Z](\.?[0-9A-Z]{1,4})?")
"""ICD-10 and ATC codes, of three to seven characters."""
DECIMAL = re.compile(r"[0-9]{3}(\.[0-9]{1,2})?")
"""ICD-9 codes."""
RECOGNIZABLE = "these records are recognizable whatever the size of their class"


@dataclass(frozen=True, slots=True)
class RareCode:
    """A code and the more exact codes below it; with a `*` at its end, every value that begins so.

    ICD and ATC codes are recognized by their form: E84 includes E84.0, but E84.0 does not include
    E84.1. All other texts, such as names of drugs, count as whole values.
    """

    code: str = field(repr=False)
    column: str | None = None
    """The only column to search; None for all listed columns."""
    reason: str = ""

    def __post_init__(self) -> None:
        if not self.plain[0]:
            raise InvalidSetting(
                "A code in a list of rare codes is empty or only a *.", hint="Write at least one character."
            )

    @property
    def plain(self) -> Code:
        """The code as it is compared, and how; capitals and blanks do not matter."""
        text = "".join(self.code.split()).upper()
        if DECIMAL.fullmatch(text):
            return text, "decimal"
        bare = text.replace(".", "")
        if bare.endswith("*"):
            return bare.rstrip("*"), "start"
        return bare, "structure" if STRUCTURED.fullmatch(text) else "whole"


@dataclass(frozen=True, slots=True)
class RareCodes:
    """A list of codes and the columns to search."""

    codes: tuple[RareCode, ...]
    columns: tuple[str, ...] = ()
    source: str = "a list"

    def __post_init__(self) -> None:
        columns = (self.columns,) if isinstance(self.columns, str) else tuple(self.columns)
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "codes", tuple(self.codes))
        if not self.codes:
            raise BadData(f"{self.source} has no codes.", hint="Write one code per line.")
        if not columns and any(code.column is None for code in self.codes):
            raise InvalidSetting(
                f"{self.source} does not say which column contains the codes.",
                hint="Name it with --rare-column, or in a column named `column` of the list.",
            )

    @classmethod
    def read(cls, path: str | Path, columns: Sequence[str] = ()) -> RareCodes:
        """Read one code per line (# for comments), or a CSV file with `code`, optional `column`, `reason`."""
        place = path_text(path)
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
            raise UnreadableFile(
                f"{place} cannot be read: {reason}.", hint="Name a text file with one code per line."
            ) from None
        lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
        return cls(_entries(lines), tuple(columns), place)

    def by_column(self) -> dict[str, list[Code]]:
        """Return the codes to search for in each column."""
        wanted: dict[str, list[Code]] = {name: [] for name in self.columns}
        for code in self.codes:
            for name in (code.column,) if code.column else self.columns:
                wanted.setdefault(name, []).append(code.plain)
        return {name: sorted(set(codes)) for name, codes in wanted.items() if codes}

    @property
    def listed(self) -> int:
        """Number of distinct codes."""
        return len({code.plain for code in self.codes})


@dataclass(frozen=True, slots=True)
class RareRecords:
    """How many records have a listed code; never shows which records."""

    records: int
    of: int
    """Number of all records."""
    listed: int
    present: int
    by_column: tuple[tuple[str, int, int], ...]
    """Column, records and codes."""
    source: str

    @property
    def acceptable(self) -> bool:
        """Whether no record has a listed code."""
        return not self.records

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {
            "records": self.records,
            "share": self.records / self.of,
            "codes_listed": self.listed,
            "codes_present": self.present,
            "by_column": [
                {"column": name, "records": records, "share": records / self.of, "codes_present": codes}
                for name, records, codes in self.by_column
            ],
            "warning": RECOGNIZABLE if self.records else None,
        }

    def objection(self) -> str:
        """Say why a table with such records is not acceptable."""
        return (
            f"{plural(self.records, 'record')} of {self.of:,} have a code listed as rare and visible: "
            "not acceptable."
        )

    def reason(self) -> Reason:
        """Explain the counts; a record with a listed code makes the table not acceptable."""
        if not self.records:
            return Reason(
                f"No record has a code on the list of rare codes ({self.listed:,} listed).", holds=True
            )
        return Reason(
            f"{self.records:,} of {plural(self.of, 'record')} have a code listed as rare and visible "
            f"({self.present:,} of {plural(self.listed, 'listed code')} occur): {RECOGNIZABLE}. Remove or "
            "generalize them with `table deidentify --rare`: not acceptable.",
            holds=False,
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
