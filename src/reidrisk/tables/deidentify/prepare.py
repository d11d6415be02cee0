"""Prepare a table for the search: check its columns, apply steps and treatments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.schema import Schema, Treatment
from reidrisk.engine.opening import master_now
from reidrisk.engine.plans import DistinctTuples
from reidrisk.engine.protocol import LeveledTuples, Table
from reidrisk.errors import InvalidSetting, NothingToMeasure, OverBudget, UnknownColumn
from reidrisk.stats.suppress.table import MOST_COLUMNS
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.problem import limited_hierarchy
from reidrisk.tables.deidentify.rare import TreatedRare
from reidrisk.tables.deidentify.texts import TextColumn, clean_texts
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.readable import with_readable
from reidrisk.tables.inventory import ColumnUse, check_accepted
from reidrisk.tables.transform.applied import TransformedTable, apply_steps
from reidrisk.tables.transform.step import StepInputs

BY_RANGE = ("mondrian", "microaggregate")
"""Methods that need the order of numbers and dates."""


def check_columns(columns: Sequence[str], schema: Schema, options: DeidentifyOptions, *, source: str) -> None:
    """Check that all named columns exist and have one role."""
    made = {one.name for one in options.derived}
    events = () if options.events is None else options.events.columns
    wanted = [*schema.columns, *events, *(name for layout in options.layouts for name in layout.quasi)]
    for name in [*wanted, *options.treatments]:
        if name not in columns and name not in made:
            raise UnknownColumn.among(name, [*columns, *made], source=source)
    quasi = all_quasi(schema, options)
    if len(quasi) > MOST_COLUMNS:
        raise InvalidSetting(
            f"{len(quasi)} quasi-identifiers are more than the {MOST_COLUMNS} that can be searched.",
            hint="Choose those that an intruder can realistically know.",
        )
    _check_events(schema, options, quasi)
    for name in options.treatments:
        if name in quasi:
            raise InvalidSetting(
                f"{name!r} is a quasi-identifier and also has a treatment as a direct identifier.",
                hint="Give it only one of the two roles.",
            )
    check_accepted(columns, schema, source=source)
    if options.rare is not None:
        options.rare.check(columns, source=source)
    if "deidentify" in schema.text.values() and options.clean is None:
        raise InvalidSetting(
            "Free text can only be de-identified with a detector.",
            hint="Give DeidentifyOptions(clean=reidrisk.cell_cleaner()), or drop the column.",
        )


def _check_events(schema: Schema, options: DeidentifyOptions, quasi: Sequence[str]) -> None:
    """Check that columns of events are not treated otherwise and that rows of a person stay linked."""
    if options.events is None:
        return
    options.events.check(replace(schema, quasi=tuple(quasi), reduce={}))
    treated = [name for name in options.events.columns if name in options.treatments]
    if treated or options.treatments.get(schema.unit or "") == "drop":
        what = ", ".join(treated) or schema.unit
        raise InvalidSetting(
            f"{what} is treated as a direct identifier, but events need it.",
            hint="Without the column of people no rows are linked: then measure them without --events.",
        )
    _check_sensitive_events(schema, options)
    hidden = [name for name in options.events.columns if name in _sources(options)]
    if hidden:
        raise InvalidSetting(
            f"A variable is derived from {', '.join(hidden)}, which is then removed, but events need it.",
            hint="Leave out the derived variable: together with the events it would reveal their dates.",
        )


def _check_sensitive_events(schema: Schema, options: DeidentifyOptions) -> None:
    """Check that suppressing rows of a person cannot change the person's sensitive value."""
    varying = [name for name in schema.sensitive if name in schema.reduce]
    if varying and options.max_event_suppression > 0:
        raise InvalidSetting(
            f"The sensitive column {', '.join(varying)} varies within a person, and rows of events may be "
            "suppressed: the release would then differ from what was measured.",
            hint="Suppress no rows (--max-event-suppression 0), or choose a column that does not vary.",
        )


def column_use(
    table: Table, schema: Schema, options: DeidentifyOptions, quasi: Sequence[str], *, keeps_order: bool
) -> ColumnUse:
    """What happens to the columns, for the inventory of the release."""
    treatments = treatments_of(table.columns, schema, options, quasi)
    given = {*schema.direct, *options.treatments, *([] if schema.unit is None else [schema.unit])}
    return ColumnUse(
        treatments={name: done for name, done in treatments.items() if name in given},
        events=() if options.events is None else options.events.columns,
        changed=tuple(_pseudonyms(options)),
        dropped=tuple(
            name for name, done in treatments.items() if name not in {*given, *schema.text} and done == "drop"
        ),
        writes=True,
        keeps_order=keeps_order,
        confirmed=options.confirmed,
    )


