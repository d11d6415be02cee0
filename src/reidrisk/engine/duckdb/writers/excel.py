"""Spreadsheets, written by hand: what each cell holds is known."""

from __future__ import annotations

import re
import zipfile
from html import escape
from pathlib import Path
from typing import IO, TYPE_CHECKING

from reidrisk.engine.duckdb.names import literal, quoted
from reidrisk.engine.duckdb.scan import NAME, Form
from reidrisk.engine.duckdb.writers.delimited import plain
from reidrisk.engine.packages import needed
from reidrisk.errors import BadData

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
START = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
SHEET = "xl/worksheets/sheet1.xml"
SHEET_START = f'{START}<worksheet xmlns="{MAIN}"><sheetData>'
SHEET_END = "</sheetData></worksheet>"

_TYPES = (
    f'{START}<Types xmlns="{PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{SPREADSHEET}.sheet.main+xml"/>'
    f'<Override PartName="/{SHEET}" ContentType="{SPREADSHEET}.worksheet+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{SPREADSHEET}.styles+xml"/></Types>'
)
_ROOT = (
    f'{START}<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
)
_LINKS = (
    f'{START}<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{REL}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="r2" Type="{REL}/styles" Target="styles.xml"/></Relationships>'
)
_FORMS = "".join(f'<xf numFmtId="{form}" applyNumberFormat="1"/>' for form in (0, 164, 165, 166))
_STYLES = (
    f'{START}<styleSheet xmlns="{MAIN}"><numFmts count="3">'
    '<numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>'
    '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>'
    '<numFmt numFmtId="166" formatCode="hh:mm:ss"/></numFmts>'
    '<fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>'
    '<cellStyleXfs count="1"><xf/></cellStyleXfs>'
    f'<cellXfs count="4">{_FORMS}</cellXfs></styleSheet>'
)
PARTS = {
    "[Content_Types].xml": _TYPES,
    "_rels/.rels": _ROOT,
    "xl/_rels/workbook.xml.rels": _LINKS,
    "xl/styles.xml": _STYLES,
}


def workbook(name: str) -> str:
    """The part that names the only sheet; `name` is escaped already."""
    return (
        f'{START}<workbook xmlns="{MAIN}" xmlns:r="{REL}"><sheets>'
        f'<sheet name="{name}" sheetId="1" r:id="r1"/></sheets></workbook>'
    )


