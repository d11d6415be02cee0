"""A preview of generalization hierarchies: what each level does to its column."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.names import file_name, short_path
from reidrisk.report.numbers import count, counted, percent
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.report.traced import size

ROOM = 34
"""Characters for examples in the terminal."""
GUIDE = Guide(
    terms=(
        Fact("Generalization hierarchy", "Levels of detail for the values of a column, from exact to none."),
        Fact("Level", "A step of a hierarchy. Each level merges groups of the level before."),
        Fact(
            "Maximum acceptable generalization",
            "The most general level at which the data still serve their purpose.",
        ),
    ),
    limits=(
        "Each column is checked on its own. Rare combinations of frequent values do not show up here.",
        "This page is a measurement, not legal advice. The people responsible decide about a release.",
    ),
    sources=(
        Source(
            "El Emam K. et al. Evaluating the risk of re-identification of patients from hospital "
            "prescription records. Canadian Journal of Hospital Pharmacy 62(4) (2009) 307–319.",
        ),
    ),
)


def name_of(result: dict[str, Any]) -> str:
    """The table, by the last part of its path."""
    return short_path(str(result["settings"]["table"]))


def verdict(result: ResultDict) -> Verdict:
    """A preview decides nothing."""
    return Verdict(acceptable=True, reasons=reasons_of(result), said="Preview")


def columns(result: ResultDict) -> tuple[Table, ...]:
    """The levels of each column."""
    return tuple(_levels(column, result["settings"]["cell_size"]) for column in result["columns"])


def _levels(column: dict[str, Any], cell_size: int) -> Table:
    rows = tuple(
        (
            _level_name(level),
            count(level["values"]),
            count(level["smallest_group"]),
            percent(level["share_below_cell_size"]),
            "yes" if level["allowed"] else "no",
            "; ".join(level["examples"]) or "(all rare)",
        )
        for level in column["levels"]
    )
    heads = (
        Column("level"),
        Column("values", is_number=True),
        Column(
            "smallest group",
            is_number=True,
            short="smallest",
        ),
        Column(
            f"rows in groups smaller than {cell_size}",
            is_number=True,
            short=f"below {cell_size}",
        ),
        Column("allowed"),
        Column("examples", is_prose=True),
    )
    return Table(
        f"Hierarchy of {column['column']}",
        "The values of this column at each level. Rare values are not shown.",
        heads,
        rows,
        _note(column),
    )


def _level_name(level: dict[str, Any]) -> str:
    number, name = str(level["number"]), str(level["level"])
    return number if name == number else f"{number} {name}"


def _note(column: dict[str, Any]) -> str:
    parts = []
    if column["min_level"] is not None:
        parts.append(f"Minimum level: {column['min_level']}.")
    if column["max_level"] is not None:
        parts.append(f"Maximum acceptable generalization: {column['max_level']}.")
    if column["reason"]:
        parts.append(f"Reason: {column['reason']}")
    return " ".join(parts)


def short_columns(result: ResultDict) -> tuple[Table, ...]:
    """The tables for a terminal, with as many examples as fit."""
    return tuple(_narrow(table) for table in columns(result))


def _narrow(table: Table) -> Table:
    """As many examples as there is room for."""
    rows = tuple((*row[:-1], _fitting(row[-1])) for row in table.rows)
    return replace(table, rows=rows)


def _fitting(examples: str) -> str:
    if len(examples) <= ROOM:
        return examples
    parts = examples[:ROOM].rsplit("; ", 1)
    return f"{parts[0]}; .." if len(parts) > 1 else f"{examples[: ROOM - 2]}.."


def settings(result: ResultDict) -> Facts:
    """The table and the cell size."""
    facts = [
        Fact("table", file_name(str(result["settings"]["table"]))),
        Fact("cell size", count(result["settings"]["cell_size"])),
    ]
    if result["notes"]:
        facts.append(Fact("how the file was read", "; ".join(result["notes"])))
    return Facts(
        "Settings",
        "What was measured.",
        tuple(facts),
    )


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """One chart per column."""
    return tuple(
        _chart(column, place, result["settings"]["cell_size"])
        for place, column in enumerate(result["columns"])
    )


def _chart(column: dict[str, Any], place: int, cell_size: int) -> Chart:
    shares = [
        (level["level"], level["share_below_cell_size"], level["allowed"]) for level in column["levels"]
    ]
    bars = Bars(tuple(shares), f"rows in groups smaller than {cell_size}")
    words = ", ".join(f"{name} {percent(share)}" for name, share, _ in shares)
    return Chart(
        f"levels{place}",
        f"{column['column']}: rare values by level",
        "Dark: levels that are allowed.",
        f"Share of rows whose {column['column']} occurs fewer than {cell_size} times: {words}.",
        bars.height,
        partial(draw_bars, bars=bars),
    )


KIND = Kind(
    title="Generalization hierarchies",
    name_of=name_of,
    about=lambda result: (
        f"{count(result['rows'])} rows, {count(size(result['columns']))} columns with a hierarchy."
    ),
    headline=lambda result: (
        f"Generalization hierarchies of {name_of(result)} ({counted(result['rows'], 'row')})"
    ),
    figure_title=lambda result: f"Generalization hierarchies of {name_of(result)}",
    verdict=verdict,
    warnings=lambda _: (),
    charts=charts,
    shows=(
        Show(columns, terminal=short_columns),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "Tables whose columns have hierarchies.",
        "table",
        (
            (Column("rows", is_number=True), lambda result: count(result["rows"])),
            (Column("columns", is_number=True), lambda result: count(len(result["columns"]))),
        ),
    ),
)
