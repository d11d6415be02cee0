"""Queries of the user's own: a copy of the table is asked, which can reach nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import literal
from reidrisk.engine.duckdb.types import kind_of_type
from reidrisk.engine.packages import needed
from reidrisk.engine.results import NUMBERS, Answer, Ask, Failed, SqlGroups
from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from reidrisk.engine.duckdb.table import DuckTable

_NUMBER = r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_MASK = r"(\d+)(\*+)"
_BRACKETS = rf"[\[\](]\s*({_NUMBER})\s*(?:,|;|\.\.|-|\bto\b)\s*({_NUMBER})\s*[\[\])]"
_PLAIN = rf"({_NUMBER})\s*(?:-|\.\.|to|/)\s*({_NUMBER})"
_BELOW = rf"(?:<=?|>=?)\s*({_NUMBER})"
_ABOVE = rf"({_NUMBER})\s*\+"


def macros(place: str) -> tuple[str, ...]:
    """The statements that make it in an attached database: 20-29 is 24.5, 90+ is 90, * is nothing."""
    forms = (
        (_NUMBER, "TRY_CAST(t AS DOUBLE)"),
        (_PLAIN, f"mean_if_ordered({_middle_part(_PLAIN, 1)}, {_middle_part(_PLAIN, 2)})"),
        (_MASK, _masked()),
        (_BRACKETS, f"mean_if_ordered({_middle_part(_BRACKETS, 1)}, {_middle_part(_BRACKETS, 2)})"),
        (_BELOW, _middle_part(_BELOW, 1)),
        (_ABOVE, _middle_part(_ABOVE, 1)),
    )
    cases = " ".join(f"WHEN regexp_full_match(t, {literal(form)}) THEN {found}" for form, found in forms)
    plain = "trim(replace(replace(translate(CAST(x AS VARCHAR), '–—−≤≥', '---{}'), '{', '<='), '}', '>='))"
    return (
        f"CREATE MACRO {place}.mean_if_ordered(low, high) AS CASE WHEN low <= high THEN (low + high) / 2 END",
        f"CREATE MACRO {place}.finite(n) AS CASE WHEN isfinite(n) THEN n END",
        f"CREATE MACRO {place}.middle_of_text(t) AS CASE {cases} END",
        f"CREATE MACRO {place}.middle(x) AS CASE WHEN typeof(x) <> 'VARCHAR' "
        f"THEN finite(TRY_CAST(CAST(x AS VARCHAR) AS DOUBLE)) ELSE middle_of_text({plain}) END",
    )


def _masked() -> str:
    unit = f"pow(10, length(regexp_extract(t, {literal(_MASK)}, 2)))"
    return f"{_middle_part(_MASK, 1)} * {unit} + ({unit} - 1) / 2"


def _middle_part(form: str, nth: int) -> str:
    """One of the numbers that a text of this form has; the expression is a constant, compiled once."""
    return f"TRY_CAST(regexp_extract(t, {literal(f'^(?:{form})$')}, {nth}) AS DOUBLE)"


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
def query_desk(table: DuckTable, *, seconds: float) -> Iterator[Ask]:
    """Ask a copy of the table, which can reach nothing else, in a process of its own."""
    from reidrisk.engine.duckdb.query_process import QueryProcess

    path = table.session.work_file(".duckdb")
    _copy(table, str(path))
    process = QueryProcess(path, table.session.work.path / "asked", seconds=seconds)
    try:
        yield process.ask
    finally:
        process.close()
        path.unlink(missing_ok=True)


def _copy(table: DuckTable, path: str) -> None:
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


def answer(connection: DuckDBPyConnection, sql: str) -> Answer | Failed:
    """The rows of a query, or what is wrong with it."""
    duckdb = needed("duckdb", extra="tables")
    try:
        return _rows(connection, sql)
    except MemoryError:
        return Failed(*KNOWN["OutOfMemoryException"])
    except duckdb.Error as error:
        return _failed(error)


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
    return "number" if kind_of_type(type_) in NUMBERS else "group"


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


PLAIN = frozenset(
    (
        *("COLUMN_REF", "CONSTANT", "CAST", "CASE", "FUNCTION", "OPERATOR"),
        *("COMPARISON", "CONJUNCTION", "BETWEEN"),
    )
)
"""Expressions that look at one record or one group only."""
OWN = frozenset(("middle",))
"""Functions that every query has beside those of the database."""
FUNCTIONS = """
SELECT function_name FROM duckdb_functions()
GROUP BY function_name HAVING bool_and(function_type = 'scalar')
"""


def sql_groups(sql: str) -> SqlGroups | None:
    """None unless the query is SELECT … count(*) … FROM data, with nothing between them and the records.

    A name such as n says nothing: it may be given to an age. The greatest name of a group is one person's,
    however many records the group has.
    """
    with needed("duckdb", extra="tables").connect() as connection:
        [(text,)] = connection.execute(f"SELECT json_serialize_sql({literal(sql)})").fetchall()
        scalar = {name for (name,) in connection.execute(FUNCTIONS).fetchall()} | OWN
    read = json.loads(text)
    node = None if read["error"] else read["statements"][0]["node"]
    if node is None or not _is_plain(node):
        return None
    items = node["select_list"]
    counts = [at for at, item in enumerate(items) if _is_count(item)]
    if not counts or any(item["class"] == "STAR" for item in items):
        return None
    return SqlGroups(counts[0], frozenset(at for at in range(len(items)) if _is_shared(at, items, scalar)))


def _is_plain(node: dict[str, Any]) -> bool:
    """Whether it reads the table itself, once."""
    if node["type"] != "SELECT_NODE" or node["cte_map"]["map"]:
        return False
    table = node["from_table"]
    place = table.get("catalog_name"), table.get("schema_name"), table.get("table_name", "").lower()
    return bool(table["type"] == "BASE_TABLE" and place == ("", "", NAME))


def _is_count(item: dict[str, Any]) -> bool:
    is_call = item["class"] == "FUNCTION" and item["function_name"] == "count_star"
    return is_call and item["filter"] is None and not item["distinct"]


def _is_shared(at: int, items: list[dict[str, Any]], scalar: set[str]) -> bool:
    """Beside a count, anything that is not an aggregate is a group; a column may have the name of one."""
    others = {item["alias"].lower() for place, item in enumerate(items) if place != at and item["alias"]}
    for part in _nodes(items[at]):
        if part["class"] not in PLAIN:
            return False
        if part["class"] == "FUNCTION" and part["function_name"].lower() not in scalar:
            return False
        if part["class"] == "COLUMN_REF" and part["column_names"][-1].lower() in others:
            return False
    return True


def _nodes(node: Any) -> Iterator[dict[str, Any]]:
    """An expression and all that it is made of."""
    if isinstance(node, dict):
        if "class" in node:
            yield node
        for value in node.values():
            yield from _nodes(value)
    elif isinstance(node, list):
        for value in node:
            yield from _nodes(value)
