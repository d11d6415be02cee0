"""The check of the HIPAA lists on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.table_hipaa import charts
from reidrisk.report.content import table_hipaa as content
from reidrisk.report.content.roles_guide import HIPAA_GUIDE
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Section, drawn

TITLE = "HIPAA identifiers in a table"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Section(
        id=id,
        title=title,
        about=f"{count(result['rows'])} rows, checked against Safe Harbor and the limited data set.",
        verdict=content.verdict(result),
        warnings=(),
        pictures=drawn(charts(result), prefix=id),
        blocks=(
            content.identifiers(result),
            content.not_checked(result),
            content.settings(result),
            versions(result),
        ),
    )


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The results side by side, before their details."""
    rows = tuple(
        (
            name,
            count(result["rows"]),
            count(result["safe_harbor"]["remaining"]),
            count(result["limited_data_set"]["remaining"]),
        )
        for name, result in zip(names, results, strict=True)
    )
    heads = ("rows", "of 18 in Safe Harbor", "of 16 in a limited data set")
    columns = (Column("table"), *(Column(name, is_number=True) for name in heads))
    return Table("Overview", "How many identifiers are left in every table, or may be.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return HIPAA_GUIDE
