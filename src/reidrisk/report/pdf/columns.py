"""How wide the columns of a table are on paper."""

from __future__ import annotations

from reidrisk.report.parts import Column, Table

LEAST, NUMBER, MOST, GAP = 6.0, 15.0, 34.0, 2.5
"""Letters of the narrowest column, of the widest of numbers, of the widest, and between two."""


def widths(table: Table) -> list[float]:
    """Shares of the width, by the letters of the cells and of the head's longest word."""
    return [_letters(table, place, column) for place, column in enumerate(table.columns)]


def _letters(table: Table, place: int, column: Column) -> float:
    cells = [len(row[place]) for row in table.rows] or [0]
    head = max(len(word) for word in column.name.split() or [""])
    longest, mean = max(cells), sum(cells) / len(cells)
    if column.is_number:
        unbroken = max((len(piece) for row in table.rows for piece in row[place].split(" ")), default=0)
        return round(GAP + max(min(longest, NUMBER), unbroken, head, LEAST), 2)
    wanted = longest if longest <= MOST / 2 else (longest + 2 * mean) / 3
    return round(GAP + min(max(wanted, head, LEAST), MOST), 2)
