"""Which columns of a query's answer are groups and which counts their records, by its own words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from reidrisk.engine.packages import needed
from reidrisk.engine.queries import NAME

PLAIN = frozenset(
    (
        *("COLUMN_REF", "CONSTANT", "CAST", "CASE", "FUNCTION", "OPERATOR"),
        *("COMPARISON", "CONJUNCTION", "BETWEEN"),
    )
)
"""Expressions that see one record, or one group, and no other."""
OWN = frozenset(("middle",))
"""Functions that every query has beside those of the database."""
FUNCTIONS = """
SELECT function_name FROM duckdb_functions()
GROUP BY function_name HAVING bool_and(function_type = 'scalar')
"""


class SqlGroups(NamedTuple):
    """Places among the columns of the answer."""

    records: int
    """How many records of the table each row stands for."""
    shared: frozenset[int]
    """Columns whose value all these records have in common."""


def sql_groups(sql: str) -> SqlGroups | None:
    """None unless the query is SELECT … count(*) … FROM data, with nothing between them and the records.

    A name such as n says nothing: it may be given to an age. The greatest name of a group is one person's,
    however many records the group has.
    """
    with needed("duckdb", extra="tables").connect() as connection:
        [(text,)] = connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchall()
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
    """Beside a count whatever is no aggregate follows from the groups; other columns' names may be one."""
    others = {item["alias"].lower() for place, item in enumerate(items) if place != at and item["alias"]}
    for part in _parts(items[at]):
        if part["class"] not in PLAIN:
            return False
        if part["class"] == "FUNCTION" and part["function_name"].lower() not in scalar:
            return False
        if part["class"] == "COLUMN_REF" and part["column_names"][-1].lower() in others:
            return False
    return True


def _parts(node: Any) -> Iterator[dict[str, Any]]:
    """An expression and all that it is made of."""
    if isinstance(node, dict):
        if "class" in node:
            yield node
        for value in node.values():
            yield from _parts(value)
    elif isinstance(node, list):
        for value in node:
            yield from _parts(value)
