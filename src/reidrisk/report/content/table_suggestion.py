"""Suggested roles as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content.text_risk import short_path
from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

ROLES = {
    say("content.table_suggestion.direct_identifier"): say("content.table_suggestion.may_name_people"),
    "quasi-identifier": say("content.table_suggestion.an_intruder_may"),
    "sensitive": say("content.table_suggestion.what_an_intruder"),
    say("content.table_suggestion.unit_candidate"): say("content.table_suggestion.may_say_which"),
    "other": say("content.table_suggestion.neither_known_to"),
}


def name_of(result: dict[str, Any]) -> str:
    """The table, by the last part of its path."""
    return short_path(str(result["settings"].get("table", "table")))


def verdict(result: dict[str, Any]) -> Verdict:
    """No verdict on the risk: what stands out, and who decides."""
    holds = (result["acceptable"], True)
    reasons = tuple(Reason(text, one) for text, one in zip(result["reasons"], holds, strict=True))
    return Verdict(result["acceptable"], reasons, say("content.table_suggestion.a_suggestion_not"))


def in_role(result: dict[str, Any], role: str) -> list[dict[str, Any]]:
    """The columns of a role, the surest first."""
    order = ("certain", "likely", "possible")
    found = [column for column in result["columns"] if column["role"] == role]
    return sorted(found, key=lambda column: order.index(column["confidence"]))


def numbers_of(column: dict[str, Any]) -> str:
    """The column in numbers."""
    empty = (
        say("content.table_suggestion.empty", missing_share=percent(column["missing_share"]))
        if column["missing"]
        else ""
    )
    return say(
        "content.table_suggestion.distinct",
        shape=column["shape"],
        distinct=count(column["distinct"]),
        empty=empty,
    )


def columns(result: dict[str, Any]) -> Table:
    """Every column with its role and why."""
    rows = tuple(
        (column["column"], _role(column), column["confidence"], column["reason"], numbers_of(column))
        for role in ROLES
        for column in in_role(result, role)
    )
    return Table(
        say("content.table_suggestion.columns"),
        say("content.table_suggestion.the_role_that"),
        (
            Column(say("content.table_suggestion.column")),
            Column(say("content.table_suggestion.suggested_role")),
            Column(say("content.table_suggestion.confidence")),
            Column(say("content.table_suggestion.why"), is_prose=True),
            Column(say("content.table_suggestion.values")),
        ),
        rows,
    )


def _role(column: dict[str, Any]) -> str:
    unit = column["unit_candidate"]
    return f"{column['role']} ({unit})" if unit else str(column["role"])


def scenario(result: dict[str, Any]) -> Table | None:
    """What the intruder knows, and who says so; None without a scenario."""
    found = result["scenario"]
    if found is None:
        return None
    rows = tuple((one["column"], one["why"], one["source"]) for one in found["quasi"])
    left = ", ".join(found["left_out"])
    return Table(
        say("content.table_suggestion.scenario", name=found["name"]),
        found["says"],
        (
            Column(say("content.table_suggestion.column")),
            Column(say("content.table_suggestion.why_it_is"), is_prose=True),
            Column(say("content.table_suggestion.source"), is_prose=True),
        ),
        rows,
        say("content.table_suggestion.quasi_identifiers_that", left=left) if left else "",
    )


def next_step(result: dict[str, Any]) -> Facts:
    """What to type next, and what is left out of it."""
    said = result["next_step"] or say("content.table_suggestion.no_column_seems")
    facts = [Fact(say("content.table_suggestion.measure_the_risk"), said)]
    if result["to_consider"]:
        facts.append(Fact(say("content.table_suggestion.not_in_it"), ", ".join(result["to_consider"])))
    unit = result["unit"]
    if unit:
        varying = (
            say("content.table_suggestion.these_vary_within", varying=", ".join(unit["varying"]))
            if unit["varying"]
            else ""
        )
        facts.append(
            Fact(
                say("content.table_suggestion.unit"),
                say(
                    "content.table_suggestion.of_them",
                    column=unit["column"],
                    units=count(unit["units"]),
                    varying=varying,
                ),
            )
        )
    return Facts(
        say("content.table_suggestion.next"), say("content.table_suggestion.check_the_columns"), tuple(facts)
    )


def settings(result: dict[str, Any]) -> Facts:
    """What was looked at."""
    said = result["settings"]
    facts = [
        Fact(say("content.table_suggestion.table"), str(said["table"])),
        Fact(say("content.table_suggestion.rows"), count(result["rows"])),
        Fact(say("content.table_suggestion.patterns_sought_in"), said["patterns_sought_in"]),
        Fact(
            say("content.table_suggestion.scenario_2"),
            said["scenario"] or say("content.table_suggestion.none_every_likely"),
        ),
    ]
    if result["notes"]:
        facts.append(Fact(say("content.table_suggestion.read_as"), "; ".join(result["notes"])))
    return Facts(
        say("content.table_suggestion.settings"),
        say("content.table_suggestion.what_was_looked"),
        tuple(facts),
    )
