"""A release held against its original on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.table_utility import charts
from reidrisk.report.content import table_utility as content
from reidrisk.report.content.table_utility_guide import GUIDE
from reidrisk.report.numbers import MISSING, count, percent, ratio
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Heading, Section

TITLE = "Utility of a released table"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Heading(id, title).over(
        result,
        content,
        charts(result),
        *content.blocks(result),
        content.settings(result),
        versions(result),
    )


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The releases side by side, before their details."""
    rows = tuple(
        (
            name,
            count(result["records"]["after"]),
            percent(_largest(one["total_variation"] for one in result["columns"])),
            ratio((result["propensity"] or {}).get("ratio")),
            percent(_largest(one["typical_relative"] for one in result["queries"])),
            _score(_largest(one["loss"] for one in result["models"])),
            content.verdict(result).word,
        )
        for name, result in zip(names, results, strict=True)
    )
    numbers = ("records", "column that moved most", "propensity ratio", "worst query", "worst model")
    columns = (Column("release"), *(Column(name, is_number=True) for name in numbers), Column("verdict"))
    return Table("Overview", "What each release is still good for.", columns, rows)


def _largest(values: Any) -> float | None:
    return max((value for value in values if value is not None), default=None)


def _score(value: float | None) -> str:
    return MISSING if value is None else f"{value:.3f}"


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return GUIDE
