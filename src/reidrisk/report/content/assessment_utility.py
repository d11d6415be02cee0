"""What the parts of a release are still good for, where somebody asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reidrisk.report.numbers import MISSING, percent, ratio
from reidrisk.report.parts import Column, Table
from reidrisk.report.words.book import say


def utility(result: dict[str, Any]) -> Table | None:
    """One row a part; its own page or the report has the details."""
    found = [(part["name"], (part["result"] or {}).get("usefulness")) for part in result["parts"]]
    rows = tuple((name, *_row(useful)) for name, useful in found if useful is not None)
    if not rows:
        return None
    return Table(
        say("content.assessment_utility.title"),
        say("content.assessment_utility.explained"),
        (
            Column(say("content.assessment_utility.part")),
            Column(say("content.assessment_utility.query"), is_number=True),
            Column(say("content.assessment_utility.model"), is_number=True),
            Column(say("content.assessment_utility.conclusions"), is_number=True),
            Column(say("content.assessment_utility.propensity"), is_number=True),
            Column(say("content.assessment_utility.limits")),
        ),
        rows,
    )


def _row(useful: dict[str, Any]) -> tuple[str, ...]:
    loss = _largest(one["loss"] for one in useful["models"])
    compared = sum(one["compared"] for one in useful["models"])
    changed = sum(one["changed"] for one in useful["models"])
    unmet = [one["name"] for one in useful["limits"] if not one["met"]]
    met = say("content.assessment_utility.met") if useful["limits"] else MISSING
    return (
        percent(_largest(one["typical_relative"] for one in useful["queries"])),
        MISSING if loss is None else f"{loss:.3f}",
        say("content.assessment_utility.of", changed=changed, compared=compared) if compared else MISSING,
        ratio((useful["propensity"] or {}).get("ratio")),
        say("content.assessment_utility.not_met", names=", ".join(unmet)) if unmet else met,
    )


def _largest(values: Iterable[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)
