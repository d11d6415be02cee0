"""What Spark reads: Parquet and CSV where they lie, tables of PostgreSQL and Hive, Delta, data frames."""

from __future__ import annotations

import csv
import glob
import gzip
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.places import HIVE
from reidrisk.core.reading import TableReading
from reidrisk.core.wording import path_text
from reidrisk.engine.duckdb.names import distinct_names, filled_names
from reidrisk.engine.packages import needed
from reidrisk.engine.spark.hive import read_hive
from reidrisk.engine.spark.jobs import Frame, functions, one_row, spark_errors
from reidrisk.engine.spark.postgres import SCHEMES, jdbc_table, read_jdbc
from reidrisk.engine.spark.session import SQL_SETTINGS
from reidrisk.engine.spark.storage import REMOTE, refuse_unfinished, remote_inputs
from reidrisk.engine.spark.table import Input, SparkTable, described, embedded_only
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile

TABLE_SETTINGS = SQL_SETTINGS | {
    "spark.sql.legacy.parquet.nanosAsLong": "false",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "10000",
    "spark.sql.hive.convertMetastoreParquet": "true",
    "spark.sql.readSideCharPadding": "false",
    "spark.sql.csv.parser.columnPruning.enabled": "false",
}
"""Of sessions that read tables. All columns of a CSV file are parsed, so that no short line goes unseen."""
PARQUET, TEXT = (".parquet", ".pq"), (".csv", ".tsv", ".tab", ".csv.gz", ".tsv.gz")
DELTA = "delta:"
LOST = "\ufffd"
"""What Spark writes in place of bytes that cannot be decoded."""
_CHAR = "__CHAR_VARCHAR_TYPE_STRING"
_GLOB = re.compile(r"([\\{}\[\]*?^])")


