"""Suggested roles on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.table_suggestion import charts
from reidrisk.report.content import table_hipaa
from reidrisk.report.content import table_suggestion as content
from reidrisk.report.content.roles_guide import SUGGESTION_GUIDE
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Section, drawn, present

TITLE = "Suggested roles of columns"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Section(
        id=id,
        title=title,
        about=f"{count(result['rows'])} rows, {count(len(result['columns']))} columns.",
        verdict=content.verdict(result),
        warnings=(),
        pictures=drawn(charts(result), prefix=id),
        blocks=present(
            content.next_step(result),
            content.columns(result),
            content.scenario(result),
            table_hipaa.identifiers(result["hipaa"]),
            table_hipaa.not_checked(result["hipaa"]),
            content.settings(result),
            versions(result),
        ),
    )


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The results side by side, before their details."""
    rows = tuple(
        (name, count(result["rows"]), *(count(len(content.in_role(result, role))) for role in content.ROLES))
        for name, result in zip(names, results, strict=True)
    )
    numbers = ("rows", *content.ROLES)
    columns = (Column("table"), *(Column(name, is_number=True) for name in numbers))
    return Table("Overview", "How many columns of every table have each role.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return SUGGESTION_GUIDE
