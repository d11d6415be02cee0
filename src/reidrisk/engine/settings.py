"""How a source is scanned."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from reidrisk.core.limits import memory_bytes
from reidrisk.core.reading import TableReading, check_encoding
from reidrisk.errors import InvalidSetting


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
    """Such as "2GB", of the database alone; None means its share of what `Limits` allow. What does not fit
    goes to `folder`."""
    threads: int | None = None
    """None means what `Limits` allow."""
    folder: Path | None = None
    """Where the work folder is made (and removed at the end); None means what `Limits` say, or the system's
    own place."""
    table: str | None = None
    """The table or sheet of a source that holds several."""
    csv: CsvDialect = CsvDialect()
    reading: TableReading = field(default_factory=TableReading)
    """Formats of dates and values that mean missing."""

    def __post_init__(self) -> None:
        if self.memory_limit is not None:
            memory_bytes(self.memory_limit)
        if self.threads is not None and self.threads < 1:
            raise InvalidSetting(f"{self.threads} threads cannot work.", hint="Use 1 or more.")
