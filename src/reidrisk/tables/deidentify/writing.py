"""The de-identified table goes to a file, and the file is checked before it gets its name."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from reidrisk.core.schema import Schema
from reidrisk.core.treatment import Treatment
from reidrisk.engine.recode import Recode
from reidrisk.engine.release import ReleasePlan, released
from reidrisk.engine.tuples import DistinctTuples
from reidrisk.engine.verify import smallest_class
from reidrisk.engine.write import known_suffix, write_table
from reidrisk.errors import BadData, ReidRiskError
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.prepare import Prepared
from reidrisk.tables.deidentify.problem import only
from reidrisk.tables.deidentify.search import Found
from reidrisk.tables.deidentify.treatments import treatments_of


class FailedCheck(ReidRiskError):
    """What was written does not keep its promise: a fault of ours, so nothing is left."""


def release_of(found: Found, prepared: Prepared, schema: Schema, options: DeidentifyOptions) -> ReleasePlan:
    """What is done to each column and to the cells."""
    quasi = found.problem.layout.quasi
    return ReleasePlan(
        tuples=found.problem.tuples,
        recodes=recodes_of(found),
        blanks=found.lost.blanks(),
        treatments=treatments_of(prepared.table.columns, schema, options, quasi),
        unit=schema.unit,
        key=options.key,
    )


def recodes_of(found: Found) -> tuple[Recode, ...]:
    """Each variable at its level; level 0 leaves the column as it is."""
    pairs = zip(found.problem.levels, found.solution.levels, strict=True)
    return tuple(
        Recode(one.recoding.levels[level], one.labels[level] if level else None) for one, level in pairs
    )


def write_release(found: Found, prepared: Prepared, release: ReleasePlan, path: str | Path) -> None:
    """Write every row, then count the classes of the file in plain SQL."""
    suffix = known_suffix(Path(path))
    like = prepared.opened.text
    unit = release.unit if _tells_units(release) else None

    def check(part: Path) -> None:
        smallest = smallest_class(part, found.problem.layout.quasi, suffix=suffix, unit=unit, like=like)
        if smallest is not None and smallest < _least(found):
            raise FailedCheck(
                f"{path} was not written: a class of it would have {smallest} records, fewer than "
                f"{_least(found)}.",
                hint="This is a fault of reidrisk: please report it with the settings, without the data.",
            )

    write_table(released(prepared.table, prepared.records, release), path, like=like, check=check)


def _least(found: Found) -> int:
    """The smallest class that a file may have; a suppressed cell that matches everything is no class."""
    if found.problem.options.reading == "wildcard" and found.problem.options.suppress == "cells":
        return 1
    return found.threshold.cell_size


def _tells_units(release: ReleasePlan) -> bool:
    kept: Treatment | None = release.treatments.get(release.unit or "")
    return release.unit is not None and kept != "drop"


def refuse_changed(found: Found, tuples: DistinctTuples) -> None:
    """A table that is written later must be the one that was searched."""
    now, then = only(tuples, found.problem.layout.quasi), found.problem.tuples
    if not (np.array_equal(now.codes, then.codes) and np.array_equal(now.counts, then.counts)):
        raise BadData("The table has changed since it was searched.", hint="De-identify it anew.")
