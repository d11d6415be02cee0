"""Search all values of a column for patterns. Counts leave, values do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from reidrisk.engine.failures import without_values
from reidrisk.engine.names import chosen, literal, quoted
from reidrisk.engine.table import Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

SUPPRESSED = (
    r"(?i)^[\s*.#?_–-]*$|^x+$|^[\[(<*]*(?:suppressed|redacted|removed|masked|hidden|deleted|withheld|blank|null|none|nan|nil"
    r"|na|n/a|n\.a\.|unknown|unk|missing|not available|not known|unbekannt|inconnu|desconocido)[\])>*]*$"
)
"""What a cell contains whose value was suppressed, or never known."""


@dataclass(frozen=True, slots=True)
class TextSearch:
    """Regular expressions, and one for what is left out of the text before."""

    expressions: tuple[str, ...]
    """One of them is enough."""
    ignore: str = ""
    only: tuple[str, ...] = ()
    """Short expressions, all of which a value must match to be searched: it saves preparing the long ones."""

    among: tuple[str, ...] = ()
    """Words in small letters, one of which is the whole value; in place of expressions."""

    def condition(self, text: str) -> str:
        """Return the condition on a text that the engine tests."""
        if self.among:
            return f"lower({text}) IN ({', '.join(map(literal, self.among))})"
        if self.ignore:
            text = f"regexp_replace({text}, {literal(self.ignore)}, ' ', 'g')"
        found = " OR ".join(f"regexp_matches({text}, {literal(one)})" for one in self.expressions)
        return f"({found})"


def visible(text: str) -> str:
    """The condition that a text is a value, and neither empty nor a mark for a suppressed one."""
    return f"{text} IS NOT NULL AND NOT regexp_matches({text}, {literal(SUPPRESSED)})"


def count_visible(table: Table, columns: tuple[str, ...]) -> dict[str, int]:
    """Count the cells of each column that contain a value."""
    names = chosen(columns, table.columns, place=table.source)
    parts = [f"count(*) FILTER (WHERE {visible(f'trim(CAST({quoted(name)} AS VARCHAR))')})" for name in names]
    with without_values(table.source):
        found = table.relation.aggregate(", ".join(parts)).fetchone() if parts else ()
    return dict(zip(names, map(int, found or ()), strict=True))


def count_matches(
    table: Table, columns: Sequence[str], searches: Mapping[str, TextSearch]
) -> dict[str, tuple[int, dict[str, int]]]:
    """Count the filled cells of each column, and those in which each search finds something.

    Equal values are searched once, and all columns in one query: to prepare an expression can take
    longer than to search a column for it.
    """
    if not columns:
        return {}
    names = chosen(columns, table.columns, place=table.source)
    empty = dict.fromkeys(searches, 0)
    found: dict[str, tuple[int, dict[str, int]]] = {name: (0, dict(empty)) for name in names}
    # The values are kept first: every source of a union would prepare the expressions again.
    distinct = _distinct_values(table, names).filter("v IS NOT NULL")
    with without_values(table.source), table.session.kept_for_now(distinct) as values:
        contents = {
            place: (int(filled), (*content, tuple(searches.items())))
            for place, filled, *content in values.aggregate(f"c, sum(n), {CONTENT}", "c").fetchall()
        }
        known = {place: _COUNTED.get(content) for place, (_, content) in contents.items()}
        new = _searched(values, [place for place, counts in known.items() if counts is None], searches)
    for place, (filled, content) in contents.items():
        counts = new[place] if place in new else known[place] or {}
        found[names[place]] = filled, empty | counts
        _remember(content, found[names[place]][1])
    return found


def _searched(
    values: DuckDBPyRelation, places: Sequence[int], searches: Mapping[str, TextSearch]
) -> dict[int, dict[str, int]]:
    """Search the values of some columns; a search that finds nothing in a column may be absent."""
    found: dict[int, dict[str, int]] = {place: {} for place in places}
    if not places:
        return found
    values = values.filter(f"c IN ({', '.join(map(str, places))})")
    for only in dict.fromkeys(search.only for search in searches.values()):
        own = {name: search for name, search in searches.items() if search.only == only}
        for place, counts in _counts(values, own, only):
            found[place].update(counts)
    return found


CONTENT = "count(*), sum(CAST(hash(v, n) AS HUGEINT)), sum(CAST(hash(n, v, 1) AS HUGEINT))"
"""Marks the content of a column: two 64-bit hashes, summed over the distinct values."""
MOST_REMEMBERED = 2000
_COUNTED: dict[tuple[Any, ...], dict[str, int]] = {}
"""Counts of columns that were searched before; an assessment looks at one file several times."""


def _remember(content: tuple[Any, ...], counts: dict[str, int]) -> None:
    """Keep the counts of a column, and drop the oldest; parts of a release may be measured in threads."""
    _COUNTED[content] = dict(counts)
    for old in list(_COUNTED)[: max(len(_COUNTED) - MOST_REMEMBERED, 0)]:
        _COUNTED.pop(old, None)


def _counts(
    values: DuckDBPyRelation, searches: Mapping[str, TextSearch], only: Sequence[str]
) -> Iterator[tuple[int, dict[str, int]]]:
    """Yield the number of each column with the rows in which each search finds something."""
    for one in only:
        values = values.filter(f"regexp_matches(v, {literal(one)})")
    if only and not values.limit(1).fetchall():
        return
    parts = [f"coalesce(sum(n) FILTER (WHERE {search.condition('v')}), 0)" for search in searches.values()]
    for place, *counts in values.aggregate(", ".join(["c", *parts]), "c").fetchall():
        yield place, dict(zip(searches, map(int, counts), strict=True))


def _distinct_values(table: Table, names: Sequence[str]) -> DuckDBPyRelation:
    """The distinct values of the columns: number of the column, value and number of rows."""
    every = [
        table.relation.aggregate(
            f"{place} AS c, trim(CAST({quoted(name)} AS VARCHAR)) AS v, count(*) AS n", quoted(name)
        )
        for place, name in enumerate(names)
    ]
    return reduce(lambda one, other: one.union(other), every)
