"""What other thresholds and limits would give: the candidates, and one combination of levels in full."""

from __future__ import annotations

from functools import partial
from math import ceil
from typing import Any

from reidrisk.report.blocks import deidentified_search as search
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.lines import Line, draw_lines
from reidrisk.report.charts.lines import height as lines_height
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.kinds.table_deidentified import GUIDE as DEIDENTIFIED
from reidrisk.report.names import file_name, short_path
from reidrisk.report.numbers import DASH, count, loss, one_in, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Guide, Table, Verdict
from reidrisk.report.traced import size

SIZES = (2, 3, 5, 10, 11, 15, 20, 30, 50)
"""Cell sizes in the table of thresholds; the result file has all from 2 to 50."""
GUIDE = Guide(
    terms=(
        *DEIDENTIFIED.terms,
        Fact(
            "Profile of the lattice",
            "For every combination of levels, the records in classes smaller than 2, 3, … 50, and the loss. "
            "It answers for every threshold and limit without reading the table again.",
        ),
    ),
    limits=(
        "An exploration decides nothing. Run the de-identification with the settings that you choose.",
        *DEIDENTIFIED.limits[-2:],
    ),
    sources=DEIDENTIFIED.sources,
)


def name_of(result: ResultDict) -> str:
    """The table, by the last part of its path."""
    return short_path(str(result["settings"]["table"]))


def about(result: ResultDict) -> str:
    """How many combinations were counted, and on how many records."""
    lattice = result["lattice"]
    return (
        f"{count(result['records'])} records, {count(lattice['counted'])} of {count(lattice['nodes'])} "
        "combinations of levels counted."
    )


def verdict(result: ResultDict) -> Verdict:
    """Whether there is a solution; nothing is decided."""
    where = one_in(result["threshold"]["probability"], result["threshold"]["cell_size"])
    found = result["nearest"] is None
    return Verdict(None, reasons_of(result), f"Solutions at {where}" if found else f"No solution at {where}")


def selected(result: ResultDict) -> Facts | None:
    """The combination that is described: its figures."""
    one = result["selected"]
    if one is None:
        return None
    smallest = one["smallest_class"]
    facts = (
        Fact("within the limits", "yes" if one["acceptable"] else "no", _rank(one)),
        Fact("loss", loss(one["loss"]), f"by {result['settings']['loss']}; smaller is better"),
        Fact(
            "records in small classes",
            _records(one),
            f"in classes smaller than {result['threshold']['cell_size']}, before suppression",
        ),
        Fact(
            "highest risk that remains",
            DASH if smallest is None else one_in(one["highest_risk"], smallest),
            "every class that is kept has more than 50 records"
            if smallest is None
            else f"the smallest class that is kept has {count(smallest)} records",
        ),
        Fact("average risk that remains", probability(one["average_risk"]), "over the records that are kept"),
        Fact("classes that are kept", count(one["classes"]), ""),
    )
    return Facts("This combination of levels", "What it would suppress and lose.", facts)


def _rank(one: dict[str, Any]) -> str:
    if one["best"]:
        return "the smallest loss of all"
    return "no variable can be more exact" if one["minimal"] else ""


def levels(result: ResultDict) -> Table | None:
    """The level of each column, and the levels that it could have."""
    one = result["selected"]
    if one is None:
        return None
    rows = tuple(
        (
            column["column"],
            column["level"],
            f"{count(column['level_number'] + 1)} of {count(size(column['levels']))}",
            column["levels"][column["highest"]],
        )
        for column in one["columns"]
    )
    return Table(
        "Levels",
        "The detail that each variable keeps. Level 1 is the most exact.",
        (
            Column("variable"),
            Column("level"),
            Column("number", is_number=True),
            Column("maximum acceptable generalization", short="maximum"),
        ),
        rows,
    )


def thresholds(result: ResultDict) -> Table:
    """The best combination at other thresholds, with the same limit on suppression."""
    chosen = result["threshold"]["cell_size"]
    rows = [row for row in result["by_cell_size"] if row["cell_size"] in {*SIZES, chosen}]
    return Table(
        "Other thresholds",
        f"The best combination at each, with at most "
        f"{percent(result['settings']['max_suppression'])} of records suppressed.",
        (
            Column("threshold"),
            Column("loss", is_number=True),
            Column("records in small classes", is_number=True, short="in small classes"),
        ),
        tuple(
            (
                one_in(1 / row["cell_size"], row["cell_size"]),
                "no solution" if row["loss"] is None else loss(row["loss"]),
                DASH if row["loss"] is None else _records(row),
            )
            for row in rows
        ),
        marked=tuple(at for at, row in enumerate(rows) if row["cell_size"] == chosen),
    )


