"""What a policy exposes, in charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.population import curves, order, places, spread
from reidrisk.report.content import population_risk as content

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """Curves over g; with areas, how they differ, in which order, and by size."""
    named = [(content.name_of(result), result)]
    return (
        *curves(named),
        *spread(result, name="spread", title="How much areas differ"),
        *order(result, name="order", title="How the order of areas changes with g"),
        *places(named),
    )


def figure(result: dict[str, Any]) -> Figure:
    """All charts in one figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.name_of(result)}: {content.place_of(result)}", charts(result))
