"""One body over every kind of source."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

from reidrisk.engine.duckdb.classes import class_sizes, count_distinct, count_nulls, count_rows
from reidrisk.engine.duckdb.readers import statistical, stored
from reidrisk.engine.duckdb.table import open_embedded
from reidrisk.engine.duckdb.tuples import distinct_tuples
from reidrisk.engine.settings import CsvDialect, ScanSettings
from reidrisk.errors import BadData
from tests.engine import builders
from tests.engine.builders import COLUMNS, DATA, PEOPLE, SIZES, Stream, arrow_people, sizes_of

pa = pytest.importorskip("pyarrow")


def zipped(folder: Path) -> Path:
    path = folder / "people.csv.gz"
    path.write_bytes(gzip.compress(builders.write_csv(folder / "plain.csv").read_bytes()))
    return path


SOURCES: dict[str, Callable[[Path], Any]] = {
    "csv": lambda folder: builders.write_csv(folder / "people.csv"),
    "semicolons": lambda folder: builders.write_csv(folder / "people.csv", delimiter=";"),
    "tsv": lambda folder: builders.write_csv(folder / "people.tsv", delimiter="\t"),
    "utf-16": lambda folder: builders.write_csv(folder / "people.csv", encoding="utf-16"),
    "mark": lambda folder: builders.write_csv(folder / "people.csv", encoding="utf-8-sig"),
    "gzip": zipped,
    "csv pattern": lambda folder: builders.write_csv_parts(folder / "parts"),
    "parquet": lambda folder: builders.write_parquet(folder / "people.parquet"),
    "parquet folder": lambda folder: builders.write_parts(folder / "parts"),
    "arrow": lambda folder: builders.write_feather(folder / "people.feather"),
    "excel": lambda folder: builders.people_sheet(folder / "people.xlsx"),
    "sas": lambda _: DATA / "people.xpt",
    "stata": lambda _: DATA / "people.dta",
    "spss": lambda _: str(DATA / "people.sav"),
    "duckdb": lambda folder: builders.write_duckdb(folder / "people.duckdb"),
    "duckdb as db": lambda folder: builders.write_duckdb(folder / "people.db"),
    "sqlite": lambda folder: builders.write_sqlite(folder / "people.sqlite"),
    "sqlite as db": lambda folder: builders.write_sqlite(folder / "people.db"),
    "arrow table": lambda _: arrow_people(),
    "arrow reader": lambda _: arrow_people().to_reader(),
    "frame": lambda _: Stream(arrow_people()),
    "relation": lambda _: duckdb.connect().from_arrow(arrow_people()),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_every_source_gives_the_same_classes(kind: str, tmp_path: Path) -> None:
    with open_embedded(SOURCES[kind](tmp_path)) as table:
        assert table.columns == COLUMNS
        assert class_sizes(table, COLUMNS) == SIZES == sizes_of(PEOPLE)
        assert class_sizes(table, ["age", "sex"]) == ((1, 2), (2, 2), (3, 1))
        assert count_rows(table) == 9
        assert count_nulls(table, COLUMNS) == {"sex": 0, "age": 2, "region": 1, "born": 1}
        assert count_distinct(table, ["age", "region"]) == {"age": 4, "region": 4}
        tuples = distinct_tuples(table, ["age", "region"])
        assert list(tuples.values[0]) == [7, 34, 51, None]
        assert list(tuples.values[1]) == ["North", "South", "Süd", None]
        assert tuples.codes.tolist() == [[0, 3], [1, 0], [2, 1], [3, 2]]
        assert tuples.counts.tolist() == [1, 3, 3, 2]


def test_what_was_detected_is_shown(tmp_path: Path) -> None:
    table = open_embedded(builders.write_csv(tmp_path / "people.csv", delimiter=";"))
    assert table.types == {"sex": "VARCHAR", "age": "BIGINT", "region": "VARCHAR", "born": "DATE"}
    assert {"delimiter: ;", "encoding: utf-8", "header: first line"} <= set(table.notes)
    assert "North" not in repr(table)
    assert open_embedded(builders.people_sheet(tmp_path / "p.xlsx")).notes == ("sheet: people",)


def test_the_user_may_know_better(tmp_path: Path) -> None:
    path = builders.write_csv(tmp_path / "people.csv", encoding="cp1252")
    settings = ScanSettings(csv=CsvDialect(delimiter=",", encoding="cp1252"))
    assert list(distinct_tuples(open_embedded(path, settings=settings), ["region"]).values[0])[2] == "Süd"


def test_the_table_among_several(tmp_path: Path) -> None:
    sheets: dict[str, list[list[Any]]] = {"first": [["a"], [1]], "second": [["b"], ["x"], ["y"]]}
    path = builders.write_xlsx(tmp_path / "book.xlsx", sheets)
    assert open_embedded(path, settings=ScanSettings(table="second")).columns == ("b",)


def test_the_work_folder_goes_with_the_table(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    settings = ScanSettings(folder=work, threads=1, memory_limit="1GB")
    with open_embedded(Stream(arrow_people()), settings=settings) as table:
        assert table.connection.execute("SELECT current_setting('threads')").fetchone() == (1,)
        assert list(work.rglob("*.parquet"))
    assert not list(work.iterdir())
    unused = open_embedded(arrow_people(), settings=settings)
    assert len(list(work.iterdir())) == 1
    del unused
    assert not list(work.iterdir())


def test_inputs_are_never_changed(tmp_path: Path) -> None:
    for path in (builders.write_sqlite(tmp_path / "a.sqlite"), builders.write_duckdb(tmp_path / "a.duckdb")):
        before = path.read_bytes()
        with open_embedded(path) as table:
            class_sizes(table, COLUMNS)
        assert path.read_bytes() == before


def test_wide_integers_of_a_relation_stay_exact() -> None:
    big = duckdb.connect().sql("SELECT unnest([170141183460469231731, 170141183460469231732])::HUGEINT AS n")
    assert class_sizes(open_embedded(big), ["n"]) == ((1, 2),)


def test_sqlite_columns_get_the_type_of_their_values(tmp_path: Path) -> None:
    path = tmp_path / "mixed.sqlite"
    with closing(sqlite3.connect(path)) as base, base:
        base.execute('CREATE TABLE "odd ""name""" (a, b, c, d)')
        base.executemany(
            'INSERT INTO "odd ""name""" VALUES (?, ?, ?, ?)',
            [(1, 1, None, b"x"), (2, 2.5, None, b"y"), ("x", 3, None, None)],
        )
    table = open_embedded(path)
    assert dict(table.types) == {"a": "VARCHAR", "b": "DOUBLE", "c": "VARCHAR", "d": "BLOB"}
    assert class_sizes(table, ["a", "b", "c", "d"]) == ((1, 3),)


