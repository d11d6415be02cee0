"""Draw the same persons from the release and from the other table, if these are too large to attack whole.

An attack on a sample is one on a smaller release. Only whole persons are drawn, each with all rows in both
tables: an attack would otherwise fail because the record that it looks for is missing, and the risk would be
underestimated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reidrisk.core.wording import plural
from reidrisk.engine.protocol import Table
from reidrisk.errors import BadData
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.settings import ROWS

NAMES = ("released", "against", "control")
LEAST = 1000
"""Rows that are tried in any case; if even these do not fit, reading them says so."""
WHOLE = 0.5
"""Share of the memory for arrays that the rows may have: attacks sort them."""


@dataclass(frozen=True, slots=True)
class AttackDraw:
    """How persons are drawn, and how many rows there are."""

    share: float
    most: int
    """Largest number of rows of a table."""
    column: str | None
    """Identifies persons in both tables; None if rows in the same place belong together."""
    seed: int
    rows: tuple[int, ...]
    """Of the release, the other table, and the control group, if there is one."""
    by_memory: bool
    """Whether the memory, not the setting, decided."""
    smallest: int
    """Size of the smallest class of the whole release."""

    def of(self, table: Table, place: int) -> Table:
        """Return the rows to attack with."""
        if place == 2:
            own = self.column if self.column in table.columns else None
            return table.sample(self.most, seed=self.seed, unit=own)
        if not self.is_release:
            return table
        return table.rows.keyed_sample(self.column, self.share, seed=self.seed)

    @property
    def is_release(self) -> bool:
        """Whether the release was sampled, and not the control group alone."""
        return self.share < 1

    @property
    def factor(self) -> float:
        """How much larger the release is than the sample."""
        return 1 / self.share

    @property
    def how(self) -> str:
        """By what persons are drawn."""
        return "the order of rows" if self.column is None else f"the column {self.column}"

    def note(self, drawn: Sequence[int]) -> str:
        """Say what was drawn, and what the figures then mean."""
        why = "allowed memory" if self.by_memory else f"setting {ROWS.name}"
        if not self.is_release:
            return (
                f"The control group was sampled: {drawn[2]:,} of {plural(self.rows[2], 'row')}, because of "
                f"the {why}."
            )
        return (
            f"The attacks used a sample: {drawn[0]:,} of {plural(self.rows[0], 'released row')} and "
            f"{drawn[1]:,} of {self.rows[1]:,} rows of the other table, of the same persons (by {self.how}), "
            f"because of the {why}. They attack the sample as if only these persons had been released. A "
            "target then has fewer others to be confused with, so links succeed more often than against the "
            "whole release. The upper limits of singling out and inference also allow for how their success "
            "changes with the number of persons."
        )

    def to_dict(self, drawn: Sequence[int]) -> dict[str, Any]:
        """Return JSON types."""
        pairs = zip(NAMES, drawn, self.rows, strict=False)
        return {
            "what": "persons" if self.is_release else "control group",
            "by": self.how if self.is_release else None,
            "seed": self.seed,
            "most_rows": self.most,
            "because": "memory" if self.by_memory else ROWS.name,
            "tables": {name: {"drawn": some, "of": every} for name, some, every in pairs},
            "note": self.note(drawn),
        }


def plan_draw(tables: Sequence[Table], plan: AttackPlan, *, seed: int) -> AttackDraw | None:
    """Decide whether persons are drawn, and by what; None if all rows are used."""
    rows = tuple(table.count() for table in tables)
    columns = len(plan.columns) + len([one for one in (plan.id, plan.unit) if one])
    fitting = int(WHOLE * tables[0].rows.fitting(columns))
    most = max(LEAST, min(plan.rows, fitting))
    if max(rows) <= most:
        return None
    column = plan.unit or plan.id
    reason = None
    if max(rows[:2]) <= most:
        return AttackDraw(1.0, most, column, seed, rows, fitting < plan.rows, smallest=1)
    if column is not None and any(column not in one.columns for one in tables[:2]):
        reason = f"the column {column} is not in both"
    elif column is None and rows[0] != rows[1]:
        reason = "they differ in length and no ID column was given (--id)"
    if reason is not None:
        refuse_draw(tables, rows, most, reason)
    share = most / max(rows[:2])
    unit = plan.unit if plan.unit in tables[0].columns else None
    smallest = tables[0].smallest(plan.quasi, unit=unit) or 1
    return AttackDraw(share, most, column, seed, rows, fitting < plan.rows, smallest)


def refuse_draw(tables: Sequence[Table], rows: Sequence[int], most: int, reason: str) -> None:
    """Say why the same persons cannot be drawn from both tables."""
    raise BadData(
        f"{tables[0].source} has {plural(rows[0], 'row')}, {tables[1].source} {rows[1]:,}; an attack uses "
        f"{most:,} at most, and the same persons cannot be drawn from both tables: {reason}.",
        hint="Name a column that identifies persons in both tables (--id), or allow more rows (--set "
        f"{ROWS.name}=N) and memory (--memory).",
    )
