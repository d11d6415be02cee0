"""Warn about people who have several rows, if every row is counted as a separate person."""

from __future__ import annotations

from reidrisk.core.schema import Schema
from reidrisk.core.wording import plural
from reidrisk.engine.protocol import Table
from reidrisk.tables.column_kinds import kind_of_name


def repeated_people(table: Table, schema: Schema) -> tuple[str, ...]:
    """Return a warning if a column of people repeats and the schema has no unit; otherwise nothing."""
    if schema.unit is not None:
        return ()
    matches = ((name, kind_of_name(name)) for name in table.columns)
    columns = [name for name, match in matches if match and match.kind.unit == "person"]
    if not columns:
        return ()
    nulls, distinct = table.nulls(columns), table.distinct(columns)
    rows = table.count()
    for name in columns:
        filled, people = rows - nulls[name], distinct[name] - (nulls[name] > 0)
        if people < filled:
            return (_warning(name, filled, people),)
    return ()


def _warning(column: str, rows: int, people: int) -> str:
    noun = "person" if people == 1 else "people"
    return (
        f"{column} repeats: {plural(rows, 'row')} of {people:,} {noun}. Each row is now counted as a "
        f"separate person, which makes the risk look smaller than it is. Use --unit {column}."
    )
