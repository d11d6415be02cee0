"""The result of transforming a table: what was done, and what it is worth."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.result import Result
from reidrisk.tables.transform.applied import StepDone, listed
from reidrisk.tables.transform.worth import together

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
