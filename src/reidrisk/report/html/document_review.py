"""A review of findings in documents on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.document_review import charts
from reidrisk.report.content import document_review as content
from reidrisk.report.content.documents_guide import REVIEW_GUIDE
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Heading, Section

TITLE = "Review of findings"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Heading(id, title).over(
        result,
        content,
        charts(result),
        content.measured(result),
        content.needed(result),
        content.reviewers(result),
        content.by_type(result),
        content.agreement(result),
        content.conflicts(result),
        content.settings(result),
        versions(result),
    )


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The results side by side, before their details."""
    rows = tuple(
        (name, count(result["findings"]), count(len(result["conflicts"])))
        for name, result in zip(names, results, strict=True)
    )
    columns = (Column("findings"), *(Column(name, is_number=True) for name in ("findings", "conflicts")))
    return Table("Overview", "What was reviewed.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return REVIEW_GUIDE
