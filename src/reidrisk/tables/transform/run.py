"""Transformations in turn, from a table to a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reidrisk.core.files import writable
from reidrisk.engine.order import told_columns
from reidrisk.engine.replacing import without_columns
from reidrisk.engine.table import open_table
from reidrisk.engine.write import is_text, ready_to_write, write_table
from reidrisk.errors import InvalidSetting
from reidrisk.tables.transform.applied import applied
from reidrisk.tables.transform.planned import GivenSteps, guessable, needs_key, planned
from reidrisk.tables.transform.result import TableTransformed
from reidrisk.tables.transform.step import Work
from reidrisk.tables.transform.tracked import changed_columns


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
            tuple(one.said() for one in plan),
            (*_order(told), *(f"{text[:1].upper()}{text[1:]}." for text in guessable(plan, key))),
            opened.notes,
        )


def _order(told: tuple[str, ...]) -> tuple[str, ...]:
    if not told:
        return ()
    return (f"The order of the rows tells what the values no longer do: {', '.join(told)}.",)
