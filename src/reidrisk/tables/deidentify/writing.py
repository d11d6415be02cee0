"""Write the released table, and measure it again before it is released."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.schema import Treatment
from reidrisk.engine.collapse import collapse
from reidrisk.engine.failures import without_values
from reidrisk.engine.release import ReleasePlan, released
from reidrisk.engine.table import Table, open_table
from reidrisk.engine.tuples import DistinctTuples, distinct_tuples
from reidrisk.engine.verify import smallest_class, smallest_class_of, written_arrow, written_table
from reidrisk.engine.write import known_suffix, lists_texts, write_table
from reidrisk.errors import BadData, FailedCheck
from reidrisk.tables.deidentify.events import EventForm, refuse_exposed
from reidrisk.tables.deidentify.grouped import Releasable
from reidrisk.tables.deidentify.prepare import PreparedTable
from reidrisk.tables.deidentify.problem import tuples_of
from reidrisk.tables.deidentify.sensitive import SensitiveColumn
from reidrisk.tables.sensitive import AttributeDisclosure, disclosure_in, sensitive_classes

TEXT = "VARCHAR"


def sensitive_types(found: Releasable, prepared: PreparedTable) -> dict[str, str]:
    """Return the types of the sensitive columns, which a text file does not contain."""
    opened, table = prepared.opened.types, prepared.table.types
    names = [one.column for one in found.problem.sensitive]
    return {name: table[name] if table[name] != TEXT else opened.get(name, TEXT) for name in names}


def refuse_disclosure(
    found: Releasable, release: ReleasePlan, written: Table, types: Mapping[str, str], what: str
) -> None:
    """Refuse a file whose classes exceed a limit on a sensitive column.

    A column whose values have an order that the file's spelling hides, such as unusual dates, is skipped.
    """
    broken = list(_broken(found, release, written, types))
    if broken:
        raise FailedCheck(
            f"{what}: its classes would reveal more than the limits allow about {', '.join(broken)}.",
            hint="This is a bug in reidrisk: please report it with the settings, without the data.",
        )


def _broken(
    found: Releasable, release: ReleasePlan, written: Table, types: Mapping[str, str]
) -> Iterator[str]:
    for one in found.problem.sensitive:
        if written.types.get(one.column) == TEXT != types.get(one.column, TEXT):
            continue
        records = _records(found.problem.layout.quasi, release, one, written)
        seen = None if records is None else _disclosure(found.problem.layout.quasi, one, records)
        if seen is not None and not seen.acceptable:
            yield one.column


def _records(
    quasi: Sequence[str], release: ReleasePlan, one: SensitiveColumn, written: Table
) -> Table | None:
    """Return one record per unit; None if the file no longer has the columns for that."""
    if one.column not in written.columns:
        return None
    if release.unit is None:
        return written
    is_mixed = one.rule == "first" and release.order == "content"
    if release.unit not in written.columns or is_mixed:
        return None
    rules: dict[str, Any] = {} if one.rule is None else {one.column: one.rule}
    return collapse(written, release.unit, (*quasi, one.column), rules)


def _disclosure(quasi: Sequence[str], one: SensitiveColumn, records: Table) -> AttributeDisclosure | None:
    """Measure what the classes reveal; None without rows, or if some values of a hierarchy are gone."""
    tuples, levels = distinct_tuples(records, (*quasi, one.column)), one.attribute.levels
    if not len(tuples) or (levels and len(tuples.values[-1]) != len(levels[0])):
        return None
    return disclosure_in(one.column, sensitive_classes(tuples, len(quasi)), one.attribute.limits, levels)


def write_release(
    found: Releasable,
    prepared: PreparedTable,
    release: ReleasePlan,
    path: str | Path,
    events: EventForm | None = None,
) -> None:
    """Write every row, then check the classes of the written file, its sensitive columns and its events."""
    suffix = known_suffix(Path(path))
    like = prepared.table.form

    def check(part: Path) -> None:
        quasi, unit = found.problem.layout.quasi, _released_unit(release)
        smallest = smallest_class(part, quasi, suffix=suffix, unit=unit, like=like)
        _refuse_small(found, smallest, f"{path} was not written")
        if found.problem.sensitive:
            types = sensitive_types(found, prepared)
            with written_table(part, suffix=suffix, like=like, types=types) as read:
                refuse_disclosure(found, release, read, types, f"{path} was not written")
        if events is not None:
            with written_table(part, suffix=suffix, like=like) as table:
                refuse_exposed(table, found, events, unit, f"{path} was not written")

    rows = released(prepared.table, prepared.records, release, short=lists_texts(Path(path)))
    write_table(rows, path, like=like, check=check)


def arrow_release(
    found: Releasable, prepared: PreparedTable, release: ReleasePlan, events: EventForm | None = None
) -> Any:
    """Return every row as an Arrow table, after the same checks."""
    outgoing = released(prepared.table, prepared.records, release)
    with without_values("The released table"):
        table = outgoing.to_arrow_table()
    smallest = smallest_class_of(table, found.problem.layout.quasi, unit=_released_unit(release))
    _refuse_small(found, smallest, "The table is not released")
    if found.problem.sensitive:
        types = sensitive_types(found, prepared)
        with written_arrow(table, types) as read:
            refuse_disclosure(found, release, read, types, "The table is not released")
    if events is not None:
        with open_table(table) as made:
            refuse_exposed(made, found, events, _released_unit(release), "The table is not released")
    return table


def _refuse_small(found: Releasable, smallest: int | None, what: str) -> None:
    if smallest is not None and smallest < _least(found):
        raise FailedCheck(
            f"{what}: one of its classes would have {smallest} records, fewer than {_least(found)}.",
            hint="This is a bug in reidrisk: please report it with the settings, without the data.",
        )


def _least(found: Releasable) -> int:
    """Return the smallest class allowed; with the wildcard reading, classes of single values do not count."""
    if found.problem.options.reading == "wildcard" and found.problem.options.suppress == "cells":
        return 1
    return found.threshold.cell_size


def _released_unit(release: ReleasePlan) -> str | None:
    """Return the column that identifies units, if it is released."""
    kept: Treatment | None = release.treatments.get(release.unit or "")
    return None if kept == "drop" else release.unit


def refuse_changed(found: Releasable, tuples: DistinctTuples) -> None:
    """Refuse to write a table that has changed since the search."""
    now, then = tuples_of(tuples, found.problem.layout.quasi), found.problem.tuples
    if not (np.array_equal(now.codes, then.codes) and np.array_equal(now.counts, then.counts)):
        raise BadData("The table has changed since the search.", hint="De-identify it again.")
