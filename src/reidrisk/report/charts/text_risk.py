"""A text evaluation in four charts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts import intervals, pairs
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.intervals import Interval, draw_intervals
from reidrisk.report.charts.leaks import Histogram, classes, draw_leaks
from reidrisk.report.charts.pairs import Group, Pair, draw_pairs
from reidrisk.report.content import text_risk as content
from reidrisk.report.numbers import count, level, percent, probability
from reidrisk.report.words.book import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEAKS_HEIGHT = 2.35
"""Inches of one histogram."""


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The four charts in their order."""
    return _direct(result), _quasi(result), _recall(result), _leaks(result)


def figure(result: dict[str, Any]) -> Figure:
    """All charts in one figure."""
    from reidrisk.report.charts.sheet import sheet

    title = f"{content.verdict(result).word}: {content.name_of(result)}"
    return sheet(title, charts(result))


def _direct(result: dict[str, Any]) -> Chart:
    title, part, benchmark = (
        "Direct identifiers against the benchmark",
        result["direct"],
        result["benchmark"],
    )
    if part["value"] is None:
        return _nothing("direct", title, part["reason"])
    rows = (
        _interval("This tool", part, decides=True),
        _interval("Benchmark", benchmark, decides=False),
    )
    return Chart(
        "direct",
        title,
        (
            f"Dots are means, lines {level(part['level'])} intervals. The tool passes if its "
            "line ends before the dashed line, where the benchmark's ends."
        ),
        f"{_in_words(rows)} {_relation(part, say('chart.text_risk.the_upper_limit'))}",
        intervals.height(len(rows)),
        partial(
            draw_intervals,
            rows=rows,
            limit=part["threshold"],
            limit_name="benchmark's upper limit",
        ),
    )


def _quasi(result: dict[str, Any]) -> Chart:
    title, part = "Quasi-identifiers against the threshold", result["quasi"]
    if part["value"] is None:
        return _nothing("quasi", title, part["reason"])
    rows = [_interval(content.INTERVALS[part["interval"]].capitalize(), part, decides=True)]
    if "other_interval" in part:
        other = part["other_interval"]
        rows.append(_interval(content.INTERVALS[other["interval"]].capitalize(), other, decides=False))
    axis = intervals.axis_for(rows, part["threshold"])
    scale = (
        (" " + "The scale is logarithmic, since the risk is small beside the threshold.")
        if axis.is_log
        else ""
    )
    return Chart(
        "quasi",
        title,
        (f"The bold interval decides. It must end before the dashed line, the threshold.{scale}"),
        f"{_in_words(rows)} {_relation(part, say('chart.text_risk.the_threshold'))}",
        intervals.height(len(rows)),
        partial(draw_intervals, rows=rows, limit=part["threshold"], limit_name="threshold"),
    )


def _recall(result: dict[str, Any]) -> Chart:
    groups = [group for role in content.ROLES if (group := _group(result, role)).pairs]
    cutoff = _NO_CUTOFF if content.is_recognition_certain(result) else _CUTOFF
    worst = content.sorted_types(result)[0]
    return Chart(
        "recall",
        "Recall by type",
        (
            "Share of instances caught (ring) and share of documents without a miss (diamond, "
            "written at the right), the worst first; in brackets the documents that hold the "
            f"type. {cutoff}"
        ),
        (
            f"Recall of {len(result['by_type'])} types. The worst all-or-nothing recall of the "
            f"first role is {percent(worst['all_or_nothing_recall'])}, for {worst['type']}. "
            "The table below has every number."
        ),
        pairs.height(groups),
        partial(
            draw_pairs,
            groups=groups,
            names=("micro recall", "all-or-nothing recall"),
        ),
    )


_NO_CUTOFF = "No cutoff is drawn: recognition is 1, so that gates play no part."
_CUTOFF = (
    "Dashed: the cutoff of the gate, for each direct type, and for the instances of "
    "all quasi-identifiers together."
)


def _leaks(result: dict[str, Any]) -> Chart:
    title = "Leaks in a document"
    parts = tuple(_histogram(result, role) for role in content.ROLES if result[role]["value"] is not None)
    if not parts:
        return _nothing("leaks", title, "The gold standard marks no identifier.")
    return Chart(
        "leaks",
        title,
        (
            "Documents by the number of leaks: none (grey), some but too few to re-identify "
            "(dull blue), and enough (strong blue)."
        ),
        " ".join(f"{part.title}: {part.remark}." for part in parts),
        LEAKS_HEIGHT * len(parts),
        partial(draw_leaks, parts=parts),
    )


def _nothing(name: str, title: str, reason: str) -> Chart:
    return Chart(name, title, reason, reason, 1.0, None)


def _interval(name: str, part: dict[str, Any], *, decides: bool) -> Interval:
    return Interval(name, part["value"], part["low"], part["high"], decides)


def _in_words(rows: Any) -> str:
    return " ".join(f"{row.name}: mean {row.label}." for row in rows)


def _relation(part: dict[str, Any], what: str) -> str:
    relation = "does not exceed" if part["acceptable"] else "exceeds"
    return f"The upper limit {probability(part['high'])} {relation} {what}, {probability(part['threshold'])}."


def _group(result: dict[str, Any], role: str) -> Group:
    rows = [row for row in content.sorted_types(result) if row["role"] == role]
    found = [_pair(row["type"], row) for row in rows]
    for total in result["by_group"]:
        if total["group"] == role and found:
            found.append(_pair("all together", total, is_total=True))
    certain = content.is_recognition_certain(result)
    cutoff = None if certain else result["settings"][f"{role}_cutoff"]
    return Group(content.ROLES[role], cutoff, role == "quasi", tuple(found))


def _pair(name: str, row: dict[str, Any], *, is_total: bool = False) -> Pair:
    return Pair(name, count(row["documents"]), row["micro_recall"], row["all_or_nothing_recall"], is_total)


def _histogram(result: dict[str, Any], role: str) -> Histogram:
    seen, needed = result["observed"], result["settings"]["needed"]
    bars = classes(result["leaks_per_document"][role])
    if role == "direct":
        share = percent(seen["share_with_direct_leak"]["value"])
        return Histogram(
            "Direct identifiers (instances)",
            f"{share} of documents leak at least one",
            bars,
            1,
        )
    share = percent(seen["share_with_needed_quasi_leaks"]["value"])
    return Histogram(
        "Quasi-identifiers (distinct values)",
        f"{share} of documents leak {needed} or more",
        bars,
        needed,
    )
