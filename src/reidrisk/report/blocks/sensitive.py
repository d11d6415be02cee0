"""What the equivalence classes of a table reveal about its sensitive columns."""

from __future__ import annotations

from functools import partial
from typing import Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.numbers import MISSING, average, count, more, percent, probability
from reidrisk.report.parts import Column, Table

CRITERIA = {
    "l": "l-diversity (minimum number of values)",
    "t": "t-closeness (maximum distance from the table)",
    "beta": "beta-likeness (maximum relative gain)",
    "delta": "delta-disclosure (maximum doublings or halvings)",
}
DISTANCES = {
    "equal": "values equally far apart",
    "ordered": "by the order of values",
    "hierarchical": "by the hierarchy",
}
MOST_BARS = 15
"""Bars of the chart; the tables show all."""


def blocks(result: dict[str, Any]) -> tuple[Table, ...]:
    """Guesses, measures and limits; empty unless there are sensitive columns."""
    found = result.get("attribute_disclosure") or ()
    if not found:
        return ()
    limits = (_checks(found),) if any(one["checks"] for one in found) else ()
    return _guesses(found), _measures(found), *limits


def _guesses(found: list[dict[str, Any]]) -> Table:
    rows = tuple(
        (
            one["column"],
            count(one["same_classes"]),
            count(one["same_records"]),
            percent(one["same_records"] / one["records"]),
            percent(one["guess"]),
            percent(one["blind_guess"]),
        )
        for one in found
    )
    heads = (
        "classes with one value",
        "records in them",
        "share",
        "correct guesses by class",
        "without classes",
    )
    return Table(
        "Sensitive columns",
        (
            "If all records of an equivalence class have the same value, the class reveals it for "
            "everyone in it, however large the class is. Classes of one record are not counted here: "
            "they are unique."
        ),
        (Column("column"), *(Column(name, is_number=True) for name in heads)),
        rows,
        (
            "Correct guesses: how often a record has the most frequent value of its class, or of the "
            "whole table."
        ),
    )


def _measures(found: list[dict[str, Any]]) -> Table:
    rows = tuple(
        (
            one["column"],
            count(one["values"]),
            *(f"{one[key]:.4g}" for key in ("distinct_l", "entropy_l", "recursive_l")),
            probability(one["t"]),
            average(one["beta"]),
            average(one["delta"]),
        )
        for one in found
    )
    heads = (
        "values",
        "distinct l",
        "entropy l",
        "recursive l",
        "t",
        "beta",
        "delta",
    )
    distances = ", ".join(f"{one['column']}: {DISTANCES[one['distance']]}" for one in found)
    return Table(
        "How much classes reveal",
        (
            "The worst class decides. A larger l reveals less; a larger distance (t) or gain (beta, "
            "delta) reveals more."
        ),
        (Column("column"), *(Column(name, is_number=True) for name in heads)),
        rows,
        (
            f"Distance for t: {distances}. Delta only counts values that occur in a class; under the "
            "strict definition, a value that does not occur makes it infinite."
        ),
    )


def _checks(found: list[dict[str, Any]]) -> Table:
    rows = tuple(
        (
            one["column"],
            CRITERIA[check["criterion"]],
            f"{check['limit']:g}",
            MISSING if check["worst"] is None else f"{check['worst']:.4g}",
            count(check["records"]),
            "met" if check["holds"] else "NOT met",
        )
        for one in found
        for check in one["checks"]
    )
    return Table(
        "Limits on sensitive columns",
        "Every class must meet every limit.",
        (
            Column("column"),
            Column("criterion"),
            Column("limit", is_number=True),
            Column("worst class", is_number=True),
            Column("records in classes that do not meet it", is_number=True),
            Column("verdict"),
        ),
        rows,
    )


def sensitive_charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """For each sensitive column: records whose class reveals the value, or does not meet a limit."""
    found = result.get("attribute_disclosure") or ()
    if not found:
        return ()
    rows: list[tuple[str, float, bool]] = []
    for one in found:
        alike = f"{one['column']}: one value"
        rows.append((alike, one["same_records"] / one["records"], bool(one["same_records"])))
        rows += [
            (_limit(one["column"], check), check["records"] / one["records"], not check["holds"])
            for check in one["checks"]
        ]
    worst = max(rows, key=lambda row: row[1])
    bars = Bars(tuple(rows[:MOST_BARS]), "share of records")
    rest = f" {more(len(rows) - MOST_BARS, 'in the table below')}" if len(rows) > MOST_BARS else ""
    return (
        Chart(
            "secrets",
            "What classes reveal about sensitive columns",
            (
                "Share of records in classes with a single sensitive value, and in classes that do not "
                f"meet a limit. Dark: there are such records.{rest}"
            ),
            f"Highest: {worst[0]}, {percent(worst[1])}. The table below lists all numbers.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


def _limit(column: str, check: dict[str, Any]) -> str:
    return f"{column}: {check['criterion']} {check['limit']:g}"
