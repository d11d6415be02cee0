"""Generalize or suppress events so that what an intruder may know about a person fits enough people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import plural
from reidrisk.engine.plans import DistinctTuples, EventPlan, Recode, ReleasePlan
from reidrisk.engine.protocol import Table
from reidrisk.engine.results import Kind
from reidrisk.errors import BadData, FailedCheck
from reidrisk.stats.arrays import Bools, Ints
from reidrisk.stats.events.clean import Demand
from reidrisk.stats.events.lists import event_lists
from reidrisk.stats.events.protect import Follow, Histories, Protection, UnprotectedEvents, protect
from reidrisk.stats.grouping import packed
from reidrisk.tables.deidentify.grouped import Releasable
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.prepare import PreparedTable
from reidrisk.tables.deidentify.problem import build_levels
from reidrisk.tables.deidentify.release import release_of
from reidrisk.tables.deidentify.search import Watch
from reidrisk.tables.events import (
    EventKnowledge,
    EventMeasure,
    EventRows,
    events_in,
    measure_events,
    static_classes,
)
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.levels import Levels

LIMITED = (
    "{} would have to be left out because all their events are suppressed, which may break the limits on "
    "sensitive columns. Give coarser hierarchies for events, or suppress no rows (--max-event-suppression 0)."
)


@dataclass(frozen=True, slots=True, eq=False)
class EventColumns:
    """The events of a table to de-identify, and the levels of their columns."""

    knowledge: EventKnowledge
    rows: EventRows = field(repr=False)
    levels: tuple[Levels, ...] = field(repr=False)
    limit: float
    """The share of rows with an event that may be suppressed."""

    @property
    def has_event(self) -> Bools:
        """Combinations with an event."""
        return ~self.rows.empty

    def protected(
        self, class_of: Ints, threshold: Threshold, follow: Follow
    ) -> EventForm | UnprotectedEvents:
        """Protect events given the released class of each person; -1 is a person who is not released."""
        tuples, kept = self.rows.tuples, self.has_event
        kept &= class_of[tuples.codes[:, 0]] >= 0
        stays = class_of >= 0
        number = np.cumsum(stays) - 1
        histories = Histories(
            person=number[tuples.codes[kept, 0]],
            codes=tuples.codes[kept, 1:],
            copies=tuples.counts[kept],
            class_of=class_of[stays],
            recodings=tuple(level.recoding for level in self.levels),
        )
        own = self.knowledge
        demand = Demand(own.known, threshold.cell_size, self.limit, own.counted, own.budget)
        found = protect(histories, demand, follow)
        if isinstance(found, UnprotectedEvents):
            return found
        dropped = np.zeros(len(tuples), dtype=np.bool_)
        dropped[np.flatnonzero(kept)[found.dropped]] = True
        left = self._left_out(kept, kept & ~dropped, class_of, threshold.cell_size)
        after = events_in(found.lists.without_people(left[stays]), own)
        return EventForm(self, found, dropped, left, class_of, after, histories.rows)

    def _left_out(self, before: Bools, after: Bools, class_of: Ints, cell_size: int) -> Bools:
        """Return the people who lose all their events where few of their class have none.

        A row without an event would single them out: whoever knows one of their events, and finds it with
        nobody, knows that it was suppressed. They are hidden among as many people as the cell size.
        """
        person, people = self.rows.tuples.codes[:, 0], len(class_of)
        had, has = (np.bincount(person[which], minlength=people) > 0 for which in (before, after))
        empty = ~has & (class_of >= 0)
        alike = np.bincount(class_of[empty], minlength=int(class_of.max(initial=0)) + 1)
        return np.asarray(had & empty & (alike[class_of] < cell_size))


@dataclass(frozen=True, slots=True, eq=False)
class EventForm:
    """The released form of events: their levels, and which are suppressed."""

    events: EventColumns
    found: Protection = field(repr=False)
    dropped: Bools = field(repr=False)
    """Whether each combination of person and values is suppressed."""
    left: Bools = field(repr=False)
    """Whether each person leaves no row at all, because an empty row would single them out."""
    class_of: Ints = field(repr=False)
    """The released class of each person; -1 is a person who is not released."""
    after: EventMeasure
    rows: int
    """Number of rows of the table with an event."""

    @property
    def changes(self) -> tuple[str, ...]:
        """Columns that are not released unchanged."""
        named = zip(self.events.levels, self.found.node, strict=True)
        return tuple(levels.column for levels, level in named if level or self.found.rows)

    @property
    def people_left_out(self) -> int:
        """Number of people without any row in the release, because all their events are suppressed."""
        return int(np.count_nonzero(self.left))

    @property
    def class_sizes(self) -> Ints:
        """The number of released people in each class."""
        counts = np.bincount(self.class_of[(self.class_of >= 0) & ~self.left])
        return np.asarray(counts[counts > 0], dtype=np.int64)

    @property
    def gone(self) -> Bools:
        """Whether each combination of person and values leaves no row, or a row without its event."""
        return np.asarray(self.dropped | self.left[self.events.rows.tuples.codes[:, 0]])

    @property
    def left_out(self) -> int:
        """Number of rows that are removed."""
        return int(self.events.rows.tuples.counts[self.gone].sum()) - self.emptied

    @property
    def emptied(self) -> int:
        """Number of people with one row that has no event, in classes where enough people have none."""
        people, codes = self.events.rows.people, self.events.rows.tuples.codes[:, 0]
        return int(np.count_nonzero((np.bincount(codes, ~self.gone, people) == 0) & ~self.left))

    def plan(self, tuples: DistinctTuples | None = None) -> EventPlan:
        """Return the plan for the database; `tuples` are the same tuples in another session."""
        now, then = tuples or self.events.rows.tuples, self.events.rows.tuples
        if not (np.array_equal(now.codes, then.codes) and np.array_equal(now.counts, then.counts)):
            raise BadData("The events have changed since the search.", hint="De-identify the table again.")
        named = zip(self.events.levels, self.found.node, strict=True)
        recodes = tuple(
            Recode(levels.recoding.levels[level], levels.labels[level] if level else None)
            for levels, level in named
        )
        return EventPlan(now, recodes, self.gone, np.flatnonzero(self.left))

    def kind_of(self, column: str) -> Kind | None:
        """Return the released kind of a column of events; None if it is unchanged."""
        recode = self.plan().recodes[self.events.knowledge.columns.index(column)]
        return None if recode.labels is None else recode.kind

    def describe(self, column: str) -> str:
        """Describe what was done to one column of events."""
        place = self.events.knowledge.columns.index(column)
        level, levels = self.found.node[place], self.events.levels[place]
        done = f"generalized to {levels.names[level]}" if level else "exact values"
        gone = f"; {plural(self.left_out, 'row')} removed" if self.left_out else ""
        empty = f"; {plural(self.emptied, 'row')} with the event suppressed" if self.emptied else ""
        people = f"; {_people(self.people_left_out)} left out" if self.people_left_out else ""
        return f"{done}{gone}{empty}{people}"

    def reason(self) -> str:
        """Explain in the verdict what is done to events."""
        levels = ", ".join(f"{name} ({level})" for name, level in self.levels().items())
        share = f"{100 * self.found.rows / max(self.rows, 1):.1f} %"
        might = ", chosen by a heuristic: fewer might be enough" if self.found.rows else ""
        done = f"Events are released as {levels}; {plural(self.found.rows, 'row')} of {self.rows:,} ({share})"
        parts = [f"{done} have their event suppressed{might}; {plural(self.left_out, 'row')} removed."]
        if self.emptied:
            parts.append(
                f"{_people(self.emptied)} without any event left: released with one empty row, because at "
                "least as many people of their class as the cell size have none."
            )
        if self.people_left_out:
            parts.append(
                f"{_people(self.people_left_out)} without any event left: left out, because an empty row "
                "would single them out."
            )
        return " ".join(parts)

    def levels(self) -> dict[str, str]:
        """Return the chosen level of each column of events."""
        named = zip(self.events.levels, self.found.node, strict=True)
        return {levels.column: levels.names[level] for levels, level in named}

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {
            **self.events.knowledge.settings(),
            "levels": self.levels(),
            "rows": self.rows,
            "rows_left_out": self.found.rows,
            "rows_emptied": self.emptied,
            "rows_removed": self.left_out,
            "people_left_out": self.people_left_out,
            "share_left_out": self.found.rows / max(self.rows, 1),
            "max_event_suppression": self.events.limit,
            "loss": self.found.loss,
            "nodes": self.found.nodes,
            "evaluated": self.found.tried,
            "heuristic": True,
        }


def _people(number: int) -> str:
    return "1 person" if number == 1 else f"{number:,} people"


def explain_exposed(exposed: UnprotectedEvents, events: EventColumns) -> str:
    """Explain why events cannot be protected, and what would help."""
    limit = f"{100 * events.limit:g} %"
    what = f"Known events ({', '.join(events.knowledge.columns)}; {events.knowledge.known} known)"
    if exposed.share is None:
        return f"{what}: too many sets of events to prove that none is exposed. Assume fewer known events."
    share = f"{100 * exposed.share:.1f} %"
    return (
        f"{what}: no levels suppress at most {limit} of the rows; at the coarsest levels {share} "
        "would have to be suppressed. Raise --max-event-suppression, give coarser hierarchies for events or "
        "quasi-identifiers, or a smaller cell size."
    )


def with_event_form(form: EventForm | None, prepared: PreparedTable, *, again: bool = False) -> PreparedTable:
    """Return the table with its events in released form; `again` if it was reopened."""
    if form is None:
        return prepared
    tuples = None
    if again:
        tuples = prepared.table.tuples(form.events.rows.tuples.columns, recodable=True)
    return replace(prepared, table=prepared.table.edit.events(form.plan(tuples)))


def revealed_events(form: EventForm | None, release: ReleasePlan) -> ReleasePlan:
    """Name generalized or suppressed events among what the order of the source reveals."""
    if form is None or release.order != "source":
        return release
    return replace(release, told=tuple(dict.fromkeys([*release.told, *form.changes])))


def refuse_exposed(table: Table, found: Releasable, form: EventForm, unit: str | None, what: str) -> None:
    """Measure the events of the released table again, and refuse it if a person is exposed."""
    quasi, knowledge = found.problem.layout.quasi, form.events.knowledge
    records = table.per_unit(unit or "", quasi)
    seen = measure_events(table, records, Schema(quasi=quasi, unit=unit), knowledge)
    if not seen.at_cell_size(found.threshold.cell_size).acceptable:
        raise FailedCheck(
            f"{what}: known events would fit fewer than {found.threshold.cell_size} people.",
            hint="This is a bug in reidrisk: please report it with the settings, without the data.",
        )


@dataclass(frozen=True, slots=True, eq=False)
class EventGuard:
    """Protects the events of a table for each solution for its records."""

    events: EventColumns
    prepared: PreparedTable = field(repr=False)
    schema: Schema
    options: DeidentifyOptions = field(repr=False)
    watch: Watch = field(repr=False)

    def form(self, found: Releasable) -> EventForm | str:
        """Return the form of events in the classes of the solution, or why there is none."""
        release = release_of(found, self.prepared, self.schema, self.options, seed=self.watch.seed)
        units = self.prepared.records.edit.released_units(release)
        class_of = released_classes(units, found.problem.layout.quasi)
        follow = Follow(self.watch.stop, self.watch.progress_of("levels of events"))
        form = self.events.protected(class_of, found.threshold, follow)
        if isinstance(form, UnprotectedEvents):
            return explain_exposed(form, self.events)
        if form.people_left_out and found.problem.sensitive:
            return LIMITED.format(_people(form.people_left_out))
        return form

    def before(self, quasi: Sequence[str]) -> EventMeasure:
        """Measure the risk of the events before de-identification."""
        unit = self.schema.unit or ""
        classes = static_classes(self.prepared.records, unit, quasi)
        own = self.events.knowledge
        return events_in(event_lists(self.events.rows.pairs(), classes, counted=own.counted), own)


def event_guard(
    prepared: PreparedTable,
    schema: Schema,
    options: DeidentifyOptions,
    hierarchies: Mapping[str, Hierarchy],
    watch: Watch,
) -> EventGuard | None:
    """Return a guard if the table has events, otherwise None."""
    if options.events is None:
        return None
    rules = EventHierarchies(hierarchies, options.max_level)
    knowledge = replace(options.events, seed=watch.seed)
    events = read_events(prepared.table, schema.unit or "", knowledge, options.max_event_suppression, rules)
    return EventGuard(events, prepared, schema, options, watch)


@dataclass(frozen=True, slots=True)
class EventHierarchies:
    """How columns of events may be generalized."""

    hierarchies: Mapping[str, Hierarchy]
    max_level: Mapping[str, str | int]

    def on(self, tuples: DistinctTuples) -> tuple[Levels, ...]:
        """Build every hierarchy for the values of its column."""
        names = tuples.columns[1:]
        only = DistinctTuples(names, tuples.values[1:], tuples.codes[:, 1:], tuples.counts, ())
        most = {name: level for name, level in self.max_level.items() if name in names}
        levels = build_levels(only, self.hierarchies, most)
        return tuple(levels[name] for name in names)


def read_events(
    table: Table, unit: str, knowledge: EventKnowledge, limit: float, rules: EventHierarchies
) -> EventColumns:
    """Read the combinations of person and event, and build the levels of their values."""
    rows = EventRows(table.tuples((unit, *knowledge.columns), recodable=True))
    return EventColumns(knowledge, rows, rules.on(rows.tuples), limit)


def released_classes(units: Table, quasi: Sequence[str]) -> Ints:
    """Return the released class of every unit, in the order of the units; -1 for those not released."""
    names = [f"s{place}" for place in range(len(quasi))]
    tuples = units.tuples(("unit", "gone", *names))
    _, of = np.unique(packed(tuples.codes, range(2, len(names) + 2)), return_inverse=True)
    gone = np.array([bool(value) for value in tuples.values[1]])[tuples.codes[:, 1]]
    return np.where(gone, -1, of).astype(np.int64)
