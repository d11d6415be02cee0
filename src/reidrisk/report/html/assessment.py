"""An assessment on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.assessment import charts
from reidrisk.report.content import assessment as content
from reidrisk.report.content.assessment_guide import GUIDE
from reidrisk.report.content.assessment_utility import utility
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Section, drawn, present

TITLE = "Assessment of a release"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Section(
        id=id,
        title=title,
        about=content.about(result),
        verdict=content.verdict(result),
        warnings=tuple(result["context"]["notes"]),
        alarms=content.failures(result),
        pictures=drawn(charts(result), prefix=id),
        blocks=present(
            content.parts(result),
            content.remedies(result, typed=False),
            utility(result),
            content.monitoring(result),
            content.measures(result),
            content.sensitivity(result),
            content.context(result),
            content.agreement(result),
            content.inputs(result),
            versions(result),
        ),
    )


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The results side by side, before their details."""
    rows = tuple(
        (
            name,
            result["release"]["date"] or "",
            str(len(result["parts"])),
            content.verdict(result).word,
        )
        for name, result in zip(names, results, strict=True)
    )
    columns = (Column("release"), Column("date"), Column("parts", is_number=True), Column("verdict"))
    return Table("Overview", "The verdict of every release.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return GUIDE
