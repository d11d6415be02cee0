"""Equivalence classes with the survey weights of their records."""

from __future__ import annotations

from collections.abc import Iterable

from reidrisk.core.wording import plural
from reidrisk.engine.failures import without_values
from reidrisk.engine.names import chosen, quoted
from reidrisk.engine.profile import shape_of
from reidrisk.engine.table import Table
from reidrisk.errors import BadData

DIGITS = 6
"""Sums of weights are rounded: the order in which threads add would show in the last digits."""


def weighted_sizes(table: Table, columns: Iterable[str], weight: str) -> tuple[tuple[int, float, int], ...]:
    """Triples (size of class, sum of its weights, number of such classes), smallest first."""
    names = chosen(columns, table.columns, place=table.source)
    chosen([weight], table.columns, place=table.source)
    _refuse_odd(table, weight)
    groups = ", ".join(quoted(name) for name in names)
    people = f"round(sum(CAST({quoted(weight)} AS DOUBLE)), {DIGITS}) AS people"
    with without_values(table.source):
        rows = (
            table.relation.aggregate(f"count(*) AS size, {people}", groups)
            .aggregate("size, people, count(*)", "size, people")
            .order("size, people")
            .fetchall()
        )
    return tuple((int(size), float(people), int(number)) for size, people, number in rows)


def _refuse_odd(table: Table, weight: str) -> None:
    """A weight says how many people a record stands for: a number above 0."""
    hint = "Weights say how many people of the population each record stands for."
    if shape_of(table.types[weight]) not in ("number", "whole number"):
        raise BadData(f"{table.source}: the weights in column {weight!r} are no numbers.", hint=hint)
    number = f"CAST({quoted(weight)} AS DOUBLE)"
    with without_values(table.source):
        found = table.relation.filter(
            f"{quoted(weight)} IS NULL OR NOT isfinite({number}) OR {number} <= 0"
        ).aggregate("count(*)")
        odd = found.fetchone()
    if odd and odd[0]:
        raise BadData(
            f"{table.source}: {plural(int(odd[0]), 'record')} without a weight above 0 in column {weight!r}.",
            hint=hint,
        )
