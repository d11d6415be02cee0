"""De-identify a table: from the source to the result and the released file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.classes import ClassSizes
from reidrisk.core.files import writable
from reidrisk.core.inventory import Inventory
from reidrisk.core.limits import Limits, as_now
from reidrisk.core.places import place_text
from reidrisk.core.reading import TableReading
from reidrisk.core.schema import Roles, Schema, Treatment
from reidrisk.core.threshold import Threshold
from reidrisk.engine.opening import (
    check_query,
    is_text,
    master_now,
    on_engine,
    open_table,
    ready_to_write,
    working,
)
from reidrisk.engine.plans import DistinctTuples, ReleasePlan
from reidrisk.engine.protocol import Table
from reidrisk.errors import InvalidSetting, UnknownColumn
from reidrisk.tables.deidentify.codebook import codebook_entries
from reidrisk.tables.deidentify.events import (
    EventForm,
    EventGuard,
    event_guard,
    revealed_events,
    with_event_form,
)
from reidrisk.tables.deidentify.figures import TableContext, risk_of, risk_of_sizes
from reidrisk.tables.deidentify.grouped import Releasable
from reidrisk.tables.deidentify.loop import LadderSearch, ladder_of, search_ladder
from reidrisk.tables.deidentify.options import DeidentifyOptions, Layout
from reidrisk.tables.deidentify.prepare import (
    PreparedTable,
    apply_transformations,
    check_columns,
    column_use,
    prepare,
    treat_rare,
)
from reidrisk.tables.deidentify.problem import SearchProblem, build_levels, tuples_of
from reidrisk.tables.deidentify.profile import LatticeProfile, profile_problems
from reidrisk.tables.deidentify.proposals import ProposalInputs, proposals
from reidrisk.tables.deidentify.reduced import reduced_columns
from reidrisk.tables.deidentify.release import release_of
from reidrisk.tables.deidentify.result import Deidentified
from reidrisk.tables.deidentify.search import LevelSolution, SampledSearch, Watch
from reidrisk.tables.deidentify.sensitive import disclosure_after, narrow, read_sensitive
from reidrisk.tables.deidentify.settings import MAX_SUPPRESSION
from reidrisk.tables.deidentify.writing import refuse_changed, released_frame, write_release
from reidrisk.tables.engine_choice import refuse_release_on_spark
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.inventory import table_inventory
from reidrisk.tables.repeated import repeated_people
from reidrisk.tables.result import TableRisk
from reidrisk.tables.transform.applied import step_notes
from reidrisk.tables.utility.plan import UtilityPlan


def check_plan(table: Table, plan: UtilityPlan | None) -> None:
    """Refuse a plan for utility before the search if it could not be measured afterward."""
    if plan is None:
        return
    from reidrisk.tables.utility.data import known_columns

    known_columns(table, plan)
    for name, sql in plan.queries.items():
        check_query(name, sql)


def with_usefulness(
    result: Deidentified,
    source: Any,
    hierarchies: Mapping[str, Hierarchy],
    plan: UtilityPlan | None,
    reading: TableReading | None,
) -> Deidentified:
    """Compare the release, as written or built again, with the source, and add that to the result."""
    if plan is None or result.found is None:
        return result
    from reidrisk.tables.utility.run import table_utility  # loads statistics that few users need

    released = result.files["out"] or (result.maker() if result.maker else None)
    utility = table_utility(
        released, source, plan, hierarchies=hierarchies, seed=result.seed, reading=reading
    )
    return replace(result, usefulness=utility)


DEFAULT = Threshold.from_cell_size(5, "cell size of five, the default")


@on_engine
def deidentify(  # noqa: PLR0913 - the data and its roles, then the limits, then the output
    table: Any,
    schema: Roles | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    *,
    quasi: Sequence[str] | None = None,
    direct: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    unit: str | None = None,
    threshold: Threshold | None = None,
    max_suppression: float = MAX_SUPPRESSION.default,
    options: DeidentifyOptions | None = None,
    out: str | Path | None = None,
    watch: Watch | None = None,
    reading: TableReading | None = None,
    limits: Limits | None = None,  # noqa: ARG001 - for the decorator
    engine: Any = None,  # noqa: ARG001 - for the decorator
) -> Deidentified:
    """Generalize and suppress until the risk is at most the threshold, with the least loss.

    `schema` lists the quasi-identifiers, or is a `Schema`; instead of it, name the columns by role with
    `quasi`, `direct`, `sensitive` and `unit`. At most `max_suppression` of the records have suppressed
    values. With `out` the table is also
    written. `reading` says how dates are written and which values mean missing. The result says whether
    there is a solution; there is no exception if there is none. `limits` says how much of the
    machine may be used. With `engine`, the URL of a Spark master or a SparkSession, Spark counts and writes;
    `out` is then a folder of Parquet files, the URL of a table in PostgreSQL, or hive:NAME.

    >>> import pyarrow as pa
    >>> table = pa.table({"age": [34, 34, 51, 51], "sex": ["F", "F", "M", "F"]})
    >>> two = Threshold.from_cell_size(2, "an example")
    >>> done = deidentify(table, ["age", "sex"], threshold=two, max_suppression=0.5)
    >>> done.acceptable, done.to_frame().num_rows, done.to_frame()["sex"].null_count
    (True, 4, 2)
    """
    Threshold.check(threshold)
    schema = Schema.of(schema, quasi=quasi, direct=direct, sensitive=sensitive, unit=unit)
    options, watch = options or DeidentifyOptions(), watch or Watch()
    if options.rare is not None:
        options = replace(options, rare=replace(options.rare, hierarchies=hierarchies or {}))
    ladder = ladder_of(threshold or (options.ladder[0] if options.ladder else DEFAULT), options)
    MAX_SUPPRESSION.check(max_suppression)
    refuse_release_on_spark(schema, options)
    if out is not None and master_now() is None:
        ready_to_write(writable(out))
    with open_table(table, reading=reading) as opened:
        check_columns(opened.columns, schema, options, source=opened.source)
        check_plan(opened, options.utility)
        prepared = prepare(
            opened, schema, options, as_text=_as_text(out), seed=watch.seed, hierarchies=hierarchies
        )
        _check_weights(options, prepared)
        levels = build_levels(prepared.tuples, hierarchies or {}, _of_records(options))
        # Typed, whatever the output file: distances between sensitive values need numbers.
        treated, _ = treat_rare(opened, schema, options)
        done = apply_transformations(treated, options, watch.seed) if options.sensitive_limits else None
        typed = done.table if done else treated
        limited = read_sensitive(typed, schema, options, hierarchies or {}, prepared.tuples)
        problems = [
            SearchProblem(
                layout,
                tuples_of(prepared.tuples, layout.quasi),
                tuple(levels[name] for name in layout.quasi),
                options,
                max_suppression,
                narrow(limited, prepared.tuples, layout.quasi),
                prepared.stored,
            )
            for layout in options.layouts or (Layout("as requested", schema.quasi),)
        ]
        guard = event_guard(prepared, schema, options, hierarchies or {}, watch)
        walked = search_ladder(problems, ladder, watch, guard)
        ground = ProposalInputs(
            prepared.tuples, levels, ladder, max_suppression, options, limited, prepared.stored
        )
        rows = proposals(ground, problems, options.solutions, walked.found)
        if prepared.stored is not None:
            prepared.stored.close()
        run = _DeidentifyRun(
            table, schema, hierarchies or {}, options, prepared, max_suppression, watch.seed, guard
        )
        result = run.result(walked, rows, ladder=ladder, out=out)
        result = replace(result, profiler=_profiler(problems, ladder, result, watch))
    return with_usefulness(result, table, hierarchies or {}, options.utility, reading)


def _profiler(
    problems: list[SearchProblem], ladder: tuple[Threshold, ...], result: Deidentified, watch: Watch
) -> Callable[[], LatticeProfile]:
    """Count the lattice later, on the distinct combinations that the search has in memory anyway."""
    found = result.found if isinstance(result.found, LevelSolution) else None
    table = str(result.settings["table"])
    return as_now(lambda: profile_problems(problems, ladder, found, table, watch))


def _of_records(options: DeidentifyOptions) -> dict[str, str | int]:
    """Return the maximum levels of quasi-identifiers, without those of events."""
    events = () if options.events is None else options.events.columns
    return {name: level for name, level in options.max_level.items() if name not in events}


def _after(
    found: Releasable, quasi: tuple[str, ...], setting: TableContext, form: EventForm | None
) -> TableRisk:
    counts = form.class_sizes if form and form.people_left_out else found.suppressed.after().counts
    risk = risk_of(counts, quasi, found.threshold, setting)
    if not isinstance(found, LevelSolution):  # only this search supports limits on sensitive columns
        return risk
    return replace(risk, disclosure=disclosure_after(found.problem.sensitive, found.suppressed))


def _with_events(risk: TableRisk, form: EventForm | None) -> TableRisk:
    if form is None:
        return risk
    known = form.after.at_cell_size(risk.threshold.cell_size)
    return replace(risk, rows=risk.rows - form.left_out, longitudinal=known)


def read_as(prepared: PreparedTable) -> tuple[str, ...]:
    """Return how the table was read, also where a computation needed dates."""
    known = prepared.opened.notes
    if master_now() is not None:
        return known
    return (*known, *(note for note in prepared.table.dates.notes() if note not in known))


def _removed_rows(found: Releasable, release: ReleasePlan, prepared: PreparedTable) -> int:
    """Return how many rows belong to removed records."""
    if release.unit is None or not found.suppressed.removed:
        return found.suppressed.removed
    return prepared.table.removed_rows(prepared.records, release)


def _as_text(out: str | Path | None) -> bool:
    return master_now() is None and (out is None or is_text(Path(out)))


def _order_notes(release: ReleasePlan | None) -> tuple[str, ...]:
    if release is None or release.order != "source":
        return ()
    told = f"; it reveals values that are generalized or removed: {', '.join(release.told)}"
    return (f"rows are in the order of the source, a join key{told if release.told else ''}",)


def _memory_notes(prepared: PreparedTable, sampled: SampledSearch | None) -> tuple[str, ...]:
    """Say what was counted, and how, if the distinct tuples did not fit in memory."""
    if sampled is not None:
        return tuple(sampled.notes())
    if not prepared.tuples.value_counts:
        return ()
    return (
        "exact values did not fit in memory, so combinations were counted at the lowest permitted levels: "
        "the solution is the same; associations are measured from there, and the entropy takes suppressed "
        "cells to be spread like the values",
    )


def _check_weights(options: DeidentifyOptions, prepared: PreparedTable) -> None:
    for name in options.weights:
        if name not in prepared.tuples.columns:
            raise InvalidSetting.among("A weighted quasi-identifier", name, prepared.tuples.columns)


@dataclass(frozen=True, slots=True, eq=False)
class _DeidentifyRun:
    """Everything that the result, and writing it later, are built from."""

    source: Any
    schema: Schema
    hierarchies: Mapping[str, Hierarchy]
    options: DeidentifyOptions
    prepared: PreparedTable
    limit: float
    seed: int
    guard: EventGuard | None = None

    def result(
        self,
        walked: LadderSearch,
        rows: list[Any],
        *,
        ladder: tuple[Threshold, ...],
        out: str | Path | None,
    ) -> Deidentified:
        found, prepared = walked.found, self.prepared
        tried = [rung.threshold for rung in walked.rungs if rung.outcome != "not allowed"]
        threshold = found.threshold if found else (tried or list(ladder))[-1]
        quasi = walked.problem.layout.quasi
        form = walked.events
        release = self._release(found, form, prepared) if found else None
        gone = _removed_rows(found, release, prepared) if found and release else 0
        after = TableContext(self.schema, prepared.rows - gone, "the released table", ())
        inventory = self._inventory(quasi, release)
        reduced = reduced_columns(prepared, self.schema, quasi)
        may_leave = found is not None and inventory.is_complete
        if found and release and may_leave and out is not None:
            write_release(found, with_event_form(form, prepared), release, out, form)
        return Deidentified(
            found=found,
            rungs=walked.rungs,
            before=self._before(walked, threshold),
            after=_with_events(_after(found, quasi, after, form), form) if found else None,
            events=form,
            reduced=reduced,
            removed_rows=gone,
            proposals=tuple(rows),
            columns=codebook_entries(prepared, self.schema, found, release, form, reduced),
            quasi=prepared.tuples.columns,
            settings=self._settings(ladder, out),
            seed=self.seed,
            lattice=(walked.lattice[0], min(walked.lattice)),
            notes=(
                *repeated_people(prepared.opened, self.schema),
                *(one.note for one in reduced if one.people),
                *self._notes(),
                *self._step_notes(),
                *_order_notes(release),
                *_memory_notes(prepared, walked.sampled),
            ),
            sampled=walked.sampled,
            done=prepared.done,
            inventory=inventory,
            texts=prepared.texts,
            rare=prepared.rare,
            files={"out": place_text(out) if out is not None and may_leave else None, "codebook": None},
            writer=self._writer(found, form) if found else None,
            maker=self._maker(found, form) if found else None,
            linker=self._linker(found, form) if found else None,
        )

    def _inventory(self, quasi: tuple[str, ...], release: ReleasePlan | None) -> Inventory:
        """List everything that would leave with the released table."""
        keeps = release is not None and release.order == "source" and self.options.order == "keep"
        use = column_use(self.prepared.opened, self.schema, self.options, quasi, keeps_order=keeps)
        return table_inventory(self.prepared.opened, replace(self.schema, quasi=quasi, reduce={}), use)

    def _before(self, walked: LadderSearch, threshold: Threshold) -> TableRisk:
        """Measure the risk of the source, before any transformation."""
        problem, prepared, opened = walked.problem, self.prepared, self.prepared.opened
        tuples, sensitive, guard = problem.tuples, problem.sensitive, self.guard
        if prepared.done is not None or prepared.rare is not None:
            plain = replace(self.options, steps=(), rare=None)
            prepared = prepare(opened, self.schema, plain, hierarchies=self.hierarchies)
            tuples = tuples_of(prepared.tuples, problem.layout.quasi)
            every = read_sensitive(opened, self.schema, plain, self.hierarchies, prepared.tuples)
            sensitive = narrow(every, prepared.tuples, problem.layout.quasi)
            guard = guard and event_guard(prepared, self.schema, plain, self.hierarchies, guard.watch)
        setting = TableContext(self.schema, prepared.rows, opened.source, opened.notes)
        known = guard.before(problem.layout.quasi) if guard else None
        quasi = problem.layout.quasi
        if tuples.value_counts:  # the tuples are not those of the source
            exact = ClassSizes(prepared.records.class_sizes(quasi))
            return risk_of_sizes(exact, quasi, threshold, setting)
        return replace(
            risk_of(tuples.counts, quasi, threshold, setting),
            disclosure=tuple(one.disclosure(np.arange(len(tuples))) for one in sensitive),
            longitudinal=known.at_cell_size(threshold.cell_size) if known else None,
        )

    def _release(self, found: Releasable, form: EventForm | None, prepared: PreparedTable) -> ReleasePlan:
        release = release_of(found, prepared, self.schema, self.options, seed=self.seed)
        return revealed_events(form, release)

    def _settings(self, ladder: tuple[Threshold, ...], out: str | Path | None) -> dict[str, Any]:
        return {
            "table": self.prepared.opened.source,
            "read_as": list(read_as(self.prepared)),
            "out": None if out is None else place_text(out),
            "quasi": list(self.schema.quasi),
            "unit": self.schema.unit,
            "reduce": dict(self.schema.reduce),
            "sensitive": list(self.schema.sensitive),
            "text": dict(self.schema.text),
            "other": dict(self.schema.other),
            "max_suppression": self.limit,
            "ladder": [threshold.cell_size for threshold in ladder],
            **self.options.settings(),
        }

    def _notes(self) -> tuple[str, ...]:
        """Return notes on settings that the user may not have intended."""
        search_tuples = (*self.prepared.tuples.columns, *self._event_columns())
        exact = [name for name in search_tuples if name not in self.hierarchies]
        unknown = [name for name in self.hierarchies if name not in self.prepared.table.columns]
        kept = [name for name, treatment in self.options.treatments.items() if treatment == "keep"]
        records = "limits on sensitive columns suppress whole records, not single cells as requested"
        by_column = {
            "no hierarchy, so values are exact or suppressed": exact,
            "hierarchies for columns that are not in the table": unknown,
            "direct identifiers kept on purpose": kept,
        }
        notes = tuple(f"{what}: {', '.join(names)}" for what, names in by_column.items() if names)
        return (*notes, records) if self.options.is_overruled else notes

    def _step_notes(self) -> tuple[str, ...]:
        prepared, options, events = self.prepared, self.options, self._event_columns()
        schema = replace(self.schema, quasi=prepared.tuples.columns, reduce={})
        return step_notes(options.steps, prepared.done, schema, options.key, events=events)

    def _event_columns(self) -> tuple[str, ...]:
        return () if self.options.events is None else self.options.events.columns

    def _writer(self, found: Releasable, form: EventForm | None) -> Callable[[str | Path], None]:
        def write(path: str | Path) -> None:
            if master_now() is None:
                ready_to_write(writable(path))
            with self._again(found, form, as_text=_as_text(path)) as (prepared, release):
                write_release(found, prepared, release, path, form)

        return as_now(write)

    def _maker(self, found: Releasable, form: EventForm | None) -> Callable[[], Any]:
        def make() -> Any:
            with self._again(found, form, as_text=False) as (prepared, release):
                return released_frame(found, prepared, release, form)

        return as_now(make)

    def _linker(self, found: Releasable, form: EventForm | None) -> Callable[[str], Any]:
        def link(column: str) -> Any:
            changed = [name for one in self.options.steps for name in one.step.changes]
            if column in (*found.problem.layout.quasi, *changed):
                raise InvalidSetting(
                    f"{column} is generalized or changed, and links no people.",
                    hint="Name the column with the original id of each person.",
                )
            with self._again(found, form, as_text=False) as (prepared, release):
                if column not in prepared.table.columns:
                    raise UnknownColumn.among(column, prepared.table.columns, source="The table")
                kept: dict[str, Treatment] = {**release.treatments, column: "keep"}
                return released_frame(found, prepared, replace(release, treatments=kept), form)

        return as_now(link)

    @contextmanager
    def _again(
        self, found: Releasable, form: EventForm | None, *, as_text: bool
    ) -> Iterator[tuple[PreparedTable, ReleasePlan]]:
        """Open the source again, if it has not changed."""
        with working(master_now()), open_table(self.source, reading=self.prepared.opened.reading) as opened:
            check_columns(opened.columns, self.schema, self.options, source=opened.source)
            prepared = prepare(
                opened,
                self.schema,
                self.options,
                as_text=as_text,
                seed=self.seed,
                measured=False,
                hierarchies=self.hierarchies,
                inside=isinstance(found, LevelSolution) and found.sampled is not None,
            )
            tuples = _searched_tuples(found, prepared)
            refuse_changed(found, tuples)
            release = self._release(found, form, prepared)
            yield (
                with_event_form(form, prepared, again=True),
                release.on(tuples_of(tuples, release.tuples.columns)),
            )


def _searched_tuples(found: Releasable, prepared: PreparedTable) -> DistinctTuples:
    """Return the tuples that the solution is about: if not all fit, those of its node."""
    if prepared.stored is None or not isinstance(found, LevelSolution):
        return prepared.tuples
    levels = zip(found.solution.levels, found.problem.bottom, strict=True)
    tuples = prepared.stored.at([level - low for level, low in levels])
    prepared.stored.close()
    return tuples
