"""Rows have the same numbers, and lose the same cells, whether the file or the database counts them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reidrisk.engine.duckdb.table import open_embedded
from reidrisk.engine.settings import ScanSettings
from tests.engine.releases import Masks, rows_out

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

ROWS = 250_000
MASKS: Masks = {(0, 3): [(0b01, 500), (0, ROWS)], (1, 4): [(0b10, 7), (0, ROWS)], (2, 5): [(0b11, ROWS)]}


def many(name: str) -> Any:
    return pa.table(
        {
            "sex": [("F", "M", None)[row % 3] for row in range(ROWS)],
            "age": [row // 3 % 11 for row in range(ROWS)],
            name: list(range(ROWS)),
        }
    )


@pytest.mark.parametrize(
    ("name", "counts"), [("row", True), ("file_row_number", False), ("File_Row_Number", False)]
)
def test_a_file_that_counts_its_rows(tmp_path: Path, name: str, counts: bool) -> None:
    rows = many(name)
    parquet.write_table(rows, tmp_path / "a.parquet", row_group_size=10_000)
    expected = rows_out(open_embedded(rows), ["sex", "age"], masks=MASKS)
    with open_embedded(tmp_path / "a.parquet", settings=ScanSettings(threads=4)) as table:
        assert (table.numbered is not None) == counts
        assert table.columns == ("sex", "age", name)
        assert rows_out(table, ["sex", "age"], masks=MASKS) == expected
    assert sum(row[0] is None for row in expected) > ROWS // 3
