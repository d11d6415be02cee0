"""Frames of other libraries, through the Arrow interface they all offer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reidrisk.engine.failures import without_values
from reidrisk.engine.names import distinct_names
from reidrisk.engine.packages import needed
from reidrisk.engine.readers.numbers import whole_numbers
from reidrisk.engine.scan import Scan
from reidrisk.engine.session import Session

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


def is_frame(source: object) -> bool:
    """Whether the object can hand out its columns."""
    return hasattr(source, "__arrow_c_stream__") or is_relation(source)


def is_relation(source: object) -> bool:
    """Whether the object is a DuckDB relation, of whatever connection."""
    return type(source).__name__ == "DuckDBPyRelation"


def read_frame(session: Session, source: Any) -> Scan:
    """An Arrow table is scanned where it lies; anything else is copied once to the work folder.

    A stream can be read only once and a relation belongs to its own connection, so both need a copy.
    """
    with without_values("The frame"):
        if is_relation(source):
            return Scan(session.staged(source))
    arrow = needed("pyarrow")
    in_place = isinstance(source, arrow.Table)
    reader = source if in_place else arrow.RecordBatchReader.from_stream(source)
    distinct_names(reader.schema.names, place="The frame")
    with without_values("The frame"):
        relation: DuckDBPyRelation = session.connection.from_arrow(reader)
        if in_place:
            return Scan(relation)
        copy = session.staged(relation)
        # pandas turns whole numbers into doubles as soon as one is missing.
        return Scan(whole_numbers(copy) if type(source).__module__.startswith("pandas") else copy)
