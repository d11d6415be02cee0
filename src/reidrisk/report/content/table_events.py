"""What an adversary who knows events of people learns from a table."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.words.book import say


def blocks(result: dict[str, Any]) -> tuple[Table | Facts, ...]:
    """Nothing, unless the table is one of events."""
    found = result.get("longitudinal")
    return (_by_known(found), _curve(found), _people(found)) if found else ()


def known(result: dict[str, Any]) -> tuple[str, ...]:
    """What an intruder is taken to know of events, in a sentence."""
    found = result.get("longitudinal")
    if not found:
        return ()
    return (
        say("content.table_events.intruder_knows", known=found["known"], columns=", ".join(found["columns"])),
    )


def terminal_blocks(result: dict[str, Any]) -> tuple[Table | Facts, ...]:
    """Without the curve."""
    found = result.get("longitudinal")
    return (_by_known(found), _people(found)) if found else ()


def _by_known(found: dict[str, Any]) -> Table:
    heads = ("highest", "average", "above", "unique")
    note = say("content.table_events.each_event_once")
    if found["counted"]:
        note = say("content.table_events.how_often_counts")
    if found["highest_is_lower_bound"]:
        note = f"{say('content.table_events.some_are_sampled')} {note}"
    return Table(
        say("content.table_events.known_events"),
        say("content.table_events.by_how_many", columns=" + ".join(found["columns"])),
        (
            Column(say("content.table_events.head_known")),
            *(
                Column(say(f"content.table_events.head_{name}", cell_size=found["cell_size"]), is_number=True)
                for name in heads
            ),
            Column(say("content.table_events.head_method")),
        ),
        tuple(_row(one) for one in found["by_known"]),
        note,
    )


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    sampled = one["method"] == "sampled"
    highest, average = probability(one["highest"]), probability(one["average"])
    if sampled:
        highest = say("content.table_events.at_least", value=highest)
        average = say(
            "content.table_events.with_limits",
            value=average,
            low=probability(one["average_low"]),
            high=probability(one["average_high"]),
        )
    above, unique = percent(one["share_above_threshold"]), percent(one["unique_share"])
    if sampled:
        above, unique = (say("content.table_events.at_least", value=text) for text in (above, unique))
    return str(one["known"]), highest, average, above, unique, one["method"]


def _curve(found: dict[str, Any]) -> Table:
    rows = tuple((probability(row["risk"]), percent(row["share_of_persons"])) for row in found["risk_curve"])
    return Table(
        say("content.table_events.risk_curve"),
        say("content.table_events.people_whose_risk", known=found["known"]),
        (
            Column(say("content.table_events.risk_at_most")),
            Column(say("content.table_events.share_of_people"), is_number=True),
        ),
        rows,
    )


def _people(found: dict[str, Any]) -> Facts:
    facts = (
        Fact(say("content.table_events.columns"), ", ".join(found["columns"])),
        Fact(say("content.table_events.known"), str(found["known"])),
        Fact(say("content.table_events.people"), count(found["persons"])),
        Fact(say("content.table_events.without"), count(found["persons_without_events"])),
        Fact(say("content.table_events.events"), count(found["events"])),
        Fact(say("content.table_events.most"), count(found["most_events"])),
    )
    return Facts(
        say("content.table_events.people_and_events"), say("content.table_events.an_event_is"), facts
    )
