"""The score of a context on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.context_score import charts
from reidrisk.report.content import context_score as content
from reidrisk.report.content.context_guide import CONTEXT_GUIDE
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Section, drawn, present

TITLE = "Context of a release"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Section(
        id=id,
        title=title,
        about=f"A {content.ACCESS[result['access']]} release. {result['preset']['about']}",
        verdict=content.verdict(result),
        warnings=tuple(result["notes"]),
        pictures=drawn(charts(result), prefix=id),
        blocks=present(
            content.risks(result),
            content.missing(result),
            content.agreement(result),
            content.precedents(result),
            content.questions(result, "motives", "Motives and capacity"),
            content.questions(result, "invasion", "Invasion of privacy"),
            content.checklist(result),
            content.settings(result),
            content.sources(result),
            versions(result),
        ),
    )


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The results side by side, before their details."""
    rows = tuple(
        (
            name,
            content.ACCESS[result["access"]],
            result["controls"]["level"],
            content.short(result["context_risk"]),
            content.fraction(result["threshold"]),
        )
        for name, result in zip(names, results, strict=True)
    )
    heads = ("context", "access", "controls", "risk of the context", "threshold")
    columns = tuple(Column(head, is_number=at > 2) for at, head in enumerate(heads))
    return Table("Overview", "What every context asks of the data.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return CONTEXT_GUIDE
