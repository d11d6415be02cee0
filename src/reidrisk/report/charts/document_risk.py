"""The risk of documents in charts: against the threshold, and by the size of classes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts import intervals
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.intervals import Interval, draw_intervals
from reidrisk.report.content import document_risk as content
from reidrisk.report.numbers import count, probability
from reidrisk.report.words.book import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 15
"""Bars; the table shows more."""


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """What leaked and was caught against the threshold, then participants by their classes."""
    found = [_against(result), _classes(result)]
    return tuple(chart for chart in found if chart is not None) or (_in_words(result),)


def _against(result: dict[str, Any]) -> Chart | None:
    leak, both, catch = result["leak"], result["combined"], result["catch"]
    rows = [
        Interval(
            say(f"content.document_risk.leak_{role}"),
            part["value"],
            part["low"],
            part["high"],
            decides=role == "direct" or both is None,
        )
        for role in ("direct", "quasi")
        if (part := leak[role]) is not None and part["value"] is not None
    ]
    if catch is not None:
        value = catch["value"]
        rows.append(Interval("what stands where others were caught", value, value, value, decides=not rows))
    if both is not None:
        rows.append(Interval("both together", both["value"], both["low"], both["high"], decides=True))
    if not rows:
        return None
    limit = result["threshold"]["probability"]
    return Chart(
        "threshold",
        "Risk against the threshold",
        (
            "Dots are means, lines are intervals; bold is what decides. A bold line must end "
            "before the dashed one."
        ),
        f"Highest risk {probability(result['highest'])}, threshold {probability(limit)}.",
        intervals.height(len(rows)),
        partial(draw_intervals, rows=rows, limit=limit, limit_name="threshold"),
    )


def _classes(result: dict[str, Any]) -> Chart | None:
    sizes: dict[int, int] = {}
    for one in result["subjects"]:
        sizes[one["class_size"]] = sizes.get(one["class_size"], 0) + one["participants"]
    if not sizes:
        return None
    total, cell_size = sum(sizes.values()), result["threshold"]["cell_size"]
    rows = tuple(
        (count(size), number / total, size < cell_size) for size, number in sorted(sizes.items())[:MOST]
    )
    bars = Bars(rows, "participants alike; share of all who count")
    return Chart(
        "classes",
        "Participants by the size of their class",
        f"Dark: classes below {cell_size}.",
        f"{count(total)} participants, the smallest class has {count(min(sizes))}.",
        bars.height,
        partial(draw_bars, bars=bars),
    )


def _in_words(result: dict[str, Any]) -> Chart:
    level = result["final"]["level"] or probability(result["final"]["highest"])
    said = f"The risk is told in words: {level}."
    return Chart("level", "Risk against the threshold", said, said, 0.0, None)


def figure(result: dict[str, Any]) -> Figure:
    """All charts in one figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))
