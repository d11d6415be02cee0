"""The suggestion of roles as a result."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.result import Result
from reidrisk.core.wording import plural
from reidrisk.tables.column_role import ColumnSuggestion
from reidrisk.tables.hipaa import HipaaCheck
from reidrisk.tables.intruders import Intruder
from reidrisk.tables.value_patterns import SAMPLE_ROWS

A_PERSON_DECIDES = (
    "These are suggestions from names, patterns and numbers of distinct values. A person who knows the data "
    "and who could attack it must decide on every column."
)
SURE = ("certain", "likely")


@dataclass(frozen=True, slots=True)
class UnitChoice:
    """The column that says which rows are one person or visit."""

    column: str
    units: int
    varying: tuple[str, ...]
    """Quasi-identifiers that differ within a unit and need a rule."""


@dataclass(frozen=True)
class Suggestion(Result):
    """Roles suggested for the columns of a table, each with its reason; nothing is decided."""

    columns: tuple[ColumnSuggestion, ...]
    quasi: tuple[str, ...]
    """The quasi-identifiers of the command to type next."""
    intruder: Intruder | None
    unit: UnitChoice | None
    hipaa: HipaaCheck
    rows: int
    source: str
    is_frame: bool = False
    notes: tuple[str, ...] = ()

    @property
    def acceptable(self) -> bool:
        """Whether no column seems to name people; no statement about the risk of the others."""
        return not self.of_role("direct identifier")

    def of_role(self, role: str) -> tuple[str, ...]:
        """The columns that were given a role."""
        return tuple(column.name for column in self.columns if column.role == role)

    @property
    def next_step(self) -> str | None:
        """The command to type next, or the call for a data frame; None without any quasi-identifier."""
        if not self.quasi:
            return None
        return self._call() if self.is_frame or any("," in name for name in self.quasi) else self._command()

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        return {
            "kind": "table_suggestion",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": {
                "table": self.source,
                "scenario": self.intruder.name if self.intruder else None,
                "patterns_sought_in": self._sample(),
            },
            "seed": None,
            "versions": versions(),
            "reasons": list(self._reasons()),
            "rows": self.rows,
            "columns": [column.to_dict() for column in self.columns],
            "scenario": self._scenario(),
            "quasi": list(self.quasi),
            "to_consider": list(self._to_consider()),
            "unit": self._unit(),
            "hipaa": self.hipaa.to_dict(),
            "next_step": self.next_step,
            "notes": list(self.notes),
        }

    def _sample(self) -> str:
        if self.rows <= SAMPLE_ROWS:
            return "all rows"
        return f"the first {SAMPLE_ROWS:,} rows; distinct values and empty cells were counted in all"

    def _reasons(self) -> tuple[str, ...]:
        direct = self.of_role("direct identifier")
        named = (
            f"{plural(len(direct), 'column')} may name people; to be removed or replaced by a code: "
            f"{', '.join(direct)}."
            if direct
            else "No column seems to name people."
        )
        return named, A_PERSON_DECIDES

    def _to_consider(self) -> tuple[str, ...]:
        """Quasi-identifiers that are only possible, and not in the command."""
        return tuple(name for name in self.of_role("quasi-identifier") if name not in self.quasi)

    def _scenario(self) -> dict[str, Any] | None:
        if self.intruder is None:
            return None
        quasi = [column for column in self.columns if column.role == "quasi-identifier"]
        said = [
            (column, self.intruder.knowledge_of(column.kind.key if column.kind else None)) for column in quasi
        ]
        known = [{"column": column.name, "why": it.why, "source": it.source} for column, it in said if it]
        unknown = [column.name for column, it in said if not it]
        return {
            "name": self.intruder.name,
            "says": self.intruder.says,
            "source": self.intruder.source,
            "quasi": known,
            "left_out": unknown,
        }

    def _unit(self) -> dict[str, Any] | None:
        if self.unit is None:
            return None
        return {"column": self.unit.column, "units": self.unit.units, "varying": list(self.unit.varying)}

    def _command(self) -> str:
        words = ["reidrisk", "table", "risk", self.source, "--quasi", ",".join(self.quasi)]
        if self.unit:
            words += ["--unit", self.unit.column]
            for name in self.unit.varying:
                words += ["--reduce", f"{name}=set"]
        return shlex.join(words)

    def _call(self) -> str:
        unit = ""
        if self.unit:
            rules = dict.fromkeys(self.unit.varying, "set")
            unit = f", unit={self.unit.column!r}" + (f", reduce={rules!r}" if rules else "")
        table = "table" if self.is_frame else repr(self.source)
        return f"rr.table_risk({table}, rr.Schema(quasi={list(self.quasi)!r}{unit}))"
