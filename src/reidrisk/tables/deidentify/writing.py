"""Write the released table, and measure it again before it goes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.treatment import Treatment
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
from reidrisk.tables.deidentify.prepare import Prepared
from reidrisk.tables.deidentify.problem import only
from reidrisk.tables.deidentify.secrets import NamedSecret
from reidrisk.tables.secrets import SecretFound, found_in, secret_classes

TEXT = "VARCHAR"


def secret_types(found: Releasable, prepared: Prepared) -> dict[str, str]:
    """The types of the secret columns, which a file of texts does not hold."""
    opened, table = prepared.opened.types, prepared.table.types
    names = [one.column for one in found.problem.secrets]
    return {name: table[name] if table[name] != TEXT else opened.get(name, TEXT) for name in names}


def refuse_telling(
    found: Releasable, release: ReleasePlan, written: Table, types: Mapping[str, str], what: str
) -> None:
    """Refuse a file whose classes break a limit; what cannot be counted in it is not.

    That is a secret whose values have an order that the file's spelling hides, as of odd dates.
    """
    broken = list(_broken(found, release, written, types))
    if broken:
        raise FailedCheck(
            f"{what}: classes of it would tell more than is allowed of {', '.join(broken)}.",
            hint="This is a fault of reidrisk: please report it with the settings, without the data.",
        )


def _broken(
    found: Releasable, release: ReleasePlan, written: Table, types: Mapping[str, str]
) -> Iterator[str]:
    for one in found.problem.secrets:
        if written.types.get(one.column) == TEXT != types.get(one.column, TEXT):
            continue
        records = _records(found.problem.layout.quasi, release, one, written)
        told = None if records is None else _told(found.problem.layout.quasi, one, records)
        if told is not None and not told.acceptable:
            yield one.column


def _records(quasi: Sequence[str], release: ReleasePlan, one: NamedSecret, written: Table) -> Table | None:
    """One record a unit; None where the file no longer has what that takes."""
    if one.column not in written.columns:
        return None
    if release.unit is None:
        return written
    is_mixed = one.rule == "first" and release.order == "content"
    if release.unit not in written.columns or is_mixed:
        return None
    rules: dict[str, Any] = {} if one.rule is None else {one.column: one.rule}
    return collapse(written, release.unit, (*quasi, one.column), rules)


def _told(quasi: Sequence[str], one: NamedSecret, records: Table) -> SecretFound | None:
    """What the classes tell; None if there is no row, or a hierarchy that some values have left."""
    tuples, levels = distinct_tuples(records, (*quasi, one.column)), one.secret.levels
    if not len(tuples) or (levels and len(tuples.values[-1]) != len(levels[0])):
        return None
    return found_in(one.column, secret_classes(tuples, len(quasi)), one.secret.limits, levels)


def write_release(
    found: Releasable,
    prepared: Prepared,
    release: ReleasePlan,
    path: str | Path,
    events: EventForm | None = None,
) -> None:
    """Write every row, then count the classes of the file in plain SQL, and what they tell of secrets."""
    suffix = known_suffix(Path(path))
    like = prepared.opened.form

    def check(part: Path) -> None:
        quasi, unit = found.problem.layout.quasi, _told_unit(release)
        smallest = smallest_class(part, quasi, suffix=suffix, unit=unit, like=like)
        _refuse_small(found, smallest, f"{path} was not written")
        if found.problem.secrets:
            types = secret_types(found, prepared)
            with written_table(part, suffix=suffix, like=like, types=types) as read:
                refuse_telling(found, release, read, types, f"{path} was not written")
        if events is not None:
            with written_table(part, suffix=suffix, like=like) as table:
                refuse_exposed(table, found, events, unit, f"{path} was not written")

    rows = released(prepared.table, prepared.records, release, short=lists_texts(Path(path)))
    write_table(rows, path, like=like, check=check)


def arrow_release(
    found: Releasable, prepared: Prepared, release: ReleasePlan, events: EventForm | None = None
) -> Any:
    """Every row as an Arrow table, with the same check."""
    outgoing = released(prepared.table, prepared.records, release)
    with without_values("The released table"):
        table = outgoing.to_arrow_table()
    smallest = smallest_class_of(table, found.problem.layout.quasi, unit=_told_unit(release))
    _refuse_small(found, smallest, "The table is not released")
    if found.problem.secrets:
        types = secret_types(found, prepared)
        with written_arrow(table, types) as read:
            refuse_telling(found, release, read, types, "The table is not released")
    if events is not None:
        with open_table(table) as made:
            refuse_exposed(made, found, events, _told_unit(release), "The table is not released")
    return table


def _refuse_small(found: Releasable, smallest: int | None, what: str) -> None:
    if smallest is not None and smallest < _least(found):
        raise FailedCheck(
            f"{what}: a class of it would have {smallest} records, fewer than {_least(found)}.",
            hint="This is a fault of reidrisk: please report it with the settings, without the data.",
        )


def _least(found: Releasable) -> int:
    """The smallest class that a file may have; a suppressed cell that matches everything is no class."""
    if found.problem.options.reading == "wildcard" and found.problem.options.suppress == "cells":
        return 1
    return found.threshold.cell_size


def _told_unit(release: ReleasePlan) -> str | None:
    """The column that tells units apart, if it goes out."""
    kept: Treatment | None = release.treatments.get(release.unit or "")
    return None if kept == "drop" else release.unit


def refuse_changed(found: Releasable, tuples: DistinctTuples) -> None:
    """A table that is written later must be the one that was searched."""
    now, then = only(tuples, found.problem.layout.quasi), found.problem.tuples
    if not (np.array_equal(now.codes, then.codes) and np.array_equal(now.counts, then.counts)):
        raise BadData("The table has changed since it was searched.", hint="De-identify it anew.")
