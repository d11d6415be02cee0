"""What was done to events, and the risk of people of whom some are known, before and after."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column, Table
from reidrisk.report.words.book import say


def blocks(result: dict[str, Any]) -> tuple[Table, ...]:
    """Nothing, unless the table is one of events."""
    done = (_done(result["events"]),) if result.get("events") else ()
    return (*done, _risks(result)) if result["before"].get("longitudinal") else ()


def _done(events: dict[str, Any]) -> Table:
    emptied = events.get("rows_emptied", 0)
    return Table(
        "Events to release",
        (
            "The level at which each column of events goes out. Rows that would still expose "
            "somebody are left out."
        ),
        (
            Column("column"),
            Column("released as"),
        ),
        tuple(events["levels"].items()),
        (
            f"{count(events['rows_left_out'])} of {count(events['rows'])} rows with an event "
            f"({percent(events['share_left_out'])}) lose their event; the limit is "
            f"{percent(events['max_event_suppression'])}. {count(emptied)} of them stay "
            "without it, since their persons have no other, and "
            f"{count(events['rows_left_out'] - emptied)} are left out. Granularity lost over "
            f"all events: {probability(events['loss'])}. {count(events['evaluated'])} of "
            f"{count(events['nodes'])} choices of levels were tried. Levels and rows are "
            "chosen by a heuristic: a smaller loss may be possible."
        ),
    )


def _risks(result: dict[str, Any]) -> Table:
    both = [(name, result[name]) for name in ("before", "after") if result[name] is not None]
    rows = tuple(
        (
            say(f"content.deidentified_events.{name}"),
            str(row["known"]),
            probability(row["highest"]),
            probability(row["average"]),
            percent(row["share_above_threshold"]),
            percent(row["unique_share"]),
            row["method"],
        )
        for name, risk in both
        for row in risk["longitudinal"]["by_known"]
    )
    heads = ("known", "highest", "average", "above", "unique")
    cell_size = result["before"]["longitudinal"]["cell_size"]
    return Table(
        "Known events",
        (
            "An adversary knows the quasi-identifiers of a person and some events, each "
            f"{' + '.join(result['before']['longitudinal']['columns'])}. A person's risk is "
            "that of the worst choice of events; the average takes each choice as equally "
            "likely."
        ),
        (
            Column("table"),
            *(
                Column(say(f"content.table_events.head_{name}", cell_size=cell_size), is_number=True)
                for name in heads
            ),
            Column("method"),
        ),
        rows,
    )
