"""The released tables of a study."""

from __future__ import annotations

from functools import partial

from reidrisk.core.wording import plural
from reidrisk.report.blocks import inventory
from reidrisk.report.blocks.documents import known_events, setting_text
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.numbers import count, probability
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.report.traced import size

GUIDE = Guide(
    terms=(
        Fact("Removed", "The variable is not in the released table."),
        Fact("Known event", "A row of a table, such as an adverse event, that an adversary knows about."),
    ),
    limits=(
        "Participants are compared with each other, not with everybody who has the disease.",
        "Events count as they are released, with their dates. Shifted dates in the participants' table do "
        "not count.",
    ),
    sources=(
        Source(
            "El Emam K. et al. De-identification methods for open health data. Journal of Medical Internet "
            "Research 14 (2012) e33.",
            "10.2196/jmir.2001",
        ),
    ),
)


def name_of(result: ResultDict) -> str:
    """The study."""
    return str(result["study"])


def about(result: ResultDict) -> str:
    """How many tables and participants there are."""
    return f"{plural(size(result['tables']), 'table')}, {plural(result['participants'], 'participant')}."


def verdict(result: ResultDict) -> Verdict:
    """The verdict with its reasons."""
    return Verdict(result["acceptable"], reasons_of(result))


def tables(result: ResultDict) -> Table:
    """The tables, and how many variables each keeps."""
    rows = []
    for one in result["tables"]:
        own = [row for row in result["variables"] if row["table"] == one["table"]]
        gone = [row["variable"] for row in own if row["treatment"] == "removed"]
        rows.append(
            (one["table"], count(one["rows"]), count(size(own) - size(gone)), ", ".join(gone) or "none")
        )
    written = "These tables were written." if result["acceptable"] else "Nothing was written."
    return Table(
        "Tables",
        f"What the released tables contain. {written}",
        (
            Column("table"),
            Column("rows", is_number=True),
            Column("variables", is_number=True),
            Column("removed", is_prose=True),
        ),
        tuple(rows),
    )


def variables(result: ResultDict) -> Table:
    """Every variable with its role, and what becomes of it."""
    names = ("table", "variable", "role", "treatment", "status")
    return Table(
        "Variables",
        "What becomes of each variable.",
        tuple(Column(name) for name in names),
        tuple(tuple(row[name] for name in names) for row in result["variables"]),
    )


def settings(result: ResultDict) -> Facts:
    """Everything needed to repeat the result."""
    threshold = result["threshold"]
    size = f"{probability(threshold['probability'])}, {threshold['cell_size']}"
    facts = [Fact(name, setting_text(value)) for name, value in result["settings"].items()]
    return Facts(
        "Settings",
        "The same settings give the same result.",
        (Fact("threshold", size, threshold["reason"]), *facts),
    )


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The highest risk by the number of known events, against the threshold."""
    limit = result["threshold"]["probability"]
    rows = [("quasi-identifiers", result["known"]["static"]["highest"])]
    rows += [
        (f"and {plural(one['known'], 'event')}", one["highest"])
        for one in result["known"]["by_known"]
        if one["known"]
    ]
    bars = Bars(
        tuple((name, risk, risk > limit * (1 + 1e-9)) for name, risk in rows),
        "highest risk; dark: above the threshold",
    )
    return (
        Chart(
            "known",
            "Highest risk by what the adversary knows",
            f"The threshold is {probability(limit)}.",
            f"Highest risk {probability(result['highest'])}, threshold {probability(limit)}.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


KIND = Kind(
    title="Released tables of a study",
    name_of=name_of,
    about=about,
    verdict=verdict,
    charts=charts,
    headline=lambda result: f"Released tables of {name_of(result)}: {about(result)}",
    shows=(
        Show(inventory.unmeasured, lines=inventory.unmeasured_lines),
        Show(tables),
        Show(known_events),
        Show(variables, terminal=False),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "The tables side by side.",
        "study",
        (
            (Column("highest risk", is_number=True), lambda result: probability(result["highest"])),
            (Column("verdict"), lambda result: verdict(result).word),
        ),
    ),
)
