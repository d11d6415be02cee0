"""Draft hierarchies for the attributes of linked tables, as the draft of a single table has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from reidrisk.engine.linked import TableColumn
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.database import Database
from reidrisk.relational.generalized import levels_of, typed_values
from reidrisk.tables.column_kinds import ColumnKind
from reidrisk.tables.hierarchy.draft import ColumnContent, DraftedHierarchy, draft_hierarchy
from reidrisk.tables.hierarchy.hierarchy import Hierarchy

OTHERWISE = ("drop", "blank", "date", "key", "person", "number", "pseudonym", "deidentify")
"""Treatments of columns that are not generalized: they are removed, moved or renamed."""
BY_VALUE = ("top", "birth_year", "rare", "round")
"""Treatments in place of which a level may be released."""
BY_ROWS = "frequent"
"""A kind of hierarchy that needs the number of rows with a value, which differs from table to table."""
MOST_VALUES = 20_000
"""Columns with more different values are released, or not."""
MOST_LEVELS = 3
EXACT = {"kind": "exact", "suppress": True}


def draft_hierarchies(
    database: Database,
    config: RelationalConfig,
    treatments: Mapping[TableColumn, Any],
    kind_of: Callable[[TableColumn], ColumnKind | None],
) -> Iterator[DraftedHierarchy]:
    """A hierarchy for each attribute by which somebody may know a person or an event, and that has none.

    `treatments` has the columns of the draft. Dates that move need none: the search leaves them out if
    their distances tell too much.
    """
    seen: set[str] = set()
    for at in _known_columns(database, config):
        name = config.attribute_of(at)
        own = tuple(one for one in config.same.get(name, (at,)) if one in treatments)
        if (
            name in seen
            or name in config.hierarchies
            or not own
            or not all(_is_generalized(treatments[one]) for one in own)
        ):
            continue
        seen.add(name)
        values = {value for one in own for value in database.tables.values(one)}
        if len(values) > 1:
            yield _drafted(name, at, sorted(values), kind_of(at))


def _known_columns(database: Database, config: RelationalConfig) -> Iterator[TableColumn]:
    """Person-level quasi-identifiers, then values of events."""
    for one in config.attributes():
        if one.name not in config.derive and database.has(one.column):
            yield database.at(one.column)
    for table, columns in config.events.items():
        for column in columns:
            at = TableColumn(table, column)
            if database.has(at) and not database.tables.is_date(database.at(at)):
                yield database.at(at)


def _is_generalized(treatment: Any) -> bool:
    if isinstance(treatment, str):
        return treatment not in OTHERWISE
    return any(name in treatment for name in BY_VALUE)


def _drafted(name: str, at: TableColumn, values: list[str], kind: ColumnKind | None) -> DraftedHierarchy:
    if len(values) <= MOST_VALUES:
        given = sorted(typed_values(values))
        cells = np.empty(len(given), dtype=object)
        cells[:] = given
        counts = np.ones(len(given), dtype=np.int64)
        found = draft_hierarchy(ColumnContent(at.column, kind, cells, counts), most=MOST_LEVELS)
        if found.settings["kind"] != BY_ROWS and _fits(name, found.settings, values):
            return DraftedHierarchy(name, found.settings, found.remark)
    return DraftedHierarchy(name, EXACT, "kept, or suppressed")


def _fits(name: str, settings: Mapping[str, Any], values: list[str]) -> bool:
    """Whether the levels are there for all values as the release reads them."""
    try:
        levels_of(Hierarchy.of(name, dict(settings)), values)
    except (BadData, InvalidSetting, OverflowError):
        return False
    return True
