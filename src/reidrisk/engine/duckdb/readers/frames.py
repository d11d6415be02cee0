"""Data frames of pandas and Polars, Arrow tables and DuckDB relations as sources.

Frames hold what no file holds: an index, intervals, values of several types in one column. They are read as
if they had been written to a CSV file, so that a frame and its file have the same classes.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import distinct_names
from reidrisk.engine.duckdb.readers.dates import whole_numbers
from reidrisk.engine.duckdb.scan import Scan
from reidrisk.engine.duckdb.session import Session
from reidrisk.engine.packages import needed
from reidrisk.errors import UnreadableFile

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

PLACE = "The frame"
INDEX_NOTE = "the index of the frame has no name and is not read as a column"
ARROW_KINDS = frozenset(
    {
        "boolean",
        "bytes",
        "date",
        "datetime",
        "datetime64",
        "decimal",
        "empty",
        "floating",
        "integer",
        "mixed-integer-float",
        "string",
        "time",
    }
)
"""What pandas calls columns of objects that Arrow can hold."""


def is_frame(source: object) -> bool:
    """Whether the object can hand out its columns."""
    return hasattr(source, "__arrow_c_stream__") or is_relation(source) or _is(source, "polars", "LazyFrame")


def is_relation(source: object) -> bool:
    """Whether the object is a DuckDB relation, of whatever connection."""
    return type(source).__name__ == "DuckDBPyRelation"


def _is(source: object, package: str, *names: str) -> bool:
    """Whether the object is of this package, which is not imported for the question."""
    kind = type(source)
    return kind.__module__.split(".")[0] == package and (not names or kind.__name__ in names)


def read_frame(session: Session, source: Any) -> Scan:
    """An Arrow table is scanned where it lies; anything else is copied once to the work folder.

    A stream can be read only once and a relation belongs to its own connection, so both need a copy.
    """
    with without_values(PLACE):
        if is_relation(source):
            return Scan(session.staged(source))
    arrow = needed("pyarrow")
    notes: tuple[str, ...] = ()
    if _is(source, "pandas"):
        source, notes = _of_pandas(source)
    elif _is(source, "polars"):
        source = _of_polars(source)
    in_place = isinstance(source, arrow.Table)
    reader = source if in_place else _stream(arrow, source)
    distinct_names(reader.schema.names, place=PLACE)
    with without_values(PLACE):
        relation: DuckDBPyRelation = session.connection.from_arrow(reader)
        if in_place:
            return Scan(relation)
        copy = session.staged(relation)
        # pandas turns whole numbers into doubles as soon as one is missing.
        return Scan(whole_numbers(copy) if _is(source, "pandas") else copy, notes)


def _stream(arrow: Any, source: Any) -> Any:
    try:
        return arrow.RecordBatchReader.from_stream(source)
    except (arrow.ArrowException, TypeError, ValueError, OverflowError) as error:
        # The message of the original may quote a value.
        raise UnreadableFile(
            f"{PLACE} cannot be read: it has a column that Arrow cannot hold ({type(error).__name__}).",
            hint="Convert the column to text, numbers or dates, or write the frame to a file first.",
        ) from None


def _of_polars(frame: Any) -> Any:
    """An eager frame, in which columns of Python objects are texts."""
    polars = sys.modules["polars"]
    if _is(frame, "polars", "LazyFrame"):
        frame = frame.collect()
    if _is(frame, "polars", "Series"):
        frame = frame.to_frame()
    objects = [column for column in frame.get_columns() if column.dtype == polars.Object]
    return frame.with_columns(
        polars.Series(one.name, [None if value is None else str(value) for value in one], polars.String)
        for one in objects
    )


def _of_pandas(frame: Any) -> tuple[Any, tuple[str, ...]]:
    """A frame whose columns Arrow can hold, and notes about what was changed."""
    if _is(frame, "pandas", "Series"):
        frame = frame.to_frame()
    frame, notes = _without_index(frame)
    distinct_names(list(map(str, frame.columns)), place=PLACE)
    changed = {at: _as_text(frame.iloc[:, at]) for at in range(frame.shape[1])}
    changed = {at: column for at, column in changed.items() if column is not None}
    if changed:
        frame = frame.copy(deep=False)
        for at, column in changed.items():
            frame.isetitem(at, column)
    return frame, notes


def _without_index(frame: Any) -> tuple[Any, tuple[str, ...]]:
    """A named index is one more column, or several; a nameless one is only the position of the rows."""
    columns, names = list(frame.columns), list(frame.index.names)
    named = [name for name in names if name is not None]
    distinct_names([str(name) for name in (*columns, *named)], place=PLACE)
    if named:
        nameless = [at for at, name in enumerate(names) if name is None]
        frame = frame.reset_index(level=nameless, drop=True) if nameless else frame
        return frame.reset_index()[[*columns, *named]], (INDEX_NOTE,) if nameless else ()
    is_position = type(frame.index).__name__ == "RangeIndex"
    return frame.reset_index(drop=True), () if is_position else (INDEX_NOTE,)


def _as_text(column: Any) -> Any:
    """The column as a CSV file would have it, if Arrow has no type for it; None if it may stay."""
    types = sys.modules["pandas"].api.types
    kind = column.dtype
    name = type(kind).__name__
    if name == "SparseDtype":
        column = column.sparse.to_dense()
        return column if _as_text(column) is None else _as_text(column)
    if name == "CategoricalDtype":
        fits = _as_text(column.cat.categories.to_series()) is None
    elif name in ("IntervalDtype", "PeriodDtype") or types.is_complex_dtype(kind):
        fits = False
    else:
        fits = not types.is_object_dtype(kind) or types.infer_dtype(column, skipna=True) in ARROW_KINDS
    if fits:
        return None
    texts = [None if gone else str(value) for value, gone in zip(column, column.isna(), strict=True)]
    return sys.modules["pandas"].Series(texts, index=column.index, dtype=object)
