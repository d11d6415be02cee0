"""Write the released table, and measure it again before it is released."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.schema import Treatment
from reidrisk.engine.plans import DistinctTuples, ReleasePlan
from reidrisk.engine.protocol import Table
from reidrisk.errors import BadData, FailedCheck
from reidrisk.tables.deidentify.events import EventForm, refuse_exposed
from reidrisk.tables.deidentify.grouped import Releasable
from reidrisk.tables.deidentify.prepare import PreparedTable
from reidrisk.tables.deidentify.problem import tuples_of
from reidrisk.tables.deidentify.sensitive import SensitiveColumn
from reidrisk.tables.sensitive import AttributeDisclosure, disclosure_in, sensitive_classes


def refuse_disclosure(
    found: Releasable, release: ReleasePlan, written: Table, source: Table, what: str
) -> None:
    """Refuse a file whose classes exceed a limit on a sensitive column.

    A column whose values have an order that the file's spelling hides, such as unusual dates, is skipped.
    """
    names = [one.column for one in found.problem.sensitive if one.column in written.columns]
    broken = list(_broken(found, release, written.dates.like_source(names), source))
    if broken:
        raise FailedCheck(
            f"{what}: its classes would reveal more than the limits allow about {', '.join(broken)}.",
            hint="This is a bug in reidrisk: please report it with the settings, without the data.",
        )


def _broken(found: Releasable, release: ReleasePlan, written: Table, source: Table) -> Iterator[str]:
    for one in found.problem.sensitive:
        if written.kinds.get(one.column) == "text" != source.kinds.get(one.column, "text"):
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
    is_mixed = one.rule == "first" and release.order != "source"
    if release.unit not in written.columns or is_mixed:
        return None
    rules: dict[str, Any] = {} if one.rule is None else {one.column: one.rule}
    return written.per_unit(release.unit, (*quasi, one.column), rules)


def _disclosure(quasi: Sequence[str], one: SensitiveColumn, records: Table) -> AttributeDisclosure | None:
    """Measure what the classes reveal; None without rows, or if some values of a hierarchy are gone."""
    tuples, levels = records.tuples((*quasi, one.column)), one.attribute.levels
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
    check = _check_of(found, prepared, release, events, f"{path} was not written")
    prepared.table.release(prepared.records, release, path, check)


def released_frame(
    found: Releasable, prepared: PreparedTable, release: ReleasePlan, events: EventForm | None = None
) -> Any:
    """Return every row as an Arrow table, after the same checks."""
    check = _check_of(found, prepared, release, events, "The table is not released")
    return prepared.table.edit.released(prepared.records, release, check)


def _check_of(
    found: Releasable, prepared: PreparedTable, release: ReleasePlan, events: EventForm | None, what: str
) -> Callable[[Table], None]:
    """Return what is checked of the written rows before they are released."""

    def check(written: Table) -> None:
        unit = _released_unit(release)
        _refuse_small(found, written.smallest(found.problem.layout.quasi, unit=unit), what)
        if found.problem.sensitive:
            refuse_disclosure(found, release, written, prepared.opened, what)
        if events is not None:
            refuse_exposed(written, found, events, unit, what)

    return check


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
