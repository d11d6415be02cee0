"""Excel workbooks hold what was written, and say what they cannot hold."""

from __future__ import annotations

import zipfile
from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from reidrisk.engine.duckdb.scan import Form
from reidrisk.engine.duckdb.table import open_embedded
from reidrisk.errors import BadData
from tests.engine.builders import arrow_people, smallest_class, write_out
from tests.engine.test_written_types import MOMENTS, TYPED, cells, written

pa = pytest.importorskip("pyarrow")
fastexcel = pytest.importorskip("fastexcel")


def test_types_of_a_workbook(tmp_path: Path) -> None:
    again = written(pa.table(TYPED), tmp_path / "out.xlsx")
    found = cells(again)
    assert found["whole"] == [1, None, -3]
    for name in ("real", "text", "yes", "day", "moment", "clock", "nothing"):
        assert found[name] == pa.array(TYPED[name]).to_pylist(), name
    assert found["price"] == [1.5, None, -99.99]


def test_a_name_that_no_sheet_may_have_is_replaced(tmp_path: Path) -> None:
    for name in ("a/b", "x" * 32, "'q'", ""):
        assert written(arrow_people(), tmp_path / "out.xlsx", Form(name=name)).form.name == "released"
    assert written(arrow_people(), tmp_path / "out.xlsx", Form(name='R&D <"1">')).form.name == 'R&D <"1">'


ODD_TEXTS = [
    "  spaces  ",
    "line\r\nline",
    "\x00\x1f\x0b",
    "_x0041_",
    "=1+1",
    "'quoted'",
    "😀",
    "_x",
    "]]>",
]


def test_every_character_survives_a_workbook(tmp_path: Path) -> None:
    table = pa.table({"a_x0042_<&>\x01": ODD_TEXTS})
    again = written(table, tmp_path / "out.xlsx")
    sheet = fastexcel.read_excel(str(tmp_path / "out.xlsx")).load_sheet(0).to_arrow()
    assert sheet.column_names == table.column_names
    assert [row[0] for row in again.relation.fetchall()] == ODD_TEXTS


def test_what_excel_cannot_count_becomes_text(tmp_path: Path) -> None:
    big = 12345678901234567
    table = pa.table(
        {
            "old": [date(1899, 12, 31), date(2001, 2, 3)],
            "long": pa.array([big, 1], pa.int64()),
            "wide": pa.array([Decimal(10**20) + Decimal("0.25"), None], pa.decimal128(38, 2)),
            "zone": pa.array([MOMENTS[0], None], pa.timestamp("us", tz="UTC")),
            "real": [float("nan"), float("inf")],
        }
    )
    found = cells(written(table, tmp_path / "out.xlsx"))
    assert found["old"] == ["1899-12-31", "2001-02-03"]
    assert found["long"] == [str(big), "1"]
    assert found["wide"] == ["100000000000000000000.25", None]
    assert found["zone"] == ["2020-01-02 03:04:05+00", None]
    assert found["real"] == [None, None]


def test_too_many_rows_for_a_sheet(tmp_path: Path) -> None:
    base = duckdb.connect()
    rows = base.sql("SELECT range AS n FROM range(1048576)")
    with pytest.raises(BadData, match="1,048,575 rows below the header"):
        write_out(rows, tmp_path / "out.xlsx")
    assert not list(tmp_path.iterdir())


def test_as_many_rows_as_a_sheet_holds(tmp_path: Path) -> None:
    base = duckdb.connect()
    rows = base.sql("SELECT range AS n FROM range(1048575)")
    write_out(rows, tmp_path / "out.xlsx")
    with zipfile.ZipFile(tmp_path / "out.xlsx") as book:
        text = book.read("xl/worksheets/sheet1.xml")
    assert text.count(b"<row>") == 1048576
    assert b"<v>1048574</v></c></row></sheetData>" in text


def test_blank_rows_at_the_end_of_a_sheet_are_counted(tmp_path: Path) -> None:
    table = pa.table(
        {"sex": ["F", None, "F", None, None], "age": pa.array([1, None, 1, None, None], pa.int64())}
    )
    write_out(open_embedded(table), tmp_path / "out.xlsx")
    assert open_embedded(tmp_path / "out.xlsx").relation.shape == (3, 2)
    assert smallest_class(tmp_path / "out.xlsx", ["sex", "age"], suffix=".xlsx") == 2
    write_out(open_embedded(table.slice(1)), tmp_path / "out.xlsx")
    assert smallest_class(tmp_path / "out.xlsx", ["sex"], suffix=".xlsx") == 1
