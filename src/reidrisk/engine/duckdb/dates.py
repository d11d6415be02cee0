"""Texts of a table as dates and numbers, and variables derived from dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reidrisk.core.schema import Derived
from reidrisk.core.wording import plural
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import literal, quoted
from reidrisk.engine.duckdb.readers.dates import (
    DateForm,
    ambiguous,
    find_forms,
    full_iso_day,
    iso_day,
    likely_formats,
    sample_of,
    unreadable,
)
from reidrisk.engine.duckdb.types import TEXT
from reidrisk.engine.results import MOMENTS
from reidrisk.errors import BadData, UnknownColumn

if TYPE_CHECKING:
    from reidrisk.engine.duckdb.table import DuckTable

NUMBER = r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*"
MOST = 0.5
"""Share of the cells of a column that are numbers or dates if it is meant to have them."""
NAME_FORMAT = "If they are dates, name their format: --date-format. Otherwise correct them."


def ambiguous_dates(table: DuckTable, names: Sequence[str]) -> dict[str, tuple[DateForm, ...]]:
    """Columns of texts that can be read as dates in several ways, with these ways."""
    texts = [name for name in names if table.types[name] == TEXT]
    with without_values(table.source):
        found = find_forms(table.relation, texts, only_iso=table.form.reading.general_format is not None)
    return {name: forms for name, forms in found.items() if len(forms) > 1}


def with_dates(table: DuckTable, names: Sequence[str]) -> DuckTable:
    """The table with its texts in these columns as dates; texts of ISO 8601 stay as they are.

    An ambiguous column is refused, and so is one with cells that are not dates.
    """
    texts = [name for name in names if table.types[name] == TEXT]
    with without_values(table.source):
        forms = {name: form for name in texts if (form := _form(table, name)) is not None}
        if not forms:
            return table
        shown = [
            f"{forms[name].read(quoted(name))} AS {quoted(name)}" if name in forms else quoted(name)
            for name in table.columns
        ]
        notes = "; ".join(f"column {name!r}: dates read as {form.format}" for name, form in forms.items())
        made = table.derived(table.relation.project(", ".join(shown)), note=notes)
    return replace(made, form=replace(table.form, dates={**table.form.dates, **forms}))


def _form(table: DuckTable, name: str) -> DateForm | None:
    """The form of a column of dates; None if it is in ISO 8601."""
    rows, column = table.relation, f"CAST({quoted(name)} AS VARCHAR)"
    filled, iso = _counts(table, name, iso_day(column))
    if iso == filled:
        return None
    found = find_forms(rows, [name], only_iso=table.form.reading.general_format is not None).get(name, ())
    if len(found) > 1:
        raise ambiguous(name, found, place=table.source)
    if found:
        return found[0]
    fits = _best_fit(table, name, column, iso)
    raise unreadable(rows, name, fits, what="a date", place=table.source, advice=NAME_FORMAT)


def _best_fit(table: DuckTable, name: str, column: str, iso: int) -> str:
    """SQL of whether a cell is a date in the form that fits most cells."""
    formats = likely_formats(sample_of(table.relation, name), most=True)
    general = table.form.reading.general_format
    tests = [DateForm(form).fits(column) for form in (formats if general is None else [general])]
    counts = {test: _counts(table, name, f"nullif({test}, false)")[1] for test in tests}
    best = max(counts, key=lambda test: counts[test], default="")
    return best if best and counts[best] > iso else f"{iso_day(column)} IS NOT NULL"


def _counts(table: DuckTable, name: str, test: str) -> tuple[int, int]:
    """How many cells are filled, and how many of them pass a test, which is NULL for the others."""
    filled = f"nullif(trim(CAST({quoted(name)} AS VARCHAR)), '') IS NOT NULL"
    parts = f"count(*) FILTER (WHERE {filled}), count({test}) FILTER (WHERE {filled})"
    found = table.relation.aggregate(parts).fetchone() or (0, 0)
    return int(found[0]), int(found[1])


def refuse_partial(table: DuckTable, name: str) -> None:
    """Refuse a column of ISO 8601 texts in which a cell has no day."""
    day = full_iso_day(quoted(name))
    with without_values(table.source):
        filled, days = _counts(table, name, day)
        if days < filled:
            fits = f"{day} IS NOT NULL"
            raise unreadable(table.relation, name, fits, what="a date with a day", place=table.source)


def is_iso_text(table: DuckTable, name: str) -> bool:
    """Whether every cell is a date of ISO 8601 as a text, or a year as a whole number."""
    if table.types[name] != TEXT and "INT" not in table.types[name]:
        return False
    with without_values(table.source):
        filled, iso = _counts(table, name, iso_day(f"CAST({quoted(name)} AS VARCHAR)"))
    return filled == iso


def count_partial(table: DuckTable, name: str) -> int:
    """How many texts of ISO 8601 do not say the day."""
    if table.types[name] != TEXT and "INT" not in table.types[name]:
        return 0
    with without_values(table.source):
        filled, days = _counts(table, name, full_iso_day(f"CAST({quoted(name)} AS VARCHAR)"))
    return filled - days


def shifted_text(text: str, days: str) -> str:
    """SQL of an ISO 8601 text some days later, as exact as before: a partial date from its middle."""
    bare = f"trim({text})"
    moved = f"CAST(({iso_day(text)}) + {days} AS VARCHAR)"
    return f"left({moved}, CAST(least(length({bare}), 10) AS INTEGER)) || substr({bare}, 11)"


def refuse_words(table: DuckTable, names: Sequence[str]) -> None:
    """Refuse texts that are not numbers, with the number of such cells and their rows."""
    for name in names:
        if table.types[name] != TEXT:
            continue
        test = _is_number(table, name)
        with without_values(table.source):
            filled, numbers = _counts(table, name, f"nullif({test}, false)")
            if numbers < filled:
                raise unreadable(table.relation, name, test, what="a number", place=table.source)


def _is_number(table: DuckTable, name: str) -> str:
    """SQL of whether a text is a number, written with the decimal separator of the table."""
    comma = table.form.reading.decimal == ","
    text = f"replace({quoted(name)}, ',', '.')" if comma else quoted(name)
    return f"regexp_full_match({text}, {literal(NUMBER)})"


def with_order(table: DuckTable, names: Sequence[str]) -> DuckTable:
    """The table with dates in columns of texts that are mostly dates, for steps that need numbers or dates.

    Columns that are mostly numbers or dates but have other cells too are refused with their rows.
    """
    for name in names:
        if table.types[name] != TEXT:
            continue
        with without_values(table.source):
            filled, numbers = _counts(table, name, f"nullif({_is_number(table, name)}, false)")
        if filled and numbers >= MOST * filled:
            refuse_words(table, [name])
    return with_likely_dates(table, names)


def with_likely_dates(table: DuckTable, names: Sequence[str]) -> DuckTable:
    """The table with dates in columns of texts that are mostly dates; other texts may be categories."""
    texts = [name for name in names if table.types[name] == TEXT]
    return with_dates(table, [name for name in texts if _dates_share(table, name) >= MOST])


def _dates_share(table: DuckTable, name: str) -> float:
    column = f"CAST({quoted(name)} AS VARCHAR)"
    with without_values(table.source):
        filled, iso = _counts(table, name, iso_day(column))
        test = _best_fit(table, name, column, iso)
        return _counts(table, name, f"nullif({test}, false)")[1] / filled if filled else 0.0


WHOLE = {"days": "day", "weeks": "week", "months": "month", "years": "year"}


def with_derived(table: DuckTable, derived: Sequence[Derived]) -> DuckTable:
    """The table with each derived variable as one more column, after those it is made from."""
    if not derived:
        return table
    table = with_dates(table, _sources(table, derived))
    for variable in derived:
        _refuse_unusable(table, variable)
    order = list(table.columns)
    made = {variable.name: _expression(table, variable) for variable in derived}
    for variable in derived:
        order.insert(max(order.index(variable.start), order.index(variable.end)) + 1, variable.name)
    columns = [f"{made[name]} AS {quoted(name)}" if name in made else quoted(name) for name in order]
    with without_values(table.source):
        wider = table.derived(table.relation.project(", ".join(columns)), note=f"derived: {', '.join(made)}")
    for variable in derived:
        _refuse_negative(wider, variable)
    return wider


def _sources(table: DuckTable, derived: Sequence[Derived]) -> list[str]:
    names = dict.fromkeys(name for one in derived for name in (one.start, one.end))
    return [name for name in names if name in table.columns]


def _expression(table: DuckTable, variable: Derived) -> str:
    # date_sub counts whole units that have passed, date_diff the midnights and month ends crossed.
    start, end = (
        full_iso_day(quoted(name)) if table.types[name] == TEXT else f"CAST({quoted(name)} AS DATE)"
        for name in (variable.start, variable.end)
    )
    return f"date_sub('{WHOLE[variable.unit]}', {start}, {end})"


def _refuse_unusable(table: DuckTable, variable: Derived) -> None:
    if variable.name.casefold() in {name.casefold() for name in table.columns}:
        raise BadData(
            f"{table.source} already has a column {variable.name!r}.",
            hint="Give the derived one another name.",
        )
    for name in (variable.start, variable.end):
        if name not in table.columns:
            raise UnknownColumn.among(name, table.columns, source=table.source)
        if table.types[name] == TEXT:
            refuse_partial(table, name)
        elif table.kinds[name] not in MOMENTS:
            raise BadData(
                f"{variable.name!r} is computed from dates, but column {name!r} has values of kind "
                f"{table.kinds[name]!r}.",
                hint="Write its values as dates, such as 2007-03-14.",
            )


def _refuse_negative(table: DuckTable, variable: Derived) -> None:
    with without_values(table.source):
        found = table.relation.aggregate(f"count(*) FILTER (WHERE {quoted(variable.name)} < 0)").fetchone()
    if found and found[0]:
        raise BadData(
            f"{table.source}: {plural(found[0], 'row')} with {variable.end!r} before {variable.start!r}.",
            hint="Correct the dates, or exchange the two columns.",
        )
