"""Plan the released table: what happens to each column, each cell and the order of rows."""

from __future__ import annotations

from collections.abc import Mapping

from reidrisk.core.schema import Schema, Treatment
from reidrisk.engine.plans import Recode, ReleasePlan
from reidrisk.tables.deidentify.by_tuple import TupleSolution
from reidrisk.tables.deidentify.grouped import Releasable
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.prepare import PreparedTable, treatments_of
from reidrisk.tables.deidentify.search import LevelSolution
from reidrisk.tables.transform.applied import changed_columns
from reidrisk.tables.transform.step import StepInputs


def release_of(
    found: Releasable, prepared: PreparedTable, schema: Schema, options: DeidentifyOptions, *, seed: int
) -> ReleasePlan:
    """Plan what happens to each column, to the cells and to the order of rows."""
    treatments = treatments_of(prepared.table.columns, schema, options, found.problem.layout.quasi)
    keeps = options.order == "keep"
    by_tuple = found.form.recode() if isinstance(found, TupleSolution) else None
    return ReleasePlan(
        tuples=found.problem.tuples,
        recodes=recodes_of(found) if isinstance(found, LevelSolution) else (),
        blanks=found.suppressed.blanks(),
        by_tuple=by_tuple,
        treatments=treatments,
        unit=schema.unit,
        key=options.key,
        order="source" if keeps else "content" if options.order == "content" else "random",
        salt=StepInputs.drawing(seed, options.key).salt,
        told=revealed_by_order(found, prepared, schema, treatments) if keeps else (),
    )


def revealed_by_order(
    found: Releasable, prepared: PreparedTable, schema: Schema, treatments: Mapping[str, Treatment]
) -> tuple[str, ...]:
    """Return columns that are not released unchanged but that the order of rows reveals."""
    exact = {name for place, name in enumerate(found.problem.layout.quasi) if found.is_exact(place)}
    treated = [name for name, treatment in treatments.items() if treatment != "keep"]
    changed = changed_columns(found.problem.options.steps)
    exact -= set(changed)
    every = dict.fromkeys([*prepared.tuples.columns, *treated, *changed])
    hidden = [name for name in every if name not in exact]
    return prepared.table.rows.told_by_order(hidden, records=found.problem.records, unit=schema.unit)


def recodes_of(found: LevelSolution) -> tuple[Recode, ...]:
    """Return the recoding of each variable at its level; level 0 leaves the column unchanged."""
    pairs = zip(found.problem.levels, found.solution.levels, strict=True)
    return tuple(
        Recode(one.recoding.levels[level], one.labels[level] if level else None) for one, level in pairs
    )
