"""Texts with identifiers replaced, on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.text_deidentification import charts
from reidrisk.report.content import text_deidentification as content
from reidrisk.report.content.resynthesis_guide import DEIDENTIFICATION_GUIDE
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Section, drawn

TITLE = "De-identified texts"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Section(
        id=id,
        title=title,
        about=content.about(result),
        verdict=content.verdict(result),
        warnings=tuple(result["warnings"]),
        pictures=drawn(charts(result), prefix=id),
        blocks=(
            content.by_type(result),
            content.by_source(result),
            content.settings(result),
            versions(result),
        ),
    )


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The runs side by side, before their details."""
    rows = tuple(
        (name, result["mode"], count(result["documents"]), count(result["replaced"]))
        for name, result in zip(names, results, strict=True)
    )
    columns = (
        Column("texts"),
        Column("mode"),
        *(Column(name, is_number=True) for name in ("documents", "identifiers")),
    )
    return Table("Overview", "What was written.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return DEIDENTIFICATION_GUIDE
