"""The data of a chart as a table, for readers who cannot see it and for those who want the numbers.

A chart is drawn by a function of `charts/` from its arguments; each such function has a line here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.context import STATES
from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column, Table
from reidrisk.report.traced import unmarked

Given = Mapping[str, Any]
Rows = Sequence[tuple[str, ...]]
Heads = tuple[str, ...]
MOST_ROWS = 2000


def chart_table(chart: Chart) -> Table | None:
    """What a chart draws, as rows; None if there is nothing to draw."""
    draw = chart.draw
    build = BUILDERS.get(draw.func.__name__) if isinstance(draw, partial) else None
    if build is None or not isinstance(draw, partial):
        return None
    heads, rows = build(draw.keywords)
    left = len(rows) - MOST_ROWS
    note = f"{left:,} more rows are in the result file." if left > 0 else ""
    columns = tuple(Column(head, is_number=at > 0 and _is_number(rows, at)) for at, head in enumerate(heads))
    return Table(chart.title, chart.caption, columns, tuple(rows[:MOST_ROWS]), note)


LEAST_POINTS = 3
"""A line through fewer points says no more than its numbers."""


def shows_more(chart: Chart) -> bool:
    """Whether a chart shows more than a sentence: marks that differ, or a line through several points."""
    draw = chart.draw
    if draw is None:
        return False
    is_curve = isinstance(draw, partial) and draw.func.__name__ == "draw_curves"  # of several points
    if is_curve or not isinstance(draw, partial) or draw.func.__name__ not in BUILDERS:
        return True
    if draw.func.__name__ in _SHOWS_MORE:
        return _SHOWS_MORE[draw.func.__name__](draw.keywords)
    _, rows = BUILDERS[draw.func.__name__](draw.keywords)
    return len({tuple(map(unmarked, row[1:])) for row in rows}) > 1


def _lines_differ(given: Given) -> bool:
    drawn = [line.points for line in given["lines"]]
    differ = {float(share) for points in drawn for _, share in points}
    return any(len(points) >= LEAST_POINTS for points in drawn) and len(differ) > 1


_SHOWS_MORE: dict[str, Callable[[Given], bool]] = {
    "draw_lines": _lines_differ,
    "draw_intervals": lambda given: len(given["rows"]) > 1,
    "draw_waterfall": lambda given: len(given["steps"]) > LEAST_POINTS,  # else the table says all
    "draw_limited": lambda given: len({float(one.share) for one in given["rows"]}) > 1,
}
"""Charts whose marks differ even if they show no more than a sentence."""


def _is_number(rows: Rows, at: int) -> bool:
    return all(not row[at] or row[at][0].isdigit() or row[at].startswith(("-", "n/a", "<")) for row in rows)


def _yes(value: bool) -> str:  # noqa: FBT001 - a cell
    return "yes" if value else "no"


def _plain(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.4g}"


def _bars(given: Given) -> tuple[Heads, Rows]:
    bars = given["bars"]
    return ("", bars.title), [(name, percent(share)) for name, share, _ in bars.rows]


def _limited(given: Given) -> tuple[Heads, Rows]:
    rows = [(one.name, percent(one.share), percent(one.limit)) for one in given["rows"]]
    return ("", given["title"], "limit"), rows


def _changes(given: Given) -> tuple[Heads, Rows]:
    return ("value", "before", "after"), [
        (one.label, percent(one.before), percent(one.after)) for one in given["rows"]
    ]


def _against(given: Given) -> tuple[Heads, Rows]:
    rows = [
        (one.name, one.label, _plain(one.times), _plain(one.low), _plain(one.high), _yes(one.is_within))
        for one in given["rows"]
    ]
    return ("part", "risk and limit", "times the limit", "lower end", "upper end", "acceptable"), rows


def _boxes(given: Given) -> tuple[Heads, Rows]:
    rows = [(box.name, area, percent(share)) for box in given["boxes"] for area, share in box.shares]
    return ("policy", "area", "share"), rows


def _chances(given: Given) -> tuple[Heads, Rows]:
    rows = [
        (one.name, probability(one.value), probability(one.low), probability(one.high))
        for one in given["rows"]
    ]
    return ("", "probability", "lower end", "upper end"), rows


def _cell_sizes(given: Given) -> tuple[Heads, Rows]:
    marks = [(one.name, probability(one.probability), _yes(one.is_chosen)) for one in given["marks"]]
    sizes = [(f"cell size {size}", probability(1 / size), "") for size in given["known"]]
    return ("threshold", "probability", "chosen"), [*marks, *sizes]


def _practices(given: Given) -> tuple[Heads, Rows]:
    heads = ("group", *(name for name, _, _ in STATES))
    return heads, [(one.name, *map(count, one.counts)) for one in given["groups"]]


def _gaps(given: Given) -> tuple[Heads, Rows]:
    rows = [
        (one.first, one.second, _plain(one.value), _plain(one.low), _plain(one.high)) for one in given["gaps"]
    ]
    return ("first", "second", "difference", "lower end", "upper end"), rows


def _dots(given: Given) -> tuple[Heads, Rows]:
    rows = [
        (one.name, dot.area, count(dot.people), percent(dot.share))
        for one in given["series"]
        for dot in one.dots
    ]
    return ("policy", "area", "people", "share at risk"), rows


def _intervals(rows: Iterable[Any], *, first: tuple[str, ...] = ()) -> Rows:
    return [
        (*first, one.name, probability(one.value), probability(one.low), probability(one.high))
        for one in rows
    ]


def _effects(given: Given) -> tuple[Heads, Rows]:
    rows = [row for group in given["groups"] for row in _intervals(group.rows, first=(group.title,))]
    return ("group", "", given.get("label") or "value", "lower end", "upper end"), rows


def _limits(given: Given) -> tuple[Heads, Rows]:
    limit = (given["limit_name"], probability(given["limit"]), "", "")
    return ("", "risk", "lower end", "upper end"), [*_intervals(given["rows"]), limit]


def _frontier(given: Given) -> tuple[Heads, Rows]:
    rows = [
        (one.name, _plain(one.detail), percent(one.risk), _yes(one.on_frontier)) for one in given["points"]
    ]
    return ("policy", "detail", "risk", "on the frontier"), rows


def _leaks(given: Given) -> tuple[Heads, Rows]:
    rows = [(part.title, bar.label, count(bar.documents)) for part in given["parts"] for bar in part.bars]
    return ("identifiers", "leaks in a document", "documents"), rows


def _lines(given: Given) -> tuple[Heads, Rows]:
    shown: Callable[[float], str] = _plain if given["scale"] == "ratio" else percent
    rows = [(line.name, f"{size:g}", shown(value)) for line in given["lines"] for size, value in line.points]
    return ("", given["label"], "ratio" if given["scale"] == "ratio" else "share"), rows


def _pairs(given: Given) -> tuple[Heads, Rows]:
    rows = [
        (group.title, f"{one.name} {one.size}".strip(), percent(one.light), percent(one.hard))
        for group in given["groups"]
        for one in group.pairs
    ]
    return ("group", "", *given["names"]), rows


def _ranks(given: Given) -> tuple[Heads, Rows]:
    return ("area", *given["measures"]), [(one.area, *map(count, one.places)) for one in given["rows"]]


def _curves(given: Given) -> tuple[Heads, Rows]:
    rows = [
        (curve.name, probability(risk), percent(share))
        for curve in given["curves"]
        for risk, share in zip(*map(_last_first, curve.steps()), strict=True)
    ]
    marks = [(one.label, probability(one.risk), "") for one in given["limits"]]
    return ("", "risk of a record", "share of records at or below it"), [*rows, *marks]


def _last_first(values: Sequence[float]) -> list[float]:
    return list(reversed(values))


def _waterfall(given: Given) -> tuple[Heads, Rows]:
    rows = [(one.name, one.text, percent(one.after)) for one in given["steps"]]
    return ("", "adds", given["title"]), rows


def _linked(given: Given) -> tuple[Heads, Rows]:
    named = {one.child for one in given["arrows"]}
    texts = {one.name: one.text for one in given["boxes"]}
    rows = [(one.child, one.columns, one.parent, texts.get(one.child, "")) for one in given["arrows"]]
    rows += [(one.name, "", "", one.text) for one in given["boxes"] if one.name not in named]
    return ("table", "key", "refers to", "rows"), rows


BUILDERS: Mapping[str, Callable[[Given], tuple[Heads, Rows]]] = {
    "draw_against": _against,
    "draw_bars": _bars,
    "draw_boxes": _boxes,
    "draw_cell_sizes": _cell_sizes,
    "draw_chances": _chances,
    "draw_changes": _changes,
    "draw_curves": _curves,
    "draw_dots": _dots,
    "draw_effects": _effects,
    "draw_frontier": _frontier,
    "draw_gaps": _gaps,
    "draw_intervals": _limits,
    "draw_leaks": _leaks,
    "draw_limited": _limited,
    "draw_lines": _lines,
    "draw_linked": _linked,
    "draw_pairs": _pairs,
    "draw_practices": _practices,
    "draw_ranks": _ranks,
    "draw_waterfall": _waterfall,
}
"""By the function that draws."""
