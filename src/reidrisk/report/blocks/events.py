"""The risk of people some of whose events are known: in a table, and before and after de-identification."""

from __future__ import annotations

from functools import partial
from typing import Any

from reidrisk.report.charts import lines
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.lines import Line, draw_lines
from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Table

SAMPLED = (
    "Sampled: there were too many combinations of events to check all of them. The highest risk and the "
    "shares are lower bounds; the average has a 95 % interval."
)
FEWER_MATCHES = (
    "Each known event leaves fewer people who match. At 0, the adversary knows only the quasi-identifiers."
)
KNOWN_EVENTS = "known events per person, in addition to the quasi-identifiers"


def blocks(result: dict[str, Any]) -> tuple[Table | Facts, ...]:
    """The risk by known events, its curve, and the people; empty unless the table has events."""
    found = result.get("longitudinal")
    return (_risk_by_known_events(found), _curve(found), _people(found)) if found else ()


def known_events(result: dict[str, Any]) -> tuple[str, ...]:
    """A sentence on the events that an intruder is assumed to know."""
    found = result.get("longitudinal")
    if not found:
        return ()
    return (
        (
            f"Also assumed to be known: up to {found['known']} events per person, each described by "
            f"{', '.join(found['columns'])}."
        ),
    )


def terminal_blocks(result: dict[str, Any]) -> tuple[Table | Facts, ...]:
    """The blocks for a terminal, without the curve."""
    found = result.get("longitudinal")
    return (_risk_by_known_events(found), _people(found)) if found else ()


def _risk_by_known_events(found: dict[str, Any]) -> Table:
    note = "If the same event happened to a person several times, it counts once."
    if found["counted"]:
        note = "The adversary also knows how often the same event happened."
    if found["highest_is_lower_bound"]:
        note = f"{SAMPLED} {note}"
    return Table(
        "Known events",
        (
            "The adversary knows a person's quasi-identifiers and some of that person's events. Each "
            f"event is {' + '.join(found['columns'])}. A person's risk is the highest over all "
            "combinations of events that could be known; the average treats all combinations as "
            "equally likely."
        ),
        (
            Column("known events"),
            *_risk_columns(found["cell_size"]),
            Column("method"),
        ),
        tuple(_row(one) for one in found["by_known"]),
        note,
    )


def _risk_columns(cell_size: int) -> tuple[Column, ...]:
    heads = ("highest", "average", f"people above 1/{cell_size}", "singled out")
    return tuple(Column(name, is_number=True) for name in heads)


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
            f"Share of people whose risk is at most this value, if the adversary knows {found['known']} "
            "events, in the worst case."
        ),
        (
            Column("risk at most"),
            Column("share of people", is_number=True),
        ),
        rows,
    )


def _people(found: dict[str, Any]) -> Facts:
    facts = (
        Fact("columns that describe an event", ", ".join(found["columns"])),
        Fact("known events", str(found["known"])),
        Fact("people", count(found["persons"])),
        Fact("people without events", count(found["persons_without_events"])),
        Fact("events", count(found["events"])),
        Fact("most events per person", count(found["most_events"])),
    )
    return Facts("People and events", "A row with no value in any of these columns is not an event.", facts)


def blocks_before_and_after(result: dict[str, Any]) -> tuple[Table, ...]:
    """What was done to events, and the risk before and after; empty unless the table has events."""
    done = (_released_events(result["events"]),) if result.get("events") else ()
    return (*done, _before_and_after(result)) if result["before"].get("longitudinal") else ()


