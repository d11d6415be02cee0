"""A sample of documents to annotate on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.text_sample import charts
from reidrisk.report.content import text_sample as content
from reidrisk.report.content.gold_guide import SAMPLE_GUIDE
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Heading, Section

TITLE = "Documents to annotate"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Heading(id, title).over(
        result,
        content,
        charts(result),
        content.needed(result),
        content.strata(result),
        content.settings(result),
        versions(result),
    )


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The samples side by side, before their details."""
    rows = tuple(
        (name, count(result["documents"]), count(result["sampled"]), count(len(result["strata"])))
        for name, result in zip(names, results, strict=True)
    )
    numbers = ("documents", "drawn", "strata")
    columns = (Column("corpus"), *(Column(name, is_number=True) for name in numbers))
    return Table("Overview", "What was drawn from each corpus.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return SAMPLE_GUIDE
