"""Linked tables that were de-identified as one release."""

from __future__ import annotations

from functools import partial

from reidrisk.core.wording import plural
from reidrisk.report.blocks.relational import (
    GONE,
    GUIDE,
    checks_of,
    graph,
    proof_reasons,
    tables_and_columns,
    treatments,
)
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show
from reidrisk.report.numbers import count, probability
from reidrisk.report.parts import Column, Fact, Facts, Table, Verdict
from reidrisk.report.traced import size

MOST_BARS = 20
"""Bars of the chart; the table has all variables."""


def name_of(result: ResultDict) -> str:
    """Where the tables came from."""
    return str(result["database"])


def about(result: ResultDict) -> str:
    """How many tables and people there are."""
    return f"{plural(size(result['tables']), 'table')}, {count(result['people'])} people."


def verdict(result: ResultDict) -> Verdict:
    """Whether the written files keep what was promised."""
    return Verdict(result["acceptable"], proof_reasons(result["proof"]["checks"]), "Written and proved")


def tables(result: ResultDict) -> Table:
    """The rows of each table before and after."""
    columns = (
        Column("table"),
        Column("rows before", is_number=True),
        Column("rows after", is_number=True),
        Column("rows of nobody", is_number=True),
        Column("rows of people left out", is_number=True),
    )
    rows = tuple(
        (one["table"], *(count(one[name]) for name in ("before", "after", "nobody", "left_out")))
        for one in result["tables"]
    )
    return Table("Tables", "Rows of nobody refer to nobody in the table of people.", columns, rows)


def variables(result: ResultDict) -> Table:
    """Every variable with its role, treatment and loss."""
    return treatments(result)


def coarser(result: ResultDict) -> Table | None:
    """The variables of which a part is gone."""
    some = [one for one in result["variables"] if one["loss"] and one["treatment"] not in GONE]
    if not some:
        return None
    rows = tuple((one["table"], one["variable"], one["treatment"], _loss(one)) for one in some)
    return Table(
        "Loss",
        "Variables that lost information; removed variables are not listed.",
        (
            Column("table"),
            Column("variable"),
            Column("treatment", is_prose=True),
            Column("loss", is_number=True),
        ),
        rows,
    )


def _loss(one: ResultDict) -> str:
    return "" if one["loss"] is None else probability(one["loss"])


def orphans(result: ResultDict) -> Table | None:
    """Keys that name a row that is not there."""
    if not result["orphans"]:
        return None
    return Table(
        "Orphans",
        "Rows that refer to a row that is not there.",
        (
            Column("key"),
            Column("refers to"),
            Column("rows", is_number=True),
            Column("orphans", is_number=True),
        ),
        tuple(
            (one["child"], one["parent"], count(one["rows"]), count(one["orphans"]))
            for one in result["orphans"]
        ),
    )


def proof(result: ResultDict) -> Table:
    """What was checked in the written files."""
    return checks_of(result["proof"]["checks"])


def settings(result: ResultDict) -> Facts:
    """Everything needed to repeat the result, but for the key."""
    given = result["settings"]
    dates = given["dates"]
    moved = f"up to {dates['offset']} days" if dates["anchor"] is None else f"first date is {dates['anchor']}"
    return Facts(
        "Settings",
        "The same settings and key give the same release.",
        (
            Fact("profile", given["profile"] or "none"),
            Fact("person", given["person"]),
            Fact("orphans", given["orphans"]),
            Fact("rows that refer to a removed row", given["on_parent"]),
            Fact("dates", moved if dates["offset"] or dates["anchor"] else "unchanged"),
            Fact("quasi-identifiers", ", ".join(given["quasi"]) or "none"),
        ),
    )


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The tables and their keys, and the loss of the variables that lost most but are still there."""
    return (graph(result), *_loss_charts(result))


def _loss_charts(result: ResultDict) -> tuple[Chart, ...]:
    title = "Loss by variable"
    some = [one for one in result["variables"] if one["loss"] and one["treatment"] not in GONE]
    if not some:
        return (Chart("loss", title, "No variable lost a part.", "No variable lost a part.", 0.0, None),)
    some.sort(key=lambda one: -one["loss"])
    rows = tuple((f"{one['table']}.{one['variable']}", one["loss"], False) for one in some[:MOST_BARS])
    bars = Bars(rows, "share of what the variable told that is gone")
    return (
        Chart(
            "loss",
            title,
            "The share of its information that a variable lost. Variables that were removed are not shown.",
            f"{plural(len(some), 'variable')} lost a part; the most is {probability(some[0]['loss'])}.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


KIND = Kind(
    title="Relational release",
    name_of=name_of,
    about=about,
    verdict=verdict,
    charts=charts,
    headline=lambda result: f"Released {name_of(result)}: {about(result)}",
    shows=(
        Show(tables),
        Show(tables_and_columns, terminal=False),
        Show(orphans),
        Show(coarser),
        Show(variables, terminal=False),
        Show(proof, terminal=False),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "The releases side by side.",
        "database",
        (
            (Column("tables", is_number=True), lambda result: count(len(result["tables"]))),
            (Column("verdict"), lambda result: verdict(result).word),
        ),
    ),
)
