"""Spreadsheets."""

from __future__ import annotations

from pathlib import Path

from reidrisk.engine.failures import damaged, without_values
from reidrisk.engine.names import distinct_names, filled_names
from reidrisk.engine.packages import needed
from reidrisk.engine.readers.numbers import whole_numbers
from reidrisk.engine.scan import Scan, one_table
from reidrisk.engine.session import Session
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import BadData


def read_excel(session: Session, path: Path, settings: ScanSettings) -> Scan:
    """One sheet, its first row the names, types taken from all its rows."""
    fastexcel = needed("fastexcel")
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
        relation = session.staged_batches(batch.rename_columns(names).schema, [batch.rename_columns(names)])
        return Scan(whole_numbers(relation), (f"sheet: {sheet}", *notes))
