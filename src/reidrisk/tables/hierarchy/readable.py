"""Read the columns that hierarchies need as dates or numbers, or refuse them with a reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from reidrisk.engine.protocol import Table

if TYPE_CHECKING:
    from reidrisk.tables.hierarchy.hierarchy import Hierarchy


def with_readable(table: Table, hierarchies: Mapping[str, Hierarchy], columns: Iterable[str]) -> Table:
    """Return the table with dates where a hierarchy of dates needs them.

    An ambiguous date is refused, and so are cells that are neither missing nor a date or number.
    """
    rules = {
        name: hierarchies[name].rule
        for name in dict.fromkeys(columns)
        if name in hierarchies and name in table.columns
    }
    texts = {name: rule for name, rule in rules.items() if table.kinds[name] == "text"}
    if not texts:
        return table
    from reidrisk.tables.hierarchy.ages import AgeLevels
    from reidrisk.tables.hierarchy.dates import DateLevels
    from reidrisk.tables.hierarchy.numbers import NumberLevels

    numbers = [name for name, rule in texts.items() if isinstance(rule, AgeLevels | NumberLevels)]
    dates = [name for name, rule in texts.items() if isinstance(rule, DateLevels)]
    if numbers:
        table.dates.refuse_words(numbers)
    return table.dates.read(dates) if dates else table
