"""CSV and TSV files, like the source if that is one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.engine.scan import Form

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

TABBED = (".tsv", ".tsv.gz", ".tab")


def write_delimited(relation: DuckDBPyRelation, part: Path, form: Form, suffix: str) -> None:
    """UTF-8 with a header; dates as the source spells them, quotes only where they are needed."""
    text = form.text
    relation.write_csv(
        str(part),
        sep=delimiter_of(suffix, form),
        header=True,
        date_format=text.date_format if text else None,
        timestamp_format=text.timestamp_format if text else None,
        compression="gzip" if suffix.endswith(".gz") else "none",
    )


def delimiter_of(suffix: str, form: Form) -> str:
    """What stands between fields: a tab if the suffix says so, else as in the source."""
    if suffix in TABBED:
        return "\t"
    return form.text.delimiter if form.text else ","
