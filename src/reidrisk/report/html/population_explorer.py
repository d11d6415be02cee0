"""What could be shared, on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.charts.population_explorer import charts
from reidrisk.report.content import population_explorer as content
from reidrisk.report.content.population_guide import EXPLORER_GUIDE
from reidrisk.report.content.text_settings import versions
from reidrisk.report.html.section import Section, drawn, present
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Guide, Table

TITLE = "What could be shared"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Section(
        id=id,
        title=title,
        about=content.about(result),
        verdict=content.verdict(result),
        warnings=content.warnings(result),
        pictures=drawn(charts(result), prefix=id),
        blocks=present(
            content.frontier(result),
            content.possible(result),
            content.everything(result),
            content.settings(result),
            versions(result),
        ),
    )


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The results side by side, before their details."""
    rows = tuple(
        (
            name,
            content.place_of(result),
            count(len(result["policies"])),
            content.verdict(result).word,
        )
        for name, result in zip(names, results, strict=True)
    )
    columns = (Column("tried"), Column("population"), Column("policies", is_number=True), Column("found"))
    return Table("Overview", "What was tried on every population.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return EXPLORER_GUIDE
