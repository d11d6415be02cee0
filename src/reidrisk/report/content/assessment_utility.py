"""What the parts of a release are still good for, where somebody asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reidrisk.report.numbers import MISSING, percent, ratio
from reidrisk.report.parts import Column, Table


def utility(result: dict[str, Any]) -> Table | None:
    """One row a part; its own page or the report has the details."""
    found = [(part["name"], (part["result"] or {}).get("usefulness")) for part in result["parts"]]
    rows = tuple((name, *_row(useful)) for name, useful in found if useful is not None)
    if not rows:
        return None
    return Table(
        "What the data are still good for",
        (
            "Queries and models of users, before and after. The risk decides; these figures "
            "say how useful the data are."
        ),
        (
            Column("part"),
            Column("query that differs most", is_number=True),
            Column("model that loses most", is_number=True),
            Column("conclusions that change", is_number=True),
            Column("propensity ratio", is_number=True),
            Column("limits"),
        ),
        rows,
    )


def _row(useful: dict[str, Any]) -> tuple[str, ...]:
    loss = _largest(one["loss"] for one in useful["models"])
    compared = sum(one["compared"] for one in useful["models"])
    changed = sum(one["changed"] for one in useful["models"])
    unmet = [one["name"] for one in useful["limits"] if not one["met"]]
    met = "met" if useful["limits"] else MISSING
    return (
        percent(_largest(one["typical_relative"] for one in useful["queries"])),
        MISSING if loss is None else f"{loss:.3f}",
        f"{changed} of {compared}" if compared else MISSING,
        ratio((useful["propensity"] or {}).get("ratio")),
        f"not met: {', '.join(unmet)}" if unmet else met,
    )


def _largest(values: Iterable[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)
