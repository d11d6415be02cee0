"""A released table as a file of the kind that it came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.core.files import whole_path
from reidrisk.core.places import POSTGRES
from reidrisk.engine.duckdb.linked.sources import DATABASES, MARK, SUFFIXES
from reidrisk.engine.duckdb.readers.dataset_json import SUFFIXES as JSON
from reidrisk.engine.duckdb.readers.dataset_json import write_dataset_json
from reidrisk.engine.duckdb.scan import NAME
from reidrisk.engine.duckdb.write import write_table

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from reidrisk.engine.duckdb.linked.database import LinkedTables

OTHERS = {".sas7bdat": ".xpt", ".pq": ".parquet", ".feather": ".arrow"}
"""Files that are written under another suffix."""
STORED = ".parquet"
"""Of tables that came from a database."""


def write_linked(
    tables: LinkedTables, name: str, rows: DuckDBPyRelation, folder: Path, changed: Sequence[str]
) -> str:
    """Write a table; returns the name of its file."""
    source = tables.paths[name]
    suffix = suffix_of(source)
    file = f"{name}{suffix}"
    form = tables.tables[name].form
    if suffix in JSON:
        with whole_path(folder / file, folder=False) as part:
            write_dataset_json(rows, part, Path(source), changed=changed)
        return file
    named = replace(form, name=name.upper() if form.name == NAME else form.name)
    write_table(rows, folder / file, like=named, check=lambda _: tables.session.watched.refuse_changed())
    return file


def suffix_of(source: str) -> str:
    """The suffix of the file that a table is written to."""
    path = source.rpartition(MARK)[0]
    if source.startswith(POSTGRES) or path.lower().endswith(DATABASES):
        return STORED
    suffix = next(one for one in SUFFIXES if source.lower().endswith(one))
    return OTHERS.get(suffix, suffix)
