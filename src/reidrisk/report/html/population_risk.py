"""What a policy exposes on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.charts.population_risk import charts
from reidrisk.report.content import population_risk as content
from reidrisk.report.content.population_guide import GUIDE
from reidrisk.report.content.text_settings import versions
from reidrisk.report.html.section import Section, drawn, present
from reidrisk.report.numbers import brief_percent, count
from reidrisk.report.parts import Column, Guide, Table

TITLE = "What a sharing policy exposes"


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
            content.attack(result),
            content.distinct(result),
            content.total(result),
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
            count(result["people"]),
            content.UNKNOWN if result["unknown"] else brief_percent(result["total_risk"]["share"]),
            content.verdict(result).word,
        )
        for name, result in zip(names, results, strict=True)
    )
    columns = (
        Column("policy and attacker"),
        Column("population"),
        Column("people", is_number=True),
        Column("total risk", is_number=True),
        Column("found"),
    )
    return Table("Overview", "What every policy exposes to its attacker.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return GUIDE