@dataclass(frozen=True, eq=False)
class SparkEngine:
    """Opens sources on Spark."""

    session: Any = field(repr=False)
    """A session with the settings for tables."""
    name: str = "spark"

    @classmethod
    def on(cls, session: Any) -> SparkEngine:
        """On the cluster of a running session, which keeps its own settings."""
        own = session.newSession()
        for name, value in TABLE_SETTINGS.items():
            own.conf.set(name, value)
        return cls(own)

    def scan(self, source: Any, *, reading: TableReading | None = None) -> SparkTable:
        """Make a source countable: a path, a pattern, a URL, `hive:` or `delta:`, or a data frame."""
        chosen = reading or TableReading()
        if chosen.formats or chosen.decimal:
            embedded_only("A format of dates, or of numbers,")
        place, frame, inputs, is_text = self._read(source, chosen)
        if chosen.text_only and not is_text and not chosen.is_lenient:
            raise InvalidSetting(
                f"{place}: only CSV and TSV files have the setting {', '.join(chosen.text_only)}.",
                hint="Leave it out.",
            )
        distinct_names(frame.columns, place=place)
        frame = _with_cells_read(_without_padding(frame), chosen)
        notes = ("a text file: all columns are text",) if is_text else ()
        return described(frame, place, notes=notes, reading=chosen, inputs=inputs)

    def _read(self, source: Any, reading: TableReading) -> tuple[str, Frame, Sequence[Input], bool]:
        if isinstance(source, needed("pyspark.sql", extra="spark").DataFrame):
            return "The data frame", self._rehomed(source), (), False
        if not isinstance(source, str | Path):
            raise InvalidSetting(
                f"Spark cannot make a table from an object of type {type(source).__name__}.",
                hint="Give a path, a URL, or a data frame of Spark.",
            )
        text = str(source)
        if text.startswith(SCHEMES):
            table = jdbc_table(text)
            return table.place, read_jdbc(self.session, table), (), False
        if text.startswith(HIVE):
            return text, read_hive(self.session, text), (), False
        if text.startswith(DELTA):
            with spark_errors(text, reading=True):
                frame = self.session.read.format("delta").load(text.removeprefix(DELTA))
            return text, frame, (), False
        return self._files(text, reading)

    def _rehomed(self, frame: Frame) -> Frame:
        """The same plan in our session, whose settings decide how it is computed and written."""
        if not hasattr(frame, "_jdf"):
            raise InvalidSetting(
                "A data frame of Spark Connect cannot be used.", hint="Use a classic SparkSession."
            )
        if frame.sparkSession is self.session:
            return frame
        with spark_errors("The data frame", reading=True):
            datasets = self.session._jvm.org.apache.spark.sql.classic.Dataset
            moved = datasets.ofRows(self.session._jsparkSession, frame._jdf.logicalPlan())
            return type(frame)(moved, self.session)

    def _files(self, source: str, reading: TableReading) -> tuple[str, Frame, Sequence[Input], bool]:
        place = path_text(source)
        if REMOTE.match(source):
            is_text = source.lower().endswith(TEXT)
            with spark_errors(place, reading=True):
                refuse_unfinished(self.session, source)
                frame = self._text([source], reading) if is_text else self.session.read.parquet(source)
                if is_text:
                    _refuse_lost(frame, place)
                return place, frame, remote_inputs(self.session, frame), is_text
        files = local_files(source)
        is_text = _is_text(files, place)
        inputs = [Input(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files]
        paths = [local_url(file) for file in files]
        names = _header(files, reading) if is_text else ()
        with spark_errors(place, reading=True):
            if is_text:
                frame = self._text(paths, reading, names)
                _refuse_lost(frame, place)
                return place, frame, inputs, True
            _same_columns(files)
            reader = self.session.read
            if len(files) > 1 and Path(source).is_dir():
                reader = reader.option("basePath", local_url(Path(source).resolve()))
            return place, reader.parquet(*paths), inputs, False

    def _text(self, paths: Sequence[str], reading: TableReading, names: Sequence[str] = ()) -> Frame:
        """All columns are texts; a line that does not fit is an error."""
        options = {
            "header": "true",
            "enforceSchema": "true" if names else "false",
            "inferSchema": "false",
            "mode": "FAILFAST",
            "multiLine": "true",
            "quote": '"',
            "escape": '"',
            "nullValue": "",
            "emptyValue": "",
            "sep": _delimiter(paths[0], reading),
            "encoding": reading.encoding or "UTF-8",
        }
        reader = self.session.read.options(**options)
        if names:
            types = needed("pyspark.sql.types", extra="spark")
            reader = reader.schema(
                types.StructType([types.StructField(name, types.StringType()) for name in names])
            )
        return reader.csv(list(paths))


def local_files(source: str) -> list[Path]:
    """The files that a path, a folder or a pattern means; marks of other programs are left out."""
    path = Path(source)
    if path.is_dir():
        found = [one for one in sorted(path.rglob("*")) if one.is_file() and not _hidden(one, path)]
    elif path.exists() or not glob.has_magic(source):
        found = [path] if path.is_file() else []
    else:
        found = [one for one in map(Path, sorted(glob.glob(source, recursive=True))) if one.is_file()]  # noqa: PTH207
    if not found:
        raise UnreadableFile(
            f"{path_text(source)} has no files or does not exist.", hint="Check the path or the pattern."
        )
    return [one.resolve() for one in found]


def local_url(path: Path) -> str:
    """A path as Spark reads it, without any meaning of its signs."""
    return "file:" + _GLOB.sub(r"\\\1", str(path))


def _hidden(file: Path, folder: Path) -> bool:
    return any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)


def _is_text(files: Sequence[Path], place: str) -> bool:
    texts = {file.name.lower().endswith(TEXT) for file in files}
    other = next((one for one in files if not one.name.lower().endswith((*TEXT, *PARQUET))), None)
    if len(texts) > 1 or other is not None:
        raise BadData(
            f"{place}: Spark reads Parquet, CSV and TSV files, and one kind at a time.",
            hint="Name the files by a pattern such as folder/*.parquet. Leave out --master for other kinds.",
        )
    return texts.pop()


def _delimiter(path: str, reading: TableReading) -> str:
    tabbed = path.lower().removesuffix(".gz").endswith((".tsv", ".tab"))
    return reading.delimiter or ("\t" if tabbed else ",")


