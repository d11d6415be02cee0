"""What could be shared, in a chart: detail against risk."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.frontier import HEIGHT, Point, draw_frontier
from reidrisk.report.charts.population import NOBODY_KNOWS
from reidrisk.report.content import population_explorer as content
from reidrisk.report.numbers import brief_percent
from reidrisk.report.terminal.layout import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """One chart."""
    title = "Detail against risk"
    points = _points(result)
    if not any(point.risk > 0 for point in points):
        return (Chart("frontier", title, NOBODY_KNOWS, NOBODY_KNOWS, 1.0, None),)
    best = content.most_detail(content.under_target(result))
    said = (
        (" " + (f"Most detail under the target: {printable(best['name'])}, {brief_percent(best['risk'])}."))
        if best
        else ""
    )
    best_ones = sum(point.on_frontier for point in points)
    zone = (" " + "Shaded: under the target.") if result["target"] is not None else ""
    return (
        Chart(
            "frontier",
            title,
            (
                f"Each dot is a policy, its {content.measure(result)} upward on a logarithmic "
                f"scale. The line joins those that no other one betters.{zone}{said}"
            ),
            f"{len(points):,} policies, {best_ones:,} on the frontier.{said}",
            HEIGHT,
            partial(
                draw_frontier,
                points=points,
                target=result["target"],
                finest=printable(content.fine(result)["name"]),
            ),
        ),
    )


def figure(result: dict[str, Any]) -> Figure:
    """The chart in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.name_of(result)}: {content.place_of(result)}", charts(result))


def _points(result: dict[str, Any]) -> list[Point]:
    ends = (result["safe"], result["limited"])
    return [
        Point(
            one["name"],
            one["detail"],
            one["risk"],
            one["on_frontier"],
            f"{one['name']} {brief_percent(one['risk'])}" if at in ends else "",
        )
        for at, one in enumerate(result["policies"])
        if one["risk"] is not None
    ]
