"""An assessment in one chart: every part against its limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reidrisk.report.charts import against_limits
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.content import assessment as content

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The parts that have a risk; none where nothing could be judged."""
    shown = [part for part in result["parts"] if part["judged"]["overall"] is not None]
    return (against_limits.chart(shown),) if shown else ()


def figure(result: dict[str, Any]) -> Figure:
    """All charts in one figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))
