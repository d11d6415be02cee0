"""Pairs of columns before and after, on any page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reidrisk.report.numbers import count, three_places
from reidrisk.report.parts import Column, Table

MOST_PAIRS = 20


def association_table(pairs: Sequence[Mapping[str, Any]], *, title: str, explanation: str) -> Table:
    """How strongly pairs go together, as they come; each has columns, measure, before, after and change."""
    rows = tuple(
        (
            " and ".join(one["columns"]),
            one["measure"],
            *(three_places(one[name]) for name in ("before", "after", "change")),
        )
        for one in pairs[:MOST_PAIRS]
    )
    left = len(pairs) - MOST_PAIRS
    more = f"{count(left)} more pairs, none changed more, are in the result file." if left > 0 else ""
    return Table(
        title,
        explanation,
        (
            Column("variables"),
            Column("measure"),
            Column("before", is_number=True),
            Column("after", is_number=True),
            Column("change", is_number=True),
        ),
        rows,
        more if pairs else "No pair of variables was compared.",
    )
