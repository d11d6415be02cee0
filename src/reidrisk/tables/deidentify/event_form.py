"""Events made coarser or left out, so that what may be known of them fits enough people."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import plural
from reidrisk.engine.collapse import collapse
from reidrisk.engine.event_release import EventPlan, with_events
from reidrisk.engine.recode import Recode
from reidrisk.engine.release import ReleasePlan
from reidrisk.engine.table import Table
from reidrisk.engine.tuples import DistinctTuples, distinct_tuples
from reidrisk.errors import BadData, FailedCheck
from reidrisk.stats.arrays import Bools, Ints
from reidrisk.stats.events.clean import Demand
from reidrisk.stats.events.protect import Follow, Histories, Protection, UnprotectedEvents, protect
from reidrisk.tables.deidentify.methods import Releasable
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.prepare import Prepared
from reidrisk.tables.events.found import EventsFound, events_in, measure_events
from reidrisk.tables.events.knowledge import EventKnowledge
from reidrisk.tables.events.read import EventRows
from reidrisk.tables.hierarchy.levels import Levels


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """The events of a table that is to be de-identified."""

    knowledge: EventKnowledge
    rows: EventRows = field(repr=False)
    levels: tuple[Levels, ...] = field(repr=False)
    limit: float
    """The share of rows with an event that may be left out."""

    @property
    def held(self) -> Bools:
        """Combinations that tell of an event."""
        return ~self.rows.empty

    def protected(
        self, class_of: Ints, threshold: Threshold, follow: Follow
    ) -> EventForm | UnprotectedEvents:
        """In static classes as they go out; the class of a person who does not is -1."""
        tuples, held = self.rows.tuples, self.held
        held &= class_of[tuples.codes[:, 0]] >= 0
        stays = class_of >= 0
        number = np.cumsum(stays) - 1
        histories = Histories(
            person=number[tuples.codes[held, 0]],
            codes=tuples.codes[held, 1:],
            copies=tuples.counts[held],
            class_of=class_of[stays],
            recodings=tuple(level.recoding for level in self.levels),
        )
        asked = self.knowledge
        demand = Demand(asked.known, threshold.cell_size, self.limit, asked.counted, asked.budget)
        found = protect(histories, demand, follow)
        if isinstance(found, UnprotectedEvents):
            return found
        dropped = np.zeros(len(tuples), dtype=np.bool_)
        dropped[np.flatnonzero(held)[found.dropped]] = True
        return EventForm(self, found, dropped, events_in(found.lists, asked), histories.rows)


@dataclass(frozen=True, slots=True, eq=False)
class EventForm:
    """The levels of events, and which are left out."""

    events: Events
    found: Protection = field(repr=False)
    dropped: Bools = field(repr=False)
    """By combination of person and values."""
    after: EventsFound
    rows: int
    """Of the table, that tell of an event."""

    @property
    def changes(self) -> tuple[str, ...]:
        """Columns that are not released as they are."""
        named = zip(self.events.levels, self.found.node, strict=True)
        return tuple(levels.column for levels, level in named if level or self.found.rows)

    @property
    def left_out(self) -> int:
        """Rows that do not go out; a person who would have none keeps one, without an event."""
        return self.found.rows - self.emptied

    @property
    def emptied(self) -> int:
        """Rows that go out without their event, so that nobody disappears."""
        people, codes = self.events.rows.people, self.events.rows.tuples.codes[:, 0]
        return int(np.count_nonzero(np.bincount(codes, ~self.dropped, people) == 0))

    def plan(self, tuples: DistinctTuples | None = None) -> EventPlan:
        """For the database; `tuples` are the same ones of another session."""
        now, then = tuples or self.events.rows.tuples, self.events.rows.tuples
        if not (np.array_equal(now.codes, then.codes) and np.array_equal(now.counts, then.counts)):
            raise BadData("The events have changed since they were searched.", hint="De-identify them anew.")
        named = zip(self.events.levels, self.found.node, strict=True)
        recodes = tuple(
            Recode(levels.recoding.levels[level], levels.labels[level] if level else None)
            for levels, level in named
        )
        return EventPlan(now, recodes, self.dropped)

    def type_of(self, column: str) -> str | None:
        """The type of a column of events as it goes out; None if it is as it was."""
        recode = self.plan().recodes[self.events.knowledge.columns.index(column)]
        return None if recode.labels is None else recode.type

    def said(self, column: str) -> str:
        """What was done to one column of events."""
        place = self.events.knowledge.columns.index(column)
        level, levels = self.found.node[place], self.events.levels[place]
        done = f"generalized to {levels.names[level]}" if level else "exact values"
        gone = f"; {plural(self.left_out, 'row')} left out" if self.found.rows else ""
        empty = f", {plural(self.emptied, 'row')} emptied" if self.emptied else ""
        return f"{done}{gone}{empty}"

    def reason(self) -> str:
        """In a sentence of the verdict."""
        levels = ", ".join(f"{name} ({level})" for name, level in self.levels().items())
        share = f"{100 * self.found.rows / max(self.rows, 1):.1f} %"
        might = ", chosen by a heuristic: fewer might do" if self.found.rows else ""
        gone = f"Events go out as {levels}; {plural(self.found.rows, 'row')} of {self.rows:,} ({share})"
        if not self.emptied:
            return f"{gone} are left out{might}."
        return (
            f"{gone} lose their event{might}. {self.emptied:,} of them stay without it, since their persons "
            f"have no other; {self.left_out:,} are left out."
        )

    def levels(self) -> dict[str, str]:
        """The chosen level of each column of events."""
        named = zip(self.events.levels, self.found.node, strict=True)
        return {levels.column: levels.names[level] for levels, level in named}

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            **self.events.knowledge.said(),
            "levels": self.levels(),
            "rows": self.rows,
            "rows_left_out": self.found.rows,
            "rows_emptied": self.emptied,
            "share_left_out": self.found.rows / max(self.rows, 1),
            "max_event_suppression": self.events.limit,
            "loss": self.found.loss,
            "nodes": self.found.nodes,
            "evaluated": self.found.tried,
            "heuristic": True,
        }


def without_form(exposed: UnprotectedEvents, events: Events) -> str:
    """Why there is none, and what is nearest."""
    limit = f"{100 * events.limit:g} %"
    what = f"Known events ({', '.join(events.knowledge.columns)}; {events.knowledge.known} known)"
    if exposed.share is None:
        return f"{what}: there are too many sets of events to show that none is exposed. Let fewer be known."
    share = f"{100 * exposed.share:.1f} %"
    return (
        f"{what}: no levels within {limit} of rows left out; at the coarsest levels {share} "
        "would have to go. Raise --max-event-suppression, give coarser hierarchies for events or "
        "quasi-identifiers, or a smaller cell size."
    )


def applied(form: EventForm | None, prepared: Prepared, *, again: bool = False) -> Prepared:
    """The table with its events as they go out; `again` if it was opened once more."""
    if form is None:
        return prepared
    tuples = None
    if again:
        tuples = distinct_tuples(prepared.table, form.events.rows.tuples.columns, recodable=True)
    return replace(prepared, table=with_events(prepared.table, form.plan(tuples)))


def ordered(form: EventForm | None, release: ReleasePlan, options: DeidentifyOptions) -> ReleasePlan:
    """Rows in the order of the source would tell what was made coarser or left out."""
    if form is None or not form.changes or options.order == "keep":
        return release
    return replace(release, order="content", told=(*release.told, *form.changes))


def refuse_exposed(table: Table, found: Releasable, form: EventForm, unit: str | None, what: str) -> None:
    """Measure the events of a released table once more."""
    quasi, asked = found.problem.layout.quasi, form.events.knowledge
    records = collapse(table, unit or "", quasi)
    seen = measure_events(table, records, Schema(quasi=quasi, unit=unit), asked)
    if not seen.held(found.threshold.cell_size).acceptable:
        raise FailedCheck(
            f"{what}: known events would fit fewer than {found.threshold.cell_size} people.",
            hint="This is a fault of reidrisk: please report it with the settings, without the data.",
        )