def test_moments_with_a_time_zone_are_values_in_utc() -> None:
    moments = pa.table({"at": pa.array([0, 3_600_000_000], type=pa.timestamp("us", tz="Europe/Paris"))})
    values = distinct_tuples(open_embedded(moments), ["at"]).values[0]
    assert [value.hour for value in values] == [0, 1]


@pytest.mark.parametrize("name", ["people.xpt", "people.dta", "people.sav", "sqlite"])
@pytest.mark.parametrize("rows", [1, 3, 9])
def test_chunks_make_one_table(name: str, rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistical, "CHUNK", rows)
    monkeypatch.setattr(stored, "CHUNK", rows)
    path = DATA / name if "." in name else builders.write_sqlite(tmp_path / "people.sqlite")
    assert class_sizes(open_embedded(path), COLUMNS) == SIZES


@pytest.mark.parametrize("suffix", ["xpt", "dta", "sav"])
def test_a_type_is_found_in_a_later_chunk(suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistical, "CHUNK", 1)
    table = open_embedded(DATA / f"late.{suffix}")
    found = {"weight": "DOUBLE", "seen": "TIMESTAMP", "never": "DOUBLE", "n": "BIGINT"}
    assert dict(table.types) == found
    assert count_nulls(table, table.columns) == {"weight": 2, "seen": 2, "never": 3, "n": 1}


def test_a_folder_of_files_read_one_by_one(tmp_path: Path) -> None:
    for name in ("a.sav", "b.sav"):
        (tmp_path / name).write_bytes((DATA / "people.sav").read_bytes())
    assert class_sizes(open_embedded(tmp_path), COLUMNS) == tuple((2 * size, n) for size, n in SIZES)
    (tmp_path / "c.sav").write_bytes((DATA / "late.sav").read_bytes())
    with pytest.raises(BadData, match=r"a\.sav and c\.sav do not have the same columns"):
        open_embedded(tmp_path)
