"""What the values of columns look like: counts leave, values do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

from reidrisk.engine.duckdb.classes import count_distinct, count_nulls, count_rows
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import chosen, literal, quoted
from reidrisk.engine.duckdb.session import Session
from reidrisk.engine.results import (
    MOMENTS,
    AboveCounts,
    Code,
    ColumnProfile,
    ListedCodes,
    PostalCounts,
    TextSearch,
)

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from reidrisk.engine.duckdb.table import DuckTable

SUPPRESSED = (
    r"(?i)^[\s*.#?_–-]*$|^x+$|^[\[(<*]*(?:suppressed|redacted|removed|masked|hidden|deleted|withheld|blank|null|none|nan|nil"
    r"|na|n/a|n\.a\.|unknown|unk|missing|not available|not known|unbekannt|inconnu|desconocido)[\])>*]*$"
)
"""What a cell contains whose value was suppressed, or never known."""


def condition(search: TextSearch, text: str) -> str:
    """SQL of whether a text matches a search."""
    if search.among:
        return f"lower({text}) IN ({', '.join(map(literal, search.among))})"
    if search.ignore:
        text = f"regexp_replace({text}, {literal(search.ignore)}, ' ', 'g')"
    found = " OR ".join(f"regexp_matches({text}, {literal(one)})" for one in search.expressions)
    return f"({found})"


def visible(text: str) -> str:
    """The condition that a text is a value, and neither empty nor a mark for a suppressed one."""
    return f"{text} IS NOT NULL AND NOT regexp_matches({text}, {literal(SUPPRESSED)})"


def count_visible(table: DuckTable, columns: tuple[str, ...]) -> dict[str, int]:
    """Count the cells of each column that contain a value."""
    names = chosen(columns, table.columns, place=table.source)
    parts = [f"count(*) FILTER (WHERE {visible(f'trim(CAST({quoted(name)} AS VARCHAR))')})" for name in names]
    with without_values(table.source):
        found = table.relation.aggregate(", ".join(parts)).fetchone() if parts else ()
    return dict(zip(names, map(int, found or ()), strict=True))


def count_matches(
    table: DuckTable, columns: Sequence[str], searches: Mapping[str, TextSearch]
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
    with without_values(table.source), _kept_values(table, names) as values:
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


AT_ONCE = 16
"""Columns in one query, so that wide tables do not need all their values in memory together."""
MOST_AT_ONCE, CELLS_AT_ONCE = 64, 1_000_000
"""In tables of few rows: there, a query costs by the columns of the table, not by its cells."""


def _batches(columns: Sequence[str], rows: int) -> list[Sequence[str]]:
    """The columns for one query after the other."""
    size = max(AT_ONCE, min(MOST_AT_ONCE, CELLS_AT_ONCE // max(rows, 1)))
    return [columns[at : at + size] for at in range(0, len(columns), size)]


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
    parts = [f"coalesce(sum(n) FILTER (WHERE {condition(search, 'v')}), 0)" for search in searches.values()]
    for place, *counts in values.aggregate(", ".join(["c", *parts]), "c").fetchall():
        yield place, dict(zip(searches, map(int, counts), strict=True))


def _distinct_values(relation: DuckDBPyRelation, names: Mapping[int, str]) -> DuckDBPyRelation:
    """The distinct values of some columns: number of the column, value and number of rows.

    Grouping sets, not a union over the columns: every source of a union prepares all columns of the table.
    """
    own = {place: f"grouping({quoted(name)}) = 0" for place, name in names.items()}
    number = " ".join(f"WHEN {is_own} THEN {place}" for place, is_own in own.items())
    value = " ".join(
        f"WHEN {is_own} THEN trim(CAST({quoted(names[place])} AS VARCHAR))" for place, is_own in own.items()
    )
    sets = ", ".join(f"({quoted(name)})" for name in names.values())
    return relation.aggregate(
        f"CASE {number} END AS c, CASE {value} END AS v, count(*) AS n", f"GROUPING SETS ({sets})"
    )


@contextmanager
def _kept_values(table: DuckTable, names: Sequence[str]) -> Iterator[DuckDBPyRelation]:
    """The distinct values of all columns that are filled, kept for a while."""
    places = count()
    rows = count_rows(table) if len(names) > AT_ONCE else 0
    parts = (
        _distinct_values(table.relation, {next(places): name for name in batch}).filter("v IS NOT NULL")
        for batch in _batches(names, rows)
    )
    with table.session.kept_for_now(next(parts)) as values:
        for part in parts:
            part.insert_into(values.alias)
        yield values


def column_profiles(
    table: DuckTable,
    patterns: Mapping[str, TextSearch],
    *,
    sample_rows: int,
    only: Sequence[str] | None = None,
) -> tuple[ColumnProfile, ...]:
    """Every column: distinct values and empty cells over all rows, patterns over the first rows.

    `patterns` are searches by name, in texts and whole numbers. `only` names the columns to look at, if not
    all.
    """
    rows = count_rows(table)
    found: list[ColumnProfile] = []
    columns = table.columns if only is None else only
    with without_values(table.source):
        seen = _found_patterns(table, columns, patterns, sample_rows)
        for names in _batches(columns, rows):
            nulls, distinct = count_nulls(table, names), count_distinct(table, names)
            for name in names:
                values = distinct[name] - (nulls[name] > 0)
                found.append(ColumnProfile(name, table.kinds[name], rows, values, nulls[name], *seen[name]))
    return tuple(found)


def _found_patterns(
    table: DuckTable, columns: Sequence[str], patterns: Mapping[str, TextSearch], sample_rows: int
) -> dict[str, tuple[int, dict[str, int]]]:
    sought = [name for name in columns if table.kinds[name] in ("text", "whole number")]
    nothing: dict[str, tuple[int, dict[str, int]]] = {name: (0, {}) for name in columns}
    if not sought:
        return nothing
    head = table.relation.project(", ".join(map(quoted, sought))).limit(sample_rows)
    with table.session.kept_for_now(head) as kept:
        return nothing | count_matches(table.derived(kept, note="the first rows"), sought, patterns)


OPEN_ENDED = r"(?i)\+|\b(older|over|more|above|plus)\b"
YEAR = r"^[\[(]?(18|19|20)[0-9]{2}(\.0|s)?(\s?[-–,/]\s?(18|19|20)[0-9]{2})?[\])\[]?$"
"""A year, a decade or a range of years."""


def count_above(table: DuckTable, column: str, limit: float) -> AboveCounts:
    """Numbers above a limit, also at the start of a text; a class without an upper end does not count."""
    text = _trimmed(table, column)
    number = f"TRY_CAST(regexp_extract({text}, '^[0-9]+([.][0-9]+)?') AS DOUBLE)"
    above = f"{number} > {float(limit)} AND NOT regexp_matches({text}, {literal(OPEN_ENDED)})"
    with without_values(table.source):
        found = table.relation.filter(above).aggregate(f"count(*), count(DISTINCT {number})").fetchone()
    return AboveCounts(*(int(number) for number in found or (0, 0)))


def count_exact_dates(table: DuckTable, column: str) -> int:
    """Dates that tell more than a year; dates that all are the first of January tell a year only."""
    name = quoted(column)
    if table.kinds[column] in MOMENTS:
        inside = f"{name} IS DISTINCT FROM date_trunc('year', {name})"
        some, filled = _count_where(table, [inside, f"{name} IS NOT NULL"])
        return filled if some else 0
    text = _trimmed(table, column)
    return _count_where(table, [f"{visible(text)} AND NOT regexp_matches({text}, {literal(YEAR)})"])[0]


def count_postal(table: DuckTable, column: str, restricted: Sequence[str]) -> PostalCounts:
    """Postal codes by how much they tell; a number is a ZIP code that lost its leading zeros."""
    text = _trimmed(table, column)
    if table.kinds[column] in ("whole number", "number"):
        plain = f"regexp_replace({text}, '[.]0$', '')"
        text = f"CASE WHEN length({plain}) <= 3 THEN lpad({plain}, 3, '0') ELSE {plain} END"
    longer = f"length(regexp_replace({text}, '[*xX -]+$', '')) > 3"
    few = ", ".join(literal(prefix) for prefix in restricted) or "NULL"
    three = f"regexp_matches({text}, '^[0-9]{{3}}')"
    conditions = [
        f"{longer} AND {visible(text)}",
        f"NOT ({longer}) AND {three} AND left({text}, 3) IN ({few})",
        f"NOT ({longer}) AND {visible(text)} AND NOT {three}",
    ]
    return PostalCounts(*_count_where(table, conditions))


def _trimmed(table: DuckTable, column: str) -> str:
    chosen([column], table.columns, place=table.source)
    return f"trim(CAST({quoted(column)} AS VARCHAR))"


def _count_where(table: DuckTable, conditions: Sequence[str]) -> list[int]:
    parts = ", ".join(f"count(*) FILTER (WHERE {condition})" for condition in conditions)
    with without_values(table.source):
        found = table.relation.aggregate(parts).fetchone()
    return [int(number) for number in found or ()]


SEPARATORS = "[;|,]"
"""Between several codes in one cell."""


def count_listed(table: DuckTable, wanted: Mapping[str, Sequence[Code]], *, unit: str | None) -> ListedCodes:
    """Count the records with a listed code; `wanted` has the codes to look for in each column."""
    names = chosen(wanted, table.columns, place=table.source)
    by_column: dict[str, tuple[int, int]] = {}
    seen: set[Code] = set()
    with without_values(table.source), ExitStack() as kept:
        conditions = []
        for name in names:
            values, found = _matching_values(table, name, wanted[name], kept)
            conditions.append(f"{quoted(name)} IN (SELECT v FROM {values})")  # noqa: S608
            by_column[name] = _records(table, conditions[-1], unit), len(found)
            seen |= found
        return ListedCodes(_records(table, " OR ".join(conditions), unit), len(seen), by_column)


def _records(table: DuckTable, condition: str, unit: str | None) -> int:
    what = "count(*)" if unit is None else f"count(DISTINCT {quoted(unit)})"
    found = table.relation.filter(condition).aggregate(what).fetchone()
    return int(found[0]) if found else 0


def listed_values(table: DuckTable, name: str, codes: Sequence[Code]) -> list[str]:
    """Return the values of a column, as texts, that match a code; they must not be shown."""
    with without_values(table.source), ExitStack() as kept:
        values, _ = _matching_values(table, name, codes, kept)
        rows = table.connection.execute(f"SELECT DISTINCT CAST(v AS VARCHAR) FROM {values}").fetchall()  # noqa: S608
    return sorted(row[0] for row in rows)


def listed_texts(table: DuckTable, texts: Sequence[str], codes: Sequence[Code]) -> set[str]:
    """Return those of the texts that match a code."""
    session, name = table.session, table.session.work_name()
    with without_values(table.source), ExitStack() as kept:
        kept.callback(session.connection.execute, f"DROP TABLE IF EXISTS {name}")
        session.connection.execute(
            f"CREATE TABLE {name} AS SELECT v, {_plain('v')} AS plain, {_decimal('v')} AS dotted "  # noqa: S608
            "FROM (SELECT unnest(?::VARCHAR[]) AS v)",
            [list(texts)],
        )
        found, _ = _matches(session, name, codes, kept, start="code")
        return {row[0] for row in session.connection.execute(f"SELECT v FROM {found}").fetchall()}  # noqa: S608


def _matching_values(
    table: DuckTable, name: str, codes: Sequence[Code], kept: ExitStack
) -> tuple[str, set[Code]]:
    """The name of a table of the column's values that match, and which codes did."""
    shape, values = table.kinds[name], table.session.work_name()
    kept.callback(table.connection.execute, f"DROP TABLE IF EXISTS {values}")
    text = f"CAST({quoted(name)} AS VARCHAR)"
    if shape == "number":
        text = f"regexp_replace({text}, '[.]0+$', '')"
    several = f"list_append(string_split_regex({text}, {literal(SEPARATORS)}), {text})"
    each = table.relation.project(f"{quoted(name)} AS v").distinct().filter("v IS NOT NULL")
    parts = several.replace(quoted(name), "v") if shape == "text" else f"[{text}]".replace(quoted(name), "v")
    each.project(f"v, unnest({parts}) AS t").project(
        f"v, {_plain('t')} AS plain, {_decimal('t')} AS dotted"
    ).create(values)
    start = "ltrim(code, '0')" if shape == "whole number" else "code"
    return _matches(table.session, values, codes, kept, start=start)


