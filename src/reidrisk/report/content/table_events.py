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
        (
            f"Also taken as known: events of each person by {', '.join(found['columns'])}, at "
            f"most {found['known']}."
        ),
    )


def terminal_blocks(result: dict[str, Any]) -> tuple[Table | Facts, ...]:
    """Without the curve."""
    found = result.get("longitudinal")
    return (_by_known(found), _people(found)) if found else ()


def _by_known(found: dict[str, Any]) -> Table:
    heads = ("highest", "average", "above", "unique")
    note = "The same event of a person counts once, however often it happened."
    if found["counted"]:
        note = "The adversary also knows how often the same event happened."
    if found["highest_is_lower_bound"]:
        note = f"{say('content.table_events.some_are_sampled')} {note}"
    return Table(
        "Known events",
        (
            "An adversary knows the quasi-identifiers of a person and some events, each "
            f"{' + '.join(found['columns'])}. A person's risk is that of the worst choice of "
            "events; the average takes each choice as equally likely."
        ),
        (
            Column("events known"),
            *(
                Column(say(f"content.table_events.head_{name}", cell_size=found["cell_size"]), is_number=True)
                for name in heads
            ),
            Column("method"),
        ),
        tuple(_row(one) for one in found["by_known"]),
        note,
    )


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    sampled = one["method"] == "sampled"
    highest, average = probability(one["highest"]), probability(one["average"])
    if sampled:
        highest = f"{highest} or more"
        average = f"{average} ({probability(one['average_low'])} to {probability(one['average_high'])})"
    above, unique = percent(one["share_above_threshold"]), percent(one["unique_share"])
    if sampled:
        above, unique = (f"{text} or more" for text in (above, unique))
    return str(one["known"]), highest, average, above, unique, one["method"]


def _curve(found: dict[str, Any]) -> Table:
    rows = tuple((probability(row["risk"]), percent(row["share_of_persons"])) for row in found["risk_curve"])
    return Table(
        "Risk curve of people",
        (
            "How many people have at most each risk, by the worst choice of events; so many "
            f"are known: {found['known']}."
        ),
        (
            Column("risk at most"),
            Column("share of people", is_number=True),
        ),
        rows,
    )


def _people(found: dict[str, Any]) -> Facts:
    facts = (
        Fact("columns of an event", ", ".join(found["columns"])),
        Fact("events known", str(found["known"])),
        Fact("people", count(found["persons"])),
        Fact("people without events", count(found["persons_without_events"])),
        Fact("events", count(found["events"])),
        Fact("most events of a person", count(found["most_events"])),
    )
    return Facts("People and events", "A row with no value in any of the columns tells of no event.", facts)
