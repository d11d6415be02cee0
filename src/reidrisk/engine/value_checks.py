"""Counts of values that a rule forbids: ages, exact dates, postal codes. Counts leave, values do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reidrisk.engine.failures import without_values
from reidrisk.engine.names import chosen, literal, quoted
from reidrisk.engine.profile import shape_of
from reidrisk.engine.table import Table
from reidrisk.engine.text_search import visible

OPEN_ENDED = r"(?i)\+|\b(older|over|more|above|plus)\b"
YEAR = r"^[\[(]?(18|19|20)[0-9]{2}(\.0|s)?(\s?[-–,/]\s?(18|19|20)[0-9]{2})?[\])\[]?$"
"""A year, a decade or a range of years."""


@dataclass(frozen=True, slots=True)
class AboveCounts:
    """Numbers above a limit."""

    cells: int
    distinct: int
    """One: it may stand for all that are larger."""


@dataclass(frozen=True, slots=True)
class PostalCounts:
    """What postal codes give away."""

    longer: int
    """More than three characters."""
    restricted: int
    """Three digits that begin the codes of few people."""
    other: int
    """Of no more than three characters, and no initial three digits of a ZIP code."""


def count_above(table: Table, column: str, limit: float) -> AboveCounts:
    """Numbers above a limit, also at the start of a text; a class without an upper end does not count."""
    text = _text(table, column)
    number = f"TRY_CAST(regexp_extract({text}, '^[0-9]+([.][0-9]+)?') AS DOUBLE)"
    above = f"{number} > {float(limit)} AND NOT regexp_matches({text}, {literal(OPEN_ENDED)})"
    with without_values(table.source):
        found = table.relation.filter(above).aggregate(f"count(*), count(DISTINCT {number})").fetchone()
    return AboveCounts(*(int(number) for number in found or (0, 0)))


def count_exact_dates(table: Table, column: str) -> int:
    """Dates that tell more than a year; dates that all are the first of January tell a year only."""
    name = quoted(column)
    if shape_of(table.types[column]) == "date":
        inside = f"{name} IS DISTINCT FROM date_trunc('year', {name})"
        some, filled = _count(table, [inside, f"{name} IS NOT NULL"])
        return filled if some else 0
    text = _text(table, column)
    return _count(table, [f"{visible(text)} AND NOT regexp_matches({text}, {literal(YEAR)})"])[0]


def count_postal(table: Table, column: str, restricted: Sequence[str]) -> PostalCounts:
    """Postal codes by how much they tell; a number is a ZIP code that lost its leading zeros."""
    text = _text(table, column)
    if shape_of(table.types[column]) in ("whole number", "number"):
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
    return PostalCounts(*_count(table, conditions))


def _text(table: Table, column: str) -> str:
    chosen([column], table.columns, place=table.source)
    return f"trim(CAST({quoted(column)} AS VARCHAR))"


def _count(table: Table, conditions: Sequence[str]) -> list[int]:
    parts = ", ".join(f"count(*) FILTER (WHERE {condition})" for condition in conditions)
    with without_values(table.source):
        found = table.relation.aggregate(parts).fetchone()
    return [int(number) for number in found or ()]
