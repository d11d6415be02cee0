"""A trained model on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.text_training import charts
from reidrisk.report.content import text_training as content
from reidrisk.report.content.training_guide import TRAINING_GUIDE
from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Section, drawn

TITLE = "A detector of your own"


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
            content.summary(result),
            content.by_type(result),
            content.knob(result),
            content.calibration(result),
            content.model(result),
            content.settings(result),
            versions(result),
        ),
    )


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The models side by side, before their details."""
    rows = tuple(
        (
            name,
            count(result["documents"]),
            percent(result["masking"]["recall"]),
            percent(result["masking"]["precision"]),
            percent(result["all_direct"]["value"]),
        )
        for name, result in zip(names, results, strict=True)
    )
    numbers = ("documents", "words found", "rightly marked", "documents with all direct caught")
    columns = (Column("model"), *(Column(name, is_number=True) for name in numbers))
    return Table("Overview", "How well each model finds identifiers in unseen documents.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return TRAINING_GUIDE
