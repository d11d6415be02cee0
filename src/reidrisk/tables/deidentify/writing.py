"""The de-identified table goes out, and what goes out is checked before anybody gets it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.schema import Schema, Treatment
from reidrisk.engine.failures import without_values
from reidrisk.engine.order import told_columns
from reidrisk.engine.recode import Recode
from reidrisk.engine.release import ReleasePlan, released
from reidrisk.engine.table import open_table
from reidrisk.engine.tuples import DistinctTuples
from reidrisk.engine.verify import smallest_class, smallest_class_of, written_arrow, written_table
from reidrisk.engine.write import known_suffix, lists_texts, write_table
from reidrisk.errors import BadData, FailedCheck
from reidrisk.tables.deidentify.by_tuple import FoundByTuple
from reidrisk.tables.deidentify.event_form import EventForm, refuse_exposed
from reidrisk.tables.deidentify.methods import Releasable
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.prepare import Prepared
from reidrisk.tables.deidentify.problem import only
from reidrisk.tables.deidentify.recheck import refuse_telling, secret_types
from reidrisk.tables.deidentify.search import Found
from reidrisk.tables.deidentify.treatments import treatments_of
from reidrisk.tables.transform.tracked import changed_columns

MANY = 100
"""Records from which on an order that tells something is changed unasked."""


def release_of(
    found: Releasable, prepared: Prepared, schema: Schema, options: DeidentifyOptions
) -> ReleasePlan:
    """What is done to each column and to the cells."""
    treatments = treatments_of(prepared.table.columns, schema, options, found.problem.layout.quasi)
    told = told_by_order(found, prepared, schema, treatments)
    hides = (
        bool(told) and found.problem.records >= MANY
        if options.order == "auto"
        else options.order == "content"
    )
    by_tuple = found.form.recode() if isinstance(found, FoundByTuple) else None
    return ReleasePlan(
        tuples=found.problem.tuples,
        recodes=recodes_of(found) if isinstance(found, Found) else (),
        blanks=found.lost.blanks(),
        by_tuple=by_tuple,
        treatments=treatments,
        unit=schema.unit,
        key=options.key,
        order="content" if hides else "source",
        told=told,
    )


def told_by_order(
    found: Releasable, prepared: Prepared, schema: Schema, treatments: Mapping[str, Treatment]
) -> tuple[str, ...]:
    """Columns that are not released as they are, but that the order of the rows gives away."""
    exact = {name for place, name in enumerate(found.problem.layout.quasi) if found.is_exact(place)}
    treated = [name for name, treatment in treatments.items() if treatment != "keep"]
    changed = changed_columns(found.problem.options.steps)
    exact -= set(changed)
    every = dict.fromkeys([*prepared.tuples.columns, *treated, *changed])
    hidden = [name for name in every if name not in exact]
    return told_columns(prepared.table, hidden, records=found.problem.records, unit=schema.unit)


def recodes_of(found: Found) -> tuple[Recode, ...]:
    """Each variable at its level; level 0 leaves the column as it is."""
    pairs = zip(found.problem.levels, found.solution.levels, strict=True)
    return tuple(
        Recode(one.recoding.levels[level], one.labels[level] if level else None) for one, level in pairs
    )


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
