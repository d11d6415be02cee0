"""Transformations in turn, from a table to a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.about import own_version, versions
from reidrisk.core.files import writable
from reidrisk.core.wording import plural
from reidrisk.engine.replacing import count_of
from reidrisk.engine.table import open_table
from reidrisk.engine.write import is_text, ready_to_write, write_table
from reidrisk.errors import InvalidSetting
from reidrisk.tables.transform.config import read_steps, step_from
from reidrisk.tables.transform.step import Step, Work

LATER = "No risk was measured: do that on what was written, with table risk or table attack."


@dataclass(frozen=True, slots=True)
class TableTransformed:
    """What was done; it says nothing about the risk that is left."""

    source: str
    out: str
    rows_before: int
    rows_after: int
    steps: tuple[tuple[str, str, dict[str, Any]], ...] = field(repr=False)
    """Kind, what was done in words, and figures."""
    seed: int = 7

    def to_dict(self) -> dict[str, Any]:
        """As JSON types; the key is not among them."""
        return {
            "kind": "table_transformed",
            "version": own_version(),
            "source": self.source,
            "out": self.out,
            "rows_before": self.rows_before,
            "rows_after": self.rows_after,
            "steps": [{"kind": kind, "text": text, **figures} for kind, text, figures in self.steps],
            "seed": self.seed,
            "versions": versions(),
        }

    def __str__(self) -> str:
        """In words."""
        head = f"{self.out}: {plural(self.rows_after, 'row')} of {self.rows_before:,}"
        return "\n".join([head, *(f"  {kind}: {text}" for kind, text, _ in self.steps), LATER])


def transform_table(
    table: Any,
    steps: str | Path | Sequence[Step | Mapping[str, Any]],
    out: str | Path,
    *,
    key: bytes | None = None,
    seed: int = 7,
) -> TableTransformed:
    """Apply transformations one after the other and write the table; the source is never changed.

    Steps are objects, mappings as a file has them, or the name of such a file.
    """
    steps = _steps(steps)
    if not steps:
        raise InvalidSetting("No transformation is named.", hint="Name at least one.")
    target = writable(out)
    ready_to_write(target)
    work = Work(np.random.default_rng(seed), seed, key)
    with open_table(table) as opened:
        typed = {name for step in steps for name in step.columns}
        now = opened.as_stored(typed) if is_text(target) else opened
        before, told = count_of(now), []
        for step in steps:
            done = step.apply(now, work)
            now = done.table
            told.append((step.kind, done.text, dict(done.figures)))
        write_table(now, target, like=opened.form)
        return TableTransformed(opened.source, str(out), before, count_of(now), tuple(told), seed)


def _steps(given: str | Path | Sequence[Step | Mapping[str, Any]]) -> tuple[Step, ...]:
    if isinstance(given, str | Path):
        return read_steps(given)
    return tuple(
        step_from(one, f"steps[{at}]") if isinstance(one, Mapping) else one for at, one in enumerate(given)
    )
