"""Transformations of a table before it was measured."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.document import Block
from reidrisk.report.kind import NOTHING_LOST
from reidrisk.report.numbers import DASH, count, level, percent, percent_span, probability
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.plain_text import heading, wrapped

FIGURES = {
    "variance_ratio": "variance kept",
    "correlation": "correlation",
    "information_loss": "information lost",
    "mean_rank_shift": "ranks moved",
}
BY_CHANCE = ("noise", "rank_swap", "pram", "shift_dates")


def blocks(result: dict[str, Any]) -> tuple[Table | Facts, ...]:
    """Everything there is to say of steps; nothing if there was none."""
    if not result.get("steps"):
        return ()
    found = (done(result), columns(result), linkage(result))
    return tuple(block for block in found if block is not None)


def done(result: dict[str, Any]) -> Table:
    """What was done in turn, and what it is worth, in words."""
    rows = tuple(
        (f"{at}. {one['kind']}", one["text"], one["worth"]) for at, one in enumerate(result["steps"], start=1)
    )
    return Table(
        "Transformations",
        (
            "Transformations in turn, before anything was measured. What they are worth is "
            "computed from the data."
        ),
        (
            Column("step"),
            Column("what was done", is_prose=True),
            Column("what it is worth", is_prose=True),
        ),
        rows,
    )


def columns(result: dict[str, Any]) -> Table | None:
    """Each changed column in figures; None if no value was changed."""
    rows = tuple(
        (
            row["column"],
            one["kind"],
            percent(row["share_changed"]),
            *(_figure(name, row.get(name)) for name in FIGURES),
        )
        for one in result["steps"]
        for row in one["by_column"]
        if "share_changed" in row
    )
    if not rows:
        return None
    return Table(
        "What each step left of the columns",
        (
            "How much of each column was changed, and what is left of it: its variance, its "
            "correlation with the original, the information lost (mean change in standard "
            "deviations over the root of two: 0 for the same numbers), and how far values "
            "moved among the ranks."
        ),
        (
            Column("column"),
            Column("step"),
            *(Column(name, is_number=True) for name in ("changed", *FIGURES.values())),
        ),
        rows,
    )


def linkage(result: dict[str, Any]) -> Facts | None:
    """How often a changed record is nearest to its own original; None if no value was changed."""
    found = result["steps_linkage"]
    if found is None:
        return None
    value = f"{percent(found['value'])} ({percent_span(found)}, {level(found['level'])})"
    return Facts(
        "Linkage of the changed values",
        (
            "How often somebody who has the original values would find the right record by the "
            "smallest distance. That is no measure of the risk of the release by itself."
        ),
        (
            Fact("nearest to their own original", value, ", ".join(found["columns"])),
            Fact("by guessing", probability(found["guessing"])),
            Fact(
                "changed records linked",
                count(found["guesses"]),
                "with the nearest of all originals, numbers in standard deviations",
            ),
            Fact("records with nothing changed", percent(found["share_unchanged"])),
        ),
    )


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return DASH
    return percent(value) if name == "mean_rank_shift" else f"{value:.3f}"


def utility_chapter(result: dict[str, Any]) -> Iterable[Block | None]:
    """What transformations left of the columns; where nothing was changed, nothing was lost."""
    left = columns(result) if result.get("steps") else None
    return NOTHING_LOST(result) if left is None else (left,)


def step_lines(result: dict[str, Any]) -> list[str]:
    """What was done and what it is worth, a paragraph a step; nothing if there was none."""
    if not result.get("steps"):
        return []
    table = done(result)
    lines = heading(table.title, table.explanation)
    for name, step, worth in table.rows:
        lines += wrapped(f"{name}: {step}. Worth: {worth}", rest=" " * 5)
    return lines


def step_charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """What each step changed; nothing if nothing was transformed."""
    return (step_chart(result["steps"]),) if result.get("steps") else ()


def step_chart(steps: list[dict[str, Any]]) -> Chart:
    """A bar for each changed column of each step, and for rows that were left out."""
    rows = [row for one in steps for row in _changes(one)]
    title = "What each step changed"
    if not rows:
        nothing = "No value was changed and no row left out."
        return Chart("steps", title, nothing, nothing, 0.0, None)
    bars = Bars(tuple(rows), "share of values changed, or of rows left out")
    most = max(rows, key=lambda row: row[1])
    spoken = f"{len(rows)} bars; most: {most[0]}, {percent(most[1])}."
    return Chart(
        "steps",
        title,
        "By step and column, in turn. Dark: changed by chance.",
        spoken,
        bars.height,
        partial(draw_bars, bars=bars),
    )


def _changes(one: dict[str, Any]) -> list[tuple[str, float, bool]]:
    kind = str(one["kind"])
    if kind == "sample":
        left = 1 - one["rows_after"] / max(1, one["rows_before"])
        return [(f"{kind}: rows left out", left, True)]
    return [
        (
            f"{row['column']}: {kind}",
            float(row["share_changed"] or 0.0),
            kind in BY_CHANCE,
        )
        for row in one["by_column"]
        if "share_changed" in row
    ]
