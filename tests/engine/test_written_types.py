"""Every format that can be written reads back, by our reader and by one that is not ours."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

from reidrisk.engine.duckdb.classes import class_sizes
from reidrisk.engine.duckdb.scan import Form
from reidrisk.engine.duckdb.table import DuckTable, open_embedded
from reidrisk.engine.duckdb.write import known_suffix, ready_to_write
from reidrisk.errors import BadData, InvalidSetting, MissingPackage
from tests.engine.builders import COLUMNS, DATA, PEOPLE, SIZES, arrow_people, smallest_class, write_out

pa = pytest.importorskip("pyarrow")
fastexcel = pytest.importorskip("fastexcel")
pyreadstat = pytest.importorskip("pyreadstat")
pytest.importorskip("polars")

SUFFIXES = (
    ".csv", ".tsv", ".tab", ".txt", ".csv.gz", ".tsv.gz", ".parquet", ".pq", ".arrow", ".feather", ".ipc",
    ".xlsx", ".sqlite", ".sqlite3", ".db", ".duckdb", ".ddb", ".xpt", ".sav", ".zsav", ".dta",
)  # fmt: skip
ODD = 'a "b" <c> & d,\n;\t é'
UNTIMED = (".sqlite", ".sqlite3", ".db")
"""No dates in the format: they are texts."""
MOMENTS = (datetime.fromisoformat("2020-01-02 03:04:05"), None, datetime.fromisoformat("1999-12-31 23:59"))
TYPED: dict[str, Any] = {
    "whole": pa.array([1, None, -3], pa.int64()),
    "real": pa.array([0.1, None, -2.5e-7], pa.float64()),
    "text": ["007", None, ODD],
    "yes": [True, None, False],
    "day": [date(1912, 2, 29), None, date(2031, 12, 31)],
    "moment": pa.array([*MOMENTS], pa.timestamp("us")),
    "clock": pa.array([time(1, 2, 3), None, time(23, 59, 59)], pa.time64("us")),
    "price": pa.array([Decimal("1.50"), None, Decimal("-99.99")], pa.decimal128(9, 2)),
    "nothing": pa.array([None, None, None], pa.string()),
}  # fmt: skip


def written(table: Any, path: Path, like: Form | None = None) -> DuckTable:
    write_out(open_embedded(table), path, like=like)
    return open_embedded(path)


def cells(table: DuckTable) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = table.relation.to_arrow_table().to_pydict()
    return found


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_people_read_back(suffix: str, tmp_path: Path) -> None:
    again = written(arrow_people(), tmp_path / f"out{suffix}")
    assert again.columns == COLUMNS
    types = dict(open_embedded(arrow_people()).types)
    assert dict(again.types) == {**types, "born": "VARCHAR" if suffix in UNTIMED else "DATE"}
    assert class_sizes(again, COLUMNS) == SIZES
    assert os.listdir(tmp_path) == [f"out{suffix}"]  # noqa: PTH208


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_finished_file_is_checked_under_its_temporary_name(suffix: str, tmp_path: Path) -> None:
    seen: list[int | None] = []

    def check(part: Path) -> None:
        assert part.name == f"out{suffix}"
        assert part.parent != tmp_path
        seen.extend(smallest_class(part, names, suffix=suffix) for names in (COLUMNS, ["sex"]))

    write_out(open_embedded(arrow_people()), tmp_path / f"out{suffix}", check=check)
    assert seen == [1, 4]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_check_that_fails_leaves_nothing(suffix: str, tmp_path: Path) -> None:
    def check(_part: Path) -> None:
        raise BadData("No.", hint="None.")

    with pytest.raises(BadData, match="No"):
        write_out(open_embedded(arrow_people()), tmp_path / f"out{suffix}", check=check)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_table_without_rows(suffix: str, tmp_path: Path) -> None:
    again = written(arrow_people().slice(0, 0), tmp_path / f"out{suffix}")
    assert again.columns == COLUMNS
    assert smallest_class(tmp_path / f"out{suffix}", COLUMNS, suffix=suffix) is None


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_table_gives_the_same_bytes(suffix: str, tmp_path: Path) -> None:
    if suffix in {".duckdb", ".ddb", ".xpt", ".sav", ".zsav", ".dta"}:
        pytest.skip("the format records when it was written, or an identity")
    for name in ("a", "b"):
        write_out(open_embedded(arrow_people()), tmp_path / f"{name}{suffix}")
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


def test_types_of_an_sqlite_file(tmp_path: Path) -> None:
    written(pa.table({**TYPED, "raw": [b"\x00a", None, b""]}), tmp_path / "out.db")
    with closing(sqlite3.connect(tmp_path / "out.db")) as base:
        assert [row[0] for row in base.execute("SELECT name FROM sqlite_master")] == ["released"]
        rows = base.execute("SELECT * FROM released").fetchall()
        kinds = [row[2] for row in base.execute("PRAGMA table_info(released)")]
    assert rows == [
        (1, 0.1, "007", 1, "1912-02-29", "2020-01-02 03:04:05", "01:02:03", 1.5, None, b"\x00a"),
        (None,) * 10,
        (-3, -2.5e-7, ODD, 0, "2031-12-31", "1999-12-31 23:59:00", "23:59:59", -99.99, None, b""),
    ]  # fmt: skip
    assert kinds == ["INTEGER", "REAL", "TEXT", "INTEGER", *["TEXT"] * 3, "REAL", "TEXT", "BLOB"]


def test_types_of_a_duckdb_file(tmp_path: Path) -> None:
    source = open_embedded(pa.table(TYPED))
    write_out(source, tmp_path / "out.duckdb", like=Form(name='the "big" one'))
    with duckdb.connect(str(tmp_path / "out.duckdb"), read_only=True) as base:
        found = base.sql('FROM "the ""big"" one"')
        assert [str(kind) for kind in found.types] == list(source.types.values())
        assert found.fetchall() == source.relation.fetchall()


@pytest.mark.parametrize(
    ("suffix", "read"),
    [
        (".xpt", pyreadstat.read_xport),
        (".sav", pyreadstat.read_sav),
        (".zsav", pyreadstat.read_sav),
        (".dta", pyreadstat.read_dta),
    ],
)
def test_types_of_statistical_files(suffix: str, read: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / f"out{suffix}"
    write_out(open_embedded(pa.table(TYPED)), path, like=Form(labels={"day": "Geburtstag ä", "gone": "x"}))
    columns, meta = read(str(path), output_format="dict")
    for name in ("whole", "real", "day", "moment", "clock"):
        assert columns[name] == pa.array(TYPED[name]).to_pylist(), name
    assert columns["text"] == ["007", "", ODD]
    assert columns["yes"] == [1, None, 0]
    assert columns["price"] == [1.5, None, -99.99]
    assert {name: text for name, text in meta.column_names_to_labels.items() if text} == {
        "day": "Geburtstag ä"
    }


@pytest.mark.parametrize("suffix", [".xpt", ".sav", ".dta"])
def test_labels_of_variables_are_kept_from_file_to_file(suffix: str, tmp_path: Path) -> None:
    first, second = tmp_path / f"first{suffix}", tmp_path / f"second{suffix}"
    write_out(open_embedded(arrow_people()), first, like=Form(labels={"sex": "Sex at birth"}))
    source = open_embedded(first)
    write_out(source, second, like=source.form)
    assert open_embedded(second).form.labels == {"sex": "Sex at birth"}


def test_files_of_the_other_programs_are_like_those_that_were_read(tmp_path: Path) -> None:
    for path in sorted(DATA.glob("people.*")):
        if path.suffix == ".sas7bdat":
            continue
        source = open_embedded(path)
        write_out(source, tmp_path / path.name, like=source.form)
        again = open_embedded(tmp_path / path.name)
        assert (again.columns, dict(again.types)) == (source.columns, dict(source.types))
        assert again.relation.fetchall() == source.relation.fetchall()


@pytest.mark.parametrize(
    ("suffix", "builder"),
    [(".sqlite", "write_sqlite"), (".duckdb", "write_duckdb"), (".xlsx", "people_sheet")],
)
def test_the_table_keeps_its_name(suffix: str, builder: str, tmp_path: Path) -> None:
    from tests.engine import builders

    source = open_embedded(getattr(builders, builder)(tmp_path / f"in{suffix}"))
    write_out(source, tmp_path / f"out{suffix}", like=source.form)
    assert open_embedded(tmp_path / f"out{suffix}").form.name == "people"


@pytest.mark.parametrize("suffix", [".xpt", ".sav", ".dta", ".sqlite", ".parquet", ".duckdb", ".csv"])
def test_no_digit_of_a_long_number_is_lost(suffix: str, tmp_path: Path) -> None:
    big = 12345678901234567
    found = cells(written(pa.table({"digits": pa.array([big, 1], pa.int64())}), tmp_path / f"out{suffix}"))
    assert [int(value) for value in found["digits"]] == [big, 1]


@pytest.mark.parametrize("suffix", [".xlsx", ".xpt", ".sav"])
def test_too_long_a_text_is_refused_without_showing_it(suffix: str, tmp_path: Path) -> None:
    table = open_embedded(pa.table({"note": ["CANARY" * 6000]}))
    with pytest.raises(BadData, match="32,767") as refused:
        write_out(table, tmp_path / f"out{suffix}")
    assert "CANARY" not in str(refused.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", [".dta", ".xlsx", ".xpt"])
def test_long_texts_that_fit(suffix: str, tmp_path: Path) -> None:
    texts = ["x" * 5000, "short"]
    found = cells(written(pa.table({"a_rather_long_name": texts}), tmp_path / f"out{suffix}"))
    assert found == {"a_rather_long_name": texts}


@pytest.mark.parametrize("suffix", [".xpt", ".sav", ".dta"])
@pytest.mark.parametrize("name", ["two words", "1st", "a-b", "x" * 65, "_n"])
def test_names_that_a_format_does_not_allow(suffix: str, name: str, tmp_path: Path) -> None:
    if name == "_n" and suffix == ".xpt":
        pytest.skip("SAS allows it")
    with pytest.raises(BadData, match="name"):
        write_out(open_embedded(pa.table({name: ["CANARY"]})), tmp_path / f"out{suffix}")
    assert not list(tmp_path.iterdir())


def test_a_short_transport_file_is_of_version_5(tmp_path: Path) -> None:
    write_out(open_embedded(arrow_people()), tmp_path / "short.xpt")
    write_out(open_embedded(pa.table({"longer_than_8": [1]})), tmp_path / "long.xpt")
    assert (tmp_path / "short.xpt").read_bytes().startswith(b"HEADER RECORD*******LIBRARY HEADER")
    assert (tmp_path / "long.xpt").read_bytes().startswith(b"HEADER RECORD*******LIBV8   HEADER")


def test_only_sas_writes_its_own_files() -> None:
    with pytest.raises(InvalidSetting, match="SAS alone") as refused:
        known_suffix(Path("out.sas7bdat"))
    assert ".xpt" in refused.value.hint


def test_the_nearest_suffix_is_suggested() -> None:
    with pytest.raises(InvalidSetting, match=r"Did you mean '\.xlsx'"):
        known_suffix(Path("out.xls"))
    assert known_suffix(Path("Out.CSV.GZ")) == ".csv.gz"


def test_a_missing_package_is_named_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingPackage, match="polars") as missing:
        ready_to_write(Path("out.sav"))
    assert "reidrisk[io]" in missing.value.hint


def test_people_are_not_reordered_by_any_format(tmp_path: Path) -> None:
    rows = [tuple(row[:3]) for row in PEOPLE]
    for suffix in SUFFIXES:
        again = written(arrow_people(), tmp_path / f"out{suffix}")
        assert again.relation.project("sex, age, region").fetchall() == rows, suffix