def _matches(
    session: Session, values: str, codes: Sequence[Code], kept: ExitStack, *, start: str
) -> tuple[str, set[Code]]:
    """Match values with codes; `start` is how the beginning of a code is written in them."""
    run, listed, both = session.connection.execute, session.work_name(), session.work_name()
    for made in (listed, both):
        kept.callback(run, f"DROP TABLE IF EXISTS {made}")
    run(f"CREATE TABLE {listed} (code VARCHAR, how VARCHAR)")
    texts, hows = [code for code, _ in codes], [how for _, how in codes]
    run(f"INSERT INTO {listed} SELECT unnest(?), unnest(?)", [texts, hows])
    below = "regexp_full_match(substr(plain, length(code) + 1), '[0-9A-Z]{0,4}')"
    digits = "replace(code, '.', '')"
    dotted = "starts_with(dotted, CASE WHEN contains(code, '.') THEN code ELSE code || '.' END)"
    run(
        f"CREATE TABLE {both} AS SELECT v, code, how FROM {values} JOIN {listed} "  # noqa: S608
        f"ON {_key('plain')} = {_key(digits)} WHERE how <> 'start' UNION "
        f"SELECT v, code, how FROM {values} JOIN (FROM {listed} WHERE how <> 'whole') ON "
        f"(how = 'start' AND {start} <> '' AND starts_with(plain, {start})) OR "
        f"(how = 'structure' AND starts_with(plain, code) AND {below}) OR (how = 'decimal' AND {dotted})"
    )
    found = run(f"SELECT DISTINCT code, how FROM {both}").fetchall()  # noqa: S608
    return both, {(code, how) for code, how in found}


def _plain(text: str) -> str:
    """The value as codes are compared: in upper case, without dots and blanks."""
    return f"regexp_replace(upper({text}), '[.\\s]', '', 'g')"


def _decimal(text: str) -> str:
    """The same with dots, which tell 277.0 from 2770."""
    return f"regexp_replace(upper({text}), '\\s', '', 'g')"


def _key(code: str) -> str:
    """Numbers often have lost their leading zeros on the way."""
    return f"CASE WHEN regexp_full_match({code}, '[0-9]+') THEN ltrim({code}, '0') ELSE {code} END"
