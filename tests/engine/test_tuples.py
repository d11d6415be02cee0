"""Figures of tuples, written by row: the order of the source, empty cells, and no values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from reidrisk.engine.duckdb.table import open_embedded
from reidrisk.engine.duckdb.tuples import distinct_tuples, write_by_row


def test_every_row_has_the_figure_of_its_tuple(tmp_path: Path) -> None:
    rows = pa.table(
        {"sex": ["F", None, "M", "F", None], "age": [30, 40, None, 30, 40], "name": list("vwxyz")}
    )
    path = tmp_path / "figures.csv"
    with open_embedded(rows) as table:
        tuples = distinct_tuples(table, ("sex", "age"), recodable=True)
        write_by_row(table, tuples, {"size": tuples.counts, "tenth": np.arange(3) / 10}, path)
        first = {
            tuple(values[code] for values, code in zip(tuples.values, codes, strict=True)): place
            for place, codes in enumerate(tuples.codes)
        }
    lines = path.read_text().splitlines()
    keys = [("F", 30), (None, 40), ("M", None), ("F", 30), (None, 40)]
    sizes = [2, 2, 1, 2, 2]
    assert lines[0] == "row,size,tenth"
    assert lines[1:] == [
        f"{row},{size},{first[key] / 10}"
        for row, (key, size) in enumerate(zip(keys, sizes, strict=True), start=1)
    ]


def test_a_file_of_several_rows_keeps_its_order(tmp_path: Path) -> None:
    source, path = tmp_path / "t.csv", tmp_path / "figures.csv"
    source.write_text("a,b\n" + "".join(f"{n % 7},{n % 3}\n" for n in range(5_000)))
    with open_embedded(source) as table:
        tuples = distinct_tuples(table, ("a", "b"), recodable=True)
        write_by_row(table, tuples, {"at": np.arange(len(tuples))}, path)
        codes = {tuple(row): place for place, row in enumerate(tuples.codes.tolist())}
    found = [line.split(",") for line in path.read_text().splitlines()[1:]]
    assert found == [[str(n + 1), str(codes[n % 7, n % 3])] for n in range(5_000)]
