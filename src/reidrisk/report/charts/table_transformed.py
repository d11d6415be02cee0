"""What each transformation changed, as bars."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.content import table_transformed as content
from reidrisk.report.numbers import percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BY_CHANCE = ("noise", "rank_swap", "pram", "shift_dates")


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """One chart; it says so if nothing was changed."""
    return (step_chart(result["steps"]),)


def step_charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The same for a result of another kind; nothing if nothing was transformed."""
    return (step_chart(result["steps"]),) if result.get("steps") else ()


def step_chart(steps: Sequence[dict[str, Any]]) -> Chart:
    """A bar for each changed column of each step, and for rows that were left out."""
    rows = [row for one in steps for row in _rows(one)]
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


def _rows(one: dict[str, Any]) -> list[tuple[str, float, bool]]:
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


def figure(result: dict[str, Any]) -> Figure:
    """The chart in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))
