"""Types of the database and kinds of columns, and how a cell is written for hashes that engines agree on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reidrisk.engine.duckdb.names import literal
from reidrisk.engine.plans import LabelKind
from reidrisk.engine.results import Kind

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

TEXT = "VARCHAR"
TYPES: dict[LabelKind, str] = {
    "text": TEXT,
    "whole number": "BIGINT",
    "number": "DOUBLE",
    "date": "DATE",
    "time": "TIMESTAMP",
}
"""The type of labels of a kind."""
TEXTS = (TEXT, "ENUM", "UUID")
WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
FLOATS = ("FLOAT", "DOUBLE")
FRACTIONS = (*FLOATS, "DECIMAL")
MOMENTS = ("DATE", "TIMESTAMP")
DIGITS = 32
"""Hexadecimal digits kept of a hash: 128 bits, so that two different rows never share them."""


def kind_of_type(type_: str) -> Kind:
    """The kind of a column of this type.

    >>> [kind_of_type(one) for one in ("VARCHAR", "UBIGINT", "DECIMAL(9,2)", "TIMESTAMP WITH TIME ZONE")]
    ['text', 'whole number', 'number', 'time']
    """
    if type_.endswith("]"):
        return "other"
    if type_.startswith(TEXTS):
        return "text"
    if type_.removeprefix("U").startswith(WHOLE):
        return "whole number"
    if type_.startswith(FRACTIONS):
        return "number"
    if type_.startswith(MOMENTS):
        return "date" if type_ == "DATE" else "time"
    return "yes or no" if type_ == "BOOLEAN" else "other"


def cell_text(column: str, type_: str) -> str:
    """SQL of a cell as every engine writes it: floats exactly, times in microseconds, null as a mark."""
    if type_.startswith("TIMESTAMP"):
        written = f"CAST(epoch_us({column}) AS VARCHAR)"
    elif type_ in FLOATS:
        written = _float_text(f"(CAST({column} AS DOUBLE) + 0.0)")
    else:
        written = f"CAST({column} AS VARCHAR)"
    return f"coalesce({written}, chr(30))"


def _float_text(x: str) -> str:
    """Its whole part and 2^52 times the rest: both are exact in binary arithmetic."""
    rest = f"CAST(trunc(({x} - trunc({x})) * 4503599627370496.0) AS BIGINT)"
    parts = f"CAST(CAST(trunc({x}) AS BIGINT) AS VARCHAR) || chr(29) || CAST({rest} AS VARCHAR)"
    return (
        f"CASE WHEN {x} IS NULL THEN NULL WHEN isnan({x}) THEN 'nan' "
        f"WHEN abs({x}) >= 4611686018427387904.0 THEN 'big' ELSE {parts} END"
    )


def row_hash(rows: DuckDBPyRelation, names: Sequence[str], salt: str) -> str:
    """SQL of the hash of a row: SHA-256 of the salt and of the values of these columns.

    The lengths of texts follow the values, so that no two rows are written alike.
    """
    types = dict(zip(rows.columns, map(str, rows.types), strict=True))
    values = [cell_text(name, types[name]) for name in names]
    texts = [name for name in names if kind_of_type(types[name]) == "text"]
    lengths = [f"coalesce(CAST(strlen(CAST({name} AS VARCHAR)) AS VARCHAR), '')" for name in texts]
    text = f"concat_ws(chr(31), {', '.join([literal(salt), *values, *lengths])})"
    return f"left(sha256({text}), {DIGITS})"


def drawn(salt: str, expression: str) -> str:
    """SQL of a number in [0, 1) that follows from a value and the salt alone."""
    text = f"{literal(f'{salt}:')} || coalesce(CAST({expression} AS VARCHAR), '')"
    return chance_of(f"sha256({text})")


def chance_of(digest: str) -> str:
    """SQL of the number in [0, 1) that the first 52 bits of a hash are."""
    return f"(CAST('0x' || left({digest}, 13) AS BIGINT) / 4503599627370496.0)"


def numbered(rows: DuckDBPyRelation, column: str) -> DuckDBPyRelation:
    """The one dictionary of values: each distinct value of a column as v, its number in order as k.

    Numbers start at 0; what is missing, where it occurs, comes last.
    """
    values = rows.project(f"{column} AS v").distinct()
    return values.project("v, CAST(row_number() OVER (ORDER BY v NULLS LAST) - 1 AS INTEGER) AS k")


def at_place(dictionary: DuckDBPyRelation, place: int) -> DuckDBPyRelation:
    """The same dictionary with the names of one column among several."""
    return dictionary.project(f"v AS v{place}, k AS k{place}")
