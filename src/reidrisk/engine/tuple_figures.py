"""Figures of distinct tuples, written for each row of the table that they come from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from reidrisk.engine.failures import without_values
from reidrisk.engine.names import quoted
from reidrisk.engine.table import Table
from reidrisk.engine.tuples import DistinctTuples
from reidrisk.engine.write import write_table

ROW = "row"


def write_by_row(
    table: Table, tuples: DistinctTuples, figures: Mapping[str, NDArray[Any]], path: str | Path
) -> None:
    """Write the number of every row, from 1, and the figures of its tuple; no value of the table is written.

    The tuples are recodable, so that the numbers of their values are still in the database.
    """
    places = range(len(tuples.columns))
    with without_values(table.source):
        names = [f"{quoted(column)} AS c{at}" for at, column in enumerate(tuples.columns)]
        rows = table.with_numbers(names, "i")
        for at, numbered in zip(places, tuples.numbered, strict=True):
            value, code = numbered.columns
            values = numbered.project(f"{value} AS v{at}, {code} AS k{at}")
            rows = rows.join(values, f"c{at} IS NOT DISTINCT FROM v{at}")
        codes = {f"t{at}": tuples.codes[:, at] for at in places}
        found = {f"g{at}": figure for at, figure in enumerate(figures.values())}
        classes = table.session.from_arrays({**codes, **found})
        joined = rows.join(classes, " AND ".join(f"k{at} = t{at}" for at in places))
        shown = [f"i AS {quoted(ROW)}", *(f"g{at} AS {quoted(name)}" for at, name in enumerate(figures))]
        ready = table.session.kept(joined.order("i").project(", ".join(shown)))
    write_table(ready, path)
