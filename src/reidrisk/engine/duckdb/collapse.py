"""From many rows a person to one record a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from reidrisk.core.wording import plural
from reidrisk.engine.duckdb.classes import are_all_different
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import chosen, quoted
from reidrisk.engine.protocol import RULES, Rule
from reidrisk.errors import BadData, InvalidSetting

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from reidrisk.engine.duckdb.table import DuckTable

ORDER = '"reidrisk row"'
VARIES = "reidrisk varies "
"""Begins the name of a column that tells whether another varies within the unit."""


def collapse(
    table: DuckTable, unit: str, columns: Iterable[str], rules: Mapping[str, Rule] | None = None
) -> DuckTable:
    """One record per unit: the unit and its columns.

    A column must not vary within a unit unless a rule reduces it: `first` row as stored
    (even if that is null), `min`, `max`, or the `set` of its values written as one text.
    """
    given = rules or {}
    names = [name for name in chosen(columns, table.columns, place=table.source) if name != unit]
    chosen([unit, *given], table.columns, place=table.source)
    for name, rule in given.items():
        if rule not in RULES:
            raise InvalidSetting.among(f"The rule of column {name!r}", rule, RULES)
    _refuse_missing_units(table, unit)
    note = f"one record per unit: {unit}"
    if "set" not in given.values() and are_all_different(table, unit):
        with without_values(table.source):
            return table.derived(table.relation.project(", ".join(map(quoted, (unit, *names)))), note=note)
    fixed = [name for name in names if name not in given]
    varies = [_is_several(quoted(name), f"{VARIES}{place}") for place, name in enumerate(fixed)]
    reduced = [quoted(unit), *(_reduced(name, given.get(name)) for name in names)]
    rows = table.relation
    if "first" in given.values():
        rows = rows.project(f"*, row_number() OVER () AS {ORDER}")
    with without_values(table.source):
        records = table.session.kept(rows.aggregate(", ".join([*reduced, *varies]), quoted(unit)))
        _refuse_variation(table, records, unit, fixed)
        return table.derived(records.project(", ".join(map(quoted, (unit, *names)))), note=note)


def _reduced(name: str, rule: str | None) -> str:
    column = quoted(name)
    forms = {
        None: "any_value({0})",
        "first": "arg_min_null({0}, {1})",
        "min": "min({0})",
        "max": "max({0})",
        "set": "CAST(list_sort(list(DISTINCT {0})) AS VARCHAR)",
    }
    return f"{forms[rule].format(column, ORDER)} AS {column}"


def _refuse_missing_units(table: DuckTable, unit: str) -> None:
    with without_values(table.source):
        found = table.relation.aggregate(f"count(*) - count({quoted(unit)})").fetchone()
    if found and found[0]:
        raise BadData(
            f"{table.source}: {plural(found[0], 'row')} without a value in the unit column {unit!r}.",
            hint="Give every row its unit, or remove the rows.",
        )


def units_with_variation(
    table: DuckTable, unit: str, columns: Iterable[str], *, blanks: bool = True
) -> dict[str, int]:
    """In how many units each column has more than one value; with `blanks`, an empty cell is a value."""
    names = chosen(columns, table.columns, place=table.source)
    # Cheaper than counting distinct values: least equals greatest, and null all or none of the rows.
    varies = [_is_several(quoted(name), f"v{place}", blanks=blanks) for place, name in enumerate(names)]
    sums = ", ".join(f"count(*) FILTER (WHERE v{place})" for place in range(len(names)))
    with without_values(table.source):
        found = table.relation.aggregate(", ".join(varies), quoted(unit)).aggregate(sums).fetchone()
    return {name: int(units) for name, units in zip(names, found or (), strict=True)}


def rows_overwritten(
    table: DuckTable, records: DuckTable, unit: str, rules: Mapping[str, str]
) -> dict[str, int]:
    """How many rows get a value other than their own if each unit has the value of its record.

    The set of a unit's values is another value for each row of a unit that has several.
    """
    names = list(rules)
    own = ", ".join(f"{quoted(name)} AS c{place}" for place, name in enumerate(names))
    new = ", ".join(f"{quoted(name)} AS n{place}" for place, name in enumerate(names))
    varies = ", ".join(_is_several(f"c{place}", f"s{place}") for place in range(len(names)))
    other = [
        f"s{place}" if rule == "set" else f"c{place} IS DISTINCT FROM n{place}"
        for place, rule in enumerate(rules.values())
    ]
    with without_values(table.source):
        rows = table.relation.project(f"{quoted(unit)} AS u, {own}")
        units = table.session.kept(rows.aggregate(f"u AS v, {varies}", "u"))
        given = records.relation.project(f"{quoted(unit)} AS w, {new}")
        joined = rows.join(given, "u = w").join(units, "u = v")
        found = joined.aggregate(", ".join(f"count(*) FILTER (WHERE {test})" for test in other)).fetchone()
    return {name: int(number) for name, number in zip(names, found or (), strict=True)}


def _is_several(column: str, name: str, *, blanks: bool = True) -> str:
    """SQL of whether the rows of a unit have more than one value; with `blanks`, an empty cell is a value."""
    some = f" OR count({column}) NOT IN (0, count(*))" if blanks else ""
    return f"(min({column}) IS DISTINCT FROM max({column}){some}) AS {quoted(name)}"


def _refuse_variation(table: DuckTable, records: DuckDBPyRelation, unit: str, names: Sequence[str]) -> None:
    """Look at the marks of the records, which were made in the same pass."""
    if not names:
        return
    sums = [f"count(*) FILTER (WHERE {quoted(f'{VARIES}{place}')})" for place in range(len(names))]
    found = records.aggregate(", ".join(sums)).fetchone() or ()
    for name, units in zip(names, found, strict=True):
        if units:
            raise BadData(
                f"{table.source}: column {name!r} varies within {plural(units, 'unit')} of {unit!r}.",
                hint="If rows describe events such as visits, name it with --events, which keeps the value "
                f"of each row. Or give a rule that reduces it to one value per unit ({', '.join(RULES)}), "
                "or another unit of analysis.",
            )
