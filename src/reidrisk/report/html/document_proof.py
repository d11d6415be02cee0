"""A search of a document for values on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.document_proof import charts
from reidrisk.report.content import document_proof as content
from reidrisk.report.content.documents_guide import PROOF_GUIDE
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Heading, Section

TITLE = "Search for values"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Heading(id, title).over(
        result,
        content,
        charts(result),
        content.hits(result),
        content.covered(result),
        content.settings(result),
        versions(result),
    )


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The results side by side, before their details."""
    rows = tuple(
        (name, count(result["values"]), count(result["values_found"]))
        for name, result in zip(names, results, strict=True)
    )
    columns = (Column("document"), *(Column(name, is_number=True) for name in ("values", "found")))
    return Table("Overview", "What was searched for and found.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return PROOF_GUIDE
