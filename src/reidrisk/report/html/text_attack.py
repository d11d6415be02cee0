"""An attack on released texts on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.text_attack import charts
from reidrisk.report.content import text_attack as content
from reidrisk.report.content.resynthesis_guide import ATTACK_GUIDE
from reidrisk.report.numbers import count, probability, span
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Heading, Section

TITLE = "Attack on released texts"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Heading(id, title).over(
        result,
        content,
        charts(result),
        content.recognition(result),
        content.attacks(result),
        content.by_type(result),
        content.trade(result),
        content.risks(result),
        content.settings(result),
        versions(result),
    )


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The attacks side by side, before their details."""
    rows = tuple(
        (name, count(result["documents"]), count(result["leaks"]), *_found(result["recognition"]))
        for name, result in zip(names, results, strict=True)
    )
    numbers = ("documents", "leaks", "recognition", "interval")
    columns = (Column("texts"), *(Column(name, is_number=True) for name in numbers))
    return Table("Overview", "How often leaked originals were recognised.", columns, rows)


def _found(recognition: dict[str, Any] | None) -> tuple[str, str]:
    return probability(recognition["value"] if recognition else None), span(recognition)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return ATTACK_GUIDE
