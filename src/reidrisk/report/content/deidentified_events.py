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
        say("content.deidentified_events.events_to_release"),
        say("content.deidentified_events.levels_of_events"),
        (
            Column(say("content.deidentified_events.column")),
            Column(say("content.deidentified_events.released_as")),
        ),
        tuple(events["levels"].items()),
        say(
            "content.deidentified_events.rows_left_out",
            rows=count(events["rows_left_out"]),
            of=count(events["rows"]),
            share=percent(events["share_left_out"]),
            emptied=count(emptied),
            gone=count(events["rows_left_out"] - emptied),
            limit=percent(events["max_event_suppression"]),
            loss=probability(events["loss"]),
            evaluated=count(events["evaluated"]),
            nodes=count(events["nodes"]),
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
        say("content.table_events.known_events"),
        say(
            "content.table_events.by_how_many",
            columns=" + ".join(result["before"]["longitudinal"]["columns"]),
        ),
        (
            Column(say("content.deidentified_events.table")),
            *(
                Column(say(f"content.table_events.head_{name}", cell_size=cell_size), is_number=True)
                for name in heads
            ),
            Column(say("content.table_events.head_method")),
        ),
        rows,
    )
