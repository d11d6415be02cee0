"""Small tables with hierarchies, and the plainest possible checks of what was written."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reidrisk.tables.hierarchy.hierarchy import Hierarchy

ROWS = [
    ("M", 26), ("F", 28), ("F", 31), ("M", 29), ("F", 28),
    ("M", 30), ("M", 29), ("F", 32), ("M", 29), ("F", 31),
]  # fmt: skip
"""Kniola 2016, table 4."""


def hierarchies() -> dict[str, Hierarchy]:
    """Sex: exact, *; age: exact, two years, decade, *."""
    sex = Hierarchy.exact("sex", suppress=True)
    tree = {
        "21-30": {"25-26": [26], "27-28": [28], "29-30": [29, 30]},
        "31-40": {"31-32": [31, 32]},
    }
    return {"sex": sex, "age": Hierarchy.tree("age", tree)}


def write_rows(
    path: Path, header: Sequence[str], rows: Sequence[Sequence[Any]], delimiter: str = ","
) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(header)
        writer.writerows(rows)
    return path


def read_rows(path: Path, delimiter: str = ",") -> tuple[list[str], list[list[str]]]:
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file, delimiter=delimiter)
    return header, rows


def smallest(path: Path, columns: Sequence[str]) -> int:
    """Records in the smallest class of a file, by plain Python."""
    header, rows = read_rows(path)
    places = [header.index(name) for name in columns]
    return min(Counter(tuple(row[place] for place in places) for row in rows).values())
