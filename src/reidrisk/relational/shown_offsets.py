"""What would show by how many days the dates of a person moved.

One true date beside a moved date of the same time gives the number of days away, and a true year narrows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reidrisk.engine.linked import ColumnPlan, TableColumn
from reidrisk.errors import InvalidSetting
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.database import Database
from reidrisk.relational.plan import TreatmentPlan
from reidrisk.tables.column_kinds import kind_of_name, words_of

SHOWN = ("keep", "rare", "labels", "round", "top")
"""Treatments that leave true values in a release, or say to which group they belong."""
BIRTHS = ("date_of_birth", "year_of_birth")
BORN = {"born", "birth"}
YEAR = {"year", "years", "yr"}
DAY = "day"
FULL_DATE = re.compile(r"\d{4}-\d\d-\d\d")
FIRST, LAST = 1900, 2100


def refuse_true_dates(database: Database, config: RelationalConfig, plan: TreatmentPlan) -> None:
    """Refuse dates and years of people that stay true while other dates of the same people move."""
    for at in _whole_births(database, config, plan):
        raise InvalidSetting(
            f"{at} would be released with the true date of birth, while other dates of the same people move. "
            "It identifies people, and a date near the birth, or an age in days, then shows by how many days "
            "they moved.",
            hint=f"Write columns: {{{at}: {'year' if database.tables.is_date(at) else 'drop'}}}. Of a birth, "
            "only the year is released.",
        )
    for at in _true_dates(database, config, plan):
        raise InvalidSetting(
            f"{at} would be released with true dates or years, while other dates of the same people move. "
            "Together they show by how many days.",
            hint=f"Write columns: {{{at}: date}} if it is a date, or {{{at}: drop}}. Of true years, only "
            "that of birth is released, in the table of people.",
        )


def true_years(config: RelationalConfig, plan: TreatmentPlan) -> list[str]:
    """What remains of true years although no date is true, in sentences."""
    if not _moves(config, plan):
        return []
    years = [at for at in plan.acting("year", "birth_year") if at.table == plan.links.person.table]
    found = [
        f"Remaining risk: {at} is cut to the true year. Unless it is that of birth, it narrows the offset "
        "of people whose other dates lie near it."
        for at in years
        if not _is_birth(at)
    ]
    found += [
        f"Remaining risk: {at} is a birth date that moves with the other dates. Whoever knows it learns the "
        "offset of the person. Cut it to the year, or leave it out."
        for at in plan.acting("date")
        if _is_birth(at)
    ]
    ages = [at for at in plan.acting("keep", "top") if _kind(at) == "age"]
    if years and ages:
        found.append(
            f"Remaining risk: {ages[0]} and {years[0]} together tell in which true year the age was taken, "
            "which narrows offsets. Leave one of them out, or make it coarser."
        )
    return found


def _moves(config: RelationalConfig, plan: TreatmentPlan) -> bool:
    return config.dates.moves and bool(plan.acting("date"))


def _kind(at: TableColumn) -> str:
    found = kind_of_name(at.column)
    return "" if found is None else found.kind.key


def _is_birth(at: TableColumn) -> bool:
    return _kind(at) in BIRTHS or bool(BORN & set(words_of(at.column)))


def _true_dates(database: Database, config: RelationalConfig, plan: TreatmentPlan) -> Iterator[TableColumn]:
    if not _moves(config, plan):
        return
    people = plan.links.person.table
    for at, one in plan.treatments.items():
        of_people = at.table == people
        if not (of_people or plan.links.owners.get(at.table)) or at.table not in plan.tables:
            continue
        if of_people and _is_birth(at):
            continue
        if _stays_true(database, at, one.plan, of_people=of_people):
            yield at


def _whole_births(database: Database, config: RelationalConfig, plan: TreatmentPlan) -> Iterator[TableColumn]:
    """Columns that show when people were born."""
    if not _moves(config, plan):
        return
    for at, one in plan.treatments.items():
        has_people = at.table == plan.links.person.table or plan.links.owners.get(at.table)
        if has_people and at.table in plan.tables and _is_birth(at) and _shows_birth(database, at, one.plan):
            yield at


def _shows_birth(database: Database, at: TableColumn, plan: ColumnPlan) -> bool:
    """Whether the date of birth is released, or its day beside a month and a year."""
    if not _shows_values(plan):
        return False
    if DAY in words_of(at.column) and database.tables.kind(at) == "whole number":
        return True
    if plan.action == "labels":
        return any(label and FULL_DATE.match(label) for label in plan.labels.values())
    return database.tables.is_date(at)


def _shows_values(plan: ColumnPlan) -> bool:
    """Whether true values are released, or something that differs with them."""
    return plan.action in SHOWN and (plan.action != "labels" or len(set(plan.labels.values())) > 1)


def _stays_true(database: Database, at: TableColumn, plan: ColumnPlan, *, of_people: bool) -> bool:
    if plan.action == "year":
        return not of_people
    if not _shows_values(plan):
        return False
    return database.tables.is_date(at) or (not of_people and _has_years(database, at))


def _has_years(database: Database, at: TableColumn) -> bool:
    """Whether a column is called a year and has nothing but years."""
    if not YEAR & set(words_of(at.column)) or database.tables.kind(at) != "whole number":
        return False
    values = [int(value) for value in database.tables.values(at)]
    return bool(values) and all(FIRST <= value <= LAST for value in values)