ROWS, COLUMNS, CHARACTERS = 1_048_576, 16_384, 32_767
"""Of a sheet, the header included, and of a cell."""
BATCH, PIECE = 50_000, 1 << 20
ROW = b"<row>"
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The same table gives the same bytes at any time."""
TEXT = "'<c t=\"inlineStr\"><is><t xml:space=\"preserve\">' || {0} || '</t></is></c>'"
CELLS = {
    "VARCHAR": TEXT,
    "BOOLEAN": "'<c t=\"b\"><v>' || CAST({0} AS INTEGER) || '</v></c>'",
    "DATE": "'<c s=\"1\"><v>' || ({0} - DATE '1899-12-30') || '</v></c>'",
    "TIMESTAMP": "'<c s=\"2\"><v>' || (epoch_us({0}) / 86400000000.0 + 25569) || '</v></c>'",
    "TIME": "'<c s=\"3\"><v>' || (epoch_us({0}) / 86400000000.0) || '</v></c>'",
    "DOUBLE": "CASE WHEN isfinite({0}) THEN '<c><v>' || {0} || '</v></c>' END",
}
CELLS["FLOAT"] = CELLS["DOUBLE"]
NUMBER = "'<c><v>' || {0} || '</v></c>'"
FIRST, LAST = "1900-03-01", "9999-12-31"
"""Days that Excel counts rightly."""
CONTROLS = (*range(9), 11, 12, 13, *range(14, 32), 0xFFFE, 0xFFFF)
ODD = "[\\x00-\\x08\\x0B-\\x1F\\x{FFFE}\\x{FFFF}]|_x[0-9A-Fa-f]{4}_"
SHEET_NAME = re.compile(r"(?!')[^\[\]:*?/\\\x00-\x1f]{1,31}(?<!')")


def write_excel(relation: DuckDBPyRelation, part: Path, form: Form, _suffix: str) -> None:
    """Texts, numbers, dates and booleans as such; what is missing or no finite number is an empty cell.

    Numbers of more than 15 digits and dates before March 1900 are written as texts: Excel has none such.
    """
    needed("pyarrow")
    simple = plain(relation)
    odd = _checked(simple)
    kinds = dict(zip(simple.columns, map(str, simple.types), strict=True))
    cells = [f"coalesce({_cell(name, kind, odd=name in odd)}, '<c/>')" for name, kind in kinds.items()]
    rows = simple.project(f"concat('<row>', {', '.join(cells)}, '</row>') AS text")
    name = form.name if SHEET_NAME.fullmatch(form.name) else NAME
    with zipfile.ZipFile(part, "w") as book:
        for place, text in {**PARTS, "xl/workbook.xml": workbook(escape(name))}.items():
            book.writestr(_entry(place), text)
        with book.open(_entry(SHEET), "w", force_zip64=True) as sheet:
            _write_sheet(sheet, simple.columns, rows)


def rows_of(path: Path) -> int:
    """Rows below the header of a workbook that was written here."""
    rows, before = -1, b""
    with zipfile.ZipFile(path) as book, book.open(SHEET) as sheet:
        while piece := sheet.read(PIECE):
            rows += (before + piece).count(ROW)
            before = piece[1 - len(ROW) :]
    return rows


def _write_sheet(sheet: IO[bytes], header: list[str], rows: DuckDBPyRelation) -> None:
    names = "".join(
        f'<c t="inlineStr"><is><t xml:space="preserve">{_named(name)}</t></is></c>' for name in header
    )
    sheet.write(f"{SHEET_START}<row>{names}</row>".encode())
    for batch in rows.to_arrow_reader(BATCH):
        sheet.write("".join(batch.column(0).to_pylist()).encode())
    sheet.write(SHEET_END.encode())


def _entry(place: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(place, EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    return entry


def _named(name: str) -> str:
    marked = re.sub(r"_(?=x[0-9A-Fa-f]{4}_)", "_x005F_", name)
    shown = "".join(f"_x{ord(one):04X}_" if ord(one) in CONTROLS else one for one in marked)
    return escape(shown, quote=False)


def _checked(relation: DuckDBPyRelation) -> set[str]:
    """Refuse what no sheet holds; columns with texts or dates that need care."""
    tests, names = ["count(*)"], []
    for name, kind in zip(relation.columns, map(str, relation.types), strict=True):
        column = quoted(name)
        if kind == "VARCHAR":
            tests.append(f"bool_or(regexp_matches({column}, {literal(ODD)}))")
            tests.append(f"max(length({column}))")
            names.append(name)
        elif kind in {"DATE", "TIMESTAMP"}:
            tests.append(f"bool_or(CAST({column} AS DATE) NOT BETWEEN DATE '{FIRST}' AND DATE '{LAST}')")
            tests.append("0")
            names.append(name)
    rows, *found = relation.aggregate(", ".join(tests)).fetchone() or (0,)
    if rows >= ROWS or len(relation.columns) > COLUMNS:
        raise BadData(
            f"{rows:,} rows and {len(relation.columns):,} columns are too many for a sheet, which holds "
            f"{ROWS - 1:,} rows below the header and {COLUMNS:,} columns.",
            hint="Write a Parquet, DuckDB or CSV file instead.",
        )
    for name, longest in zip(names, found[1::2], strict=True):
        if (longest or 0) > CHARACTERS:
            raise BadData(
                f"Column {name!r} has a text of more than {CHARACTERS:,} characters: no cell holds it.",
                hint="Write a Parquet, DuckDB or CSV file instead.",
            )
    return {name for name, answer in zip(names, found[::2], strict=True) if answer}


def _cell(name: str, kind: str, *, odd: bool) -> str:
    column = quoted(name)
    if kind == "VARCHAR":
        return TEXT.format(_escaped(f"nullif({column}, '')", odd=odd))
    if odd:
        return TEXT.format(f"CAST({column} AS VARCHAR)")
    return CELLS.get(kind, NUMBER).format(column)


def _escaped(text: str, *, odd: bool) -> str:
    """SQL of a text as XML; Excel writes characters that XML has not as _x0000_."""
    if odd:
        text = f"regexp_replace({text}, '_(x[0-9A-Fa-f]{{4}}_)', '_x005F_\\1', 'g')"
        for code in CONTROLS:
            text = f"replace({text}, chr({code}), '_x{code:04X}_')"
    for one, other in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        text = f"replace({text}, '{one}', '{other}')"
    return text
