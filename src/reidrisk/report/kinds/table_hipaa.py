"""The check of a table against the HIPAA lists of identifiers."""

from __future__ import annotations

from functools import partial

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.names import short_path
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.report.plain_text import heading, wrapped

HIPAA = Source("45 CFR 164.514(b)(2) and (e)(2), HIPAA Privacy Rule, United States.")
REMAINING = ("found", "possible")
EXPLAINED = (
    "Safe Harbor lists 18 identifiers, 45 CFR 164.514(b)(2)(i)(A) to (R); a limited "
    "data set must not hold 16 of them, 164.514(e)(2)."
)
MOST_BARS = 20
"""Bars of the chart; the table shows all."""
GUIDE = Guide(
    terms=(
        Fact("Safe Harbor", "The rule that data without 18 listed identifiers count as de-identified."),
        Fact(
            "Limited data set",
            (
                "Data without 16 identifiers, released under an agreement; dates, towns and ZIP "
                "codes may stay."
            ),
        ),
        Fact(
            "Found, possible",
            "Told by the name or the values; by a weak sign only, to be looked at by a person.",
        ),
        Fact(
            "20,000 rule",
            ("The first three digits of a ZIP code may stay if more than 20,000 people live there."),
        ),
    ),
    limits=(
        "That nothing was found is necessary for Safe Harbor, and not sufficient.",
        ("Safe Harbor is a list, not a measurement: data that keep to it can have unique people in them."),
        "This page is a check by a program, not legal advice.",
    ),
    sources=(HIPAA,),
)


def name_of(result: ResultDict) -> str:
    """The table, by the last part of its path."""
    return short_path(str(result["settings"].get("table", "table")))


def verdict(result: ResultDict) -> Verdict:
    """What was found, in the words of the rule; the verdict on the release is not ours."""
    word = "No Safe Harbor identifier found" if result["acceptable"] else "Safe Harbor identifiers remain"
    return Verdict(result["acceptable"], reasons_of(result), word)


def identifiers(result: ResultDict) -> Table:
    """Every item of the lists with what was found."""
    rows = tuple(
        (
            f"({one['letter']}) {one['identifier']}",
            one["status"],
            one["limited_status"] or "may be held",
            "; ".join(f"{held['column']}: {held['reason']}" for held in one["columns"]),
        )
        for one in result["identifiers"]
    )
    return Table(
        "Identifiers",
        EXPLAINED,
        (
            Column("identifier"),
            Column("Safe Harbor"),
            Column("limited data set"),
            Column("where and why", is_prose=True),
        ),
        rows,
    )


def identifier_lines(result: ResultDict) -> list[str]:
    """What is left, column by column; the rest in one sentence."""
    lines = heading("Identifiers", EXPLAINED)
    for one in result["identifiers"]:
        if one["status"] not in REMAINING:
            continue
        also = "; also not in a limited data set" if one["limited_status"] in REMAINING else ""
        lines += wrapped(f"({one['letter']}) {one['identifier']}: {one['status']}{also}", rest=" " * 6)
        for held in one["columns"]:
            lines += wrapped(f"{held['column']}: {held['reason']}", first=" " * 6, rest=" " * 8)
    rest = [f"({one['letter']})" for one in result["identifiers"] if one["status"] == "none found"]
    return [*lines, *(wrapped(f"None found: {' '.join(rest)}.") if rest else ())]


def not_checked(result: ResultDict) -> Facts:
    """What no program, or not this one, can tell."""
    facts = tuple(Fact(str(place), text) for place, text in enumerate(result["not_checked"], start=1))
    return Facts("Not checked", "What was not looked at, or cannot be told by a program.", facts)


def not_checked_lines(result: ResultDict) -> list[str]:
    """What was not looked at."""
    part = not_checked(result)
    lines = heading(part.title, part.explanation)
    for fact in part.facts:
        lines += wrapped(fact.value, first="  ! ", rest=" " * 4)
    return lines


def settings(result: ResultDict) -> Facts:
    """What was checked."""
    facts = [
        Fact("table", str(result["settings"].get("table", "table"))),
        Fact("rows", count(result["rows"])),
    ]
    if result["notes"]:
        facts.append(Fact("read as", "; ".join(result["notes"])))
    return Facts("Settings", "What was checked.", tuple(facts))


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Share of rows that each column with an identifier concerns."""
    rows = [
        (f"({one['letter']}) {held['column']}", held["cells"] / result["rows"], held["limited"])
        for one in result["identifiers"]
        for held in one["columns"]
    ]
    if not rows:
        caption = "No column holds an identifier of the lists, as far as was seen."
        return (Chart("held", "Rows with an identifier", caption, caption, 0.5, None),)
    bars = Bars(tuple(rows[:MOST_BARS]), "share of rows")
    left = len(rows) - MOST_BARS
    return (
        Chart(
            "held",
            "Rows with an identifier",
            (
                "Dark: identifiers that a limited data set must not hold either. In brackets the "
                "letter of the list."
            )
            + ((" " + f"{left} more are in the table below.") if left > 0 else ""),
            f"{len(rows)} columns hold identifiers of Safe Harbor.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


KIND = Kind(
    title="HIPAA identifiers in a table",
    name_of=name_of,
    about=lambda result: (
        f"{count(result['rows'])} rows, checked against Safe Harbor and the limited data set."
    ),
    headline=lambda result: f"HIPAA identifiers in {name_of(result)} ({count(result['rows'])} rows)",
    verdict=verdict,
    warnings=lambda _: (),
    charts=charts,
    shows=(
        Show(identifiers, lines=identifier_lines),
        Show(not_checked, lines=not_checked_lines),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "How many identifiers are left in every table, or may be.",
        "table",
        (
            (Column("rows", is_number=True), lambda result: count(result["rows"])),
            (
                Column("of 18 in Safe Harbor", is_number=True),
                lambda result: count(result["safe_harbor"]["remaining"]),
            ),
            (
                Column("of 16 in a limited data set", is_number=True),
                lambda result: count(result["limited_data_set"]["remaining"]),
            ),
        ),
    ),
)
