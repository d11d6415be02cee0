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
        say("content.table_secrets.classes_alike"),
        say("content.table_secrets.records"),
        say("content.table_secrets.share"),
        say("content.table_secrets.right_guesses"),
        say("content.table_secrets.blind_guesses"),
    )
    return Table(
        say("content.table_secrets.what_is_told"),
        say("content.table_secrets.a_class_whose"),
        (Column(say("content.table_secrets.column")), *(Column(name, is_number=True) for name in heads)),
        rows,
        say("content.table_secrets.guesses_with_the"),
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
        say("content.table_secrets.values"),
        say("content.table_secrets.distinct_l"),
        say("content.table_secrets.entropy_l"),
        say("content.table_secrets.recursive_l"),
        "t",
        "beta",
        "delta",
    )
    distances = ", ".join(f"{one['column']}: {_distance(one)}" for one in found)
    return Table(
        say("content.table_secrets.worst_class"),
        say("content.table_secrets.the_worst_value"),
        (Column(say("content.table_secrets.column")), *(Column(name, is_number=True) for name in heads)),
        rows,
        say("content.table_secrets.distance_for_t", distances=distances),
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
        say("content.table_secrets.limits_on_what"),
        say("content.table_secrets.every_class_has"),
        (
            Column(say("content.table_secrets.column")),
            Column(say("content.table_secrets.criterion")),
            Column(say("content.table_secrets.limit"), is_number=True),
            Column(say("content.table_secrets.worst"), is_number=True),
            Column(say("content.table_secrets.records_in_classes"), is_number=True),
            Column(say("content.table_secrets.verdict")),
        ),
        rows,
    )
