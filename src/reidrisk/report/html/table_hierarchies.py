"""A preview of hierarchies on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.table_hierarchies import charts
from reidrisk.report.content import table_hierarchies as content
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Fact, Guide, Source, Table
from reidrisk.report.section import Section, drawn

TITLE = "Generalization hierarchies"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Section(
        id=id,
        title=title,
        about=f"{count(result['rows'])} rows, {count(len(result['columns']))} columns with a hierarchy.",
        verdict=content.verdict(result),
        warnings=(),
        pictures=drawn(charts(result), prefix=id),
        blocks=(*content.columns(result), content.settings(result), versions(result)),
    )


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The results side by side, before their details."""
    rows = tuple(
        (name, count(result["rows"]), count(len(result["columns"])))
        for name, result in zip(names, results, strict=True)
    )
    columns = (Column("table"), Column("rows", is_number=True), Column("columns", is_number=True))
    return Table("Overview", "The tables whose columns have hierarchies.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return Guide(
        terms=(
            Fact("Generalization hierarchy", "What the values of a column become, from exact to nothing."),
            Fact("Level", "A step of a hierarchy; each joins groups of the one before."),
            Fact(
                "Maximum acceptable generalization",
                "The highest level at which the data still serve their purpose.",
            ),
        ),
        limits=(
            "Every column is looked at alone. Rare combinations of frequent values are not seen here.",
            "This page is a measurement, not legal advice. People who answer for it decide on a release.",
        ),
        sources=(
            Source(
                "El Emam K. et al. Evaluating the risk of re-identification of patients from hospital "
                "prescription records. Canadian Journal of Hospital Pharmacy 62(4) (2009) 307–319.",
            ),
        ),
    )
