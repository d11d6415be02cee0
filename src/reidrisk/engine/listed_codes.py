"""Rows that hold a code of a list, such as rare diseases: they are counted and never shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from reidrisk.engine.failures import without_values
from reidrisk.engine.names import chosen, quoted
from reidrisk.engine.profile import shape_of
from reidrisk.engine.table import Table

Code = tuple[str, bool]
"""A code in upper case without dots and blanks, and whether it is only the beginning of one."""


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


def _matching_values(
    table: Table, name: str, codes: Sequence[Code], kept: ExitStack
) -> tuple[str, set[Code]]:
    """The name of a table of the column's values that match, and which codes did."""
    session, run = table.session, table.connection.execute
    listed, values, both = session.work_name(), session.work_name(), session.work_name()
    for made in (listed, values, both):
        kept.callback(run, f"DROP TABLE IF EXISTS {made}")
    run(f"CREATE TABLE {listed} (code VARCHAR, is_start BOOLEAN)")
    texts, starts = [code for code, _ in codes], [is_start for _, is_start in codes]
    run(f"INSERT INTO {listed} SELECT unnest(?), unnest(?)", [texts, starts])
    table.relation.aggregate(f"{quoted(name)} AS v, {_plain(table, name)} AS plain", quoted(name)).create(
        values
    )
    beginning = "ltrim(code, '0')" if shape_of(table.types[name]) == "whole number" else "code"
    run(
        f"CREATE TABLE {both} AS SELECT v, code, is_start FROM {values} JOIN {listed} "  # noqa: S608
        f"ON {_key('plain')} = {_key('code')} WHERE NOT is_start UNION ALL "
        f"SELECT v, code, is_start FROM {values} JOIN (FROM {listed} WHERE is_start) "
        f"ON {beginning} <> '' AND starts_with(plain, {beginning})"
    )
    found = run(f"SELECT DISTINCT code, is_start FROM {both}").fetchall()  # noqa: S608
    return both, {(code, is_start) for code, is_start in found}


def _plain(table: Table, name: str) -> str:
    """The value as codes are compared: in upper case, without dots and blanks."""
    text = f"CAST({quoted(name)} AS VARCHAR)"
    if shape_of(table.types[name]) == "number":
        text = f"regexp_replace({text}, '[.]0+$', '')"
    return f"regexp_replace(upper({text}), '[.\\s]', '', 'g')"


def _key(code: str) -> str:
    """Numbers often have lost their leading zeros on the way."""
    return f"CASE WHEN regexp_full_match({code}, '[0-9]+') THEN ltrim({code}, '0') ELSE {code} END"
