"""Which tables a folder, a database file or a server has."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from reidrisk.core.places import POSTGRES, place_text
from reidrisk.core.wording import path_text
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import literal
from reidrisk.engine.duckdb.readers.stored import TABLES
from reidrisk.engine.packages import needed
from reidrisk.errors import BadData, UnreadableFile

SUFFIXES = (
    ".csv.gz", ".tsv.gz", ".csv", ".tsv", ".parquet", ".pq", ".arrow", ".feather", ".xpt", ".sas7bdat",
    ".dta", ".sav", ".zsav", ".json", ".ndjson", ".ndjson.gz",
)  # fmt: skip
"""Files of a folder that are tables."""
NOT_TABLES = ("treatment.json",)
"""Files of a release that say what became of its tables."""
DATABASES = (".duckdb", ".ddb")
TREATMENT = "treatment.json"
"""The file of a release that says what became of each column."""
MARK = "#"
"""Between a database file and the name of one of its tables."""


def table_sources(place: str | Path) -> dict[str, str]:
    """The tables by name, in the order of their names; a name is lower case, as standards compare them."""
    if str(place).startswith(POSTGRES):
        return _of_server(str(place))
    path = Path(place)
    if path.is_dir():
        return _of_folder(path)
    if path.name.lower().endswith(DATABASES) and path.is_file():
        return {_name(name): f"{path}{MARK}{name}" for name in duckdb_tables(path)}
    raise UnreadableFile(
        f"{path_text(place)} is not a folder of tables.",
        hint="Name a folder with one file per table, a DuckDB file, or a PostgreSQL URL.",
    )


def _of_folder(path: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in sorted(path.iterdir()):
        suffix = max((one for one in SUFFIXES if file.name.lower().endswith(one)), key=len, default=None)
        odd = file.name.startswith((".", "_")) or file.name == TREATMENT
        if suffix is None or odd or not file.is_file():
            continue
        if file.name in NOT_TABLES:
            continue
        name = _name(file.name[: -len(suffix)])
        if name in found:
            raise BadData(
                f"{path_text(path)} has two files of the table {name!r}.",
                hint="Keep one of them, or name the files: tables: {NAME: FILE}.",
            )
        found[name] = str(file)
    if not found:
        raise UnreadableFile(
            f"{path_text(path)} has no file that is a table.", hint=f"Known suffixes: {' '.join(SUFFIXES)}."
        )
    return found


def _name(text: str) -> str:
    return text.lower()


def duckdb_tables(path: Path) -> list[str]:
    """The tables of a database file, without views."""
    with (
        without_values(str(path)),
        closing(needed("duckdb", extra="tables").connect(":memory:")) as connection,
    ):
        connection.execute(f"ATTACH {literal(str(path))} AS base (READ_ONLY, TYPE duckdb)")
        found = connection.execute(TABLES.format(database="'base'")).fetchall()
    names = [name if schema == "main" else f"{schema}.{name}" for schema, name in found]
    if not names:
        raise BadData(f"{path} holds no table.", hint="Name another file.")
    return names


LISTED = """SELECT table_schema, table_name FROM information_schema.tables
WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')
ORDER BY table_schema, table_name"""


def _of_server(url: str) -> dict[str, str]:
    """All tables of a server, or of the schema that the URL names: postgresql://…/base#schema."""
    split = urlsplit(url)
    schema, bare = split.fragment, url.partition("#")[0]
    dbapi: Any = needed("adbc_driver_postgresql.dbapi")
    place = place_text(bare)
    try:
        with closing(dbapi.connect(bare)) as connection, closing(connection.cursor()) as cursor:
            cursor.execute(LISTED)
            rows = cursor.fetchall()
    except dbapi.Error:
        raise UnreadableFile(
            f"{place}: the server is not reachable or refused the connection.",
            hint="Check host, port, database, user and password (PGPASSWORD or a password file).",
        ) from None
    found = {_name(name): f"{bare}#{own}.{name}" for own, name in rows if not schema or own == schema}
    if not found:
        raise BadData(f"{place} has no table here.", hint="Name the schema after a #.")
    return found