def all_quasi(schema: Schema, options: DeidentifyOptions) -> tuple[str, ...]:
    """Return the quasi-identifiers of all layouts, each once."""
    if not options.layouts:
        return schema.quasi
    return tuple(dict.fromkeys(name for layout in options.layouts for name in layout.quasi))


def treatments_of(
    columns: Sequence[str], schema: Schema, options: DeidentifyOptions, quasi: Sequence[str]
) -> dict[str, Treatment]:
    """Return the treatment of every column that is neither a released quasi-identifier nor unchanged.

    Variables of other layouts, and dates that a derived variable replaces, are dropped.
    """
    found: dict[str, Treatment] = {}
    texts = {name for name, done in schema.text.items() if done == "drop"}
    removed = {*schema.direct, *schema.quasi, *all_quasi(schema, options), *_sources(options), *texts}
    for name in columns:
        if name in quasi:
            continue
        if name in options.treatments:
            found[name] = options.treatments[name]
        elif name in removed:
            found[name] = "drop"
        elif name == schema.unit and name not in _pseudonyms(options):
            found[name] = "number"
    return found


def _pseudonyms(options: DeidentifyOptions) -> set[str]:
    """Return the columns that a transformation replaced by pseudonyms."""
    return {name for one in options.steps if one.step.kind == "pseudonyms" for name in one.step.columns}


def _sources(options: DeidentifyOptions) -> set[str]:
    """Return the columns that derived variables are computed from, and those variables."""
    return {name for one in options.derived for name in (one.start, one.end, one.name)}


@dataclass(frozen=True, slots=True, eq=False)
class PreparedTable:
    """An open table, and the distinct tuples of all its quasi-identifiers."""

    opened: Table
    """The table as read, with detected types."""
    table: Table
    """The table with derived variables; for a text file, other columns keep their original spelling."""
    records: Table
    """One row per unit of analysis."""
    tuples: DistinctTuples = field(repr=False)
    rows: int
    done: TransformedTable | None = field(default=None, repr=False)
    """The transformations before the search; None if there are none."""
    texts: tuple[TextColumn, ...] = ()
    """Columns of free text in which identifiers were replaced."""
    rare: TreatedRare | None = None
    """What was done to records with a listed code; None without a list."""
    stored: LeveledTuples | None = field(default=None, repr=False)
    """All tuples, if they do not fit in memory; `tuples` are then the classes of the highest node."""


def prepare(  # noqa: PLR0913 - the table, what is asked of it, and how it is used
    opened: Table,
    schema: Schema,
    options: DeidentifyOptions,
    *,
    as_text: bool = True,
    seed: int = 7,
    measured: bool = True,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    inside: bool = False,
) -> PreparedTable:
    """Transform, derive, collapse and count; without `measured`, skip measuring the transformations.

    With `as_text`, columns that are not computed with keep their original spelling for a text file;
    otherwise all columns have their detected types. Hierarchies of dates and numbers say which columns must
    be readable as such. With `inside`, tuples stay inside the engine even if they fit in memory.
    """
    quasi = all_quasi(schema, options)
    made = {one.name for one in options.derived}
    sources = {name for one in options.derived for name in (one.start, one.end)}
    events = () if options.events is None else options.events.columns
    stepped = {name for one in options.steps for name in one.step.columns}
    known = (name for name in (*quasi, *events) if name not in made)
    typed = {*known, *sources, *_unit(schema), *stepped}
    stored = opened.as_stored(typed) if as_text else opened
    stored, rare = treat_rare(stored, schema, options)
    done = apply_transformations(stored, options, seed, unit=schema.unit, measured=measured)
    cleaned, texts = clean_texts(done.table if done else stored, schema, options.clean)
    table = cleaned.dates.derived(options.derived) if options.derived else cleaned
    table = with_readable(table, hierarchies or {}, (*quasi, *events))
    if options.method in BY_RANGE:
        table = table.dates.read_likely(quasi)
    records = table
    if schema.unit is not None:
        rules: dict[str, Any] = {name: rule for name, rule in schema.reduce.items() if name in quasi}
        records = table.per_unit(schema.unit, quasi, rules)
    tuples, leveled = tuples_that_fit(records, quasi, options, hierarchies or {}, inside=inside)
    if not len(tuples):
        raise NothingToMeasure(
            f"{opened.source} has no rows.", hint="Check the file, or the filter that made it."
        )
    rows = tuples.records if schema.unit is None else table.count()
    return PreparedTable(opened, table, records, tuples, rows, done, texts, rare, leveled)


