"""Keyed pseudonyms that differ from release to release, so that two releases cannot be joined by them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from reidrisk.engine.pseudonyms import arm, pseudonym
from reidrisk.engine.replacing import distinct_of, known_columns, with_expressions
from reidrisk.engine.table import Table
from reidrisk.errors import InvalidSetting
from reidrisk.tables.transform.step import Done, Work


@dataclass(frozen=True, slots=True)
class Pseudonyms:
    """HMAC-SHA256 of the release, the name of the pseudonym and the value."""

    kind: ClassVar[str] = "pseudonyms"

    columns: tuple[str, ...]
    release: str
    """Which release this is; the same key and release give the same pseudonyms again."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        if not self.columns or not self.release:
            raise InvalidSetting(
                "Pseudonyms need columns and the name of the release.", hint="For example release: study-1."
            )

    @property
    def changes(self) -> tuple[str, ...]:
        """None: every value has one pseudonym, which stands for it."""
        return ()

    def apply(self, table: Table, work: Work) -> Done:
        """Equal values of one column get equal pseudonyms; what is missing stays missing."""
        names = known_columns(table, self.columns)
        arm(table.session, work.secret("A pseudonym"))
        made = {name: pseudonym(f"{self.release}/{name}", f"r{table.columns.index(name)}") for name in names}
        text = f"{', '.join(names)} replaced by pseudonyms of the release {self.release!r}"
        done = with_expressions(table, made, note="pseudonyms")
        rows = [
            {"column": name, "distinct_before": distinct_of(table, name), "distinct": distinct_of(done, name)}
            for name in names
        ]
        return Done(done, text, {"release": self.release, "columns": list(names), "by_column": rows})
