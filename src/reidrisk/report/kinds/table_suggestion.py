"""Suggested roles of the columns of a table."""

from __future__ import annotations

from functools import partial
from typing import Any

from reidrisk.core.shell import shell_words
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, only_in_terminal, reasons_of
from reidrisk.report.kinds import table_hipaa as hipaa
from reidrisk.report.names import ends_of, file_name, short_path
from reidrisk.report.numbers import count, counted, percent
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.report.plain_text import heading, printable, width_of, wrap
from reidrisk.report.traced import size

ROLES = {
    "direct identifier": "May identify people directly: remove it or replace it with a code.",
    "quasi-identifier": "An intruder may know it. The risk is computed from these columns.",
    "text": "Free text, which may contain anything: remove it, or de-identify it.",
    "sensitive": "What an intruder would learn.",
    "unit candidate": "May show which rows belong to one person or visit.",
    "other": "No sign that outsiders know it or that it is sensitive.",
}
IDENTIFYING = ("direct identifier", "quasi-identifier")
NAME_ROOM = 26
"""Characters for the name of a column in the terminal."""
MOST_BARS = 20
"""Bars of the chart; the table shows all columns."""
GUIDE = Guide(
    terms=(
        Fact(
            "Direct identifier",
            "A column that identifies a person on its own: a name, a record number, a phone number.",
        ),
        Fact(
            "Quasi-identifier",
            "A column that an intruder may know about a person: age, sex, place, dates.",
        ),
        Fact("Sensitive", "What an intruder would learn: a diagnosis, a drug, an income."),
        Fact("Unit", "The column that shows which rows belong to one person or visit."),
        Fact(
            "Confidence",
            "Certain or likely: based on the name, the values, or both. Possible: a weak sign only.",
        ),
    ),
    limits=(
        "Names, patterns and distinct values can mislead. A column without any sign can still identify.",
        "What an intruder knows depends on the intruder. The scenarios are a starting point, not a rule.",
        "This page is a suggestion, not legal advice. The people responsible decide about a release.",
    ),
    sources=(
        Source(
            "El Emam K. et al. Evaluating the risk of re-identification of patients from hospital "
            "prescription records. Canadian Journal of Hospital Pharmacy 62(4) (2009) 307–319.",
        ),
        hipaa.HIPAA,
    ),
)


def name_of(result: ResultDict) -> str:
    """The table, by the last part of its path."""
    return short_path(str(result["settings"].get("table", "table")))


def verdict(result: ResultDict) -> Verdict:
    """What was suggested; people decide."""
    return Verdict(result["acceptable"], reasons_of(result), "A suggestion, not a decision")


def in_role(result: ResultDict, role: str) -> list[dict[str, Any]]:
    """The columns of a role, the most certain first."""
    order = ("certain", "likely", "possible")
    found = [column for column in result["columns"] if column["role"] == role]
    return sorted(found, key=lambda column: order.index(column["confidence"]))


def _number_in(role: str, result: ResultDict) -> str:
    return count(size(in_role(result, role)))


def numbers_of(column: dict[str, Any]) -> str:
    """The type of a column, its distinct values and its empty cells."""
    empty = f", {percent(column['missing_share'])} empty" if column["missing"] else ""
    return f"{column['shape']}, {count(column['distinct'])} distinct{empty}"


def columns(result: ResultDict) -> Table:
    """Every column with its suggested role and the reason."""
    rows = tuple(
        (column["column"], _role(column), column["confidence"], column["reason"], numbers_of(column))
        for role in ROLES
        for column in in_role(result, role)
    )
    return Table(
        "Columns",
        "The suggested role of each column, how certain it is, and why. No values are shown.",
        (
            Column("column"),
            Column("suggested role"),
            Column("confidence"),
            Column("why", is_prose=True),
            Column("values"),
        ),
        rows,
    )


def _role(column: dict[str, Any]) -> str:
    unit = column["unit_candidate"]
    return f"{column['role']} ({unit})" if unit else str(column["role"])


def role_lines(result: ResultDict) -> list[str]:
    """The columns of each role for the terminal."""
    return [line for role, meaning in ROLES.items() for line in _role_lines(result, role, meaning)]


def _role_lines(result: ResultDict, role: str, meaning: str) -> list[str]:
    found = in_role(result, role)
    if not found:
        return []
    room = min(max(width_of(printable(column["column"])) for column in found), NAME_ROOM)
    lines = heading(f"{role} ({len(found)})", meaning)
    for column in found:
        name = ends_of(column["column"], room)
        first = f"  {name}{' ' * (room - width_of(name))}  {column['confidence']:<8}  "
        text = f"{column['reason']} ({numbers_of(column)})"
        lines += wrap(text, first=first, rest=" " * (room + 14))
    return lines


