"""Spreadsheets."""

from __future__ import annotations

import logging
import zipfile
from pathlib import Path
from typing import Any

from reidrisk.core.input_limits import check_archive
from reidrisk.engine.duckdb.failures import damaged, without_values
from reidrisk.engine.duckdb.names import distinct_names, filled_names
from reidrisk.engine.duckdb.readers.dates import times_of_day, whole_days, whole_numbers
from reidrisk.engine.duckdb.scan import Form, Scan, one_table
from reidrisk.engine.duckdb.session import Session
from reidrisk.engine.packages import needed
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import BadData

# Its remarks on empty columns are for those who ask for logs, not for everybody's terminal.
logging.getLogger("fastexcel").addHandler(logging.NullHandler())


def read_excel(session: Session, path: Path, settings: ScanSettings) -> Scan:
    """One sheet, its first row the names, types taken from all its rows."""
    fastexcel = needed("fastexcel")
    _check_size(path)
    needed("pyarrow")
    try:
        book = fastexcel.read_excel(str(path))
        sheet = one_table(book.sheet_names, settings, place=str(path))
        head = book.load_sheet(sheet, header_row=None, n_rows=1, dtypes="string").to_arrow()
        batch = book.load_sheet(sheet, schema_sample_rows=None).to_arrow() if head.num_rows else head
    except fastexcel.FastExcelError:
        raise damaged(str(path), "a spreadsheet") from None
    if not head.num_rows:
        raise BadData(f"{path}, sheet {sheet!r}, is empty.", hint="Name another sheet.")
    names, notes = filled_names([column[0].as_py() for column in head.columns])
    distinct_names(names, place=str(path))
    with without_values(str(path)):
        named = _typed(batch.rename_columns(names))
        relation = session.staged_batches(named.schema, [named])
        return Scan(
            times_of_day(whole_days(whole_numbers(relation))), (f"sheet: {sheet}", *notes), Form(name=sheet)
        )


def _check_size(path: Path) -> None:
    """Refuse a workbook that unpacks to more than the limits allow; other kinds of files are not packed."""
    if not zipfile.is_zipfile(path):
        return
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        raise damaged(str(path), "a spreadsheet") from None
    check_archive(members, str(path))


def _typed(batch: Any) -> Any:
    """Columns in which nothing stands are texts."""
    arrow = needed("pyarrow")
    fields = [
        field.with_type(arrow.string()) if arrow.types.is_null(field.type) else field
        for field in batch.schema
    ]
    return batch.cast(arrow.schema(fields))
