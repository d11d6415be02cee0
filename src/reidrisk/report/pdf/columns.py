"""How wide the columns of a table are on paper."""

from __future__ import annotations

from reidrisk.report.parts import Column, Table

LEAST, MOST = 7.0, 34.0
"""Letters of the narrowest and the widest column."""


def widths(table: Table) -> list[float]:
    """Shares of the width, by the letters of the cells and of the head's longest word."""
    return [_letters(table, place, column) for place, column in enumerate(table.columns)]


def _letters(table: Table, place: int, column: Column) -> float:
    cells = [len(row[place]) for row in table.rows] or [0]
    head = max(len(word) for word in column.name.split() or [""])
    longest, mean = max(cells), sum(cells) / len(cells)
    wanted = longest if column.is_number or longest <= MOST / 2 else (longest + 2 * mean) / 3
    return round(min(max(wanted, head, LEAST), MOST), 2)