def _header(files: Sequence[Path], reading: TableReading) -> tuple[str, ...]:
    """The names in the first lines, which are the same in all files."""
    first: tuple[str, ...] | None = None
    for file in files:
        opened = gzip.open if file.name.lower().endswith(".gz") else open
        try:
            # Undecodable bytes show in the column names; a decoder error would quote the lines after them.
            code = reading.encoding or "utf-8-sig"
            with opened(file, "rt", encoding=code, errors="replace", newline="") as lines:
                found = tuple(next(csv.reader(lines, delimiter=_delimiter(file.name, reading)), ()))
        except (OSError, csv.Error):
            raise UnreadableFile(
                f"{path_text(file)} cannot be read.", hint="Check that it is a text file and complete."
            ) from None
        if LOST in "".join(found):
            raise _wrong_encoding(path_text(file))
        if not found:
            raise BadData(f"{path_text(file)} is empty.", hint="Name a file with a header and rows.")
        first = first or found
        if found != first:
            raise BadData(
                f"{path_text(file)} has other columns than {path_text(files[0])}.",
                hint="Write all files with the same columns, in the same order.",
            )
    return filled_names(first or ())[0]


def _same_columns(files: Sequence[Path]) -> None:
    """Spark would take the columns of one file for those of all."""
    arrow, parquet = needed("pyarrow", extra="spark"), needed("pyarrow.parquet", extra="spark")
    first = None
    for file in files:
        try:
            schema = parquet.read_schema(file)
        except (OSError, ValueError):
            raise UnreadableFile(
                f"{path_text(file)} is not a Parquet file.", hint="Check that it is complete."
            ) from None
        first = first or schema
        if schema.names != first.names or schema.types != first.types:
            raise BadData(
                f"{path_text(file)} has other columns or types than {path_text(files[0])}.",
                hint="Write all files with the same columns, in the same order, of the same types.",
            )
    for name, kind in zip(first.names, first.types, strict=True) if first is not None else ():
        if arrow.types.is_timestamp(kind) and kind.unit == "ns":
            raise BadData(
                f"{path_text(files[0])}: column {name!r} has times in nanoseconds, which Spark cannot read.",
                hint="Write them in microseconds.",
            )


def _refuse_lost(frame: Frame, place: str) -> None:
    """A pass over all lines, which also finds those that do not fit."""
    fn = functions()
    own = frame.toDF(*(f"c{at}" for at in range(len(frame.columns))))
    lost = [fn.max(fn.contains(fn.col(name), fn.lit(LOST))).alias(name) for name in own.columns]
    if lost and any(one_row(own.select(*lost))):
        raise _wrong_encoding(place)


def _wrong_encoding(place: str) -> UnreadableFile:
    return UnreadableFile(
        f"{place}: the text is not in the encoding expected.",
        hint="Name the encoding: --encoding cp1252, which spreadsheets often use, or latin-1, or utf-16.",
    )


def _without_padding(frame: Frame) -> Frame:
    """Texts of a fixed length without the blanks that fill them."""
    fn = functions()
    own = frame.toDF(*(f"c{at}" for at in range(len(frame.columns))))
    shown = [
        fn.rtrim(fn.col(f"c{at}"))
        if str(one.metadata.get(_CHAR, "")).startswith("char(")
        else fn.col(f"c{at}")
        for at, one in enumerate(frame.schema.fields)
    ]
    return own.select(*(one.alias(name) for one, name in zip(shown, frame.columns, strict=True)))


def _with_cells_read(frame: Frame, reading: TableReading) -> Frame:
    """Texts that mean missing become null."""
    if not reading.null:
        return frame
    fn = functions()
    missing = [value.strip() for value in reading.null]
    own = frame.toDF(*(f"c{at}" for at in range(len(frame.columns))))
    shown = []
    for at, one in enumerate(frame.schema.fields):
        cell = fn.col(f"c{at}")
        is_text = one.dataType.typeName() == "string"
        shown.append(fn.when(~fn.trim(cell).isin(missing), cell) if is_text else cell)
    return own.select(*(one.alias(name) for one, name in zip(shown, frame.columns, strict=True)))
