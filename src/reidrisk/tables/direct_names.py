"""Column names that surely name people."""

from __future__ import annotations

from collections.abc import Iterable

from reidrisk.tables.column_kinds import kind_of_name


def looks_direct(column: str) -> str | None:
    """What the column holds, in words, if its name surely names people; None otherwise.

    Numbers of rows, records and visits are not in this list: they name nobody by themselves.

    >>> looks_direct("Patient_Name"), looks_direct("healthCardNumber")
    ('a name of a person', 'a health card or health plan number')
    >>> [looks_direct(name) for name in ("id", "record_id", "visit_id", "drug_name", "age")]
    [None, None, None, None, None]
    """
    match = kind_of_name(column)
    return match.kind.says if match and match.kind.strong else None


def direct_suspects(columns: Iterable[str]) -> dict[str, str]:
    """The columns that surely name people, with what each holds."""
    found = ((column, looks_direct(column)) for column in columns)
    return {column: says for column, says in found if says is not None}
