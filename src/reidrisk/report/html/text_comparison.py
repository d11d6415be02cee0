"""Tools compared on a page; each tool's own result follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.text_comparison import charts
from reidrisk.report.content import text_comparison as content
from reidrisk.report.content.text_guide import COMPARISON_GUIDE
from reidrisk.report.content.text_risk import ROLES
from reidrisk.report.html import text_risk
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Heading, Section

TITLE = "De-identification tools compared"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """What the page shows of the comparison itself."""
    return Heading(id, title).over(
        result,
        content,
        charts(result),
        content.tools(result),
        content.improvements(result),
        *(content.differences(result, role) for role in ROLES),
        content.settings(result),
        versions(result),
    )


def following(result: dict[str, Any], *, id: str) -> list[Section]:  # noqa: A002
    """The tools one by one, the least risk first."""
    return [
        text_risk.section(tool, id=f"{id}t{number}", title=tool["name"])
        for number, tool in enumerate(content.in_order(result), start=1)
    ]


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The comparisons side by side, before their details."""
    rows = tuple(
        (name, content.gold_of(result), count(result["documents"]), result["ranking"][0])
        for name, result in zip(names, results, strict=True)
    )
    columns = (
        Column("tools"),
        Column("gold standard"),
        Column("documents", is_number=True),
        Column("least risk"),
    )
    return Table("Overview", "Which tool leaves the least risk on each gold standard.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return COMPARISON_GUIDE