def _released_events(events: dict[str, Any]) -> Table:
    emptied = events.get("rows_emptied", 0)
    removed = events.get("rows_removed", events["rows_left_out"] - emptied)
    return Table(
        "Events to release",
        (
            "The level at which each column that describes events is released. Rows that would still "
            "expose a person are suppressed."
        ),
        (
            Column("column"),
            Column("released as"),
        ),
        tuple(events["levels"].items()),
        (
            f"{count(events['rows_left_out'])} of {count(events['rows'])} rows with an event "
            f"({percent(events['share_left_out'])}) have their event suppressed; the limit is "
            f"{percent(events['max_event_suppression'])}. {count(emptied)} rows are released without the "
            "event, where at least as many people of a class as the cell size have none; "
            f"{count(removed)} rows are removed.{_left_out(events)} Loss of granularity over all "
            f"events: {probability(events['loss'])}. {count(events['evaluated'])} of "
            f"{count(events['nodes'])} combinations of levels were tried. Levels and rows are "
            "chosen by a heuristic, so a smaller loss may be possible."
        ),
    )


def _left_out(events: dict[str, Any]) -> str:
    """The people without any event left, who would be singled out by an empty row."""
    people = events.get("people_left_out", 0)
    if not people:
        return ""
    who = "1 person" if people == 1 else f"{count(people)} people"
    return f" {who} without any event left {'is' if people == 1 else 'are'} left out."


def known_row(name: str, row: dict[str, Any]) -> tuple[str, ...]:
    """The risk at one number of known events, after the name of what was measured."""
    return (
        name,
        str(row["known"]),
        probability(row["highest"]),
        probability(row["average"]),
        percent(row["share_above_threshold"]),
        percent(row["unique_share"]),
        row["method"],
    )


def _before_and_after(result: dict[str, Any]) -> Table:
    both = [(name, result[name]) for name in ("before", "after") if result[name] is not None]
    rows = tuple(known_row(name, row) for name, risk in both for row in risk["longitudinal"]["by_known"])
    return Table(
        "Known events",
        (
            "The adversary knows a person's quasi-identifiers and some of that person's events. Each "
            f"event is {' + '.join(result['before']['longitudinal']['columns'])}. A person's risk is "
            "the highest over all combinations of events that could be known; the average treats all "
            "combinations as equally likely."
        ),
        (
            Column("table"),
            Column("known events", is_number=True),
            *_risk_columns(result["before"]["longitudinal"]["cell_size"]),
            Column("method"),
        ),
        rows,
    )


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The risk by the number of known events; empty unless the table has events."""
    found = result.get("longitudinal")
    if not found:
        return ()
    rows = found["by_known"]
    series = {
        "share_above_threshold": f"people who match fewer than {found['cell_size']} people",
        "unique_share": "people singled out by some known events",
        "average": "average risk, over people and over the events that could be known",
    }
    drawn = [Line(title, tuple((row["known"], row[name]) for row in rows)) for name, title in series.items()]
    above = "; ".join(
        (
            f"{row['known']}: {percent(row['share_above_threshold'])} above the threshold, "
            f"{percent(row['unique_share'])} singled out"
        )
        for row in rows
    )
    bound = " Where combinations were sampled, the shares may be higher."
    caption = f"{FEWER_MATCHES}{bound if found['highest_is_lower_bound'] else ''}"
    return (_lines_chart(drawn, caption, f"Known events: {above}."),)


def charts_before_and_after(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The share above the threshold before and after de-identification; empty unless the table has events."""
    both = [(name, result[name]) for name in ("before", "after") if result[name] is not None]
    known_events = [(name, risk["longitudinal"]) for name, risk in both if risk.get("longitudinal")]
    if not known_events:
        return ()
    drawn = [
        Line(
            f"{name}: people who match fewer than {found['cell_size']} people",
            tuple((row["known"], row["share_above_threshold"]) for row in found["by_known"]),
        )
        for name, found in known_events
    ]
    spoken = "; ".join(f"{line.name}, with all known events {percent(line.points[-1][1])}" for line in drawn)
    return (_lines_chart(drawn, FEWER_MATCHES, spoken),)


def _lines_chart(drawn: list[Line], caption: str, spoken: str) -> Chart:
    return Chart(
        "known",
        "Risk by the number of known events",
        caption,
        spoken,
        lines.height(drawn),
        partial(draw_lines, lines=drawn, scale="plain", label=KNOWN_EVENTS),
    )
