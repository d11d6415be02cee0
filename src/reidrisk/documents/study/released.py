"""What stands in the released data instead of each value: one set of rules for tables and documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from reidrisk.documents.study.data import Row
from reidrisk.documents.study.rules import ReleaseRules
from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study


class Released(Protocol):
    """The released data, made from rules or given as tables."""

    def value(self, subject: int, variable: str, written: str) -> str | None:
        """The new text in the writing of the old one, the same if it is released as it is.

        None: nothing stands for it in the released data, so that it is redacted.
        """
        ...

    def day(self, subject: int, written: str) -> str | None:
        """The new text for a date of a participant that the data do not have, such as the day of a scan."""
        ...

    def rows(self, name: str, columns: Sequence[str]) -> Iterator[tuple[int, Row]]:
        """The rows of a table as they are released, and whose they are."""
        ...

    @property
    def tables(self) -> Mapping[str, tuple[str, ...]]:
        """The tables and variables that are released."""
        ...

    def treatment(self, variable: str) -> str:
        """What becomes of a variable, in words."""
        ...

    def write_tables(self, folder: str | Path, notes: Mapping[str, str] | None = None) -> None:
        """Write the released data, a file for each table, into a folder that does not exist yet.

        `notes` are texts that are written beside them, by their file names.
        """
        ...


def released_by(study: Study) -> Released:
    """The released data of a study that says how they are made."""
    if isinstance(study.deidentified, ReleaseRules):
        from reidrisk.documents.study.by_rules import ReleasedByRules

        return ReleasedByRules.of(study, study.deidentified)
    if study.deidentified is not None:
        from reidrisk.documents.study.by_tables import ReleasedByTables

        return ReleasedByTables.of(study, study.deidentified)
    raise InvalidSetting(
        "The study does not say what is released.", hint="Write deidentified: with rules or with tables."
    )
