"""A transformed table on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.table_transformed import charts
from reidrisk.report.content import steps
from reidrisk.report.content import table_transformed as content
from reidrisk.report.content.table_transformed_guide import GUIDE
from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Heading, Section

TITLE = "Transformed table"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Heading(id, title).over(
        result, content, charts(result), *steps.blocks(result), content.settings(result), versions(result)
    )


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The tables side by side, before their details."""
    rows = tuple(
        (
            name,
            ", ".join(one["kind"] for one in result["steps"]),
            count(result["rows_after"]),
            percent(result["steps_linkage"]["value"]) if result["steps_linkage"] else "n/a",
        )
        for name, result in zip(names, results, strict=True)
    )
    columns = (
        Column("table"),
        Column("steps"),
        Column("rows", is_number=True),
        Column("nearest to their own original", is_number=True),
    )
    return Table("Overview", "What was done to each table.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return GUIDE
