"""Transform a table by steps, write it, and report what was done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.files import writable
from reidrisk.core.result import Result
from reidrisk.engine.order import told_columns
from reidrisk.engine.replacing import without_columns
from reidrisk.engine.table import open_table
from reidrisk.engine.write import is_text, ready_to_write, write_table
from reidrisk.errors import InvalidSetting
from reidrisk.tables.transform.applied import StepDone, applied, changed_columns, listed, together
from reidrisk.tables.transform.plan import GivenSteps, guessable, needs_key, planned
from reidrisk.tables.transform.step import Work

LATER = "No risk was measured: do that on what was written, with table risk or table attack."


@dataclass(frozen=True)
class TableTransformed(Result):
    """What was done; it says nothing about the risk that is left."""

    source: str
    out: str
    rows_before: int
    rows_after: int
    steps: tuple[StepDone, ...] = field(repr=False)
    """Kind, what was done in words, and figures."""
    seed: int = 7
    linkage: dict[str, Any] | None = field(default=None, repr=False)
    """How often a changed record is still nearest to its own original; None if no value was changed."""
    given: tuple[dict[str, Any], ...] = field(default=(), repr=False)
    """The settings of each step."""
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """How the table was read."""

    @property
    def acceptable(self) -> bool:
        """No risk was measured, so it never speaks for a release."""
        return False

    def to_dict(self) -> dict[str, Any]:
        """As JSON types; the key is not among them."""
        linked = together(self.linkage)
        return {
            "kind": "table_transformed",
            "version": own_version(),
            "acceptable": None,
            "decided": False,
            "settings": {"table": self.source, "out": self.out, "steps": list(self.given)},
            "seed": self.seed,
            "versions": versions(),
            "reasons": [*([] if linked is None else [linked]), LATER],
            "warnings": list(self.warnings),
            "source": self.source,
            "out": self.out,
            "rows_before": self.rows_before,
            "rows_after": self.rows_after,
            "steps": listed(self.steps),
            "steps_linkage": self.linkage,
            "notes": list(self.notes),
        }


def transform_table(
    table: Any,
    steps: GivenSteps,
    out: str | Path,
    *,
    key: bytes | None = None,
    seed: int = 7,
    drop: Sequence[str] = (),
) -> TableTransformed:
    """Apply transformations one after the other and write the table; the source is never changed.

    Steps are objects, mappings as a file has them, or the name of such a file. With a key every draw follows
    from it too. Columns to `drop` do not go out.
    """
    plan = planned(steps)
    if not plan:
        raise InvalidSetting("No transformation is named.", hint="Name at least one.")
    needs_key(plan, key)
    target = writable(out)
    ready_to_write(target)
    work = Work.drawing(seed, key)
    with open_table(table) as opened:
        typed = {name for one in plan for name in one.step.columns}
        done = applied(opened.as_stored(typed) if is_text(target) else opened, plan, work)
        told = told_columns(opened, changed_columns(plan), records=done.rows_before)
        write_table(without_columns(done.table, drop), target, like=opened.form)
        return TableTransformed(
            opened.source,
            str(out),
            done.rows_before,
            done.rows_after,
            done.steps,
            seed,
            done.linkage,
            tuple(one.settings() for one in plan),
            (*_order(told), *(f"{text[:1].upper()}{text[1:]}." for text in guessable(plan, key))),
            opened.notes,
        )


def _order(told: tuple[str, ...]) -> tuple[str, ...]:
    if not told:
        return ()
    return (f"The order of the rows tells what the values no longer do: {', '.join(told)}.",)
