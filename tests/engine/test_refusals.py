"""Each thing that can be wrong with a source has one clear message."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

from reidrisk.engine.duckdb.classes import count_rows
from reidrisk.engine.duckdb.failures import explained
from reidrisk.engine.duckdb.table import open_embedded
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import BadData, InvalidSetting, MissingPackage, UnreadableFile
from tests.engine import builders
from tests.engine.builders import write_out

pa = pytest.importorskip("pyarrow")

SUFFIXES = (".parquet", ".arrow", ".xlsx", ".xpt", ".sas7bdat", ".dta", ".sav", ".duckdb", ".sqlite")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_damaged_files(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"t{suffix}"
    path.write_bytes(b"SECRET, not what the name says " * 100)
    with pytest.raises(UnreadableFile, match="cannot be read") as caught:
        open_embedded(path)
    assert "SECRET" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_parquet_file_cut_short(tmp_path: Path) -> None:
    path = builders.write_parquet(tmp_path / "t.parquet")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UnreadableFile, match="cannot be read as a table"):
        open_embedded(path)


@pytest.mark.parametrize(("at", "byte"), [(0, b"?"), (6, bytes([235]))], ids=["magic", "version"])
def test_a_workbook_with_a_damaged_directory(at: int, byte: bytes, tmp_path: Path) -> None:
    """Found by fuzzing: it still ends like a zip file."""
    path = builders.write_xlsx(tmp_path / "t.xlsx", {"s": [["a"], [1]]})
    data = path.read_bytes()
    place = data.index(b"PK\x01\x02") + at
    path.write_bytes(data[:place] + byte + data[place + 1 :])
    with pytest.raises(UnreadableFile, match="cannot be read"):
        open_embedded(path)


@pytest.mark.parametrize("suffix", [".csv", *SUFFIXES])
def test_empty_and_missing_files(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"t{suffix}"
    with pytest.raises(UnreadableFile, match="does not exist"):
        open_embedded(path)
    path.touch()
    with pytest.raises(BadData, match="is empty"):
        open_embedded(path)


def test_folders_and_patterns(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="has no files"):
        open_embedded(tmp_path)
    with pytest.raises(UnreadableFile, match="has no files"):
        open_embedded(str(tmp_path / "*.csv"))
    builders.write_csv(tmp_path / "a.csv")
    builders.write_parquet(tmp_path / "b.parquet")
    with pytest.raises(BadData, match="more than one kind: Parquet, text"):
        open_embedded(tmp_path)
    (tmp_path / "c.pdf").write_text("x")
    with pytest.raises(BadData, match=r"c\.pdf has an unknown suffix"):
        open_embedded(tmp_path)


def test_odd_paths(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(UnreadableFile, match="not a regular file"):
        open_embedded(tmp_path / "pipe.csv")
    with pytest.raises(UnreadableFile, match="does not exist"):
        open_embedded("a\x00b.csv")
    (tmp_path / "t.db").write_bytes(b"neither of the two")
    with pytest.raises(BadData, match="unknown suffix"):
        open_embedded(tmp_path / "t.db")


@pytest.mark.parametrize("suffix", ["csv", "parquet", "feather"])
def test_a_file_is_not_taken_for_a_pattern(suffix: str, tmp_path: Path) -> None:
    people = open_embedded(builders.arrow_people())
    folder = tmp_path / "key=1" / "[x]"
    folder.mkdir(parents=True)
    write_out(people, folder / f"a1.{suffix}")
    write_out(people.relation.limit(2), folder / f"a[1].{suffix}")
    table = open_embedded(folder / f"a[1].{suffix}", settings=ScanSettings(folder=folder))
    assert (table.columns, count_rows(table)) == (builders.COLUMNS, 2)


def test_a_file_in_use_is_not_called_damaged(tmp_path: Path) -> None:
    path = builders.write_duckdb(tmp_path / "t.duckdb")
    with duckdb.connect(str(path)), pytest.raises(BadData, match="open in another program"):
        open_embedded(path)


def test_a_path_is_never_a_pattern_or_a_statement(tmp_path: Path) -> None:
    for name in ("it's [1] 'x'); DROP.csv", "it's [1] 'x'); DROP.duckdb"):
        path = tmp_path / name
        write = builders.write_csv if name.endswith("csv") else builders.write_duckdb
        write(path)
        assert open_embedded(path).columns == builders.COLUMNS


def test_which_table(tmp_path: Path) -> None:
    path = builders.write_xlsx(tmp_path / "book.xlsx", {"first": [["a"], [1]], "second": []})
    with pytest.raises(BadData, match="more than one table") as caught:
        open_embedded(path)
    assert "first, second" in caught.value.hint
    with pytest.raises(BadData, match="no table 'third'"):
        open_embedded(path, settings=ScanSettings(table="third"))
    with pytest.raises(BadData, match="is empty"):
        open_embedded(path, settings=ScanSettings(table="second"))
    with duckdb.connect(str(tmp_path / "none.duckdb")):
        pass
    with pytest.raises(BadData, match="no table"):
        open_embedded(tmp_path / "none.duckdb")


def test_duplicate_names(tmp_path: Path) -> None:
    sheet = builders.write_xlsx(tmp_path / "t.xlsx", {"s": [["a", "a"], [1, 2]]})
    frame = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "A"])
    for source in (sheet, frame):
        with pytest.raises(BadData, match="more than one column named"):
            open_embedded(source)


def test_text_that_is_no_text_in_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("CREATE TABLE t (name TEXT)")
        base.execute("INSERT INTO t VALUES (CAST(x'534543524554ff' AS TEXT))")
    with pytest.raises(UnreadableFile) as caught:
        open_embedded(path)
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize("source", [42, None, [1, 2], {"a": [1]}])
def test_objects_that_are_no_tables(source: Any) -> None:
    with pytest.raises(InvalidSetting, match="cannot be made"):
        open_embedded(source)


def test_nonsense_settings(tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match="memory limit"):
        ScanSettings(memory_limit="much")
    with pytest.raises(InvalidSetting, match="threads"):
        ScanSettings(threads=0)
    with pytest.raises(InvalidSetting, match="work folder"):
        open_embedded(builders.arrow_people(), settings=ScanSettings(folder=tmp_path / "missing"))


@pytest.mark.parametrize(
    ("module", "suffix", "extra"),
    [
        ("duckdb", "csv", "tables"),
        ("fastexcel", "xlsx", "io"),
        ("pyreadstat", "xpt", "io"),
        ("pyarrow", "sqlite", "io"),
        ("pyarrow.dataset", "arrow", "io"),
    ],
)
def test_missing_packages(
    module: str, suffix: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"t.{suffix}"
    path.write_text("x")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingPackage, match=rf"reidrisk\[{extra}\]"):
        open_embedded(path)


@pytest.mark.parametrize("kind", [duckdb.InvalidInputException, duckdb.IOException, duckdb.BinderException])
def test_an_error_of_the_engine_is_told_without_its_text(kind: type[duckdb.Error]) -> None:
    """The text may quote a cell."""
    told = explained(kind("Some Error: the cell 'SECRET' does not fit"), "t.csv")
    assert "SECRET" not in f"{told} {told!r}"
    assert str(told).startswith(f"t.csv cannot be read as a table ({kind.__name__}).")
