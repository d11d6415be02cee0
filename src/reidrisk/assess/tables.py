"""The tables of a result as CSV: every list of rows that the JSON has at its top."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

PLAIN = (str, int, float, bool, type(None))


def csv_tables(result: Mapping[str, Any]) -> dict[str, str]:
    """Text by file name; columns whose cells are lists or mappings stay in the JSON."""
    return {f"{name}.csv": _text(rows) for name, rows in result.items() if _is_table(rows)}


def _is_table(rows: Any) -> bool:
    return isinstance(rows, list) and bool(rows) and all(isinstance(row, dict) and row for row in rows)


def _text(rows: list[dict[str, Any]]) -> str:
    columns = [
        name
        for name in dict.fromkeys(name for row in rows for name in row)
        if all(isinstance(row.get(name), PLAIN) or _is_names(row.get(name)) for row in rows)
    ]
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row.get(name)) for name in columns])
    return target.getvalue()


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def _cell(value: Any) -> Any:
    return "; ".join(value) if isinstance(value, list) else value
