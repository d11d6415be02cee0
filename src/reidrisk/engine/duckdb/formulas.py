"""Cells of a text file that a spreadsheet would run as formulas: counted, and escaped if that is asked for.

Whoever opens a CSV or TSV file in a spreadsheet runs every cell that begins with =, +, - or @. In an Excel
workbook a text is marked as one, so that there is nothing to escape.
"""

from __future__ import annotations

import csv
import gzip
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from reidrisk.core.input_limits import LINE
from reidrisk.core.wording import plural
from reidrisk.engine.duckdb.many_columns import aggregated
from reidrisk.engine.duckdb.names import literal, quoted
from reidrisk.engine.duckdb.session import text_rows
from reidrisk.engine.packages import needed

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

STARTS = "=+-@\t\r"
OPTION = "--escape-formulas"
BLOCK = 1 << 22
"""Bytes of a file that are looked through at once."""


@dataclass(slots=True)
class FormulaCells:
    """What was found while tables were written."""

    escapes: bool
    counts: dict[str, int] = field(default_factory=dict)
    """By column."""

    def add(self, counts: Mapping[str, int]) -> None:
        """Add what was found in another file."""
        for name, number in counts.items():
            self.counts[name] = self.counts.get(name, 0) + number

    def warning(self) -> str | None:
        """What to tell whoever passes the file on; columns and counts only."""
        if self.escapes or not self.counts:
            return None
        cells = ", ".join(f"{plural(number, 'cell')} of {name!r}" for name, number in self.counts.items())
        return (
            f"Spreadsheets would run these cells as formulas: {cells}. To mark them as texts: {OPTION}, "
            "or escape_formulas: true in a release file."
        )


_NOW: ContextVar[FormulaCells | None] = ContextVar("formulas", default=None)


@contextmanager
def watching_formulas(*, escapes: bool = False) -> Iterator[FormulaCells]:
    """Count formulas in the text files that are written inside, and escape them if asked for."""
    found, outer = FormulaCells(escapes), _NOW.get()
    token = _NOW.set(found)
    try:
        yield found
    finally:
        _NOW.reset(token)
        if outer is not None and not escapes:
            outer.add(found.counts)


def watch_formulas(part: Path, delimiter: str, *, packed: bool) -> None:
    """Look through a text file that was just written, under its temporary name."""
    now = _NOW.get()
    found = FormulaCells(escapes=False) if now is None else now
    counts = _counted(part, delimiter, packed=packed) if _may_begin(part, delimiter, packed=packed) else {}
    found.add(counts)
    if counts and found.escapes:
        _escape(part, delimiter, packed=packed)
    warning = found.warning()
    if now is None and warning is not None:
        logging.getLogger("reidrisk").warning(warning)


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet would run a cell.

    >>> [is_formula(one) for one in ("=1+1", "-3.5", "+1,5", "-", "@x", "- stable", "a=b", "-1-1")]
    [True, False, False, False, True, True, False, True]
    """
    return len(cell) > 1 and cell[0] in STARTS and not _is_number(cell)


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return False
    return cell.strip() == cell


def _sql(name: str) -> str:
    """The same test in SQL."""
    cell = quoted(name)
    first = ", ".join(f"chr({ord(one)})" for one in STARTS)
    starts = f"left({cell}, 1) IN ({first}) AND length({cell}) > 1"
    return f"({starts} AND (TRY_CAST(replace({cell}, ',', '.') AS DOUBLE) IS NULL OR trim({cell}) <> {cell}))"


def _may_begin(part: Path, delimiter: str, *, packed: bool) -> bool:
    """Whether any cell begins like a formula: by the bytes, which is faster than by the cells.

    A cell begins after a delimiter, a quote or the end of a line. A byte below 128 is a character of its own.
    """
    before, starts = (np.isin(np.arange(256), list(one.encode())) for one in (f'{delimiter}"\r\n', STARTS))
    last = b"\n"
    with _opened(part, packed, "rb") as file:
        while block := file.read(BLOCK):
            codes = np.frombuffer(last + block, dtype=np.uint8)
            places = np.flatnonzero(starts[codes[1:]])
            if before[codes[places]].any():
                return True
            last = block[-1:]
    return False


def _counted(part: Path, delimiter: str, *, packed: bool) -> dict[str, int]:
    def count(rows: DuckDBPyRelation) -> dict[str, int]:
        tests = [f"count(*) FILTER (WHERE {_sql(name)})" for name in rows.columns]
        return dict(zip(rows.columns, map(int, aggregated(rows, tests)), strict=True))

    found = _in_database(part, delimiter, packed, count)
    if found is None:
        found = {}
        with _opened(part, packed, "rt") as file:
            rows = csv.DictReader(file, delimiter=delimiter)
            for row in rows:
                for name, cell in row.items():
                    found[name] = found.get(name, 0) + is_formula(cell or "")
    return {name: number for name, number in found.items() if number}


def _escape(part: Path, delimiter: str, *, packed: bool) -> None:
    """Put an apostrophe before every formula: spreadsheets show the text without it."""
    new = part.with_name(f"{part.name}.escaped.part")

    def write(rows: DuckDBPyRelation) -> bool:
        cells = [
            f"CASE WHEN {_sql(name)} THEN '''' || {quoted(name)} ELSE {quoted(name)} END AS {quoted(name)}"
            for name in rows.columns
        ]
        rows.project(", ".join(cells)).write_csv(
            str(new), sep=delimiter, header=True, compression="gzip" if packed else "none"
        )
        return True

    try:
        if not _in_database(part, delimiter, packed, write):
            with _opened(part, packed, "rt") as source, _opened(new, packed, "wt") as target:
                out = csv.writer(target, delimiter=delimiter, lineterminator="\n")
                for row in csv.reader(source, delimiter=delimiter):
                    out.writerow([f"'{cell}" if is_formula(cell) else cell for cell in row])
        new.replace(part)
    finally:
        new.unlink(missing_ok=True)


def _in_database(part: Path, delimiter: str, packed: bool, use: Callable[[Any], Any]) -> Any:  # noqa: FBT001
    """What the database makes of the file; None if a line is too long for it."""
    duckdb = needed("duckdb", extra="tables")
    names = dict.fromkeys(_header(part, delimiter, packed=packed))
    types = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in names)
    options = {
        "header": "true",
        "all_varchar": "true",
        "auto_detect": "false",
        "columns": f"{{{types}}}",
        "delim": literal(delimiter),
        "quote": "'\"'",
        "escape": "'\"'",
        "allow_quoted_nulls": "false",
        "compression": "'gzip'" if packed else "'none'",
        "hive_partitioning": "false",  # a folder may be called key=1
        "max_line_size": str(LINE.now()),
    }
    with duckdb.connect(":memory:") as connection:
        try:
            return use(text_rows(connection, [part], options))
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.InvalidInputException:
            return None


def _header(part: Path, delimiter: str, *, packed: bool) -> list[str]:
    with _opened(part, packed, "rt") as file:
        return next(csv.reader(file, delimiter=delimiter), [])


def _opened(path: Path, packed: bool, mode: str) -> IO[Any]:  # noqa: FBT001
    opened: Any = gzip.open if packed else open
    text = {} if "b" in mode else {"encoding": "utf-8", "newline": ""}
    file: IO[Any] = opened(path, mode, **text)
    return file
