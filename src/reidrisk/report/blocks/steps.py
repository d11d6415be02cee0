"""Transformations that were applied to a table before its risk was measured."""

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
from reidrisk.report.plain_text import heading, wrap

FIGURES = {
    "variance_ratio": "variance ratio",
    "correlation": "correlation",
    "information_loss": "information loss",
    "mean_rank_shift": "rank shift",
}
BY_CHANCE = ("noise", "rank_swap", "pram", "shift_dates")


def blocks(result: dict[str, Any]) -> tuple[Table | Facts, ...]:
    """The steps, the columns they changed, and the linkage; empty if there were no steps."""
    if not result.get("steps"):
        return ()
    found = (steps_table(result), columns(result), linkage(result))
    return tuple(block for block in found if block is not None)


def steps_table(result: dict[str, Any]) -> Table:
    """What each step did, and its effect."""
    rows = tuple(
        (f"{at}. {one['kind']}", one["text"], one["worth"]) for at, one in enumerate(result["steps"], start=1)
    )
    return Table(
        "Transformations",
        (
            "Transformations in the order in which they were applied, before the risk was measured. "
            "Their effects are computed from the data."
        ),
        (
            Column("step"),
            Column("what was done", is_prose=True),
            Column("effect", is_prose=True),
        ),
        rows,
    )


def columns(result: dict[str, Any]) -> Table | None:
    """How much each step changed each column; None if no value was changed."""
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
        "Effect of each step on the columns",
        (
            "For each column: the share of values changed, the variance relative to the original, the "
            "correlation with the original, the information loss (mean change in standard deviations "
            "divided by the square root of 2; 0 if nothing changed), and the mean shift in rank as a "
            "share of all ranks."
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
        "Linkage of changed records",
        (
            "How often someone who has the original values would find the right record by choosing the "
            "nearest one. On its own, this does not measure the risk of the release."
        ),
        (
            Fact("closest to their own original", value, ", ".join(found["columns"])),
            Fact("by guessing", probability(found["guessing"])),
            Fact(
                "changed records linked",
                count(found["guesses"]),
                "each with the nearest original record; numbers are compared in standard deviations",
            ),
            Fact("unchanged records", percent(found["share_unchanged"])),
        ),
    )


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return DASH
    return percent(value) if name == "mean_rank_shift" else f"{value:.3f}"


def utility_chapter(result: dict[str, Any]) -> Iterable[Block | None]:
    """The effect of transformations on the columns, or that nothing was changed."""
    left = columns(result) if result.get("steps") else None
    return NOTHING_LOST(result) if left is None else (left,)


def step_lines(result: dict[str, Any]) -> list[str]:
    """One paragraph per step for the terminal; empty if there were no steps."""
    if not result.get("steps"):
        return []
    table = steps_table(result)
    lines = heading(table.title, table.explanation)
    for name, step, effect in table.rows:
        lines += wrap(f"{name}: {step}. Effect: {effect}", rest=" " * 5)
    return lines


def step_charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """What each step changed; empty if there were no steps."""
    return (step_chart(result["steps"]),) if result.get("steps") else ()


def step_chart(steps: list[dict[str, Any]]) -> Chart:
    """A bar for each column that a step changed, and for rows that it removed."""
    rows = [row for one in steps for row in _changes(one)]
    title = "What each step changed"
    if not rows:
        nothing = "No value was changed and no row was removed."
        return Chart("steps", title, nothing, nothing, 0.0, None)
    bars = Bars(tuple(rows), "share of values changed, or of rows removed")
    most = max(rows, key=lambda row: row[1])
    spoken = f"{len(rows)} bars. Highest: {most[0]}, {percent(most[1])}."
    return Chart(
        "steps",
        title,
        "By step and column, in order. Dark: changed at random.",
        spoken,
        bars.height,
        partial(draw_bars, bars=bars),
    )


def _changes(one: dict[str, Any]) -> list[tuple[str, float, bool]]:
    kind = str(one["kind"])
    if kind == "sample":
        left = 1 - one["rows_after"] / max(1, one["rows_before"])
        return [(f"{kind}: rows removed", left, True)]
    return [
        (
            f"{row['column']}: {kind}",
            float(row["share_changed"] or 0.0),
            kind in BY_CHANCE,
        )
        for row in one["by_column"]
        if "share_changed" in row
    ]
