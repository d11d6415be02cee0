"""What else in the tables shows what the search made coarser, or removed.

A table of events often has the same code in several columns, such as a term with its group and its numbers.
If the term becomes coarser, the others would tell it. A table may also have several dates of the same event,
such as a start, an end, and the same with a time, and days of the study. Its keys lead to rows with dates:
who finds a diagnosis and a laboratory value in the same visit knows the day of both.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from reidrisk.engine.linked import TableColumn, TableLink
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.database import Database
from reidrisk.relational.generalized import levels_of
from reidrisk.relational.plan import TreatmentPlan, treatment_plan


class HiddenDates(NamedTuple):
    """Columns that must be emptied, so that nothing shows the dates of some tables."""

    dates: tuple[TableColumn, ...]
    """Dates, and days of the study."""
    keys: tuple[TableColumn, ...]
    """Keys that other rows with dates have as well."""


def values_to_hide(database: Database, config: RelationalConfig) -> tuple[TableColumn, ...]:
    """Columns that describe events which became coarser, and do not follow from what is released of them."""
    coarse = {
        table.lower()
        for table, columns in config.events.items()
        for column in columns
        if _is_coarser(database, config, TableColumn(table, column))
    }
    if not coarse:
        return ()
    named = {(table.lower(), name.lower()) for table, names in config.events.items() for name in names}
    return tuple(
        at
        for at, one in treatment_plan(database, config).treatments.items()
        if at.table in coarse
        and one.role == "event"
        and one.plan.action not in ("drop", "blank")
        and (at.table, at.column.lower()) not in named
    )


def _is_coarser(database: Database, config: RelationalConfig, column: TableColumn) -> bool:
    if not database.has(column):
        return False
    at = database.at(column)
    attribute = config.attribute_of(at)
    if attribute not in config.levels:
        return False
    _, levels = levels_of(config.hierarchies[attribute], database.tables.values(at))
    return levels.number(config.levels[attribute]) > 0


def dates_to_hide(database: Database, config: RelationalConfig, tables: Collection[str]) -> HiddenDates:
    """The columns that show dates of these tables; a key that leads to the person stays in any case."""
    plan = treatment_plan(database, config)
    dates = tuple(at for at in plan.acting("date", "study_day") if at.table in tables)
    with_dates = {at.table for at in plan.acting("date")} - set(tables)
    keys = tuple(
        link.child
        for link in plan.keys
        if link.child.table in tables
        and plan.treatments[link.child].plan.action == "entity"
        and _leads_to_person(plan, link)
        and with_dates & _sharing(plan, link)
    )
    return HiddenDates(dates, tuple(dict.fromkeys(keys)))


def _leads_to_person(plan: TreatmentPlan, link: TableLink) -> bool:
    """Whether the table names its people without this key."""
    return len(plan.links.owners.get(link.child.table, ())) == 1


def _sharing(plan: TreatmentPlan, link: TableLink) -> set[str]:
    """Tables whose rows have the same key."""
    return {link.parent.table, *(other.child.table for other in plan.keys if other.parent == link.parent)}
