"""A de-identified table in charts: the risk that is left, what is suppressed, and each variable's values."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts import before_after, limits
from reidrisk.report.charts.before_after import Change, changes, draw_changes
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.limits import LimitedShare, draw_limited
from reidrisk.report.charts.risk_curve import HEIGHT, Curve, Limit, axis_end, draw_curves
from reidrisk.report.charts.table_events import compared
from reidrisk.report.content import table_deidentified as content
from reidrisk.report.numbers import percent
from reidrisk.report.plain_text import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The risk curve and, with a solution, what is suppressed."""
    return (_risk(result),) if result["solution"] is None else (_risk(result), _suppressed(result))


def distributions(result: dict[str, Any]) -> tuple[Chart, ...]:
    """One small chart a variable that is released."""
    return tuple(
        _values(row, number) for number, row in enumerate(result["variables"], start=1) if row["distribution"]
    )


def figure(result: dict[str, Any]) -> Figure:
    """All charts in one figure."""
    from reidrisk.report.charts.sheet import sheet

    title = f"{content.verdict(result).word}: {content.name_of(result)}"
    return sheet(title, charts(result) + compared(result) + distributions(result))


def _risk(result: dict[str, Any]) -> Chart:
    curves = tuple(
        curve
        for name, is_strong in (("before", False), ("after", True))
        if result[name] is not None and (curve := _curve(result[name], name, is_strong=is_strong)).sizes
    )
    title = "Risk of the records"
    if not curves:
        return Chart(
            "risk",
            title,
            "No record was measured.",
            "No record was measured.",
            1.0,
            None,
        )
    found = _limits(result)
    said = " ".join(_in_words(curve, result) for curve in curves)
    if max(curve.highest for curve in curves) > axis_end(curves, found):
        said += " " + "Records with a higher risk than is drawn are in the last bar."
    return Chart(
        "risk",
        title,
        (
            "Share of records whose risk is at most the value below; along the top, how many "
            f"records have each risk. Shaded: above the threshold. {said}"
        ),
        said,
        HEIGHT,
        partial(draw_curves, curves=curves, limits=found),
    )


def _curve(risk: dict[str, Any], name: str, *, is_strong: bool) -> Curve:
    return Curve(name, tuple((row["size"], row["classes"]) for row in risk["class_sizes"]), is_strong)


def _limits(result: dict[str, Any]) -> tuple[Limit, ...]:
    """The threshold of the verdict, and the first of the ladder where that is another."""
    chosen = result["threshold"]
    found = [Limit(f"threshold {content.threshold(result)}", chosen["probability"], decides=True)]
    for rung in result["threshold_ladder"][:1]:
        if abs(rung["probability"] - chosen["probability"]) > 1e-9:
            label = f"first threshold {content.one_in(rung['probability'], rung['cell_size'])}"
            found.append(Limit(label, rung["probability"], decides=False))
    return tuple(found)


def _in_words(curve: Curve, result: dict[str, Any]) -> str:
    tried = [(rung["probability"], rung["cell_size"]) for rung in result["threshold_ladder"]]
    own = (result["threshold"]["probability"], result["threshold"]["cell_size"])
    parts = [
        f"{percent(curve.share_within(size))} at or below {content.one_in(chance, size)}"
        for chance, size in dict.fromkeys([*tried, own])
    ]
    return f"{curve.name.capitalize()}: {', '.join(parts)}."


def _suppressed(result: dict[str, Any]) -> Chart:
    solution, settings = result["solution"], result["settings"]
    total = LimitedShare(
        "any variable",
        solution["suppressed_share"],
        settings.get("max_suppression"),
        is_total=True,
    )
    most = settings.get("max_cell_suppression")
    rows = (total, *(LimitedShare(name, share, most) for name, share in solution["by_column_share"].items()))
    worst = max(rows[1:], key=lambda row: row.share, default=total)
    return Chart(
        "suppressed",
        "Records with suppressed cells",
        ("Share of records in which each variable is suppressed. A dashed line is the limit that was set."),
        (
            f"{percent(total.share)} of records have a suppressed cell. Most often it is "
            f"{printable(worst.name)}, in {percent(worst.share)}."
        ),
        limits.height(rows),
        partial(draw_limited, rows=rows, title="share of records"),
    )


def _values(row: dict[str, Any], number: int) -> Chart:
    found = changes(row["distribution"], other_labels=row["other_labels"] or 0)
    name, moved = printable(row["column"]), printable(_moved(row, found))
    return Chart(
        f"values{number}",
        name,
        moved,
        f"Values of {name} before and after. {moved}",
        before_after.height(found),
        partial(draw_changes, rows=found),
    )


def _moved(row: dict[str, Any], found: Sequence[Change]) -> str:
    """The largest change in words."""
    largest = max(found, key=lambda change: change.size)
    level = f"As {row['level']}. " if row["level"] else ""
    if largest.size < 5e-4:
        return f"{level}No value's share moved noticeably."
    return (
        f"{level}The share that moved most: {largest.label}, from "
        f"{percent(largest.before)} to {percent(largest.after)}."
    )
