"""Transform a table by steps, write it, and report what was done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.file_set import together
from reidrisk.core.files import writable
from reidrisk.core.limits import Limits, limited
from reidrisk.core.reading import TableReading
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.engine.opening import is_text, open_table, ready_to_write, written_rows
from reidrisk.engine.protocol import Table
from reidrisk.errors import InvalidSetting
from reidrisk.tables.deidentify.settings import ORDER, RowOrder
from reidrisk.tables.transform.applied import (
    StepRecord,
    apply_steps,
    changed_columns,
    explain_linkage,
    step_dicts,
)
from reidrisk.tables.transform.plan import GivenSteps, guessable_notes, needs_key, plan_steps, step_reading
from reidrisk.tables.transform.step import StepInputs

UNMEASURED = Reason(
    "No risk was measured: measure the written table with table risk or table attack.", holds=None
)


@dataclass(frozen=True)
class TableTransformed(Result):
    """What was done to a table; says nothing about the remaining risk."""

    source: str
    out: str
    rows_before: int
    rows_after: int
    steps: tuple[StepRecord, ...] = field(repr=False)
    """Kind, description and figures of each step."""
    seed: int = 7
    linkage: dict[str, Any] | None = field(default=None, repr=False)
    """How often a changed record is still closest to its own original; None if no value changed."""
    given: tuple[dict[str, Any], ...] = field(default=(), repr=False)
    """The settings of each step."""
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """How the table was read."""
    order: RowOrder = ORDER.default
    """The order of the rows."""

    @property
    def acceptable(self) -> bool:
        """Always False: no risk was measured."""
        return False

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types; the key is not included."""
        reasons = self._reasons()
        return {
            "kind": "table_transformed",
            "version": own_version(),
            "acceptable": None,
            "decided": False,
            "settings": {
                "table": self.source,
                "read_as": list(self.notes),
                "out": self.out,
                "steps": list(self.given),
                "order": self.order,
            },
            "seed": self.seed,
            "versions": versions(),
            "reasons": texts(reasons),
            "holds": holds(reasons),
            "warnings": list(self.warnings),
            "source": self.source,
            "out": self.out,
            "rows_before": self.rows_before,
            "rows_after": self.rows_after,
            "steps": step_dicts(self.steps),
            "steps_linkage": self.linkage,
            "notes": list(self.notes),
        }

    def _released_rows(self, name: str | None) -> Any:
        """The rows of the written file, if no table of figures is named."""
        return written_rows(self.out) if name is None else None

    def _reasons(self) -> tuple[Reason, ...]:
        linked = explain_linkage(self.linkage)
        return (UNMEASURED,) if linked is None else (Reason(linked, None), UNMEASURED)


@limited
@together()
def transform_table(  # noqa: PLR0913 - the table and its steps, then how to draw, write and read
    table: Any,
    steps: GivenSteps,
    out: str | Path,
    *,
    key: bytes | None = None,
    seed: int = 7,
    drop: Sequence[str] = (),
    reading: TableReading | None = None,
    order: RowOrder = ORDER.default,
    limits: Limits | None = None,  # noqa: ARG001 - for the decorator
) -> TableTransformed:
    """Apply transformations one after the other and write the table; the source is never changed.

    Steps are objects, mappings as in a file, or the name of such a file. With a key, random numbers depend
    on it too. Columns in `drop` are not released. `reading` says how dates are written and which values mean
    missing; what it does not say may be in the file of steps. Rows leave in an order that follows from what
    is released; `order` "content" sorts them, "keep" leaves the order of the source.
    `limits` says how much of the machine may be used.
    """
    plan = plan_steps(steps)
    if not plan:
        raise InvalidSetting("There are no steps.", hint="Give at least one transformation.")
    needs_key(plan, key)
    ORDER.check(order)
    target = writable(out)
    ready_to_write(target)
    work = StepInputs.drawing(seed, key)
    said = reading.to_dict() if reading else {}
    if isinstance(steps, str | Path):
        said = {**step_reading(steps), **said}
    with open_table(table, reading=TableReading.of(said)) as opened:
        typed = {name for one in plan for name in one.step.columns}
        done = apply_steps(opened.as_stored(typed) if is_text(target) else opened, plan, work)
        keeps = order == "keep"
        changed = changed_columns(plan) if keeps else ()
        revealed = opened.rows.told_by_order(changed, records=done.rows_before)
        rows = _in_order(done.table.edit.without_columns(drop), order, work.salt)
        rows.edit.write(target, like=done.table)
        return TableTransformed(
            opened.source,
            str(out),
            done.rows_before,
            done.rows_after,
            done.steps,
            seed,
            done.linkage,
            tuple(one.settings() for one in plan),
            (
                *(_order_warnings(revealed) if keeps else ()),
                *(f"{text[:1].upper()}{text[1:]}." for text in guessable_notes(plan, key)),
            ),
            (*opened.notes, *(note for note in done.table.dates.notes() if note not in opened.notes)),
            "random" if order == "auto" else order,
        )


def _in_order(table: Table, order: RowOrder, salt: str) -> Table:
    """The rows in the order in which they are released."""
    if order == "keep":
        return table
    return table.edit.reordered("content" if order == "content" else "random", salt)


def _order_warnings(revealed: tuple[str, ...]) -> tuple[str, ...]:
    told = f" It reveals the original values of: {', '.join(revealed)}." if revealed else ""
    return (f"The rows are in the order of the source, a join key.{told}",)
