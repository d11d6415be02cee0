"""Some rows of a large table, the same for the same seed."""

from __future__ import annotations

from reidrisk.engine.classes import count_rows
from reidrisk.engine.failures import without_values
from reidrisk.engine.names import quoted
from reidrisk.engine.table import Table

NTH = "reidrisk_nth"


def drawn_rows(table: Table, most: int, *, seed: int) -> Table:
    """The table itself, or about so many of its rows: two tables in one order give the same rows."""
    rows = count_rows(table)
    if rows <= most:
        return table
    with without_values(table.source):
        numbered = table.with_numbers([quoted(name) for name in table.columns], NTH)
        kept = numbered.filter(f"hash({NTH}, {seed}) % {rows} < {most}")
        relation = kept.project(f"* EXCLUDE ({NTH})")
    return table.derived(relation, note=f"about {most:,} rows drawn")
