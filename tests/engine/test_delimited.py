"""Text files: what is detected, what is refused, and that no cell is ever shown."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from reidrisk.engine.duckdb.classes import class_sizes, count_nulls, count_rows
from reidrisk.engine.duckdb.table import DuckTable, open_embedded
from reidrisk.engine.duckdb.tuples import distinct_tuples
from reidrisk.engine.settings import CsvDialect, ScanSettings
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile

MANY = 30_000
"""More rows than the detection looks at."""


def opened(folder: Path, text: str, *, dialect: CsvDialect | None = None, name: str = "t.csv") -> DuckTable:
    path = folder / name
    path.write_bytes(text.encode())
    return open_embedded(path, settings=ScanSettings(csv=dialect or CsvDialect()))


def test_leading_zeros_far_down_keep_a_code_a_text(tmp_path: Path) -> None:
    table = opened(tmp_path, "zip,n\n" + "1234,1\n" * MANY + "01234,2\n")
    assert dict(table.types) == {"zip": "VARCHAR", "n": "BIGINT"}
    assert class_sizes(table, ["zip"]) == ((1, 1), (MANY, 1))
    assert "column 'zip' is read as text: 1 value does not fit BIGINT" in table.notes


def test_long_numbers_stay_distinct(tmp_path: Path) -> None:
    table = opened(tmp_path, "id,n\n92233720368547758071,1\n92233720368547758072,2\n")
    assert class_sizes(table, ["id"]) == ((1, 2),)


def test_decimals_far_down_make_a_column_decimal(tmp_path: Path) -> None:
    table = opened(tmp_path, "dose,n\n" + "1,1\n" * MANY + "1.5,2\n")
    assert table.types["dose"] == "DOUBLE"
    assert class_sizes(table, ["dose"]) == ((1, 1), (MANY, 1))


def test_text_far_down_makes_a_column_text(tmp_path: Path) -> None:
    dates = "born,n\n" + "2001-02-03,1\n" * MANY
    table = opened(tmp_path, dates + "unknown,2\n2001-02-03 10:00:00,3\n")
    assert table.types["born"] == "VARCHAR"
    assert class_sizes(table, ["born"]) == ((1, 2), (MANY, 1))
    assert not any("unknown" in note for note in table.notes)


def test_dates_in_local_form(tmp_path: Path) -> None:
    table = opened(tmp_path, "born;n\n31.12.1999;1\n01.02.2003;2\n")
    assert table.types["born"] == "DATE"
    assert "column 'born': dates read as %d.%m.%Y" in table.notes
    assert [value.day for value in distinct_tuples(table, ["born"]).values[0]] == [31, 1]


def test_quotes_appear_only_far_down(tmp_path: Path) -> None:
    table = opened(tmp_path, "place,n\n" + "x,1\n" * MANY + '"a ""b"", c",2\n')
    assert list(distinct_tuples(table, ["place"]).values[0]) == ['a "b", c', "x"]


def test_windows_lines_and_line_breaks_in_cells(tmp_path: Path) -> None:
    table = opened(tmp_path, 'a,b\r\n1,"x\r\ny"\r\n2,\r\n')
    assert count_rows(table) == 2
    assert count_nulls(table, ["b"]) == {"b": 1}


def test_odd_column_names(tmp_path: Path) -> None:
    names = ['the "id"', "select", "größe in cm", "a;b", "size", "c0", "k0", "count(*)"]
    header = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    table = opened(tmp_path, header + "\n" + "1,2,3,4,5,6,7,8\n" * 2 + "1,2,3,4,5,6,7,9\n")
    assert table.columns == tuple(names)
    assert class_sizes(table, names) == ((1, 1), (2, 1))
    assert distinct_tuples(table, reversed(names)).counts.tolist() == [2, 1]


def test_header_only_is_a_table_without_rows(tmp_path: Path) -> None:
    table = opened(tmp_path, "a,b\n")
    assert (count_rows(table), class_sizes(table, ["a"])) == (0, ())
    assert distinct_tuples(table, ["a", "b"]).codes.shape == (0, 2)


def test_a_column_without_a_name_gets_one(tmp_path: Path) -> None:
    table = opened(tmp_path, ",age\n0,34\n1,51\n")
    assert table.columns == ("column_1", "age")
    assert "column 1 has no name and is called 'column_1'" in table.notes


def test_all_missing_column(tmp_path: Path) -> None:
    table = opened(tmp_path, "a,b\n1,\n2,\n")
    assert class_sizes(table, ["b"]) == ((2, 1),)


def test_one_column(tmp_path: Path) -> None:
    assert class_sizes(opened(tmp_path, "age\n34\n34\n51\n"), ["age"]) == ((1, 1), (2, 1))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a,b\n1,2\n3,4\n5,6,7,SECRET\n" + "3,4\n" * 9, 4),
        ("a,b\n" + "1,2\n" * MANY + "5,SECRET,7\n", MANY + 2),
        ("a,b\n" + "1,2\n" * MANY + "SECRET\n", MANY + 2),
        ("a,b\n" + "1,2\n" * MANY + '1,"SECRET\n' + "1,2\n" * 9, MANY + 2),
    ],
)
def test_a_broken_row_is_named_by_its_line_only(text: str, line: int, tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=f"line {line}") as caught:
        opened(tmp_path, text)
    assert "SECRET" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,a,b\n1,2,3\n", "more than one column named 'a'"),
        ("a,A,b\n1,2,3\n", "more than one column named 'A', 'a'"),
        ("SECRET,1,2\nx,2,3\ny,4,5\n", "no header"),
        ("title of SECRET\n\na,b,c\n1,2,3\n4,5,6\n7,8,9\n", "first lines"),
    ],
)
def test_a_bad_header_is_refused(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(BadData, match=words) as caught:
        opened(tmp_path, text)
    assert "SECRET" not in str(caught.value)


def test_the_user_may_insist_on_the_header(tmp_path: Path) -> None:
    table = opened(tmp_path, "2019,2020\n1,2\n3,4\n", dialect=CsvDialect(header=True))
    assert table.columns == ("2019", "2020")


def test_wrong_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("name,n\nSECRETé,2\n".encode("latin-1"))
    with pytest.raises(UnreadableFile, match="encoding") as caught:
        open_embedded(path)
    assert "SECRET" not in str(caught.value)
    with pytest.raises(UnreadableFile, match="not in the encoding ascii"):
        open_embedded(path, settings=ScanSettings(csv=CsvDialect(encoding="ascii")))


def test_a_compressed_file_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * MANY)[:-30])
    for encoding in (None, "cp1252"):
        with pytest.raises(UnreadableFile, match="cannot be read"):
            open_embedded(path, settings=ScanSettings(csv=CsvDialect(encoding=encoding)))


def test_files_of_one_table_have_one_header(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    (tmp_path / "b.csv").write_text("b,a\n1,2\n")
    with pytest.raises(BadData, match="do not have the same columns"):
        open_embedded(tmp_path)


@pytest.mark.parametrize("settings", [{"delimiter": ",,"}, {"encoding": "no-such-thing"}])
def test_nonsense_dialects_are_refused(settings: dict[str, str]) -> None:
    with pytest.raises(InvalidSetting):
        CsvDialect(delimiter=settings.get("delimiter"), encoding=settings.get("encoding"))
