"""More data than memory."""

from __future__ import annotations

from pathlib import Path

import duckdb

from reidrisk.engine.duckdb.classes import class_sizes
from reidrisk.engine.duckdb.table import open_embedded
from reidrisk.engine.settings import ScanSettings

ROWS = 4_000_000


def test_nearly_unique_rows_spill_to_the_work_folder(tmp_path: Path) -> None:
    path, work = tmp_path / "large.parquet", tmp_path / "work"
    work.mkdir()
    columns = "md5(CAST(i // 2 AS VARCHAR)) AS a, i // 2 AS b, i // 2 % 97 AS c"
    duckdb.connect().table_function("range", [ROWS]).project("range AS i").project(columns).write_parquet(
        str(path)
    )
    settings = ScanSettings(memory_limit="200MB", threads=2, folder=work)
    with open_embedded(path, settings=settings) as table:
        assert class_sizes(table, ["a", "b", "c"]) == ((2, ROWS // 2),)
        assert list(work.rglob("*spill*"))
    assert not list(work.iterdir())
