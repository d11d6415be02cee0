"""Agreement of annotators on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.text_agreement import charts
from reidrisk.report.content import text_agreement as content
from reidrisk.report.content.gold_guide import AGREEMENT_GUIDE
from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Heading, Section

TITLE = "Agreement of annotators"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Heading(id, title).over(
        result,
        content,
        charts(result),
        content.agreement(result),
        content.pairs(result),
        content.conflicts(result),
        content.merged(result),
        content.settings(result),
        versions(result),
    )


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The comparisons side by side, before their details."""
    rows = tuple(
        (
            name,
            count(result["documents"]),
            percent(result["overall"]["f1"]),
            count(result["places"]["in_conflict"]),
        )
        for name, result in zip(names, results, strict=True)
    )
    numbers = ("documents", "F1, exact", "conflicts")
    columns = (Column("annotators"), *(Column(name, is_number=True) for name in numbers))
    return Table("Overview", "How far each set of annotators agrees.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return AGREEMENT_GUIDE
