"""Tables of a PostgreSQL server, read and written by Spark through the system's JDBC driver."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from reidrisk.engine.duckdb.names import literal, quoted
from reidrisk.engine.packages import needed
from reidrisk.engine.spark.jobs import Frame, spark_errors
from reidrisk.errors import BadData, InvalidSetting, MissingPackage, UnreadableFile

SCHEMES = ("jdbc:postgresql://", "postgresql://", "postgres://")
JAR = Path("/usr/share/java/postgresql.jar")
"""Of the system's package."""
DRIVER = "org.postgresql.Driver"
LONGEST = 40
"""Bytes of a table's name that are kept in that of its staging table; the server allows 63 in all."""


@dataclass(frozen=True, slots=True)
class JdbcTable:
    """Where a table is; the way there may hold a password and is never shown."""

    place: str
    parts: tuple[str, ...]
    url: str = field(repr=False)
    options: dict[str, str] = field(repr=False)

    @property
    def name(self) -> str:
        """As the server reads it."""
        return ".".join(map(quoted, self.parts))

    def beside(self, name: str) -> JdbcTable:
        """Another table of the same schema."""
        return JdbcTable(self.place, (*self.parts[:-1], name), self.url, self.options)


def jdbc_table(url: str) -> JdbcTable:
    """Take the table's name, the user and the password out of the URL; the rest is for the driver.

    >>> jdbc_table("jdbc:postgresql://ann:secret@db/clinic?table=care.visits")
    JdbcTable(place='postgresql://db/clinic, table care.visits', parts=('care', 'visits'))
    """
    split = urlsplit(url.removeprefix("jdbc:"))
    given = dict(parse_qsl(split.query))
    name = given.pop("table", "") or split.fragment
    parts = tuple(name.split("."))
    if not all(parts) or len(parts) > 2:
        raise InvalidSetting("The URL names no table.", hint="End it with ?table=schema.name or with #name.")
    who, _, host = split.netloc.rpartition("@")
    user, _, password = who.partition(":")
    options = {
        "user": given.pop("user", unquote(user) or os.environ.get("PGUSER", "")),
        "password": given.pop("password", unquote(password) or os.environ.get("PGPASSWORD", "")),
        "driver": DRIVER,
    }
    given.setdefault("connectTimeout", "10")
    return JdbcTable(
        f"postgresql://{host}{split.path}, table {name}",
        parts,
        f"jdbc:postgresql://{host}{split.path}?{urlencode(given)}",
        {key: value for key, value in options.items() if value},
    )


def read_jdbc(session: Any, table: JdbcTable) -> Frame:
    """The rows of a table, as they are when they are counted."""
    with connected(session, table) as connection:
        if not _exists(connection, table):
            raise BadData(
                f"{table.place}: there is no such table.",
                hint="Write schema and table as the server spells them.",
            )
    with spark_errors(table.place, reading=True):
        return _options(session.read.format("jdbc"), table).load()


def write_jdbc(
    session: Any, frame: Callable[[], Frame], table: JdbcTable, check: Callable[[Frame], None]
) -> None:
    """Write a new table under another name, check it, and rename it in one transaction.

    A lock of the server tells whether another run is at work; it ends with the connection, however that ends,
    so that what lies around while we hold it was left by a run that is dead.
    """
    start = f"{table.parts[-1].encode()[:LONGEST].decode(errors='ignore')}_reidrisk_"
    staging = table.beside(start + secrets.token_hex(6))
    with connected(session, table) as connection:
        if not _first(connection, f"SELECT pg_try_advisory_lock(hashtext({literal(table.name)}))"):
            raise BadData(
                f"{table.place} is being written by another run.", hint="Wait until that has ended."
            )
        if _exists(connection, table):
            raise BadData(f"{table.place} exists already.", hint="Name a table that does not exist yet.")
        _drop_left(connection, table, start)
        try:
            with spark_errors(table.place):
                _options(frame().write.format("jdbc"), staging).save()
            check(read_jdbc(session, staging))
            renamed = f"ALTER TABLE {staging.name} RENAME TO {quoted(table.parts[-1])}"
            _run(connection, renamed, table)
        finally:
            _run(connection, f"DROP TABLE IF EXISTS {staging.name}", table)


@contextmanager
def connected(session: Any, table: JdbcTable) -> Iterator[Any]:
    """A connection of the driver process; every statement is a transaction."""
    add_driver(session)
    java = needed("py4j.protocol", extra="spark")
    properties = session._jvm.java.util.Properties()
    for key in ("user", "password"):
        if key in table.options:
            properties.setProperty(key, table.options[key])
    try:
        connection = session._jvm.java.sql.DriverManager.getConnection(table.url, properties)
    except java.Py4JError:
        connection = None
    if connection is None:
        raise UnreadableFile(
            f"{table.place}: the server is not reachable or refused the connection.",
            hint="Check host, port, database, user and password (PGUSER, PGPASSWORD).",
        )
    try:
        yield connection
    finally:
        connection.close()


def add_driver(session: Any) -> None:
    """Give the driver to this process and to all workers; Spark looks for it in the present thread."""
    if not JAR.exists():
        raise MissingPackage(
            "Spark needs the JDBC driver of PostgreSQL, which was not found.",
            hint="Debian: apt-get install libpostgresql-jdbc-java",
        )
    with spark_errors("The JDBC driver"):
        session.sql(f"ADD JAR {JAR}")
        session._jvm.org.apache.spark.sql.execution.datasources.jdbc.DriverRegistry.register(DRIVER)


def _options(reader_or_writer: Any, table: JdbcTable) -> Any:
    chosen = {"url": table.url, "dbtable": table.name, "preferTimestampNTZ": "true", **table.options}
    return reader_or_writer.options(**chosen)


def _exists(connection: Any, table: JdbcTable) -> bool:
    return bool(_first(connection, f"SELECT to_regclass({literal(table.name)}) IS NOT NULL"))


def _first(connection: Any, query: str) -> Any:
    statement = connection.createStatement()
    try:
        found = statement.executeQuery(query)
        found.next()
        return found.getObject(1)
    finally:
        statement.close()


def _run(connection: Any, command: str, table: JdbcTable) -> None:
    with spark_errors(table.place):
        statement = connection.createStatement()
        try:
            statement.executeUpdate(command)
        finally:
            statement.close()


def _drop_left(connection: Any, table: JdbcTable, start: str) -> None:
    """Staging tables of runs that are dead."""
    schema = literal(table.parts[0]) if len(table.parts) > 1 else "current_schema()"
    ended = f"schemaname = {schema} AND left(tablename, {len(start)}) = {literal(start)}"
    names = f"SELECT string_agg(tablename, chr(10)) FROM pg_tables WHERE {ended}"  # noqa: S608
    for name in str(_first(connection, names) or "").splitlines():
        _run(connection, f"DROP TABLE {table.beside(name).name}", table)
