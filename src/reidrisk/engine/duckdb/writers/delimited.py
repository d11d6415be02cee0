"""Text files like the one that a table came from."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.engine.duckdb.names import quoted
from reidrisk.engine.duckdb.scan import Form

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

DIGITS = 15
"""Decimal digits that a double holds for certain, and that spreadsheets show."""
SMALL = ("TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT", "UINTEGER")
LARGE = ("BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT")
UNCHANGED = (*SMALL, "FLOAT", "DOUBLE", "BOOLEAN", "VARCHAR", "DATE", "TIME", "TIMESTAMP")
OTHER_TIMES = ("TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS")
DECIMAL = re.compile(r"DECIMAL\((\d+),\s*\d+\)")


def plain(
    relation: DuckDBPyRelation, *, largest: int = 10**DIGITS, kept: Collection[str] = ()
) -> DuckDBPyRelation:
    """The relation with whole numbers, doubles, booleans, dates, times and texts only.

    Numbers that would lose digits become texts, all of their column, and so does every other type
    that is not in `kept`.
    """
    types = {name: str(kind) for name, kind in zip(relation.columns, relation.types, strict=True)}
    wide = _too_wide(relation, [name for name, kind in types.items() if kind in LARGE], largest)
    changed = {name: _target(kind, kept, wide=name in wide) for name, kind in types.items()}
    return relation.project(
        ", ".join(
            quoted(name) if target is None else f"CAST({quoted(name)} AS {target}) AS {quoted(name)}"
            for name, target in changed.items()
        )
    )


def _target(kind: str, kept: Collection[str], *, wide: bool) -> str | None:
    if kind in UNCHANGED or kind in kept:
        return None
    if kind in LARGE:
        return "VARCHAR" if wide else "BIGINT"
    if kind in OTHER_TIMES:
        return "TIMESTAMP"
    decimal = DECIMAL.fullmatch(kind)
    return "DOUBLE" if decimal and int(decimal[1]) <= DIGITS else "VARCHAR"


def _too_wide(relation: DuckDBPyRelation, names: list[str], largest: int) -> set[str]:
    if not names:
        return set()
    tests = [f"bool_or({quoted(name)} NOT BETWEEN -{largest} AND {largest})" for name in names]
    found = relation.aggregate(", ".join(tests)).fetchone() or ()
    return {name for name, answer in zip(names, found, strict=True) if answer}


MOMENTS = ("DATE", "TIMESTAMP")
FRACTIONS = ("FLOAT", "DOUBLE", "DECIMAL")
TABBED = (".tsv", ".tsv.gz", ".tab")


def write_delimited(relation: DuckDBPyRelation, part: Path, form: Form, suffix: str) -> None:
    """UTF-8 with a header; dates and decimals as the source spells them, quotes only where needed."""
    _as_spelled(relation, form).write_csv(
        str(part),
        sep=delimiter_of(suffix, form),
        header=True,
        timestamp_format=form.text.timestamp_format if form.text else None,
        compression="gzip" if suffix.endswith(".gz") else "none",
    )


def _as_spelled(relation: DuckDBPyRelation, form: Form) -> DuckDBPyRelation:
    shown = {}
    for name, kind in zip(relation.columns, map(str, relation.types), strict=True):
        if name in form.dates and kind in MOMENTS:
            shown[name] = form.dates[name].written(quoted(name))
        elif form.reading.decimal == "," and kind.startswith(FRACTIONS):
            shown[name] = f"replace(CAST({quoted(name)} AS VARCHAR), '.', ',')"
    if not shown:
        return relation
    columns = [
        f"{shown[name]} AS {quoted(name)}" if name in shown else quoted(name) for name in relation.columns
    ]
    return relation.project(", ".join(columns))


def delimiter_of(suffix: str, form: Form) -> str:
    """What stands between fields: a tab if the suffix says so, else as in the source."""
    if suffix in TABBED:
        return "\t"
    return form.text.delimiter if form.text else ","
