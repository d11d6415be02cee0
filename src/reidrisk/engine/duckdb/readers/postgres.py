"""A table of a PostgreSQL server, streamed."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import quoted
from reidrisk.engine.duckdb.scan import Form, Scan
from reidrisk.engine.duckdb.session import Session
from reidrisk.engine.packages import needed
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile

PATIENCE = "10"
"""Seconds until a server counts as not reachable."""


@dataclass(frozen=True, slots=True)
class PostgresTable:
    """Where a table is; the way there may hold a password and is never shown."""

    place: str
    parts: tuple[str, ...]
    uri: str = field(repr=False)


def postgres_table(url: str, settings: ScanSettings) -> PostgresTable:
    """Take the table's name out of the URL; the rest is for the server.

    >>> postgres_table("postgresql://ann:secret@db/clinic?table=care.visits", ScanSettings())
    PostgresTable(place='postgresql://db/clinic, table care.visits', parts=('care', 'visits'))
    """
    split = urlsplit(url)
    options = dict(parse_qsl(split.query))
    name = options.pop("table", "") or split.fragment or settings.table or ""
    parts = tuple(name.split("."))
    if not all(parts) or len(parts) > 2:
        raise InvalidSetting("The URL names no table.", hint="End it with ?table=schema.name or with #name.")
    options.setdefault("connect_timeout", PATIENCE)
    host = split.netloc.rpartition("@")[2]
    uri = urlunsplit((split.scheme, split.netloc, split.path, urlencode(options), ""))
    return PostgresTable(f"{split.scheme}://{host}{split.path}, table {name}", parts, uri)


def read_postgres(session: Session, table: PostgresTable) -> Scan:
    """All rows of one moment, batch by batch into the work folder."""
    dbapi = needed("adbc_driver_postgresql.dbapi")
    needed("pyarrow")
    try:
        with closing(dbapi.connect(table.uri)) as connection, closing(connection.cursor()) as cursor:
            cursor.execute(" ".join(("SELECT * FROM", ".".join(map(quoted, table.parts)))))
            reader = cursor.fetch_record_batch()
            with without_values(table.place):
                relation = session.staged_batches(reader.schema, reader)
    except dbapi.Error as error:
        raise _refused(error, table.place) from None
    return Scan(relation, (f"table: {'.'.join(table.parts)}",), Form(name=table.parts[-1]))


def _refused(error: Any, place: str) -> BadData:
    state = getattr(error, "sqlstate", None) or ""
    if state in {"42P01", "3F000"}:
        return BadData(
            f"{place}: there is no such table.", hint="Write schema and table as the server spells them."
        )
    if state == "42501":
        return BadData(f"{place}: you may not read it.", hint="Ask for the right to SELECT.")
    return UnreadableFile(
        f"{place}: the server is not reachable or refused the connection.",
        hint="Check host, port, database, user and password (PGPASSWORD or a password file).",
    )
