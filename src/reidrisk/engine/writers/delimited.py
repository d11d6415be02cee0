"""CSV and TSV files, like the source if that is one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.engine.names import quoted
from reidrisk.engine.scan import Form

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

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
