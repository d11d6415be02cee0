"""A trained model in charts: recall by type, the knob, and whether confidences can be believed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts import pairs
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.pairs import Group, Pair, draw_pairs
from reidrisk.report.content import text_training as content
from reidrisk.report.numbers import count, percent
from reidrisk.report.words.book import say

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
        ("direct", say("chart.text_training.direct_identifiers")),
        ("quasi", "Quasi-identifiers"),
    ):
        rows = [_pair(one["type"], one) for one in content.types(result)[:MOST] if one["role"] == role]
        totals = [_pair("all", one, is_total=True) for one in result["groups"] if one["group"] == role]
        if rows:
            groups.append(Group(title, None, is_cutoff_for_total=False, pairs=(*rows, *totals)))
    said = say("chart.text_training.of_all_words", recall=percent(result["masking"]["recall"]))
    return _chart(
        "recall",
        say("chart.text_training.what_was_caught"),
        say("chart.text_training.share_of_identifiers"),
        say("chart.text_training.the_table_below", said=said),
        groups,
        ("identifiers", say("chart.text_training.documents_with_all")),
    )


def _knob(result: dict[str, Any]) -> Chart:
    usual = result["settings"]["threshold"]
    rows = tuple(
        Pair(
            f"{one['threshold']:g}",
            "usual"
            if one["threshold"] == usual
            else say("chart.text_training.all_direct", all_direct=percent(one["all_direct"])),
            one["precision"],
            one["recall"],
            one["threshold"] == usual,
        )
        for one in result["knob"]
    )
    return _chart(
        "knob",
        say("chart.text_training.the_knob"),
        say("chart.text_training.share_of_marked"),
        say("chart.text_training.a_lower_threshold"),
        [Group(say("chart.text_training.threshold"), None, is_cutoff_for_total=False, pairs=rows)],
        (say("chart.text_training.rightly_marked"), "found"),
    )


def _calibration(result: dict[str, Any]) -> Chart:
    rows = tuple(
        Pair(
            content.bounds(one),
            say("chart.text_training.words", words=count(one["words"])),
            one["confidence"],
            one["share"],
        )
        for one in result["calibration"]
    )
    return _chart(
        "calibration",
        say("chart.text_training.can_confidences_be"),
        say("chart.text_training.what_the_model"),
        say("chart.text_training.the_table_below_has"),
        [Group(say("chart.text_training.confidence"), None, is_cutoff_for_total=False, pairs=rows)],
        (say("chart.text_training.model_says"), say("chart.text_training.in_truth")),
    )


def _chart(
    name: str, title: str, explanation: str, summary: str, groups: list[Group], names: tuple[str, str]
) -> Chart:
    draw = partial(draw_pairs, groups=groups, names=names)
    return Chart(name, title, explanation, summary, pairs.height(groups), draw)


def _pair(name: str, row: dict[str, Any], *, is_total: bool = False) -> Pair:
    share = row["micro_recall"], row["all_or_nothing_recall"]
    return Pair(name, count(row["instances"]), *share, is_total)
