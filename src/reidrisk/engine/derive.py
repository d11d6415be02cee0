"""Derived variables: computed in the database, beside the columns that they come from."""

from __future__ import annotations

from collections.abc import Sequence

from reidrisk.core.schema import Derived
from reidrisk.core.wording import plural
from reidrisk.engine.dates import TEXT, refuse_partial, with_dates
from reidrisk.engine.failures import without_values
from reidrisk.engine.names import quoted
from reidrisk.engine.readers.dates import full_iso_day
from reidrisk.engine.table import Table
from reidrisk.errors import BadData, UnknownColumn

MOMENTS = ("DATE", "TIMESTAMP")
WHOLE = {"days": "day", "weeks": "week", "months": "month", "years": "year"}


def with_derived(table: Table, derived: Sequence[Derived]) -> Table:
    """The table with each derived variable as one more column, after those it is made from."""
    if not derived:
        return table
    table = with_dates(table, _sources(table, derived))
    for variable in derived:
        _refuse_unusable(table, variable)
    order = list(table.columns)
    made = {variable.name: _expression(table, variable) for variable in derived}
    for variable in derived:
        order.insert(max(order.index(variable.start), order.index(variable.end)) + 1, variable.name)
    columns = [f"{made[name]} AS {quoted(name)}" if name in made else quoted(name) for name in order]
    with without_values(table.source):
        wider = table.derived(table.relation.project(", ".join(columns)), note=f"derived: {', '.join(made)}")
    for variable in derived:
        _refuse_negative(wider, variable)
    return wider


def _sources(table: Table, derived: Sequence[Derived]) -> list[str]:
    names = dict.fromkeys(name for one in derived for name in (one.start, one.end))
    return [name for name in names if name in table.columns]


def _expression(table: Table, variable: Derived) -> str:
    # date_sub counts whole units that have passed, date_diff the midnights and month ends crossed.
    start, end = (
        full_iso_day(quoted(name)) if table.types[name] == TEXT else f"CAST({quoted(name)} AS DATE)"
        for name in (variable.start, variable.end)
    )
    return f"date_sub('{WHOLE[variable.unit]}', {start}, {end})"


def _refuse_unusable(table: Table, variable: Derived) -> None:
    if variable.name.casefold() in {name.casefold() for name in table.columns}:
        raise BadData(
            f"{table.source} already has a column {variable.name!r}.",
            hint="Give the derived one another name.",
        )
    for name in (variable.start, variable.end):
        if name not in table.columns:
            raise UnknownColumn.among(name, table.columns, source=table.source)
        if table.types[name] == TEXT:
            refuse_partial(table, name)
        elif not table.types[name].startswith(MOMENTS):
            raise BadData(
                f"{variable.name!r} is computed from dates, but column {name!r} is {table.types[name]}.",
                hint="Write its values as dates, such as 2007-03-14.",
            )


def _refuse_negative(table: Table, variable: Derived) -> None:
    with without_values(table.source):
        found = table.relation.aggregate(f"count(*) FILTER (WHERE {quoted(variable.name)} < 0)").fetchone()
    if found and found[0]:
        raise BadData(
            f"{table.source}: {plural(found[0], 'row')} with {variable.end!r} before {variable.start!r}.",
            hint="Correct the dates, or exchange the two columns.",
        )