def _records(row: dict[str, Any]) -> str:
    return f"{count(row['suppressed_records'])} ({percent(row['suppressed_share'])})"


def risk_curve(result: ResultDict) -> Chart | None:
    """The share of records above each risk, exact and at the described levels."""
    one = result["selected"]
    if one is None:
        return None
    size = result["threshold"]["cell_size"]
    lines = [Line("at these levels, before suppression", _points(one["risk_curve"]))]
    if one["exact_risk_curve"] is not None:
        lines.insert(0, Line("most exact levels allowed", _points(one["exact_risk_curve"])))
    share = next(row["share_above"] for row in one["risk_curve"] if row["cell_size"] == max(size, 2))
    return Chart(
        "risk_curve",
        "Records in small classes",
        "The share of records whose class is smaller than each size, so that their risk is higher than one "
        "in that size.",
        f"At these levels, {percent(share)} of the records are in classes smaller than {max(size, 2)}; these "
        "are suppressed.",
        lines_height(lines),
        partial(draw_lines, lines=lines, scale="log", label="class size"),
    )


def curve_table(result: ResultDict) -> Table | None:
    """The risk curve as a table."""
    one = result["selected"]
    if one is None:
        return None
    exact = one["exact_risk_curve"] or [None] * len(one["risk_curve"])
    rows = tuple(
        (
            str(row["cell_size"]),
            count(row["records_above"]),
            percent(row["share_above"]),
            DASH if other is None else percent(other["share_above"]),
        )
        for row, other in zip(one["risk_curve"], exact, strict=True)
        if row["cell_size"] in {*SIZES, result["threshold"]["cell_size"]}
    )
    return Table(
        "Risk curve",
        "Records whose class is smaller than each size, before suppression.",
        (
            Column("class size"),
            Column("records in smaller classes", is_number=True),
            Column("share", is_number=True),
            Column("share at the most exact levels", is_number=True),
        ),
        rows,
    )


def share_needed(result: ResultDict) -> float | None:
    """Without a solution: the suppression limit, in percent and rounded up, that would give one."""
    nearest = result["nearest"]
    return None if nearest is None else ceil(1000 * nearest["suppressed_share"]) / 10


def _points(curve: list[dict[str, Any]]) -> tuple[tuple[float, float], ...]:
    return tuple((float(row["cell_size"]), float(row["share_above"])) for row in curve)


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The risk curve."""
    found = risk_curve(result)
    return () if found is None else (found,)


def settings(result: ResultDict) -> Facts:
    """Threshold and limits, now and in the search."""
    now, before = result["settings"], result["settings"]["searched"]
    sizes = ", ".join(f"1/{size}" for size in before["cell_sizes"])
    facts = [
        Fact("table", file_name(str(now["table"]))),
        Fact("cell size", count(now["cell_size"]), f"the search tried {sizes}"),
        Fact(
            "most records with suppressed values",
            percent(now["max_suppression"]),
            f"in the search {percent(before['max_suppression'])}",
        ),
        Fact("loss", str(now["loss"])),
    ]
    if result["layout"]:
        facts.append(Fact("variables", str(result["layout"])))
    return Facts("Settings", "What was explored.", tuple(facts))


KIND = Kind(
    title="Solutions at other thresholds and limits",
    name_of=name_of,
    about=about,
    verdict=verdict,
    warnings=lambda result: result["notes"],
    charts=charts,
    shows=(
        Show(selected),
        Show(levels),
        Show(search.candidates),
        Show(thresholds),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "The same table at different thresholds and limits.",
        "table",
        (
            (Column("threshold"), lambda result: f"1/{result['threshold']['cell_size']}"),
            (
                Column("loss", is_number=True),
                lambda result: loss(result["selected"]["loss"]) if result["selected"] else DASH,
            ),
        ),
    ),
)
