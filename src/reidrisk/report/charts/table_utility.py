"""What a release is still good for, in charts: scores before and after, and what moved most."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts import pairs
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.pairs import Group, Pair, draw_pairs
from reidrisk.report.content import table_utility as content
from reidrisk.report.numbers import percent
from reidrisk.report.words.book import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 12
"""Bars of a chart; the tables show all."""
NAMES = "before", "after"


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """Models, queries and columns, as far as there are any."""
    found = (_models(result), _queries(result), _columns(result))
    return tuple(chart for chart in found if chart is not None)


def charts_beside(result: dict[str, Any]) -> tuple[Chart, ...]:
    """Models and queries of a de-identification, if somebody asked."""
    found = result.get("usefulness")
    drawn = (_models(found), _queries(found)) if found else ()
    return tuple(chart for chart in drawn if chart is not None)


def figure(result: dict[str, Any]) -> Figure:
    """The charts in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))


def _models(result: dict[str, Any]) -> Chart | None:
    known = [one for one in result["models"] if one["before"] is not None and one["after"] is not None]
    groups = []
    for score in dict.fromkeys(one["score"] for one in known):
        own = [one for one in known if one["score"] == score]
        shown = tuple(
            Pair(one["model"], "", max(0.0, one["before"]), max(0.0, one["after"])) for one in own[:MOST]
        )
        groups.append(Group(score, None, is_cutoff_for_total=False, pairs=shown))
    if not groups:
        return None
    worst = max(known, key=lambda one: one["loss"] or 0.0)
    return Chart(
        "scores",
        "How well models foretell",
        (
            "The cross-validated score of each model, learned and tested on the original "
            "(ring) and on the release (diamond, written at the right). What is below 0 is "
            "drawn at 0."
        ),
        (f"{worst['model']} loses most: {worst['before']:.3f} before, {worst['after']:.3f} after."),
        pairs.height(groups),
        partial(draw_pairs, groups=tuple(groups), names=NAMES),
    )


def _queries(result: dict[str, Any]) -> Chart | None:
    known = [
        (one["name"], one["typical_relative"])
        for one in result["queries"]
        if one["typical_relative"] is not None
    ]
    limits = {one["name"]: one["limit"] for one in result["limits"]}
    return _bars("queries", known, limits.get("query"))


def _columns(result: dict[str, Any]) -> Chart | None:
    known = [
        (one["column"], one["total_variation"])
        for one in result["columns"]
        if one["total_variation"] is not None
    ]
    limits = {one["name"]: one["limit"] for one in result["limits"]}
    return _bars("columns", known, limits.get("distribution"))


def _bars(name: str, known: list[tuple[str, float]], limit: float | None) -> Chart | None:
    """The largest first, dark where a limit is not met."""
    if not known:
        return None
    known.sort(key=lambda row: -row[1])
    rows = tuple((title, value, limit is not None and value > limit) for title, value in known[:MOST])
    bars = Bars(rows, say(f"chart.table_utility.{name}_axis"))
    return Chart(
        name,
        say(f"chart.table_utility.{name}_title"),
        say(f"chart.table_utility.{name}_caption"),
        (f"{known[0][0]} differs most: {percent(known[0][1])}. The table below has every number."),
        bars.height,
        partial(draw_bars, bars=bars),
    )
