"""A trained model in charts: recall by type, the knob, and whether confidences can be believed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts import pairs
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.pairs import Group, Pair, draw_pairs
from reidrisk.report.content import text_training as content
from reidrisk.report.numbers import count, percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 30
"""Types; the table shows all."""


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """All three."""
    return _recalls(result), _knob(result), _calibration(result)


def figure(result: dict[str, Any]) -> Figure:
    """The charts in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))


def _recalls(result: dict[str, Any]) -> Chart:
    groups = []
    for role, title in (
        ("direct", "Direct identifiers"),
        ("quasi", "Quasi-identifiers"),
    ):
        rows = [_pair(one["type"], one) for one in content.types(result)[:MOST] if one["role"] == role]
        totals = [_pair("all", one, is_total=True) for one in result["groups"] if one["group"] == role]
        if rows:
            groups.append(Group(title, None, is_cutoff_for_total=False, pairs=(*rows, *totals)))
    said = f"{percent(result['masking']['recall'])} of all words of identifiers were found"
    return _chart(
        "recall",
        "What was caught, by type",
        (
            "Share of identifiers caught (ring) and of documents with all of the type caught "
            "(diamond, written at the right); in brackets the identifiers."
        ),
        f"{said}. The table below has every number.",
        groups,
        ("identifiers", "documents with all caught"),
    )


def _knob(result: dict[str, Any]) -> Chart:
    usual = result["settings"]["threshold"]
    rows = tuple(
        Pair(
            f"{one['threshold']:g}",
            "usual" if one["threshold"] == usual else f"all direct {percent(one['all_direct'])}",
            one["precision"],
            one["recall"],
            one["threshold"] == usual,
        )
        for one in result["knob"]
    )
    return _chart(
        "knob",
        "The knob",
        (
            "Share of marked words that belong to an identifier (ring) and of identifiers' "
            "words that were found (diamond, written at the right), by threshold."
        ),
        "A lower threshold finds more and marks more in vain.",
        [Group("Threshold", None, is_cutoff_for_total=False, pairs=rows)],
        ("rightly marked", "found"),
    )


def _calibration(result: dict[str, Any]) -> Chart:
    rows = tuple(
        Pair(
            content.bounds(one),
            f"{count(one['words'])} words",
            one["confidence"],
            one["share"],
        )
        for one in result["calibration"]
    )
    return _chart(
        "calibration",
        "Can confidences be believed?",
        (
            "What the model says (ring) and how many of these words are identifiers in truth "
            "(diamond, written at the right): they should lie on each other."
        ),
        "The table below has every number.",
        [Group("Confidence", None, is_cutoff_for_total=False, pairs=rows)],
        ("model says", "in truth"),
    )


def _chart(
    name: str, title: str, explanation: str, summary: str, groups: list[Group], names: tuple[str, str]
) -> Chart:
    draw = partial(draw_pairs, groups=groups, names=names)
    return Chart(name, title, explanation, summary, pairs.height(groups), draw)


def _pair(name: str, row: dict[str, Any], *, is_total: bool = False) -> Pair:
    share = row["micro_recall"], row["all_or_nothing_recall"]
    return Pair(name, count(row["instances"]), *share, is_total)
