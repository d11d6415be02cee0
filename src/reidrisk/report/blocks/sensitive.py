"""What the equivalence classes of a table reveal about its sensitive columns."""

from __future__ import annotations

from functools import partial
from typing import Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.numbers import MISSING, average, count, percent, probability
from reidrisk.report.parts import Column, Table

CRITERIA = {
    "l": "l-diversity (values in a class, at least)",
    "t": "t-closeness (distance from the whole table, at most)",
    "beta": "beta-likeness (relative gain of a value, at most)",
    "delta": "delta-disclosure (doublings or halvings, at most)",
}
DISTANCES = {
    "equal": "values equally far apart",
    "ordered": "by the order of values",
    "hierarchical": "by the hierarchy",
}
MOST_BARS = 15
"""Bars of the chart; the tables have all."""


def blocks(result: dict[str, Any]) -> tuple[Table, ...]:
    """Nothing, unless there are secret columns."""
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
        "classes all alike",
        "records",
        "share",
        "right guesses by class",
        "without classes",
    )
    return Table(
        "What is told of secrets",
        (
            "A class whose records all have the same value tells it of everybody in it, "
            "however large it is. Classes of one record are not counted here: they are unique."
        ),
        (Column("column"), *(Column(name, is_number=True) for name in heads)),
        rows,
        (
            "Right guesses: how often the most frequent value of a record's class, or of the "
            "whole table, is its own."
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
        "Measures of what is told",
        (
            "The worst class decides. More values (l) tell less; more distance (t) and more "
            "gain (beta, delta) tell more."
        ),
        (Column("column"), *(Column(name, is_number=True) for name in heads)),
        rows,
        (
            f"Distance for t: {distances}. Delta counts the values that a class has; strictly "
            "a value that is lacking makes it infinite."
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
            "kept" if check["holds"] else "NOT kept",
        )
        for one in found
        for check in one["checks"]
    )
    return Table(
        "Limits on what is told",
        "Every class has to keep every limit.",
        (
            Column("column"),
            Column("criterion"),
            Column("limit", is_number=True),
            Column("worst class", is_number=True),
            Column("records in classes that break it", is_number=True),
            Column("verdict"),
        ),
        rows,
    )


def sensitive_charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """For each secret the records whose class gives it away, and those whose class breaks a limit."""
    found = result.get("attribute_disclosure") or ()
    if not found:
        return ()
    rows: list[tuple[str, float, bool]] = []
    for one in found:
        alike = f"{one['column']}: class all alike"
        rows.append((alike, one["same_records"] / one["records"], bool(one["same_records"])))
        rows += [
            (_limit(one["column"], check), check["records"] / one["records"], not check["holds"])
            for check in one["checks"]
        ]
    worst = max(rows, key=lambda row: row[1])
    bars = Bars(tuple(rows[:MOST_BARS]), "share of records")
    more = f" {count(len(rows) - MOST_BARS)} more are in the table below." if len(rows) > MOST_BARS else ""
    return (
        Chart(
            "secrets",
            "What classes tell of secrets",
            (
                "Records in classes that all have the same secret, and in classes that break each "
                f"limit. Dark: there are such records.{more}"
            ),
            f"The most: {worst[0]}, {percent(worst[1])}. The table below has every number.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


def _limit(column: str, check: dict[str, Any]) -> str:
    return f"{column}: {check['criterion']} {check['limit']:g}"
