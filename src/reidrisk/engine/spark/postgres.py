"""Tables of a PostgreSQL server, read and written by Spark through the system's JDBC driver."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil
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
PART_BYTES, MOST_PARTS = 2**25, 32
"""Bytes of a table that one worker reads at a time, and parts at most: each is a connection to the server."""
_EVERY_PART = """
(SELECT pg_relation_size({name}::regclass) AS size
UNION ALL SELECT pg_relation_size(relid) FROM pg_partition_tree({name}::regclass) WHERE isleaf) AS part
"""
SIZE = f"SELECT sum(size)::bigint FROM {_EVERY_PART}"  # noqa: S608
PAGES = f"SELECT (max(size) / current_setting('block_size')::bigint)::bigint FROM {_EVERY_PART}"  # noqa: S608
WHOLE_KEY = """
SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
WHERE i.indrelid = {name}::regclass AND i.indisprimary AND i.indnkeyatts = 1
AND a.atttypid IN ('smallint'::regtype, 'integer'::regtype, 'bigint'::regtype)
"""
"""Questions to the catalog: bytes and pages of a table and its partitions, and a key of whole numbers."""
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
        ranges = _ranges(connection, table)
    with spark_errors(table.place, reading=True):
        reader = _options(session.read, table)
        if not ranges:
            return reader.format("jdbc").load()
        return reader.jdbc(table.url, table.name, predicates=ranges, properties=table.options)


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


def _ranges(connection: Any, table: JdbcTable) -> list[str]:
    """Conditions that divide the rows, one for each part that a worker reads; none if the table is small.

    They are ranges of a primary key of whole numbers, since an update leaves a row in its range; otherwise
    ranges of the pages that hold the rows. Views, which have no size, are read as one, and so are tables of
    servers whose catalog is not that of PostgreSQL 12 or later.
    """
    java = needed("py4j.protocol", extra="spark")
    name = literal(table.name)
    try:
        parts = min(MOST_PARTS, ceil(int(_first(connection, SIZE.format(name=name))) / PART_BYTES))
        if parts <= 1:
            return []
        key = _first(connection, WHOLE_KEY.format(name=name))
        if key is None:
            return divided("ctid", 0, _first(connection, PAGES.format(name=name)), parts, "'({},0)'::tid")
        column = quoted(str(key))
        low, high = (_first(connection, f"SELECT {f}({column}) FROM {table.name}") for f in ("min", "max"))  # noqa: S608
        return [] if low is None else divided(column, low, high, parts)
    except java.Py4JError:
        return []


def divided(column: str, first: int, last: int, parts: int, spelled: str = "{}") -> list[str]:
    """Conditions of which every value meets exactly one, whatever lies outside of first and last.

    >>> divided("n", 1, 9, 3)
    ['n < 4', 'n >= 4 AND n < 7', 'n >= 7']
    """
    cuts = sorted({first + (last + 1 - first) * part // parts for part in range(1, parts)} - {first})
    if not cuts:
        return []
    said = [spelled.format(cut) for cut in cuts]
    between = [f"{column} >= {low} AND {column} < {high}" for low, high in pairwise(said)]
    return [f"{column} < {said[0]}", *between, f"{column} >= {said[-1]}"]


def _exists(connection: Any, table: JdbcTable) -> bool:
    return bool(_first(connection, f"SELECT to_regclass({literal(table.name)}) IS NOT NULL"))


def _first(connection: Any, query: str) -> Any:
    statement = connection.createStatement()
    try:
        found = statement.executeQuery(query)
        return found.getObject(1) if found.next() else None
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
