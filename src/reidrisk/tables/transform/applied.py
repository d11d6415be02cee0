"""Transformations done in turn to an open table, and what they are worth together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from reidrisk.engine.replacing import count_of
from reidrisk.engine.table import Table
from reidrisk.tables.transform.planned import Planned
from reidrisk.tables.transform.step import Work
from reidrisk.tables.transform.tracked import Tracked, changed_columns
from reidrisk.tables.transform.worth import worth

StepDone = tuple[str, str, dict[str, Any]]
"""Kind, what was done in words, and figures."""


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """A table after all of them."""

    table: Table
    rows_before: int
    rows_after: int
    steps: tuple[StepDone, ...] = field(repr=False)
    linkage: dict[str, Any] | None = field(default=None, repr=False)
    """How often a changed record is still nearest to its own original; None if no value was changed."""

    @property
    def listed(self) -> list[dict[str, Any]]:
        """The steps for JSON."""
        return listed(self.steps)


def listed(steps: Sequence[StepDone]) -> list[dict[str, Any]]:
    """Steps for JSON, each with what it is worth in words."""
    return [
        {"kind": kind, "text": text, "worth": worth(kind, figures), **figures}
        for kind, text, figures in steps
    ]


def applied(
    table: Table, steps: Sequence[Planned], work: Work, *, unit: str | None = None, measured: bool = True
) -> Applied:
    """Do every step, to any column but the unit's; unless `measured`, only what writing again needs."""
    for one in steps:
        one.check(table.columns, table.source, unit=unit)
    before = count_of(table)
    changed = changed_columns(steps)
    tracked = Tracked.of(table, changed) if measured and changed else None
    now, told = table, []
    for one in steps:
        with one.named():
            done = one.step.apply(now, work)
        now = done.table
        told.append((one.step.kind, done.text, dict(done.figures)))
        if tracked is not None and done.kept is not None:
            tracked = tracked.only(done.kept)
    linkage = None if tracked is None else tracked.linkage(now, work.seed)
    return Applied(now, before, count_of(now), tuple(told), linkage)
