"""An attack on a released table on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.table_attack import charts
from reidrisk.report.content import table_attack as content
from reidrisk.report.content import table_attack_linkage as linkage
from reidrisk.report.content.table_attack_guide import GUIDE
from reidrisk.report.numbers import count, probability, span
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Heading, Section

TITLE = "Attack on a released table"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Heading(id, title).over(
        result,
        content,
        charts(result),
        content.predicted(result),
        content.criteria(result),
        content.attacks(result),
        linkage.claims(result),
        linkage.weights(result),
        content.matching(result),
        content.settings(result),
        versions(result),
    )


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The attacks side by side, before their details."""
    rows = tuple(
        (
            name,
            count(result["records"]),
            probability(result["predicted"]["marketer"]["average"]),
            *_linked(result["linkage"]["exact"]["main"]),
            *(content.ANSWERS.get(one["possible"], "n/a") for one in result["criteria"]),
        )
        for name, result in zip(names, results, strict=True)
    )
    numbers = ("records", "predicted", "linked", "interval")
    columns = (
        Column("release"),
        *(Column(name, is_number=True) for name in numbers),
        *(Column(one["name"]) for one in results[0]["criteria"]),
    )
    return Table("Overview", "What was predicted, and what the attacks achieved.", columns, rows)


def _linked(main: dict[str, Any] | None) -> tuple[str, str]:
    return probability(main["value"] if main else None), span(main)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return GUIDE