def tuples_that_fit(
    records: Table,
    quasi: Sequence[str],
    options: DeidentifyOptions,
    hierarchies: Mapping[str, Hierarchy],
    *,
    inside: bool = False,
) -> tuple[DistinctTuples, LeveledTuples | None]:
    """Return the distinct tuples; at the lowest levels that are permitted, if the exact ones do not fit.

    The search looks at no lower level, so it finds the same solution. If those do not fit either, they stay
    inside the engine, and the classes of the highest node are returned with them.
    """
    if not inside:
        try:
            return records.tuples(quasi, recodable=True), None
        except OverBudget as error:
            if master_now() is not None:
                raise
            _refuse_beyond_memory(error, options)
        with suppress(OverBudget):
            return _merged(records, quasi, hierarchies), None
        if len(options.layouts) > 1:
            return records.tuples(quasi, recodable=True), None
    leveled = records.rows.leveled_tuples(quasi, _permitted(hierarchies, options.max_level))
    return leveled.at(leveled.top), leveled


def _merged(records: Table, quasi: Sequence[str], hierarchies: Mapping[str, Hierarchy]) -> DistinctTuples:
    """Return the tuples at the lowest levels; refuse them if no hierarchy has one above the exact values."""
    least = [name for name in quasi if name in hierarchies and hierarchies[name].min_level is not None]
    if not least:
        raise OverBudget("No column has a lowest level.", hint="Set min_level in a hierarchy.")

    def merge(name: str, values: NDArray[np.object_], counts: NDArray[np.int64]) -> NDArray[np.int32]:
        same = np.arange(len(values), dtype=np.int32)
        if name not in least:
            return same
        recoding = hierarchies[name].on(values, counts).recoding
        _, first, place = np.unique(recoding.levels[recoding.lowest], return_index=True, return_inverse=True)
        return same[first[place.reshape(-1)]]

    return records.rows.merged_tuples(quasi, merge)


def _permitted(
    hierarchies: Mapping[str, Hierarchy], max_level: Mapping[str, str | int]
) -> Callable[[str, NDArray[np.object_], NDArray[np.int64]], tuple[NDArray[np.int32], ...]]:
    """Return what gives the codes of a column at its permitted levels."""

    def levels(
        name: str, values: NDArray[np.object_], counts: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], ...]:
        recoding = limited_hierarchy(name, hierarchies, max_level).on(values, counts).recoding
        return recoding.levels[recoding.lowest : recoding.top + 1]

    return levels


def _refuse_beyond_memory(error: OverBudget, options: DeidentifyOptions) -> None:
    """Refuse what needs exact values of all tuples in memory."""
    asked = {
        f"the method {options.method}": options.method != "global",
        "the loss entropy": options.loss == "entropy",
        "events": options.events is not None,
        "limits on sensitive columns": bool(options.sensitive_limits),
        "named solutions": bool(options.solutions),
        "transformations": bool(options.steps),
        "rare codes": options.rare is not None,
    }
    needs = [what for what, is_asked in asked.items() if is_asked]
    if needs:
        raise OverBudget(
            error.problem,
            hint=f"{error.hint} Without {' and '.join(needs)}, the search would work on what does not fit.",
        ) from error


def treat_rare(table: Table, schema: Schema, options: DeidentifyOptions) -> tuple[Table, TreatedRare | None]:
    """Treat records with a listed rare code, if there is a list."""
    if options.rare is None:
        return table, None
    events = () if options.events is None else options.events.columns
    searched = (*all_quasi(schema, options), *events)
    return options.rare.apply(table, schema, searched)


def apply_transformations(
    table: Table, options: DeidentifyOptions, seed: int, *, unit: str | None = None, measured: bool = False
) -> TransformedTable | None:
    """Apply the steps of the options to the table; None if there are none."""
    if not options.steps:
        return None
    return apply_steps(
        table, options.steps, StepInputs.drawing(seed, options.key), unit=unit, measured=measured
    )


def _unit(schema: Schema) -> set[str]:
    return set() if schema.unit is None else {schema.unit}
