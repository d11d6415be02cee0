"""The same nine people in every kind of source."""

from __future__ import annotations

import csv
import sqlite3
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest

from reidrisk.engine.duckdb.scan import Form
from reidrisk.engine.duckdb.verify import table_in_memory, written_table
from reidrisk.engine.duckdb.write import write_table

pa = pytest.importorskip("pyarrow")
feather = pytest.importorskip("pyarrow.feather")
parquet = pytest.importorskip("pyarrow.parquet")

DATA = Path(__file__).parent / "data"
"""SAS, Stata and SPSS files of the people, made by pyreadstat, which writes only pandas and Polars frames."""
COLUMNS = ("sex", "age", "region", "born")
PEOPLE: tuple[tuple[Any, ...], ...] = (
    ("F", 34, "North", date(1990, 1, 5)),
    ("F", 34, "North", date(1990, 1, 5)),
    ("M", 34, "North", date(1990, 1, 5)),
    ("M", 51, "South", date(1973, 7, 9)),
    ("M", 51, "South", date(1973, 7, 9)),
    ("M", 51, "South", date(1973, 7, 9)),
    ("F", None, "Süd", date(1950, 2, 3)),
    ("F", None, "Süd", date(1950, 2, 3)),
    ("F", 7, None, None),
)
SIZES = ((1, 2), (2, 2), (3, 1))


def sizes_of(rows: Sequence[tuple[Any, ...]]) -> tuple[tuple[int, int], ...]:
    """Class sizes by plain Python."""
    return tuple(sorted(Counter(Counter(rows).values()).items()))


def arrow_people() -> Any:
    return pa.table({name: [row[place] for row in PEOPLE] for place, name in enumerate(COLUMNS)})


def write_csv(path: Path, *, delimiter: str = ",", encoding: str = "utf-8") -> Path:
    with path.open("w", newline="", encoding=encoding) as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(COLUMNS)
        writer.writerows(PEOPLE)
    return path


def write_sqlite(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("CREATE TABLE people (sex TEXT, age INTEGER, region TEXT, born TEXT)")
        rows = [(*row[:3], row[3].isoformat() if row[3] else None) for row in PEOPLE]
        base.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", rows)
    return path


def write_duckdb(path: Path) -> Path:
    people = arrow_people()  # found by its name in the statement below
    with duckdb.connect(str(path)) as base:
        base.register("frame", people)
        base.execute("CREATE TABLE people AS FROM frame")
    return path


def write_xlsx(path: Path, sheets: Mapping[str, Sequence[Sequence[Any]]]) -> Path:
    """The least a spreadsheet needs, without a package that writes one."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
    entries = "".join(f'<sheet name="{n}" sheetId="{i}" r:id="r{i}"/>' for i, n in enumerate(sheets, 1))
    links = "".join(
        f'<Relationship Id="r{i}" Type="{rel}/worksheet" Target="worksheets/sheet{i}.xml"/>'
        for i in range(1, len(sheets) + 1)
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{rel}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{rel}"><sheets>{entries}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        f"{links}</Relationships>",
    }
    for number, rows in enumerate(sheets.values(), 1):
        body = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
        parts[f"xl/worksheets/sheet{number}.xml"] = (
            f'<worksheet xmlns="{main}"><sheetData>{body}</sheetData></worksheet>'
        )
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return path


def _cell(value: Any) -> str:
    if value is None:
        return "<c/>"
    if isinstance(value, int | float):
        return f"<c><v>{value}</v></c>"
    return f'<c t="inlineStr"><is><t>{value}</t></is></c>'


class Stream:
    """A frame of an unknown library: all it offers is the Arrow interface."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def write_parts(folder: Path) -> Path:
    """The people in two Parquet files, with the mark other programs leave beside them."""
    folder.mkdir()
    people = arrow_people()
    parquet.write_table(people.slice(0, 4), folder / "part-0.parquet")
    parquet.write_table(people.slice(4), folder / "part-1.parquet")
    (folder / "_SUCCESS").touch()
    return folder


def write_csv_parts(folder: Path) -> str:
    """The people in two CSV files, as a pattern."""
    folder.mkdir()
    lines = write_csv(folder / "whole.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "a.csv").write_text("".join(lines[:4]), encoding="utf-8")
    (folder / "b.csv").write_text("".join([lines[0], *lines[4:]]), encoding="utf-8")
    return str(folder / "*.csv")


def write_feather(path: Path) -> Path:
    feather.write_feather(arrow_people(), str(path))
    return path


def write_parquet(path: Path) -> Path:
    parquet.write_table(arrow_people(), path)
    return path


def people_sheet(path: Path) -> Path:
    return write_xlsx(path, {"people": [COLUMNS, *PEOPLE]})


def smallest_class(
    path: Path, quasi: Sequence[str], *, suffix: str, unit: str | None = None, like: Form | None = None
) -> int | None:
    """Records in the smallest class of a written file."""
    with written_table(path, suffix=suffix, like=like or Form()) as written:
        return written.smallest(quasi, unit=unit)


def smallest_class_of(frame: Any, quasi: Sequence[str], *, unit: str | None = None) -> int | None:
    """The same for an Arrow table."""
    with table_in_memory(frame, Form()) as made:
        return made.smallest(quasi, unit=unit)


def write_out(
    table: Any,
    path: str | Path,
    *,
    like: Form | None = None,
    check: Callable[[Path], None] | None = None,
) -> None:
    """Write a table or a relation; a table must live as long as that takes."""
    relation: Any = getattr(table, "relation", table)
    write_table(relation, path, like=like, check=check)
