"""Policies compared on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.charts.population_comparison import charts
from reidrisk.report.content import population_comparison as content
from reidrisk.report.content.population_guide import GUIDE
from reidrisk.report.content.text_settings import versions
from reidrisk.report.html.section import Section, drawn, present
from reidrisk.report.numbers import count, ratio
from reidrisk.report.parts import Column, Guide, Table

TITLE = "Sharing policies compared"


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
            content.side_by_side(result),
            content.attacks(result),
            content.pairs(result),
            content.areas(result),
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
            count(result["population"]["people"]),
            ratio(result["trust_differential"]["total"]),
        )
        for name, result in zip(names, results, strict=True)
    )
    columns = (
        Column("policies and attacker"),
        Column("population"),
        Column("people", is_number=True),
        Column("trust differential", is_number=True),
    )
    return Table("Overview", "By how much the first policy exposes more than the last.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return GUIDE
