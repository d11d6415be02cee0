"""A de-identified table on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.table_deidentified import charts, distributions
from reidrisk.report.charts.table_events import compared
from reidrisk.report.charts.table_transformed import step_charts
from reidrisk.report.charts.table_utility import charts_beside
from reidrisk.report.content import (
    deidentified_events,
    deidentified_settings,
    deidentified_solutions,
    deidentified_utility,
    steps,
)
from reidrisk.report.content import table_deidentified as content
from reidrisk.report.content import table_secrets as secrets
from reidrisk.report.content import table_utility as useful
from reidrisk.report.content.deidentified_by_record import by_record, is_by_record
from reidrisk.report.content.deidentified_guide import GUIDE
from reidrisk.report.names import ends_of
from reidrisk.report.numbers import MISSING, count, percent
from reidrisk.report.parts import Column, Facts, Guide, Table
from reidrisk.report.section import Gallery, Section, drawn

TITLE = "De-identification of a table"
BY_LEVEL = (
    "The share of records with each value at the level released, before cells were suppressed and after. "
    "Rare values are joined, so that this page singles nobody out."
)
BY_RECORD = (
    "The share of records with each value that is released: before, of those that had exactly this value; "
    "after, of those that have it now. Values that no longer occur are joined."
)


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Section(
        id=id,
        title=title,
        about=about(result),
        verdict=content.verdict(result),
        warnings=tuple(result["notes"]),
        pictures=drawn(
            (*charts(result), *compared(result), *step_charts(result), *charts_beside(result)), prefix=id
        ),
        blocks=(
            content.loop(result),
            content.layout(result),
            *by_record(result),
            *steps.blocks(result),
            deidentified_solutions.named(result),
            deidentified_utility.risks(result),
            *deidentified_events.blocks(result),
            *secrets.blocks(result["after"] or result["before"]),
            *(() if result["solution"] is None else _solution(result, id)),
            deidentified_solutions.proof(result),
            deidentified_settings.settings(result),
            versions(result),
        ),
        alarms=content.alarms(result),
        conditions=tuple(result["conditions"]),
    )


def _solution(result: dict[str, Any], prefix: str) -> tuple[Table | Facts | Gallery, ...]:
    """What there is to say only of a solution."""
    return (
        deidentified_utility.suppression(result),
        deidentified_utility.per_record(result),
        *(() if is_by_record(result) else (deidentified_utility.readings(result),)),
        deidentified_utility.utility(result),
        *_gallery(result, prefix),
        deidentified_utility.associations(result),
        *useful.beside_risk(result.get("usefulness")),
        *(() if is_by_record(result) else (deidentified_solutions.candidates(result),)),
        deidentified_settings.codebook(result),
    )


def about(result: dict[str, Any]) -> str:
    """What was de-identified, and against what."""
    files = [path for path in (result["files"].get("out"), result["files"].get("codebook")) if path]
    written = f" Written: {', '.join(files)}." if files else " No file was written."
    known = [row["column"] for row in result["variables"]] or result["settings"]["quasi"]
    quasi = ", ".join(ends_of(name, 24) for name in known)
    return f"{count(result['before']['records'])} records. Known to an intruder: {quasi}.{written}"


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The results side by side, before their details."""
    rows = tuple(
        (
            name,
            count(result["before"]["records"]),
            *_found(result["solution"]),
            content.verdict(result).word,
        )
        for name, result in zip(names, results, strict=True)
    )
    columns = (
        Column("table"),
        Column("records", is_number=True),
        Column("records with suppressed cells", is_number=True),
        Column("cells suppressed", is_number=True),
        Column("loss", is_number=True),
        Column("verdict"),
    )
    return Table("Overview", "What each table loses, and whether it may be released.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return GUIDE


def _found(solution: dict[str, Any] | None) -> tuple[str, str, str]:
    if solution is None:
        return MISSING, MISSING, MISSING
    utility = solution["utility"]
    loss = f"{deidentified_solutions.figure(utility['loss'])} ({utility['loss_name']})"
    return percent(solution["suppressed_share"]), percent(solution["cell_share"]), loss


def _gallery(result: dict[str, Any], prefix: str) -> tuple[Gallery, ...]:
    pictures = drawn(distributions(result), prefix=prefix)
    if not pictures:
        return ()
    explanation = BY_RECORD if is_by_record(result) else BY_LEVEL
    return (Gallery("Values before and after", explanation, pictures),)
