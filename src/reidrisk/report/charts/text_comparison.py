"""Tools compared, in charts: their risks above one another, and the differences of every two."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts import differences, intervals
from reidrisk.report.charts.canvas import Chart, shortened
from reidrisk.report.charts.differences import Gap, draw_gaps
from reidrisk.report.charts.intervals import Interval, draw_intervals
from reidrisk.report.content import text_comparison as content
from reidrisk.report.content.text_risk import ROLES
from reidrisk.report.numbers import level

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LIMITS = {"direct": "benchmark's upper limit", "quasi": "threshold"}
MOST_PAIRS = 15


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """Risks and differences of both roles."""
    found = [chart for role in ROLES for chart in (_risks(result, role), _differences(result, role))]
    return tuple(chart for chart in found if chart is not None)


def figure(result: dict[str, Any]) -> Figure:
    """All charts in one figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))


def _risks(result: dict[str, Any], role: str) -> Chart | None:
    tools = [tool for tool in content.in_order(result) if tool[role]["value"] is not None]
    if not tools:
        return None
    rows = [
        Interval(
            shortened(tool["name"], 24),
            tool[role]["value"],
            tool[role]["low"],
            tool[role]["high"],
            tool[role]["acceptable"],
        )
        for tool in tools
    ]
    part = tools[0][role]
    said = ", ".join(f"{row.name} {row.label}" for row in rows)
    return Chart(
        role,
        f"{ROLES[role]}: the tools",
        (
            f"Dots are means, lines {level(part['level'])} intervals; bold is acceptable. A "
            f"line must end before the dashed one, the {LIMITS[role]}."
        ),
        f"Mean and interval of each tool, least risk first: {said}.",
        intervals.height(len(rows)),
        partial(draw_intervals, rows=rows, limit=part["threshold"], limit_name=LIMITS[role]),
    )


def _differences(result: dict[str, Any], role: str) -> Chart | None:
    gaps = [
        Gap(row["a"], row["b"], row[role]["value"], row[role]["low"], row[role]["high"])
        for row in result["differences"]
        if row[role] is not None
    ]
    if not gaps:
        return None
    shown = gaps[:MOST_PAIRS]
    decided = sum(gap.decided for gap in gaps)
    more = (
        (" " + f"The first {MOST_PAIRS} pairs are drawn; the table has all.")
        if len(gaps) > MOST_PAIRS
        else ""
    )
    return Chart(
        f"{role}-differences",
        f"{ROLES[role]}: differences",
        (
            "The risk of the left tool less that of the right one, documents resampled in "
            f"pairs; bold where the interval leaves 0 out.{more}"
        ),
        (f"{decided} of {len(gaps)} differences are more than chance. The table below has every number."),
        differences.height(len(shown)),
        partial(draw_gaps, gaps=shown),
    )
