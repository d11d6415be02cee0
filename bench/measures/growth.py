"""How time grows: with rows, quasi-identifiers, nodes of the lattice, and documents."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa

import reidrisk as rr
from measures.declare import (
    Curve,
    Found,
    Measure,
    NotMeasured,
    Setup,
    Timing,
    command,
    in_turns,
    least,
    timed,
)
from measures.made import WIDE, write_documents, write_wide
from measures.tables import bare, group_by
from measures.texts import PARSE

TWELVE = (*WIDE, "x9", "x10", "x11", "x12")
LATTICES = {
    128: (2, 2, 2, 2, 2, 2, 2, 1),
    1_024: (4, 4, 2, 2, 2, 2, 2, 2),
    11_664: (4, 4, 3, 3, 3, 3, 3, 3),
    102_400: (5, 5, 4, 4, 4, 4, 4, 4),
    972_000: (6, 6, 6, 6, 6, 5, 5, 5),
}
"""Levels of each column by the number of nodes that they make."""


def point(curve: Curve, size: int, work: Callable[[], Timing], floor: Callable[[], Timing] | None) -> bool:
    """Add a point; false if it could not be measured, so that larger ones are left out."""
    try:
        curve.add(size, work(), floor() if floor else None)
    except NotMeasured as reason:
        curve.add(size, None, note=str(reason))
        return False
    return True


def rows(setup: Setup) -> Found:
    curve = Curve(
        question="`reidrisk table risk`, whole command",
        data="generated Parquet, 8 quasi-identifiers",
        axis="rows",
        goal=1.1,
        why="More rows bring more distinct tuples, and what drives the risk is counted over these.",
        against="DuckDB's bare group-by",
    )
    limit = setup.patience * setup.pick(60, 900)
    for size in (100_000, 1_000_000, 10_000_000, 100_000_000)[: setup.pick(3, 4)]:
        table = write_wide(setup.folder / "rows.parquet", size)
        given = ("table", "risk", str(table), "--quasi", ",".join(WIDE), "--quiet")
        if not point(
            curve,
            size,
            lambda given=given: command(*given, limit=limit),  # type: ignore[misc]
            lambda table=table: timed(lambda: group_by(table, WIDE)),  # type: ignore[misc]
        ):
            break
    yield curve


def quasi_identifiers(setup: Setup) -> Found:
    size = setup.pick(100_000, 1_000_000)
    whole = write_wide(setup.folder / "columns.parquet", size, columns=12)
    tables = {number: only(whole, TWELVE[:number]) for number in (3, 6, 9, 12)}
    rr.table_risk(tables[3], rr.Schema(quasi=TWELVE[:3]))  # loads what it needs
    for drivers, goal in ((False, 1.1), (True, 3.0)):
        curve = Curve(
            question=f"Risk of a table {'with what drives it' if drivers else 'without what drives it'}",
            data=f"generated Parquet, {size:,} rows",
            axis="quasi-identifiers",
            goal=goal,
            why="Every smallest set that singles people out has to be tested, and every largest one that "
            "does not; there are many more of both with each column."
            if drivers
            else "More columns also make more distinct tuples, not only longer ones.",
            against="DuckDB's bare group-by",
        )
        for number, table in tables.items():
            columns = TWELVE[:number]
            schema = rr.Schema(quasi=columns)
            ours, floor = in_turns(
                bare(partial(rr.table_risk, drivers=drivers), table, schema),
                bare(group_by, table, columns),
                runs=2,
            )
            curve.add(number, ours, floor)
        yield curve


def only(table: Path, columns: Sequence[str]) -> Path:
    """A table of these columns alone: those without a role would be looked at, too."""
    path = table.with_name(f"columns_{len(columns)}.parquet")
    with duckdb.connect() as base:
        base.execute(f"COPY (SELECT {', '.join(columns)} FROM '{table}') TO '{path}'")  # noqa: S608 - our own
    return path


def lattice(setup: Setup) -> Found:
    rng = np.random.default_rng(7)
    records = setup.pick(5_000, 20_000)
    names = tuple(f"q{at}" for at in range(8))
    table = pa.table({name: rng.binomial(63, (at + 1) / 12, records) for at, name in enumerate(names)})
    curve = Curve(
        question="De-identify a table: search of the lattice",
        data=f"generated, {records:,} records, 8 quasi-identifiers of 64 values, cell size 5, "
        "at most 5 % suppressed",
        axis="nodes",
        goal=1.0,
        why="Finer levels give bounds that are less tight, so that more nodes have to be counted.",
        against="",
    )
    options = rr.DeidentifyOptions(suppress="records")
    for size, levels in list(LATTICES.items())[: setup.pick(4, 5)]:
        hierarchies = {name: columns(name, number) for name, number in zip(names, levels, strict=True)}

        def work(hierarchies: dict[str, rr.Hierarchy] = hierarchies) -> rr.Deidentified:
            return rr.deidentify(
                table, rr.Schema(quasi=names), hierarchies, max_suppression=0.05, options=options
            )

        searched = work().to_dict()["lattice"]
        assert searched["nodes"] == size, searched
        curve.add(
            size, least([timed(work) for _ in range(2)]), note=f"{searched['evaluated']:,} nodes counted"
        )
    yield curve


def columns(name: str, levels: int) -> rr.Hierarchy:
    """A hierarchy of so many levels: exact, intervals, suppressed."""
    if levels == 1:
        return rr.Hierarchy.exact(name)
    widths = [2 ** (6 - at) for at in range(levels - 2, 0, -1)]
    return rr.Hierarchy.numbers(name, widths) if widths else rr.Hierarchy.exact(name, suppress=True)


def documents(setup: Setup) -> Found:
    curve = Curve(
        question="`reidrisk text evaluate`, whole command",
        data="generated JSON Lines, five gold spans per document",
        axis="documents",
        goal=1.1,
        why="What is counted for each document is kept in memory until the end.",
        against="reading the text: Python parses both files",
    )
    limit = setup.patience * setup.pick(60, 900)
    for size in (100, 1_000, 10_000, 100_000, 1_000_000)[: setup.pick(4, 5)]:
        gold, tool = map(str, write_documents(setup.folder, size))
        if not point(
            curve,
            size,
            lambda gold=gold, tool=tool: command("text", "evaluate", gold, tool, "--quiet", limit=limit),  # type: ignore[misc]
            lambda gold=gold, tool=tool: command(gold, tool, program=(sys.executable, "-c", PARSE)),  # type: ignore[misc]
        ):
            break
    yield curve


MEASURES = (
    Measure("growth_rows", rows, 120, 1800),
    Measure("growth_quasi", quasi_identifiers, 60, 600),
    Measure("growth_lattice", lattice, 60, 600),
    Measure("growth_documents", documents, 90, 900),
)
