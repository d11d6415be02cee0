"""Known events"""

from __future__ import annotations

from functools import partial
from typing import Any

from reidrisk.report.charts import lines
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.lines import Line, draw_lines
from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Table

SAMPLED = (
    "Sampled: there were too many choices of events to look at all. The highest risk and the shares are "
    "lower bounds, the average has a 95 % interval."
)
GROWTH = (
    "Each known event leaves fewer people whom it fits. At 0 the adversary knows the quasi-identifiers alone."
)
KNOWN_EVENTS = "events known of a person, beside the quasi-identifiers"


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
    note = "The same event of a person counts once, however often it happened."
    if found["counted"]:
        note = "The adversary also knows how often the same event happened."
    if found["highest_is_lower_bound"]:
        note = f"{SAMPLED} {note}"
    return Table(
        "Known events",
        (
            "An adversary knows the quasi-identifiers of a person and some events, each "
            f"{' + '.join(found['columns'])}. A person's risk is that of the worst choice of "
            "events; the average takes each choice as equally likely."
        ),
        (
            Column("events known"),
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


def deidentified_blocks(result: dict[str, Any]) -> tuple[Table, ...]:
    """Nothing, unless the table is one of events."""
    done = (_done(result["events"]),) if result.get("events") else ()
    return (*done, _before_and_after(result)) if result["before"].get("longitudinal") else ()


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


def _before_and_after(result: dict[str, Any]) -> Table:
    both = [(name, result[name]) for name in ("before", "after") if result[name] is not None]
    rows = tuple(
        (
            name,
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
            Column("events known", is_number=True),
            *_risk_columns(result["before"]["longitudinal"]["cell_size"]),
            Column("method"),
        ),
        rows,
    )


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The risk by the number of known events; nothing, unless the table is one of events."""
    found = result.get("longitudinal")
    if not found:
        return ()
    rows = found["by_known"]
    series = {
        "share_above_threshold": f"people who may be found among fewer than {found['cell_size']}",
        "unique_share": "people whom some known events single out",
        "average": "average risk, over people and over what may be known of each",
    }
    drawn = [Line(title, tuple((row["known"], row[name]) for row in rows)) for name, title in series.items()]
    above = "; ".join(
        (
            f"{row['known']}: {percent(row['share_above_threshold'])} above the threshold, "
            f"{percent(row['unique_share'])} singled out"
        )
        for row in rows
    )
    bound = " Where subsets were sampled, the shares may be higher."
    caption = f"{GROWTH}{bound if found['highest_is_lower_bound'] else ''}"
    return (_lines_chart(drawn, caption, f"Events known: {above}."),)


def charts_before_and_after(result: dict[str, Any]) -> tuple[Chart, ...]:
    """Before and after a de-identification; nothing, unless the table is one of events."""
    both = [(name, result[name]) for name in ("before", "after") if result[name] is not None]
    known = [(name, risk["longitudinal"]) for name, risk in both if risk.get("longitudinal")]
    if not known:
        return ()
    drawn = [
        Line(
            f"{name}: people who may be found among fewer than {found['cell_size']}",
            tuple((row["known"], row["share_above_threshold"]) for row in found["by_known"]),
        )
        for name, found in known
    ]
    spoken = "; ".join(f"{line.name}, with all known events {percent(line.points[-1][1])}" for line in drawn)
    return (_lines_chart(drawn, GROWTH, spoken),)


def _lines_chart(drawn: list[Line], caption: str, spoken: str) -> Chart:
    return Chart(
        "known",
        "Risk by the number of known events",
        caption,
        spoken,
        lines.height(drawn),
        partial(draw_lines, lines=drawn, scale="plain", label=KNOWN_EVENTS),
    )
