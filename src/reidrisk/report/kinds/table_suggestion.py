"""Suggested roles of the columns of a table."""

from __future__ import annotations

from functools import partial
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, only_in_terminal, reasons_of
from reidrisk.report.kinds import table_hipaa as hipaa
from reidrisk.report.names import ends_of, short_path
from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.report.plain_text import heading, printable, width_of, wrapped

ROLES = {
    "direct identifier": "May name people: remove it, or replace it by a code.",
    "quasi-identifier": "An intruder may know it; the risk is counted on these.",
    "sensitive": "What an intruder would learn.",
    "unit candidate": "May say which rows are one person or visit.",
    "other": "Neither known to outsiders nor telling, as far as seen.",
}
IDENTIFYING = ("direct identifier", "quasi-identifier")
NAME_ROOM = 26
"""Letters of the terminal for the name of a column."""
MOST_BARS = 20
"""Bars of the chart; the table shows all columns."""
GUIDE = Guide(
    terms=(
        Fact(
            "Direct identifier",
            "A column that names a person by itself: a name, a record number, a phone number.",
        ),
        Fact(
            "Quasi-identifier",
            "A column that an intruder may know of a person: an age, a sex, a place, a date.",
        ),
        Fact("Sensitive", "What an intruder would learn: a diagnosis, a drug, an income."),
        Fact("Unit", "The column that says which rows belong to one person or visit."),
        Fact(
            "Confidence", "Certain or likely by the name, the values, or both; possible by a weak sign only."
        ),
    ),
    limits=(
        ("Names, patterns and distinct values can mislead. A column without a sign can still identify."),
        ("What an intruder knows depends on the intruder; the scenarios are a beginning, not a law."),
        ("This page is a suggestion, not legal advice. People who answer for it decide on a release."),
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
    """No verdict on the risk: what stands out, and who decides."""
    return Verdict(result["acceptable"], reasons_of(result), "A suggestion, not a decision")


def in_role(result: ResultDict, role: str) -> list[dict[str, Any]]:
    """The columns of a role, the surest first."""
    order = ("certain", "likely", "possible")
    found = [column for column in result["columns"] if column["role"] == role]
    return sorted(found, key=lambda column: order.index(column["confidence"]))


def _number_in(role: str, result: ResultDict) -> str:
    return count(len(in_role(result, role)))


def numbers_of(column: dict[str, Any]) -> str:
    """The column in numbers."""
    empty = f", {percent(column['missing_share'])} empty" if column["missing"] else ""
    return f"{column['shape']}, {count(column['distinct'])} distinct{empty}"


def columns(result: ResultDict) -> Table:
    """Every column with its role and why."""
    rows = tuple(
        (column["column"], _role(column), column["confidence"], column["reason"], numbers_of(column))
        for role in ROLES
        for column in in_role(result, role)
    )
    return Table(
        "Columns",
        ("The role that each column seems to have, how sure that is, and why. No value is shown."),
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
    """The columns role by role."""
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
        lines += wrapped(text, first=first, rest=" " * (room + 14))
    return lines


def scenario(result: ResultDict) -> Table | None:
    """What the intruder knows, and who says so; None without a scenario."""
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
        f"Quasi-identifiers that this intruder is not thought to know: {left}." if left else "",
    )


def scenario_lines(result: ResultDict) -> list[str]:
    """What the intruder knows, with numbers for the sources."""
    table = scenario(result)
    if table is None:
        return []
    lines = heading(table.title, table.explanation)
    sources = list(dict.fromkeys(source for _, _, source in table.rows))
    for column, why, source in table.rows:
        lines += wrapped(f"{column}: {why} [{sources.index(source) + 1}]", rest=" " * 4)
    lines += wrapped(table.note) if table.note else []
    for place, source in enumerate(sources, start=1):
        lines += wrapped(f"[{place}] {source}", rest=" " * 6)
    return lines


def hipaa_lines(result: ResultDict) -> list[str]:
    """The identifiers of the HIPAA lists."""
    lines = hipaa.identifier_lines(result["hipaa"])
    lines[1] = "HIPAA IDENTIFIERS"
    return [*lines, *wrapped("What was not checked: reidrisk table hipaa tells.")]


def next_step(result: ResultDict) -> Facts:
    """What to type next, and what is left out of it."""
    said = result["next_step"] or "No column seems to be a quasi-identifier; name them yourself."
    facts = [Fact("measure the risk", said)]
    if result["to_consider"]:
        facts.append(Fact("not in it, to consider", ", ".join(result["to_consider"])))
    unit = result["unit"]
    if unit:
        varying = f"; these vary within one: {', '.join(unit['varying'])}" if unit["varying"] else ""
        facts.append(
            Fact(
                "unit",
                f"{unit['column']}, {count(unit['units'])} of them{varying}",
            )
        )
    return Facts("Next", "Check the columns first; then type or change this.", tuple(facts))


def next_lines(result: ResultDict) -> list[str]:
    """What to type next, last on the screen."""
    part = next_step(result)
    lines = heading(part.title, part.explanation)
    for fact in part.facts[1:]:
        lines += wrapped(f"{fact.name}: {fact.value}.", rest=" " * 4)
    # The command is one line, whatever its length, so that it can be copied.
    return [*lines, "", f"  {printable(part.facts[0].value)}"]


def settings(result: ResultDict) -> Facts:
    """What was looked at."""
    said = result["settings"]
    facts = [
        Fact("table", str(said["table"])),
        Fact("rows", count(result["rows"])),
        Fact("patterns sought in", said["patterns_sought_in"]),
        Fact(
            "scenario",
            said["scenario"] or "none; every likely quasi-identifier counts",
        ),
    ]
    if result["notes"]:
        facts.append(Fact("read as", "; ".join(result["notes"])))
    return Facts(
        "Settings",
        "What was looked at.",
        tuple(facts),
    )


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Distinct values of each column for each row."""
    rows = result["rows"]
    shares = [
        (one["column"], one["distinct"] / rows if rows else 0.0, one["role"] in IDENTIFYING)
        for one in result["columns"]
    ]
    shares.sort(key=lambda share: -share[1])
    bars = Bars(tuple(shares[:MOST_BARS]), "distinct values a row")
    left = len(shares) - MOST_BARS
    most = shares[0]
    return (
        Chart(
            "differing",
            "How much the values of a column differ",
            "Dark: suggested as direct identifiers or quasi-identifiers."
            + ((" " + f"{left} columns that differ less are in the table below.") if left > 0 else ""),
            f"The values of {most[0]} differ most: {percent(most[1])} of the rows.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


KIND = Kind(
    title="Suggested roles of columns",
    name_of=name_of,
    about=lambda result: f"{count(result['rows'])} rows, {count(len(result['columns']))} columns.",
    headline=lambda result: (
        f"Roles suggested for the columns of {name_of(result)} ({count(result['rows'])} rows)"
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
        "How many columns of every table have each role.",
        "table",
        (
            (Column("rows", is_number=True), lambda result: count(result["rows"])),
            *((Column(role, is_number=True), partial(_number_in, role)) for role in ROLES),
        ),
    ),
)
