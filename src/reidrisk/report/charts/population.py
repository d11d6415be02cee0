"""Charts that the kinds of population results share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from reidrisk.report.charts import boxes, dots, lines, ranks
from reidrisk.report.charts.boxes import Box, draw_boxes
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.dots import Dot, Dots, draw_dots
from reidrisk.report.charts.lines import Line, draw_lines
from reidrisk.report.charts.ranks import Ranked, draw_ranks
from reidrisk.report.content import population_risk as content
from reidrisk.report.numbers import brief_percent
from reidrisk.report.terminal.layout import printable

SMALL = 10
"""The plain chart ends at this g."""
NOBODY_KNOWS = "Nobody knows what the attacker's list tells, so that there is nothing to draw."
Named = Sequence[tuple[str, dict[str, Any]]]
"""Results with the names of their lines."""


def curves(risks: Named) -> tuple[Chart, ...]:
    """The share of g-distinct people, for small g and for all."""
    every = [line for line in (_line(name, risk) for name, risk in risks) if line.points]
    small = [Line(line.name, tuple(point for point in line.points if point[0] <= SMALL)) for line in every]
    small = [line for line in small if line.points]
    if not every:
        return (Chart("small", "Distinct people", NOBODY_KNOWS, NOBODY_KNOWS, 1.0, None),)
    said = " ".join(printable(_in_words(line)) for line in every)
    plain = Chart(
        "small",
        "People who are alike with few others",
        f"Share of people whose values are shared by fewer than g others. {said}",
        said,
        lines.height(small),
        partial(draw_lines, lines=small, scale="plain", label="g: people with the same values, at most"),
    )
    wide = Chart(
        "all",
        "The same for large groups",
        f"Both axes are logarithmic. {_reached(every)}",
        (f"The share of g-distinct people for g up to {max(line.points[-1][0] for line in every):,.0f}."),
        lines.height(every),
        partial(draw_lines, lines=every, scale="log", label="g"),
    )
    return ((plain,) if small else ()) + (wide,)


def _line(name: str, risk: dict[str, Any]) -> Line:
    points = {row["g"]: row["share"] for row in risk["curve"]}
    points |= {int(size): share for size, share in (risk["g_distinct"] or {}).items()}
    return Line(name, tuple(sorted(points.items())) if risk["g_distinct"] else ())


def _in_words(line: Line) -> str:
    at = dict(line.points)
    parts = [f"{brief_percent(at[g])} at g = {g}" for g in (1, 5, 10) if g in at]
    return f"{line.name}: {', '.join(parts)}." if parts else ""


def _reached(every: Sequence[Line]) -> str:
    """From which g on nearly everybody is distinct."""
    said = []
    for line in every:
        found = next((g for g, share in line.points if share > 0.999), None)
        if found is not None:
            said.append(f"{line.name}: over 99.9 % from g = {found:,.0f} on.")
    return printable(" ".join(said))


def known(risk: dict[str, Any]) -> list[dict[str, Any]]:
    """The areas with figures."""
    return [row for row in content.labelled(risk) if row["unknown"] is None]


def _missing(risk: dict[str, Any]) -> str:
    number = len(risk["by_area"]) - len(known(risk))
    return (" " + f"{number:,} areas are unknown and not drawn.") if number else ""


def spread(risk: dict[str, Any], *, name: str, title: str) -> tuple[Chart, ...]:
    """Box plots over areas; nothing for few areas."""
    rows = known(risk)
    if len(rows) < 4:
        return ()
    found = [
        Box(
            f"{size}-distinct",
            tuple((row["area"], row["g_distinct"][size]) for row in rows),
        )
        for size in content.sizes_of(risk)[:6]
    ]
    widest = max(found, key=lambda box: box.quarter(4) - box.quarter(0))
    low, middle, high = (brief_percent(widest.quarter(number)) for number in (0, 2, 4))
    said = f"{widest.name} from {low} to {high}, half of the areas above {middle}."
    return (
        Chart(
            name,
            title,
            (
                "The box holds the middle half of the areas, the line in it is the middle; dots "
                f"are areas far from the others, and the most exposed is named.{_missing(risk)}"
            ),
            said,
            boxes.height(found),
            partial(draw_boxes, boxes=found),
        ),
    )


def _has_order(rows: Sequence[dict[str, Any]], size: str) -> bool:
    """Whether areas differ; not where nearly everybody in most of them is g-distinct, or nobody."""
    shares = sorted(row["g_distinct"][size] for row in rows)
    return bool(0 < shares[len(shares) // 2] < 0.999999)


def order(risk: dict[str, Any], *, name: str, title: str) -> tuple[Chart, ...]:
    """How the order of areas changes with g."""
    rows = known(risk)
    if len(rows) < 3:
        return ()
    measures = [*(size for size in content.sizes_of(risk)[:5] if _has_order(rows, size)), "total"]
    if len(measures) < 2:
        return ()
    found = [Ranked(row["area"], tuple(row["rank"][measure] for measure in measures)) for row in rows]
    most = max(found, key=lambda row: row.moves)
    moved = (
        (f"{printable(most.area)} moves most, between the places {min(most.places)} and {max(most.places)}.")
        if most.moves
        else "No area changes its place."
    )
    shown = [f"g = {measure}" if measure != "total" else "total" for measure in measures]
    few = (
        ""
        if len(found) <= ranks.MOST_NAMED
        else (" " + "Named: the first and last two, and those that move most.")
    )
    return (
        Chart(
            name,
            title,
            f"Place 1 is the most exposed.{few} {moved}{_missing(risk)}",
            f"Places of {len(found):,} areas. {moved}",
            ranks.height(found),
            partial(draw_ranks, rows=found, measures=shown),
        ),
    )


def places(risks: Named) -> tuple[Chart, ...]:
    """Areas as dots: few people are more exposed."""
    series = [
        Dots(
            name,
            tuple(Dot(row["area"], row["people"], row["total_risk"]["share"]) for row in known(risk)),
        )
        for name, risk in risks
    ]
    series = [one for one in series if len(one.dots) >= 3]
    if not series or not any(dot.share > 0 for one in series for dot in one.dots):
        return ()
    first = max(series[0].dots, key=lambda dot: dot.share)
    said = f"Most exposed: {printable(first.area)}, {brief_percent(first.share)} of {first.people:,} people."
    return (
        Chart(
            "places",
            "Total risk by the size of the area",
            f"Each dot is an area; both axes are logarithmic. {said}{_missing(risks[0][1])}",
            said,
            dots.height(series),
            partial(draw_dots, series=series),
        ),
    )
