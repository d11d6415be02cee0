"""Pairs of columns before and after, on any page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reidrisk.report.numbers import count, three_places
from reidrisk.report.parts import Column, Table
from reidrisk.report.words.book import say

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
    more = say("content.associations.more", left=count(left)) if left > 0 else ""
    return Table(
        title,
        explanation,
        (
            Column(say("content.associations.columns")),
            Column(say("content.associations.measure")),
            Column(say("content.associations.before"), is_number=True),
            Column(say("content.associations.after"), is_number=True),
            Column(say("content.associations.change"), is_number=True),
        ),
        rows,
        more if pairs else say("content.associations.none"),
    )
