"""Files of SAS, Stata and SPSS, read in chunks so that only one is in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from reidrisk.engine.duckdb.failures import damaged, without_values
from reidrisk.engine.duckdb.names import distinct_names
from reidrisk.engine.duckdb.readers.dates import whole_numbers
from reidrisk.engine.duckdb.scan import NAME, Form, SasVariable, Scan
from reidrisk.engine.duckdb.session import Session
from reidrisk.engine.packages import needed
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import BadData, UnreadableFile

CHUNK = 50_000
WINDOWS = "WINDOWS-1252"
"""Of transport files that are not in UTF-8."""
FUNCTIONS = {
    ".xpt": "read_xport",
    ".sas7bdat": "read_sas7bdat",
    ".dta": "read_dta",
    ".sav": "read_sav",
    ".zsav": "read_sav",
}
SAS = (".xpt", ".sas7bdat")


@dataclass(frozen=True, slots=True)
class StatisticalFile:
    """One file and the function that reads it."""

    path: Path
    package: Any
    suffix: str
    """What kind of file it is, whatever its name."""
    encoding: str | None = None
    """Of texts, if the file does not say it or is not in UTF-8."""

    def read(self, **options: Any) -> tuple[dict[str, list[Any]], Any]:
        """Columns as lists, and the metadata."""
        function = getattr(self.package, FUNCTIONS[self.suffix])
        if self.encoding is not None:
            options["encoding"] = self.encoding
        try:
            columns, meta = function(str(self.path), output_format="dict", **options)
        except (self.package.ReadstatError, self.package.PyreadstatError, ValueError, OverflowError):
            raise damaged(str(self.path), "a file of SAS, Stata or SPSS") from None
        return columns, meta

    def chunks(self, **options: Any) -> Iterator[dict[str, list[Any]]]:
        """The rows in pieces; the last piece is the one that is not full."""
        offset, full = 0, True
        while full:
            columns, _ = self.read(row_offset=offset, row_limit=CHUNK, **options)
            rows = len(next(iter(columns.values()), []))
            if rows:
                yield columns
            offset, full = offset + CHUNK, rows == CHUNK


def read_statistical(
    session: Session, path: Path, _settings: ScanSettings, *, suffix: str | None = None
) -> Scan:
    """Values as stored, without their labels; an empty text is a missing one in these formats."""
    arrow, package = needed("pyarrow"), needed("pyreadstat")
    file = _opened(StatisticalFile(path, package, suffix or path.suffix.lower()))
    _, meta = file.read(metadataonly=True)
    if not meta.column_names:
        raise BadData(f"{path} has no columns.", hint="Name another file.")
    distinct_names(meta.column_names, place=str(path))
    schema = _schema(arrow, file, meta.readstat_variable_types)
    with without_values(str(path)):
        relation = session.staged_batches(schema, _batches(arrow, file, schema))
        encoding = meta.file_encoding or file.encoding
        notes = (f"encoding: {encoding}",) if encoding else ()
        labels = {name: text for name, text in meta.column_names_to_labels.items() if text}
        form = Form(labels=labels)
        return Scan(whole_numbers(relation), notes, _sas_form(form, file, meta, schema))


def _sas_form(form: Form, file: StatisticalFile, meta: Any, schema: Any) -> Form:
    """With the name, label, formats and lengths of a SAS file; those of other programs are others."""
    if file.suffix not in SAS:
        return form
    widths, formats = meta.variable_storage_width, meta.original_variable_types
    variables = {
        one.name: SasVariable(_kind(str(one.type)), formats.get(one.name) or None, int(widths[one.name]))
        for one in schema
    }
    return replace(form, name=_dataset_name(meta.table_name), label=meta.file_label or "", sas=variables)


def _kind(arrow_type: str) -> str:
    first = arrow_type.partition("[")[0].rstrip("0123456789")
    return {"string": "text", "double": "number", "int": "number"}.get(first, first)


def _opened(file: StatisticalFile) -> StatisticalFile:
    """The file with the encoding of its texts: transport files of SAS do not say it."""
    if file.suffix != ".xpt":
        return file
    try:
        for _ in file.chunks():
            pass
    except UnreadableFile:
        return replace(file, encoding=WINDOWS)
    return file


def _batches(arrow: Any, file: StatisticalFile, schema: Any) -> Iterator[Any]:
    for columns in file.chunks():
        arrays = []
        for field in schema:
            values = columns[field.name]
            if arrow.types.is_string(field.type):
                values = [value or None for value in values]
            arrays.append(_array(arrow, values, field, place=str(file.path)))
        yield arrow.RecordBatch.from_arrays(arrays, schema=schema)


def _array(arrow: Any, values: list[Any], field: Any, *, place: str) -> Any:
    try:
        return arrow.array(values, type=field.type, from_pandas=True)
    except (arrow.ArrowInvalid, arrow.ArrowTypeError, OverflowError):
        raise BadData(
            f"{place}: column {field.name!r} holds values of more than one type.",
            hint="Save the file again from the program that wrote it, with one type in this column.",
        ) from None


def _schema(arrow: Any, file: StatisticalFile, types: Mapping[str, str]) -> Any:
    stored = {"string": arrow.string(), "double": arrow.float64(), "float": arrow.float64()}
    dates = {datetime: arrow.timestamp("us"), date: arrow.date32(), time: arrow.time64("us")}
    samples = _samples(file, [name for name, kind in types.items() if kind != "string"])
    return arrow.schema(
        (name, dates.get(type(samples.get(name)), stored.get(kind, arrow.int64())))
        for name, kind in types.items()
    )


def _samples(file: StatisticalFile, numeric: list[str]) -> dict[str, Any]:
    """One value of each numeric column: only a value tells whether its format makes it a date."""
    found: dict[str, Any] = {}
    for columns in file.chunks(usecols=numeric) if numeric else ():
        for name in numeric:
            if found.get(name) is None:
                found[name] = next((value for value in columns[name] if value is not None), None)
        if None not in found.values():
            break
    return found


def _dataset_name(given: str | None) -> str:
    """The name of the dataset; programs that have none write DATASET."""
    return NAME if not given or given == "DATASET" else str(given)
