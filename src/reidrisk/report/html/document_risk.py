"""The risk of documents on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.document_risk import charts
from reidrisk.report.content import document_risk as content
from reidrisk.report.content.document_criteria import criteria
from reidrisk.report.content.document_guide import GUIDE
from reidrisk.report.numbers import probability
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Heading, Section

TITLE = "Risk of re-identification in clinical documents"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Heading(id, title).over(
        result,
        content,
        charts(result),
        content.stages(result),
        content.sides(result),
        content.measures(result),
        content.classes(result),
        content.recall(result),
        criteria(result),
        content.sections(result),
        content.qualitative(result),
        content.settings(result),
        versions(result),
    )


def names(results: Sequence[dict[str, Any]]) -> list[str]:
    """The study and, where several scenarios are shown, which one."""
    if len(results) == 1:
        return [content.name_of(results[0])]
    return [f"{content.name_of(one)}, {one['scenario']}" for one in results]


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The scenarios side by side, before their details."""
    rows = tuple(
        (
            name,
            *(one[stage]["level"] or probability(one[stage]["highest"]) for stage in ("initial", "final")),
            content.verdict(one).word,
        )
        for name, one in zip(names, results, strict=True)
    )
    columns = (
        Column("documents"),
        Column("before", is_number=True),
        Column("after", is_number=True),
        Column("verdict"),
    )
    return Table("Overview", "The risk of every scenario.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return GUIDE
