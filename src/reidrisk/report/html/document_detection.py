"""Findings in documents on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.document_detection import charts
from reidrisk.report.content import document_detection as content
from reidrisk.report.content.documents_guide import DETECTION_GUIDE
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Heading, Section

TITLE = "Findings in documents"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Heading(id, title).over(
        result,
        content,
        charts(result),
        content.documents(result),
        content.by_type(result),
        content.by_variable(result),
        content.by_section(result),
        content.by_source(result),
        content.settings(result),
        versions(result),
    )


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The results side by side, before their details."""
    rows = tuple(
        (name, count(len(result["documents"])), count(result["findings"]))
        for name, result in zip(names, results, strict=True)
    )
    columns = (Column("documents"), *(Column(name, is_number=True) for name in ("documents", "findings")))
    return Table("Overview", "What was looked at.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return DETECTION_GUIDE
