"""Suggest what the columns of a table are: names, patterns and uniqueness, and never a silent choice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reidrisk.engine.classes import count_rows
from reidrisk.engine.collapse import units_with_variation
from reidrisk.engine.profile import column_profiles
from reidrisk.engine.table import Table, open_table
from reidrisk.tables.column_role import ColumnSuggestion, suggested
from reidrisk.tables.hipaa_check import checked
from reidrisk.tables.intruders import Intruder, intruder
from reidrisk.tables.suggestion import SURE, Suggestion, UnitChoice
from reidrisk.tables.value_patterns import SAMPLE_ROWS, expressions

UNITS = ("person", "visit", "record")
"""What a unit of analysis is, the best first."""


def suggest_roles(table: Any, *, scenario: str | None = None) -> Suggestion:
    """The role that each column of a table seems to have, how sure that is, and why.

    `scenario` is an intruder (neighbour, acquaintance, registry, insider): the quasi-identifiers
    are then those columns that this intruder may know. The result ends with the command to type
    next; a person must decide.
    """
    known_to = intruder(scenario) if scenario is not None else None
    with open_table(table) as opened:
        profiles = column_profiles(opened, expressions(), sample_rows=SAMPLE_ROWS)
        columns = tuple(suggested(profile) for profile in profiles)
        quasi = _quasi(columns, known_to)
        rows = count_rows(opened)
        return Suggestion(
            columns=columns,
            quasi=quasi,
            intruder=known_to,
            unit=_unit(opened, columns, quasi, rows),
            hipaa=checked(opened, columns),
            rows=rows,
            source=opened.source,
            is_frame=not isinstance(table, str | Path),
            notes=opened.notes,
        )


def _quasi(columns: Sequence[ColumnSuggestion], known_to: Intruder | None) -> tuple[str, ...]:
    """Those that are certain or likely, or those that the intruder knows; failing that, the possible ones."""
    found = [column for column in columns if column.role == "quasi-identifier"]
    if known_to is not None:
        return tuple(
            column.name for column in found if known_to.knowledge_of(column.kind.key if column.kind else None)
        )
    sure = tuple(column.name for column in found if column.confidence in SURE)
    return sure or tuple(column.name for column in found)


def _unit(
    table: Table, columns: Sequence[ColumnSuggestion], quasi: Sequence[str], rows: int
) -> UnitChoice | None:
    """The best column that several rows share; None if every row is a person of its own."""
    shared = [
        column
        for column in columns
        if column.unit and column.profile.missing == 0 and column.profile.distinct < rows
    ]
    if not shared:
        return None
    best = min(shared, key=lambda column: UNITS.index(column.unit or "record"))
    varying = units_with_variation(table, best.name, quasi) if quasi else {}
    return UnitChoice(best.name, best.profile.distinct, tuple(name for name in quasi if varying.get(name)))
