"""Somebody's SQL on a copy of a table: one SELECT, no files, no network, little memory, little time.

The database's complaints may quote cells. They are told apart by their kind; no text of theirs goes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import isfinite
from threading import Timer
from typing import TYPE_CHECKING, Any, Literal

from reidrisk.engine.classes import NUMBERS
from reidrisk.engine.failures import without_values
from reidrisk.engine.middle import macros
from reidrisk.engine.names import literal
from reidrisk.engine.packages import needed
from reidrisk.engine.table import Table
from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

NAME = "data"
"""What a query calls the table."""
MOST_ROWS = 10_000
"""Of an answer: groups, not records."""
MEMORY = "1GB"
DISK = "10GB"
CLOSED = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
    "memory_limit": MEMORY,
    "max_temp_directory_size": DISK,
}
ZONED = "WITH TIME ZONE"
_LINE = re.compile(r"LINE (\d+): ")
_COLUMN = re.compile(r'\ABinder Error: Referenced column "([^"]*)" not found')
_TABLE = re.compile(r"\ACatalog Error: Table with name (\w+) does not exist")
USE_MIDDLE = (
    "Generalized numbers are texts: middle(x) takes 20-29 as 24.5 and a number as itself, on both tables, as "
    "in avg(middle(age))."
)
KNOWN = {
    "ConversionException": ("a value has not the type that the query asks for", USE_MIDDLE),
    "BinderException": ("a function or comparison does not take the type of a column", USE_MIDDLE),
    "PermissionException": ("it reaches for files or the network", f"Only the table {NAME} can be asked."),
    "OutOfMemoryException": (f"it needs more than {MEMORY} of memory", "Ask for less at once."),
    "CatalogException": ("it names something that there is not", "Check the names of functions."),
}
"""What went wrong, by the database's name of the error."""

Kind = Literal["number", "group"]
Ask = Callable[[str], "Answer | Failed"]


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """The rows that a query gave."""

    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    rows: tuple[tuple[Any, ...], ...] = field(repr=False)
    """Numbers, or texts; None for nothing and for what is no number."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a query gave nothing, without a word of the table."""

    reason: str
    hint: str


def check_query(name: str, sql: str) -> None:
    """Refuse what is not one SELECT."""
    duckdb = needed("duckdb", extra="tables")
    hint = "Write one SELECT on the table data, such as SELECT sex, avg(cost) FROM data GROUP BY sex."
    try:
        statements = duckdb.extract_statements(sql)
    except duckdb.Error as error:
        raise InvalidSetting(f"The query {name!r} is no SQL{_where(str(error))}.", hint=hint) from None
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise InvalidSetting(f"The query {name!r} is not one SELECT.", hint=hint)


def _where(text: str) -> str:
    """Line and column of a mistake, from the line that points at it."""
    found = _LINE.search(text)
    pointer = text.rsplit("\n", maxsplit=1)[-1]
    if found is None or pointer.strip() != "^":
        return ""
    return f" (line {found[1]}, near column {max(pointer.index('^') - len(found[0]) + 1, 1)})"


@contextmanager
def query_desk(table: Table, *, seconds: float) -> Iterator[Ask]:
    """Ask the table; the copy that is asked can reach nothing else."""
    duckdb = needed("duckdb", extra="tables")
    path = table.session.work_file(".duckdb")
    _copy(table, str(path))
    closed = {**CLOSED, "temp_directory": str(table.session.folder / "asked")}
    with without_values(table.source):
        connection = duckdb.connect(str(path), read_only=True, config=closed)
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute("SET lock_configuration = true")
    try:
        yield lambda sql: _answer(connection, sql, seconds)
    finally:
        connection.close()
        path.unlink(missing_ok=True)


def _copy(table: Table, path: str) -> None:
    session = table.session
    name = session.work_name()
    view = session.work_name()
    with without_values(table.source):
        session.connection.execute(f"ATTACH {literal(path)} AS {name}")
        try:
            table.relation.create_view(view)
            session.connection.execute(f"CREATE TABLE {name}.{NAME} AS FROM {view}")
            session.connection.execute(f"DROP VIEW {view}")
            session.connection.execute(f"USE {name}")  # macros find those that they are made of
            for statement in macros(name):
                session.connection.execute(statement)
        finally:
            session.connection.execute("USE memory")
            session.connection.execute(f"DETACH {name}")


def _answer(connection: DuckDBPyConnection, sql: str, seconds: float) -> Answer | Failed:
    duckdb = needed("duckdb", extra="tables")
    late: list[bool] = []

    def end() -> None:
        late.append(True)
        connection.interrupt()

    timer = Timer(seconds, end)
    timer.start()
    try:
        return _rows(connection, sql)
    except duckdb.InterruptException:
        if late:
            return Failed(f"it takes longer than {seconds:g} seconds", "Ask for less, or allow more time.")
        raise KeyboardInterrupt from None
    except duckdb.Error as error:
        return _failed(error)
    finally:
        timer.cancel()


def _rows(connection: DuckDBPyConnection, sql: str) -> Answer | Failed:
    asked = connection.execute(sql)
    names = tuple(str(column[0]) for column in asked.description or ())
    types = [str(column[1]) for column in asked.description or ()]
    if any(ZONED in type_ for type_ in types):
        asked = connection.execute(_as_texts(sql, types))
    kinds = tuple(_kind(type_) for type_ in types)
    found = asked.fetchmany(MOST_ROWS + 1)
    if len(found) > MOST_ROWS:
        return Failed(
            f"it gives more than {MOST_ROWS:,} rows",
            "Ask for figures of groups with GROUP BY, not for records.",
        )
    rows = tuple(tuple(_cell(cell, kind) for cell, kind in zip(row, kinds, strict=True)) for row in found)
    return Answer(names, kinds, rows)


def _as_texts(sql: str, types: list[str]) -> str:
    """The same with times of a zone as texts: as objects they need a package that knows the zones."""
    parts = [f"CAST(#{at} AS VARCHAR)" if ZONED in type_ else f"#{at}" for at, type_ in enumerate(types, 1)]
    return f"SELECT {', '.join(parts)} FROM ({sql.strip().rstrip(';')}\n)"  # noqa: S608 - one SELECT


def _kind(type_: str) -> Kind:
    return "number" if type_.removeprefix("U").startswith(NUMBERS) and not type_.endswith("]") else "group"


def _cell(cell: Any, kind: Kind) -> Any:
    if cell is None:
        return None
    if kind == "group":
        return str(cell)
    number = float(cell)
    return number if isfinite(number) else None


def _failed(error: Exception) -> Failed:
    """By the kind of complaint; names that are quoted are those of the query."""
    name, text = type(error).__name__, str(error)
    column, table = _COLUMN.search(text), _TABLE.search(text)
    if column:
        return Failed(f"there is no column {column[1]!r}{_where(text)}", "Was it dropped, or renamed?")
    if table:
        return Failed(f"there is no table {table[1]!r}", f"The table is called {NAME}.")
    if name in KNOWN:
        reason, hint = KNOWN[name]
        return Failed(f"{reason}{_where(text)}", hint)
    return Failed(f"the database refused it ({name})", USE_MIDDLE)
