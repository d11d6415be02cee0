"""How a source is scanned."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from reidrisk.core.reading import TableReading, check_encoding
from reidrisk.errors import InvalidSetting

MEMORY = re.compile(r"\d+(\.\d+)?\s*([KMGT]i?B)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CsvDialect:
    """What the user knows about a text file better than the detection does."""

    delimiter: str | None = None
    """One character; None means detect."""
    encoding: str | None = None
    """Any encoding Python knows; None means UTF-8, or UTF-16 if the file begins with its mark."""
    header: bool = False
    """True insists that the first line holds the names, whatever the detection believes."""

    def __post_init__(self) -> None:
        if self.delimiter is not None and len(self.delimiter) != 1:
            raise InvalidSetting(
                "A delimiter is one character.", hint="Use ',' or ';' or a tab, or leave it to the detection."
            )
        if self.encoding is not None:
            check_encoding(self.encoding)


@dataclass(frozen=True, slots=True)
class ScanSettings:
    """Limits of the engine, and what the source itself does not tell."""

    memory_limit: str | None = None
    """Such as "2GB"; None means 60 % of the memory there is. What does not fit goes to `folder`."""
    threads: int | None = None
    folder: Path | None = None
    """Where the work folder is made (and removed at the end); None means the system's own place."""
    table: str | None = None
    """The table or sheet of a source that holds several."""
    csv: CsvDialect = CsvDialect()
    reading: TableReading = field(default_factory=TableReading)
    """Formats of dates and values that mean missing."""

    def __post_init__(self) -> None:
        if self.memory_limit is not None and not MEMORY.fullmatch(self.memory_limit.strip()):
            raise InvalidSetting(
                f"A memory limit is not {self.memory_limit!r}.", hint='Write it as "500MB" or "4GB".'
            )
        if self.threads is not None and self.threads < 1:
            raise InvalidSetting(f"{self.threads} threads cannot work.", hint="Use 1 or more.")
