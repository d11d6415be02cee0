"""Documents redacted or replaced on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.document_anonymization import charts
from reidrisk.report.content import document_anonymization as content
from reidrisk.report.content.documents_guide import ANONYMIZATION_GUIDE
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Heading, Section

TITLE = "Anonymized documents"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Heading(id, title).over(
        result,
        content,
        charts(result),
        content.documents(result),
        content.fates(result),
        content.by_type(result),
        content.by_section(result),
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
    return Table("Overview", "What was written.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return ANONYMIZATION_GUIDE
