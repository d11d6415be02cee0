"""Rows that hold a code of a list, such as rare diseases: they are counted and never shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Literal

from reidrisk.engine.failures import without_values
from reidrisk.engine.names import chosen, literal, quoted
from reidrisk.engine.profile import shape_of
from reidrisk.engine.session import Session
from reidrisk.engine.table import Table

Match = Literal["whole", "start", "structure", "decimal"]
Code = tuple[str, Match]
"""A code in upper case without blanks, and how it is compared.

whole: with the whole value. start: with the beginning of it. structure: like whole, and with the more
exact codes below it, as E84 with E84.0 and E840. decimal: the same for codes of digits, which have a dot
before what is more exact, as 277 with 277.0 but not with 2770. Dots count only in decimal codes."""
SEPARATORS = "[;|,]"
"""Between several codes in one cell."""


@dataclass(frozen=True, slots=True)
class ListedCodes:
    """What of a list occurs in a table."""

    records: int
    """Rows, or units, with a listed code in any of the columns."""
    present: int
    """Codes of the list that occur."""
    by_column: Mapping[str, tuple[int, int]]
    """Records and codes of each column."""


def count_listed(table: Table, wanted: Mapping[str, Sequence[Code]], *, unit: str | None) -> ListedCodes:
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


def _records(table: Table, condition: str, unit: str | None) -> int:
    what = "count(*)" if unit is None else f"count(DISTINCT {quoted(unit)})"
    found = table.relation.filter(condition).aggregate(what).fetchone()
    return int(found[0]) if found else 0


def listed_values(table: Table, name: str, codes: Sequence[Code]) -> list[str]:
    """Return the values of a column, as texts, that match a code; they must not be shown."""
    with without_values(table.source), ExitStack() as kept:
        values, _ = _matching_values(table, name, codes, kept)
        rows = table.connection.execute(f"SELECT DISTINCT CAST(v AS VARCHAR) FROM {values}").fetchall()  # noqa: S608
    return sorted(row[0] for row in rows)


def listed_texts(table: Table, texts: Sequence[str], codes: Sequence[Code]) -> set[str]:
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
    table: Table, name: str, codes: Sequence[Code], kept: ExitStack
) -> tuple[str, set[Code]]:
    """The name of a table of the column's values that match, and which codes did."""
    shape, values = shape_of(table.types[name]), table.session.work_name()
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
