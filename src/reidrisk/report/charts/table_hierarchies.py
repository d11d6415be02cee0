"""A preview of hierarchies as bars: how many rows are rare on each level."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.content import table_hierarchies as content
from reidrisk.report.numbers import percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """One chart a column."""
    return tuple(
        _chart(column, place, result["settings"]["cell_size"])
        for place, column in enumerate(result["columns"])
    )


def figure(result: dict[str, Any]) -> Figure:
    """All charts in one figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"Hierarchies on {content.name_of(result)}", charts(result))


def _chart(column: dict[str, Any], place: int, cell_size: int) -> Chart:
    shares = [
        (level["level"], level["share_below_cell_size"], level["allowed"]) for level in column["levels"]
    ]
    bars = Bars(tuple(shares), f"rows in groups below {cell_size}")
    said = ", ".join(f"{name} {percent(share)}" for name, share, _ in shares)
    return Chart(
        f"levels{place}",
        f"{column['column']}: rare values by level",
        "Dark: levels that may be chosen.",
        f"Rows whose {column['column']} is rarer than {cell_size}: {said}.",
        bars.height,
        partial(draw_bars, bars=bars),
    )
