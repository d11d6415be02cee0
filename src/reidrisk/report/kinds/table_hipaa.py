"""The check of a table against the HIPAA lists of identifiers."""

from __future__ import annotations

from functools import partial

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.names import short_path
from reidrisk.report.numbers import count, counted, more
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.report.plain_text import heading, wrap
from reidrisk.report.traced import size

HIPAA = Source("45 CFR 164.514(b)(2) and (e)(2), HIPAA Privacy Rule, United States.")
REMAINING = ("found", "possible")
EXPLAINED = (
    "Safe Harbor lists 18 identifiers, 45 CFR 164.514(b)(2)(i)(A) to (R). A limited data set must not "
    "contain 16 of them, 164.514(e)(2)."
)
MOST_BARS = 20
"""Bars of the chart; the table shows all."""
GUIDE = Guide(
    terms=(
        Fact("Safe Harbor", "The rule that data without 18 listed identifiers count as de-identified."),
        Fact(
            "Limited data set",
            (
                "Data without 16 of the identifiers, released under a data use agreement. Dates, cities and "
                "ZIP codes may stay."
            ),
        ),
        Fact(
            "Found, possible",
            "Found: recognized by the column name or the values. Possible: a weak sign only; please check.",
        ),
        Fact(
            "20,000 rule",
            "The first three digits of a ZIP code may stay if more than 20,000 people live in that area.",
        ),
    ),
    limits=(
        "Finding no identifiers is necessary for Safe Harbor but not sufficient.",
        "Safe Harbor is a list, not a measurement: data that comply with it can still contain unique people.",
        "This page is an automated check, not legal advice.",
    ),
    sources=(HIPAA,),
)


def name_of(result: ResultDict) -> str:
    """The table, by the last part of its path."""
    return short_path(str(result["settings"].get("table", "table")))


def verdict(result: ResultDict) -> Verdict:
    """Whether identifiers remain; people decide about the release."""
    word = "No Safe Harbor identifier found" if result["acceptable"] else "Safe Harbor identifiers remain"
    return Verdict(result["acceptable"], reasons_of(result), word)


def identifiers(result: ResultDict) -> Table:
    """Every identifier of the lists and what was found."""
    rows = tuple(
        (
            f"({one['letter']}) {one['identifier']}",
            one["status"],
            one["limited_status"] or "allowed",
            ", ".join(one["checked_by"]),
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
            Column("looked for in", is_prose=True),
            Column("columns and reasons", is_prose=True),
        ),
        rows,
    )


def identifier_lines(result: ResultDict) -> list[str]:
    """The identifiers that remain, column by column; the others in one sentence."""
    lines = heading("Identifiers", EXPLAINED)
    for one in result["identifiers"]:
        if one["status"] not in REMAINING:
            continue
        also = "; not allowed in a limited data set either" if one["limited_status"] in REMAINING else ""
        lines += wrap(f"({one['letter']}) {one['identifier']}: {one['status']}{also}", rest=" " * 6)
        for held in one["columns"]:
            text = f"{held['column']}: {held['reason']} (by {held['found_by']})"
            lines += wrap(text, first=" " * 6, rest=" " * 8)
    rest = [f"({one['letter']})" for one in result["identifiers"] if one["status"] == "none found"]
    lines += wrap(f"None found: {' '.join(rest)}.") if rest else ()
    return [*lines, *_where_lines(result)]


def _where_lines(result: ResultDict) -> list[str]:
    """Where each identifier was looked for."""
    places: dict[tuple[str, ...], list[str]] = {}
    for one in result["identifiers"]:
        places.setdefault(tuple(one["checked_by"]), []).append(f"({one['letter']})")
    lines = []
    for place, letters in places.items():
        lines += wrap(f"Looked for by {', '.join(place)}: {' '.join(letters)}.", rest=" " * 4)
    return lines


def not_checked(result: ResultDict) -> Facts:
    """What this check does not cover."""
    limits = [(f"({one['letter']})", one["limit"]) for one in result["identifiers"] if one["limit"]]
    others = [(str(place), text) for place, text in enumerate(result["not_checked"], start=1)]
    facts = tuple(Fact(name, text) for name, text in (*limits, *others))
    return Facts("Not checked", "What this program did not check or cannot check.", facts)


def not_checked_lines(result: ResultDict) -> list[str]:
    """The same as a list for the terminal."""
    part = not_checked(result)
    lines = heading(part.title, part.explanation)
    for fact in part.facts:
        letter = f"{fact.name} " if fact.name.startswith("(") else ""
        lines += wrap(f"{letter}{fact.value}", first="  ! ", rest=" " * 4)
    return lines


def settings(result: ResultDict) -> Facts:
    """The table that was checked."""
    facts = [
        Fact("table", str(result["settings"].get("table", "table"))),
        Fact("rows", count(result["rows"])),
        *(Fact(name, str(result["settings"][name])) for name in ("searched",) if name in result["settings"]),
    ]
    if result["notes"]:
        facts.append(Fact("how the file was read", "; ".join(result["notes"])))
    return Facts("Settings", "What was checked.", tuple(facts))


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Share of rows with an identifier, by column."""
    rows = [
        (f"({one['letter']}) {held['column']}", held["cells"] / result["rows"], held["limited"])
        for one in result["identifiers"]
        for held in one["columns"]
    ]
    if not rows:
        caption = "No column was found to contain a listed identifier."
        return (Chart("held", "Rows with an identifier", caption, caption, 0.5, None),)
    bars = Bars(tuple(rows[:MOST_BARS]), "share of rows")
    left = len(rows) - MOST_BARS
    return (
        Chart(
            "held",
            "Rows with an identifier",
            (
                "Dark: identifiers that are not allowed in a limited data set either. The letter in "
                "parentheses is that of the list."
            )
            + ((" " + more(left, "in the table below")) if left > 0 else ""),
            f"{size(rows)} columns contain Safe Harbor identifiers.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


KIND = Kind(
    title="HIPAA identifiers in a table",
    name_of=name_of,
    about=lambda result: (
        f"{count(result['rows'])} rows, checked against Safe Harbor and limited data set rules."
    ),
    headline=lambda result: f"HIPAA identifiers in {name_of(result)} ({counted(result['rows'], 'row')})",
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
        "How many identifiers remain, or may remain, in each table.",
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
