"""Only some of the records go out, so that nobody is surely among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from reidrisk.core.wording import plural
from reidrisk.engine.replacing import count_of, drawn, known_columns, places_where, without_rows
from reidrisk.engine.table import Table
from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.tables.transform.step import Done, Work


@dataclass(frozen=True, slots=True)
class Sample:
    """A random part of the rows, or of the people if a column tells them."""

    kind: ClassVar[str] = "sample"

    share: float
    """Of the rows or people, above 0 and below 1."""
    person: str | None = None
    """All rows of a person stay, or none."""

    def __post_init__(self) -> None:
        if not 0 < self.share < 1:
            raise InvalidSetting(f"A sample of {self.share}.", hint="A share above 0 and below 1, as 0.1.")

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that it reads."""
        return () if self.person is None else (self.person,)

    @property
    def changes(self) -> tuple[str, ...]:
        """None: rows go as a whole."""
        return ()

    def apply(self, table: Table, work: Work) -> Done:
        """Who stays follows from the person (or the place of the row) and the seed."""
        before, of = count_of(table), "i"
        if self.person is not None:
            [name] = known_columns(table, [self.person])
            of = f"r{table.columns.index(name)}"
        note = "a random sample"
        condition = f"{drawn(work.salt, of)} < {self.share!r}"
        left, places = without_rows(table, condition, note=note), places_where(table, condition)
        after = len(places)
        if before and not after:
            raise NothingToMeasure(
                f"None of {plural(before, 'row')} was drawn.",
                hint="Take a larger share, and a column that tells people apart.",
            )
        text = f"{plural(after, 'row')} of {before:,} drawn by chance"
        rows = {"rows_before": before, "rows_after": after}
        figures: dict[str, Any] = {"share": self.share, "person": self.person, **rows, "by_column": []}
        return Done(left, text, figures, places)
