"""What the classes of a table tell of its secret columns."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import MISSING, average, count, percent, probability
from reidrisk.report.parts import Column, Table
from reidrisk.report.words.book import say


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
    distances = ", ".join(f"{one['column']}: {_distance(one)}" for one in found)
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


def _distance(one: dict[str, Any]) -> str:
    return say(f"content.table_secrets.far_{one['distance']}")


def _checks(found: list[dict[str, Any]]) -> Table:
    rows = tuple(
        (
            one["column"],
            say(f"content.table_secrets.criterion_{check['criterion']}"),
            f"{check['limit']:g}",
            MISSING if check["worst"] is None else f"{check['worst']:.4g}",
            count(check["records"]),
            say("content.table_secrets.kept" if check["holds"] else "content.table_secrets.broken"),
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
