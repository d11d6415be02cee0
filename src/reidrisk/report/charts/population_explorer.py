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
from reidrisk.report.words.book import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """One chart."""
    title = say("chart.population_explorer.detail_against_risk")
    points = _points(result)
    if not any(point.risk > 0 for point in points):
        return (Chart("frontier", title, NOBODY_KNOWS, NOBODY_KNOWS, 1.0, None),)
    best = content.most_detail(content.under_target(result))
    said = (
        (
            " "
            + say(
                "chart.population_explorer.most_detail_under",
                name=printable(best["name"]),
                risk=brief_percent(best["risk"]),
            )
        )
        if best
        else ""
    )
    best_ones = sum(point.on_frontier for point in points)
    zone = (" " + say("chart.population_explorer.shaded_under_the")) if result["target"] is not None else ""
    return (
        Chart(
            "frontier",
            title,
            say(
                "chart.population_explorer.each_dot_is", measure=content.measure(result), zone=zone, said=said
            ),
            say(
                "chart.population_explorer.policies_on_the",
                number=f"{len(points):,}",
                best_ones=f"{best_ones:,}",
                said=said,
            ),
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
