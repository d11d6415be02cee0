"""Transformations of a table before it was measured, and what they are worth."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import count, level, percent, percent_span, probability
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.words.book import say

FIGURES = ("variance_ratio", "correlation", "information_loss", "mean_rank_shift")
NONE = "–"


def blocks(result: dict[str, Any]) -> tuple[Table | Facts, ...]:
    """Everything there is to say of steps; nothing if there was none."""
    if not result.get("steps"):
        return ()
    found = (done(result), columns(result), linkage(result))
    return tuple(block for block in found if block is not None)


def done(result: dict[str, Any]) -> Table:
    """What was done in turn, and what it is worth, in words."""
    rows = tuple(
        (f"{at}. {one['kind']}", one["text"], one["worth"]) for at, one in enumerate(result["steps"], start=1)
    )
    return Table(
        "Transformations",
        (
            "Transformations in turn, before anything was measured. What they are worth is "
            "computed from the data."
        ),
        (
            Column("step"),
            Column("what was done", is_prose=True),
            Column("what it is worth", is_prose=True),
        ),
        rows,
    )


def columns(result: dict[str, Any]) -> Table | None:
    """Each changed column in figures; None if no value was changed."""
    rows = tuple(
        (
            row["column"],
            one["kind"],
            percent(row["share_changed"]),
            *(_figure(name, row.get(name)) for name in FIGURES),
        )
        for one in result["steps"]
        for row in one["by_column"]
        if "share_changed" in row
    )
    if not rows:
        return None
    names = ("changed", "variance", "correlation", "loss", "ranks")
    return Table(
        "What each step left of the columns",
        (
            "How much of each column was changed, and what is left of it: its variance, its "
            "correlation with the original, the information lost (mean change in standard "
            "deviations over the root of two: 0 for the same numbers), and how far values "
            "moved among the ranks."
        ),
        (
            Column("column"),
            Column("step"),
            *(Column(say(f"content.steps.{name}"), is_number=True) for name in names),
        ),
        rows,
    )


def linkage(result: dict[str, Any]) -> Facts | None:
    """How often a changed record is nearest to its own original; None if no value was changed."""
    found = result["steps_linkage"]
    if found is None:
        return None
    value = f"{percent(found['value'])} ({percent_span(found)}, {level(found['level'])})"
    return Facts(
        "Linkage of the changed values",
        (
            "How often somebody who has the original values would find the right record by the "
            "smallest distance. That is no measure of the risk of the release by itself."
        ),
        (
            Fact("nearest to their own original", value, ", ".join(found["columns"])),
            Fact("by guessing", probability(found["guessing"])),
            Fact(
                "changed records linked",
                count(found["guesses"]),
                "with the nearest of all originals, numbers in standard deviations",
            ),
            Fact("records with nothing changed", percent(found["share_unchanged"])),
        ),
    )


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return NONE
    return percent(value) if name == "mean_rank_shift" else f"{value:.3f}"
