"""Policies compared, in charts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts import lines
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.lines import Line, draw_lines
from reidrisk.report.charts.population import curves, order, places, spread
from reidrisk.report.content import population_comparison as content
from reidrisk.report.numbers import ratio
from reidrisk.report.terminal.layout import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_POLICIES = 5
"""Lines of a chart; more cannot be told apart."""


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """Curves over g, their ratio; how areas differ under the first and the last policy, and by size."""
    risks = result["risks"][: MOST_POLICIES - 1] + result["risks"][MOST_POLICIES - 1 :][-1:]
    named = [(risk["policy"]["name"], risk) for risk in risks]
    ends = enumerate((named[0], named[-1]), start=1)
    return (
        *curves(named),
        *_differential(result),
        *(
            chart
            for number, (name, risk) in ends
            for chart in (
                *spread(
                    risk,
                    name=f"spread{number}",
                    title=f"How much areas differ: {printable(name)}",
                ),
                *order(
                    risk,
                    name=f"order{number}",
                    title=f"The order of areas: {printable(name)}",
                ),
            )
        ),
        *places(named),
    )


def figure(result: dict[str, Any]) -> Figure:
    """All charts in one figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.name_of(result)}: {content.place_of(result)}", charts(result))


def _differential(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The ratio of the first and the last policy over g."""
    names = content.policies(result)
    first, last = (_points(result["risks"][at]) for at in (0, -1))
    end = max(first, default=0)
    found = {g: first[min(g, end)] / below for g, below in last.items() if min(g, end) in first and below > 0}
    found |= {
        int(g): times
        for g, times in result["trust_differential"].items()
        if g != "total" and times is not None
    }
    line = Line("trust differential", tuple(sorted(found.items())))
    if len(line.points) < 2:
        return ()
    largest, smallest = max(found.values()), min(found.values())
    said = f"From {ratio(smallest)} to {ratio(largest)} times over g = {min(found):,} to {max(found):,}."
    return (
        Chart(
            "differential",
            "Trust differential",
            printable(f"The share of g-distinct people under {names[0]} over that under {names[-1]}. {said}"),
            said,
            lines.height([line]),
            partial(draw_lines, lines=[line], scale="ratio", label="g"),
        ),
    )


def _points(risk: dict[str, Any]) -> dict[int, float]:
    """The curve; beyond its end everybody is distinct."""
    return {row["g"]: row["share"] for row in risk["curve"]}