def scenario(result: ResultDict) -> Table | None:
    """What the intruder knows, with sources; None without a scenario."""
    found = result["scenario"]
    if found is None:
        return None
    rows = tuple((one["column"], one["why"], one["source"]) for one in found["quasi"])
    left = ", ".join(found["left_out"])
    return Table(
        f"Scenario: {found['name']}",
        found["says"],
        (
            Column("column"),
            Column("why it is known", is_prose=True),
            Column("source", is_prose=True),
        ),
        rows,
        f"Quasi-identifiers that this intruder is not expected to know: {left}." if left else "",
    )


def scenario_lines(result: ResultDict) -> list[str]:
    """The scenario for the terminal, with numbered sources."""
    table = scenario(result)
    if table is None:
        return []
    lines = heading(table.title, table.explanation)
    sources = list(dict.fromkeys(source for _, _, source in table.rows))
    for column, why, source in table.rows:
        lines += wrap(f"{column}: {why} [{sources.index(source) + 1}]", rest=" " * 4)
    lines += wrap(table.note) if table.note else []
    for place, source in enumerate(sources, start=1):
        lines += wrap(f"[{place}] {source}", rest=" " * 6)
    return lines


def hipaa_lines(result: ResultDict) -> list[str]:
    """The HIPAA identifiers for the terminal."""
    lines = hipaa.identifier_lines(result["hipaa"])
    lines[1] = "HIPAA IDENTIFIERS"
    command = shell_words(["reidrisk", "table", "hipaa", printable(str(result["settings"]["table"]))])
    return [*lines, *wrap("For what was not checked, run this:"), "", f"  {command}"]


def next_step(result: ResultDict) -> Facts:
    """The command to run next, and the columns that it leaves out."""
    command = result["next_step"] or "No quasi-identifiers were found. Name them yourself."
    facts = [Fact("measure the risk", command)]
    if result["to_consider"]:
        facts.append(Fact("left out, to consider", ", ".join(result["to_consider"])))
    unit = result["unit"]
    if unit:
        varying = (
            f"; columns that vary within a unit: {', '.join(unit['varying'])}" if unit["varying"] else ""
        )
        facts.append(
            Fact(
                "unit",
                f"{unit['column']}, {count(unit['units'])} units{varying}",
            )
        )
    return Facts("Next", "Check the columns first. Then run this command or change it.", tuple(facts))


def next_lines(result: ResultDict) -> list[str]:
    """The next command for the terminal, last on the screen."""
    part = next_step(result)
    lines = heading(part.title, part.explanation)
    for fact in part.facts[1:]:
        lines += wrap(f"{fact.name}: {fact.value}.", rest=" " * 4)
    # The command is one line, whatever its length, so that it can be copied.
    return [*lines, "", f"  {printable(part.facts[0].value)}"]


def settings(result: ResultDict) -> Facts:
    """What was examined."""
    chosen = result["settings"]
    facts = [
        Fact("table", file_name(str(chosen["table"]))),
        Fact("rows", count(result["rows"])),
        Fact("patterns searched in", chosen["patterns_sought_in"]),
        Fact(
            "scenario",
            chosen["scenario"] or "none; every likely quasi-identifier counts",
        ),
    ]
    if result["notes"]:
        facts.append(Fact("how the file was read", "; ".join(result["notes"])))
    return Facts(
        "Settings",
        "What was examined.",
        tuple(facts),
    )


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Distinct values per row, by column."""
    rows = result["rows"]
    shares = [
        (one["column"], one["distinct"] / rows if rows else 0.0, one["role"] in IDENTIFYING)
        for one in result["columns"]
    ]
    shares.sort(key=lambda share: -share[1])
    bars = Bars(tuple(shares[:MOST_BARS]), "distinct values per row")
    left = len(shares) - MOST_BARS
    most = shares[0]
    return (
        Chart(
            "differing",
            "Distinct values by column",
            "Dark: suggested as direct identifiers or quasi-identifiers."
            + (
                (" " + f"{left} columns with fewer distinct values are in the table below.")
                if left > 0
                else ""
            ),
            f"{most[0]} has the most distinct values: {percent(most[1])} of the number of rows.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


KIND = Kind(
    title="Suggested roles of columns",
    name_of=name_of,
    about=lambda result: f"{count(result['rows'])} rows, {count(size(result['columns']))} columns.",
    headline=lambda result: (
        f"Suggested roles for the columns of {name_of(result)} ({counted(result['rows'], 'row')})"
    ),
    verdict=verdict,
    warnings=lambda _: (),
    charts=charts,
    shows=(
        Show(next_step, terminal=False),
        Show(columns, lines=role_lines),
        Show(scenario, lines=scenario_lines),
        Show(lambda result: hipaa.identifiers(result["hipaa"]), lines=hipaa_lines),
        Show(lambda result: hipaa.not_checked(result["hipaa"]), terminal=False),
        Show(settings),
        only_in_terminal(next_lines),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "The number of columns with each role in each table.",
        "table",
        (
            (Column("rows", is_number=True), lambda result: count(result["rows"])),
            *((Column(role, is_number=True), partial(_number_in, role)) for role in ROLES),
        ),
    ),
)
