"""Events protected beside each solution that is found for the records of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from reidrisk.core.schema import Schema
from reidrisk.engine.release import released_units
from reidrisk.engine.table import Table
from reidrisk.engine.tuples import DistinctTuples, distinct_tuples
from reidrisk.stats.arrays import Ints
from reidrisk.stats.events.lists import event_lists
from reidrisk.stats.events.protect import Follow, UnprotectedEvents
from reidrisk.stats.grouping import packed
from reidrisk.tables.deidentify.event_form import EventForm, Events, without_form
from reidrisk.tables.deidentify.methods import Releasable
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.prepare import Prepared
from reidrisk.tables.deidentify.problem import built_levels
from reidrisk.tables.deidentify.search import Watch
from reidrisk.tables.deidentify.writing import release_of
from reidrisk.tables.events.found import EventsFound, events_in
from reidrisk.tables.events.knowledge import EventKnowledge
from reidrisk.tables.events.read import EventRows, static_classes
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.levels import Levels


@dataclass(frozen=True, slots=True, eq=False)
class EventGuard:
    """Protects the events of a table beside each solution for its records."""

    events: Events
    prepared: Prepared = field(repr=False)
    schema: Schema
    options: DeidentifyOptions = field(repr=False)
    watch: Watch = field(repr=False)

    def form(self, found: Releasable) -> EventForm | str:
        """In the classes that the solution makes; or why there is none."""
        release = release_of(found, self.prepared, self.schema, self.options)
        units = released_units(self.prepared.records, release)
        class_of = released_classes(units, found.problem.layout.quasi)
        follow = Follow(self.watch.stop, self.watch.telling("levels of events"))
        form = self.events.protected(class_of, found.threshold, follow)
        return without_form(form, self.events) if isinstance(form, UnprotectedEvents) else form

    def before(self, quasi: Sequence[str]) -> EventsFound:
        """The risk of the events as they are."""
        unit = self.schema.unit or ""
        classes = static_classes(self.prepared.records, unit, quasi)
        asked = self.events.knowledge
        return events_in(event_lists(self.events.rows.pairs(), classes, counted=asked.counted), asked)


def event_guard(
    prepared: Prepared,
    schema: Schema,
    options: DeidentifyOptions,
    hierarchies: Mapping[str, Hierarchy],
    watch: Watch,
) -> EventGuard | None:
    """Nothing, unless the table is one of events."""
    if options.events is None:
        return None
    rules = Rules(hierarchies, options.max_level)
    asked = replace(options.events, seed=watch.seed)
    events = read_events(prepared.table, schema.unit or "", asked, options.max_event_suppression, rules)
    return EventGuard(events, prepared, schema, options, watch)


@dataclass(frozen=True, slots=True)
class Rules:
    """How columns of events may be generalized."""

    hierarchies: Mapping[str, Hierarchy]
    max_level: Mapping[str, str | int]

    def on(self, tuples: DistinctTuples) -> tuple[Levels, ...]:
        """Every hierarchy on the values of its column."""
        names = tuples.columns[1:]
        only = DistinctTuples(names, tuples.values[1:], tuples.codes[:, 1:], tuples.counts, ())
        most = {name: level for name, level in self.max_level.items() if name in names}
        levels = built_levels(only, self.hierarchies, most)
        return tuple(levels[name] for name in names)


def read_events(table: Table, unit: str, knowledge: EventKnowledge, limit: float, rules: Rules) -> Events:
    """The combinations of person and event, and the hierarchies on their values."""
    rows = EventRows(distinct_tuples(table, (unit, *knowledge.columns), recodable=True))
    return Events(knowledge, rows, rules.on(rows.tuples), limit)


def released_classes(units: Table, quasi: Sequence[str]) -> Ints:
    """The class of every unit as it goes out, in the order of the units; -1 for those that do not."""
    names = [f"s{place}" for place in range(len(quasi))]
    tuples = distinct_tuples(units, ("unit", "gone", *names))
    _, of = np.unique(packed(tuples.codes, range(2, len(names) + 2)), return_inverse=True)
    gone = np.array([bool(value) for value in tuples.values[1]])[tuples.codes[:, 1]]
    return np.where(gone, -1, of).astype(np.int64)
