"""How texts become dates and missing values: what decides, what is ambiguous, and what is refused."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.core.reading import TableReading
from reidrisk.core.schema import Derived
from reidrisk.engine.duckdb.dates import ambiguous_dates, refuse_words, with_dates, with_derived, with_order
from reidrisk.engine.duckdb.readers.dates import DateForm
from reidrisk.engine.duckdb.table import DuckTable, open_embedded
from reidrisk.errors import BadData, InvalidSetting, UnknownColumn
from tests.engine.builders import write_out

pa = pytest.importorskip("pyarrow")

CANARY = "unknown"


def opened(folder: Path, cells: list[str], *, name: str = "t.csv", **said: Any) -> DuckTable:
    path = folder / name
    path.write_text("n;when\n" + "".join(f"{n};{cell}\n" for n, cell in enumerate(cells)), encoding="utf-8")
    return open_embedded(path, reading=TableReading(**said) if said else None)


def values(table: DuckTable, column: str = "when") -> list[Any]:
    return [row[0] for row in table.relation.project(f'"{column}"').fetchall()]


def months(mark: str = "/") -> list[str]:
    return [f"{month:02d}{mark}01{mark}2022" for month in range(1, 13)]


@pytest.mark.parametrize("mark", ["/", "-", "."])
def test_a_column_that_nothing_decides_stays_text_and_is_refused_where_a_date_is_needed(
    mark: str, tmp_path: Path
) -> None:
    table = opened(tmp_path, months(mark))
    assert table.types["when"] == "VARCHAR"
    day, month = f"%d{mark}%m{mark}%Y", f"%m{mark}%d{mark}%Y"
    assert [form.format for form in ambiguous_dates(table, ["when"])["when"]] == [day, month]
    with pytest.raises(BadData, match="ambiguous") as refused:
        with_dates(table, ["when"])
    for words in (day, month, "--date-format", "day, month, year", "month, day, year"):
        assert words in str(refused.value)
    assert "2022" not in str(refused.value).replace(str(tmp_path), "")


@pytest.mark.parametrize(
    ("cells", "form", "first"),
    [
        (["25/03/2022", "01/02/2022"], "%d/%m/%Y", date(2022, 3, 25)),
        (["03/25/2022", "01/02/2022"], "%m/%d/%Y", date(2022, 3, 25)),
        (["03/03/2022", "04/04/2022"], "%d/%m/%Y", date(2022, 3, 3)),
        (["31.12.2022", "01.02.2022"], "%d.%m.%Y", date(2022, 12, 31)),
        (["31DEC2022", "01FEB2022"], "%d%b%Y", date(2022, 12, 31)),
        (["31-Dec-2022", "01-Feb-2022"], "%d-%b-%Y", date(2022, 12, 31)),
        (["December 31, 2022", "May 1, 2022"], "%B %d, %Y", date(2022, 12, 31)),
        (["2022/12/31", "2022/02/01"], "%Y/%m/%d", date(2022, 12, 31)),
        (["31/12/99", "01/02/98"], "%d/%m/%y", date(1999, 12, 31)),
        (
            ["12/31/2022 10:20", "01/02/2022 11:00"],
            "%m/%d/%Y %H:%M",
            datetime.fromisoformat("2022-12-31 10:20"),
        ),
    ],
)
def test_a_value_decides_or_both_readings_are_the_same(
    cells: list[str], form: str, first: date, tmp_path: Path
) -> None:
    table = opened(tmp_path, cells)
    assert values(table)[0] == first
    assert f"column 'when': dates read as {form}" in table.notes
    write_out(table, tmp_path / "out.csv", like=table.form)
    assert (tmp_path / "out.csv").read_text() == (tmp_path / "t.csv").read_text().replace(
        '"', ""
    ) or "," in cells[0]


@pytest.mark.parametrize("cell", ["25/03/22", "03/04/22", "10/11/12"])
def test_two_digits_of_a_year_may_be_a_day(cell: str, tmp_path: Path) -> None:
    table = opened(tmp_path, [cell] * 3)
    with pytest.raises(BadData, match="ambiguous"):
        with_dates(table, ["when"])
    read = values(opened(tmp_path, [cell] * 3, date_format="%y/%m/%d"))
    assert read[0] == datetime.strptime(cell, "%y/%m/%d").date()  # noqa: DTZ007 - a day


def test_one_file_may_have_dates_of_several_forms(tmp_path: Path) -> None:
    rows = "".join(f"{n + 13:02d}.01.2022,{n % 12 + 1:02d}/25/2021,2020-01-{n + 10}\n" for n in range(12))
    (tmp_path / "t.csv").write_text("a,b,c\n" + rows)
    table = open_embedded(tmp_path / "t.csv")
    assert values(table, "a")[0] == date(2022, 1, 13)
    assert values(table, "b")[1] == date(2021, 2, 25)
    assert "dates read as %d.%m.%Y" in " ".join(table.notes)
    write_out(table.as_stored({"a", "b"}), tmp_path / "out.csv", like=table.form)
    assert (tmp_path / "out.csv").read_text() == "a,b,c\n" + rows


FORMATS = ("%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%d%b%Y", "%Y%m%d", "%d-%m-%y", "%B %d, %Y", "%Y-%m-%d")


@given(
    st.lists(st.dates(date(1970, 1, 1), date(2067, 12, 31)), min_size=1, max_size=12),
    st.sampled_from(FORMATS),
    st.booleans(),
)
@settings(max_examples=15)
def test_dates_written_in_a_format_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, days: list[date], form: str, by_column: bool
) -> None:
    folder = tmp_path_factory.mktemp("dates")
    said = {"when": form} if by_column else form
    table = opened(folder, [day.strftime(form) for day in days], date_format=said)
    assert values(table) == days
    write_out(table, folder / "out.csv", like=table.form)
    again = open_embedded(folder / "out.csv", reading=TableReading(date_format=said))
    assert values(again) == days
    frame = pa.table({"when": [day.strftime(form) for day in days]})
    assert values(open_embedded(frame, reading=TableReading(date_format=said))) == days


@given(st.lists(st.dates(date(1950, 1, 1), date(2050, 1, 1)), min_size=1, max_size=20))
@settings(max_examples=15)
def test_nothing_is_guessed(tmp_path_factory: pytest.TempPathFactory, days: list[date]) -> None:
    """Whatever is read without being told is what was written."""
    folder = tmp_path_factory.mktemp("dates")
    for form in ("%d/%m/%Y", "%m/%d/%Y"):
        table = opened(folder, [day.strftime(form) for day in days])
        decided = any(day.day > 12 for day in days) or all(day.day == day.month for day in days)
        assert (values(table) == days) is decided
        assert bool(ambiguous_dates(table, ["when"])) is not decided


def test_cells_that_are_not_dates_are_counted_with_their_rows(tmp_path: Path) -> None:
    cells = [f"2022-03-{day:02d}" for day in range(1, 28)]
    for row in (3, 8, 11):
        cells[row - 1] = CANARY
    table = opened(tmp_path, cells)
    with pytest.raises(
        BadData, match="3 cells of column 'when' cannot be read as a date: rows 3, 8, 11 "
    ) as no:
        with_dates(table, ["when"])
    assert "--null VALUE" in str(no.value)
    assert CANARY not in str(no.value)
    read = opened(tmp_path, cells, null=[CANARY])
    assert read.types["when"] == "DATE"
    assert values(read).count(None) == 3
    assert "column 'when': 3 cells read as missing" in read.notes


def test_only_the_first_rows_are_listed(tmp_path: Path) -> None:
    cells = [f"{day:02d}/{day % 12 + 1:02d}/2022" for day in range(1, 29)] + [CANARY] * 9
    with pytest.raises(BadData, match=r"9 cells of .*: rows 29, 30, 31, 32, 33, … "):
        with_dates(opened(tmp_path, cells), ["when"])


def test_numbers_have_rows_too(tmp_path: Path) -> None:
    table = opened(tmp_path, ["1", CANARY, "3", "4", "5.5"])
    for refuse in (refuse_words, with_order):
        with pytest.raises(BadData, match="1 cell of column 'when' cannot be read as a number: row 2 ") as no:
            refuse(table, ["when"])
        assert CANARY not in str(no.value)
    read = opened(tmp_path, ["1", CANARY, "3", "4", "5.5"], null=[CANARY])
    assert values(read) == [1, None, 3, 4, 5.5]


def test_a_format_for_all_dates_overrules_the_detection(tmp_path: Path) -> None:
    table = opened(tmp_path, ["25/03/2022", "01/02/2022"], date_format="%m/%d/%Y")
    assert table.types["when"] == "VARCHAR"
    with pytest.raises(BadData, match="1 cell of column 'when' cannot be read as a date: row 1 "):
        with_dates(table, ["when"])


def test_a_column_that_is_named_must_have_dates_of_its_format(tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"1 cell of .* a date of the format %m/%d/%Y: row 1 "):
        opened(tmp_path, ["25/03/2022", "01/02/2022"], date_format={"when": "%m/%d/%Y"})
    with pytest.raises(UnknownColumn, match="Did you mean 'when'"):
        opened(tmp_path, ["25/03/2022"], date_format={"wen": "%m/%d/%Y"})
    lenient = TableReading(date_format={"when": "%m/%d/%Y", "other": "%Y%m%d"}).for_other()
    assert values(open_embedded(tmp_path / "t.csv", reading=lenient)) == [date(2022, 3, 25)]


def test_decimals_with_a_comma(tmp_path: Path) -> None:
    table = opened(tmp_path, ["1,5", "-2,25", "3"], decimal=",")
    assert values(table) == [1.5, -2.25, 3.0]
    write_out(table, tmp_path / "out.csv", like=table.form)
    assert (tmp_path / "out.csv").read_text() == "n;when\n0;1,5\n1;-2,25\n2;3,0\n"
    assert opened(tmp_path, ["1.234,5", "2"], decimal=",").types["when"] == "VARCHAR"


def test_encoding_and_delimiter(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("name|age\nMüller|5\nJosé|6\n".encode("cp1252"))
    table = open_embedded(tmp_path / "t.csv", reading=TableReading(encoding="cp1252", delimiter="|"))
    assert values(table, "name") == ["Müller", "José"]
    other = open_embedded(
        tmp_path / "t.csv", reading=TableReading(encoding="cp1252", delimiter=";").for_other()
    )
    assert values(other, "name") == ["Müller", "José"]
    assert TableReading(delimiter="tab").delimiter == "\t"


@pytest.mark.parametrize("said", [{"encoding": "cp1252"}, {"delimiter": ";"}, {"decimal": ","}])
def test_only_text_files_have_an_encoding(said: dict[str, Any], tmp_path: Path) -> None:
    from pyarrow import parquet

    rows = pa.table({"when": [*months(), "n/a"]})
    parquet.write_table(rows, tmp_path / "t.parquet")
    for source in (rows, tmp_path / "t.parquet"):
        with pytest.raises(
            InvalidSetting, match=f"only CSV and TSV files have the setting {next(iter(said))}"
        ):
            open_embedded(source, reading=TableReading(**said))
        read = open_embedded(source, reading=TableReading(null=("n/a",), date_format="%m/%d/%Y"))
        assert values(read)[:2] == [date(2022, 1, 1), date(2022, 2, 1)]
        assert values(read)[-1] is None
        assert read.notes[-1] == "column 'when': 1 cell read as missing"


@pytest.mark.parametrize(
    "said",
    [
        {"date_format": "%m/%Y"},
        {"date_format": "%Q"},
        {"date_format": {"a": "day"}},
        {"delimiter": ";;"},
        {"decimal": ";"},
        {"decimal": ",", "delimiter": ","},
        {"encoding": "klingon"},
    ],
)
def test_settings_that_make_no_sense(said: dict[str, Any]) -> None:
    with pytest.raises(InvalidSetting):
        TableReading(**said)


def test_derived_variables_need_the_day() -> None:
    rows = {"in": ["2022-03-04", "2022-03"], "out": ["2022-03-08T10:00", "2022-03-09"]}
    with pytest.raises(BadData, match="1 cell of column 'in' cannot be read as a date with a day: row 2"):
        with_derived(open_embedded(pa.table(rows)), [Derived("stay", "in", "out")])
    full = pa.table({**rows, "in": ["2022-03-04", "2022-03-05"]})
    assert values(with_derived(open_embedded(full), [Derived("stay", "in", "out")]), "stay") == [4, 4]
    local = pa.table({"in": ["25.03.2022"], "out": ["31.03.2022"]})
    assert values(with_derived(open_embedded(local), [Derived("stay", "in", "out")]), "stay") == [6]
    unclear = pa.table({"in": ["01.03.2022"], "out": ["31.03.2022"]})
    with pytest.raises(BadData, match="ambiguous"):
        with_derived(open_embedded(unclear), [Derived("stay", "in", "out")])


def test_what_a_form_says() -> None:
    assert DateForm("%d%b%Y").described == "%d%b%Y"
    assert DateForm("%m/%d/%y").described == "%m/%d/%y (month, day, year)"
