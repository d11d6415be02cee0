"""The risk of a table in charts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts import table_events
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.table_risk_beside import charts as beside
from reidrisk.report.content import table_risk as content
from reidrisk.report.numbers import count, percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZES = ((1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, 99), (100, 999), (1000, None))
"""Classes are shown by size, in groups whose borders are the usual cell sizes."""


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """Records by the size of their class, what each column adds, what events do, what is told beside."""
    return _sizes(result), _columns(result), *table_events.charts(result), *beside(result)


def figure(result: dict[str, Any]) -> Figure:
    """All charts in one figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))


def _sizes(result: dict[str, Any]) -> Chart:
    cell_size, records = result["threshold"]["cell_size"], result["records"]
    rows = []
    for low, high in SIZES:
        here = [row for row in result["class_sizes"] if low <= row["size"] <= (high or row["size"])]
        share = sum(row["size"] * row["classes"] for row in here) / records
        label = str(low) if low == high else f"{low:,}–{high:,}" if high else f"{low:,}+"
        rows.append((label, share, low < cell_size))
    while rows and rows[-1][1] == 0:
        rows.pop()
    below = result["prosecutor"]["share_above_threshold"]
    bars = Bars(tuple(rows), "size of the class")
    return Chart(
        "classes",
        "Records by the size of their class",
        (f"Dark: classes below the cell size of {cell_size}. {percent(below)} of records are too exposed."),
        (f"Of {count(records)} records, {percent(below)} are in classes smaller than {cell_size}."),
        bars.height,
        partial(draw_bars, bars=bars),
    )


def _columns(result: dict[str, Any]) -> Chart:
    every = result["prosecutor"]["share_above_threshold"]
    quasi = result["settings"]["quasi"]
    rows = [("all columns", every, True)]
    for row in result["without_column"]:
        missing = [name for name in quasi if name not in row["columns"]]
        rows.append((f"without {', '.join(missing)}", row["share_above_threshold"], False))
    bars = Bars(tuple(rows), "records above the threshold")
    lowest = min(rows[1:], key=lambda row: row[1], default=rows[0])
    return Chart(
        "columns",
        "What each column adds",
        ("Records above the threshold with all columns, and if one of them were not released."),
        (
            f"With all columns {percent(every)} of records are above the threshold, "
            f"{lowest[0]} {percent(lowest[1])}."
        ),
        bars.height,
        partial(draw_bars, bars=bars),
    )
