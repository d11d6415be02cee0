"""The riskiest equivalence classes of a table, and how each column narrows them down."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import log10
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import ChartGroup, Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.kinds.table_risk import RISK_GUIDE
from reidrisk.report.names import file_name, short_path
from reidrisk.report.numbers import count, one_in, percent
from reidrisk.report.parts import Column, Fact, Facts, Guide, Table, Verdict

MOST_CHARTS = 4
"""Classes that are drawn on a page; the table has all."""
GUIDE = Guide(
    terms=(
        *RISK_GUIDE.terms[:2],
        Fact(
            "Waterfall",
            "How many records still match as an intruder learns one column after another. The column after "
            "which few are left is the one to generalize or to leave out.",
        ),
    ),
    limits=(
        "The order of the columns matters: each step counts what is left after those before it.",
        "A list of risky classes is internal: it describes real people, also without their values.",
    ),
    sources=RISK_GUIDE.sources,
)


def name_of(result: ResultDict) -> str:
    """The table, by the last part of its path."""
    return short_path(str(result["settings"]["table"]))


def about(result: ResultDict) -> str:
    """How many records, and what an intruder is assumed to know."""
    known = ", ".join(result["settings"]["quasi"])
    return f"{count(result['records'])} records. An intruder is assumed to know: {known}."


def verdict(result: ResultDict) -> Verdict:
    """A list decides nothing."""
    number = result["classes_below"]
    return Verdict(None, reasons_of(result), "No small classes" if number == 0 else "Riskiest classes")


def path_text(one: dict[str, Any]) -> str:
    """The waterfall of a class in a line: sex 5,102 → +age 31 → +area 4 → +date 1."""
    return " → ".join(
        f"{'+' if place else ''}{step['column']} {count(step['records'])}"
        for place, step in enumerate(one["steps"])
    )


def classes(result: ResultDict) -> Table:
    """The listed classes, a line each."""
    rows = tuple(
        (
            str(one["number"]),
            count(one["records"]),
            one_in(one["risk"], one["records"]),
            path_text(one),
        )
        for one in result["classes"]
    )
    return Table(
        "Riskiest classes",
        "How many records still match as an intruder learns one column after another.",
        (
            Column("class"),
            Column("records", is_number=True),
            Column("risk of each", is_number=True, short="risk"),
            Column("what narrows it down", is_prose=True),
        ),
        rows,
        "" if rows else "There are no classes.",
    )


def values(result: ResultDict) -> Table | None:
    """The values of the classes, if they were requested."""
    if not result["settings"]["values"]:
        return None
    names = result["settings"]["quasi"]
    return Table(
        "Values of these classes",
        "You asked for these values. They describe real people: do not pass them on.",
        (Column("class"), *(Column(name) for name in names)),
        tuple(
            (str(one["number"]), *(str(step["value"]) for step in one["steps"])) for one in result["classes"]
        ),
    )


def waterfall_table(one: dict[str, Any], records: int) -> Table:
    """One class step by step."""
    has_values = any(step["value"] is not None for step in one["steps"])
    before = [records, *(step["records"] for step in one["steps"])]
    rows = tuple(
        (
            step["column"],
            *((step["value"],) if has_values else ()),
            count(step["records"]),
            percent(1 - step["records"] / last) if last else "",
        )
        for step, last in zip(one["steps"], before, strict=False)
    )
    return Table(
        f"Why class {one['number']} is small",
        "Each line adds one column to what an intruder knows. The line that rules out most of the records "
        "names the column to generalize first.",
        (
            Column("and then knows"),
            *((Column("value"),) if has_values else ()),
            Column("records that still match", is_number=True, short="match"),
            Column("ruled out by it", is_number=True, short="ruled out"),
        ),
        rows,
    )


@dataclass(frozen=True, slots=True)
class WaterfallStep:
    """A bar of the waterfall as a page draws it."""

    label: str
    records: str
    width: float
    """From 0 to 100, on a logarithmic scale: a class of one record among thousands stays visible."""
    value: str | None


def waterfall_steps(one: dict[str, Any], records: int) -> tuple[WaterfallStep, ...]:
    """The bars of a class: all records, then those that still match after each column."""
    steps = [("all records", records, None)]
    steps += [(f"+ {step['column']}", step["records"], step["value"]) for step in one["steps"]]
    most = log10(records + 1) or 1.0
    return tuple(
        WaterfallStep(label, count(number), round(100 * log10(number + 1) / most, 1), value)
        for label, number, value in steps
    )


def waterfall_chart(one: dict[str, Any], records: int) -> Chart:
    """The share of all records that still match after each column, as bars."""
    last = len(one["steps"]) - 1
    bars = Bars(
        tuple(
            (f"{'+ ' if at else ''}{step['column']}", step["records"] / records, at == last)
            for at, step in enumerate(one["steps"])
        ),
        "records that still match",
    )
    return Chart(
        f"class{one['number']}",
        f"Class {one['number']}: {path_text(one)}",
        "Share of the records that still match as an intruder learns one column after another.",
        f"Records that match: {path_text(one)}. A long step down names the column that singles people out.",
        bars.height,
        partial(draw_bars, bars=bars),
    )


def waterfalls(result: ResultDict) -> ChartGroup | None:
    """The first classes as charts."""
    charts = tuple(waterfall_chart(one, result["records"]) for one in result["classes"][:MOST_CHARTS])
    if not charts:
        return None
    return ChartGroup("Step by step", "What an intruder learns, one column after another.", charts)


def one_class(result: ResultDict) -> Table | None:
    """The steps of a class, if only one is explained."""
    listed = result["classes"]
    return waterfall_table(listed[0], result["records"]) if len(listed) == 1 else None


def settings(result: ResultDict) -> Facts:
    """What was measured."""
    found = result["settings"]
    facts = [
        Fact("table", file_name(str(found["table"]))),
        Fact("cell size", count(found["cell_size"])),
        *(
            [Fact("levels", "; ".join(f"{name} {level}" for name, level in found["levels"].items()))]
            if found["levels"]
            else []
        ),
        *([Fact("one record per", str(found["unit"]))] if found["unit"] else []),
        *([Fact("how the file was read", "; ".join(found["read_as"]))] if found["read_as"] else []),
    ]
    return Facts("Settings", "What was measured.", tuple(facts))


KIND = Kind(
    title="Riskiest classes",
    name_of=name_of,
    about=about,
    verdict=verdict,
    warnings=lambda _: (),
    shows=(
        Show(classes),
        Show(one_class),
        Show(values),
        Show(waterfalls, terminal=False),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "Tables with their smallest classes.",
        "table",
        (
            (Column("records", is_number=True), lambda result: count(result["records"])),
            (Column("in small classes", is_number=True), lambda result: count(result["records_below"])),
        ),
    ),
)
