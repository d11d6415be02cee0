"""Leave out rows with some values, and a few people, until known events of any tables fit enough people.

A value that is chosen goes for everybody: whoever knows it finds it with nobody, and learns nothing. Values
are chosen by how many sets that fit too few people contain them, compared with the rows that are lost. As
soon as so few people are exposed that they may be left out, they are. This is a heuristic: fewer might be
enough.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.events.dated import DatedLists, DatedRows
from reidrisk.stats.events.joined import joined_risk
from reidrisk.stats.events.lists import EventLists, Pairs, event_lists
from reidrisk.stats.events.walk import exposed_slots

MOST_ROUNDS, MOST_RESTORED = 200, 100
PART = 0.1
"""Values are chosen until they are in this share of the sets that fit too few people."""


@dataclass(frozen=True, slots=True)
class ThinDemand:
    """The requirement, and how many people may be left out."""

    known: int
    caps: tuple[int, ...]
    cell_size: int
    people: int
    """The most people that may be left out."""
    rows: int
    """The most rows that may be left out, besides those of people."""
    budget: int


@dataclass(frozen=True, slots=True, eq=False)
class LinkedEvents:
    """One row per event of a person; the same event of a person may have several rows."""

    class_of: Ints = field(repr=False)
    person: Ints = field(repr=False)
    event: Ints = field(repr=False)
    value: Ints = field(repr=False)
    """By row: the value that would be left out with it; -1 if the row always stays."""
    table_of: Ints = field(repr=False)
    """By event: its table."""
    days: tuple[Ints, Bools, Ints] | None = field(default=None, repr=False)
    """True day by row, whether there is one, and offset by person; None if distances are not known."""
    most: int | None = None

    def lists(self, kept: Bools, stays: Bools) -> tuple[EventLists | DatedLists, Ints]:
        """The events that are left of the people who stay, and the rows that they come from."""
        rows = np.flatnonzero(kept & stays[self.person])
        person = (np.cumsum(stays) - 1)[self.person[rows]]
        _, class_of = np.unique(self.class_of[stays], return_inverse=True)
        classes = class_of.astype(np.int64)
        if self.days is not None:
            day, dated, shift = self.days
            given = DatedRows(
                person, self.event[rows], self.table_of, day[rows], dated[rows], shift[stays], self.most
            )
            return DatedLists.of(given, classes), rows
        keys, first = np.unique(person * len(self.table_of) + self.event[rows], return_index=True)
        pairs = Pairs(
            keys // len(self.table_of),
            keys % len(self.table_of),
            np.ones(len(keys), dtype=np.int64),
            self.table_of,
        )
        return event_lists(pairs, classes), rows[first]


@dataclass(frozen=True, slots=True, eq=False)
class Thinned:
    """What is left out."""

    kept: Bools = field(repr=False)
    """By row: whether its value stays."""
    stays: Bools = field(repr=False)
    """By person."""
    values: Bools = field(repr=False)
    """By value: whether it is left out."""
    rounds: int

    @property
    def people_left_out(self) -> int:
        """Number of people."""
        return int(np.count_nonzero(~self.stays))


def thin(
    events: LinkedEvents,
    demand: ThinDemand,
    *,
    restores: bool = True,
    stop: Callable[[], bool] | None = None,
) -> Thinned | None:
    """Leave out values and people until nobody is exposed; None if the limits do not allow it.

    With `restores`, values come back that need not go.
    """
    number = int(events.value.max(initial=-1)) + 1
    kept, values = np.ones(len(events.person), dtype=np.bool_), np.zeros(number, dtype=np.bool_)
    stays = _large_classes(events.class_of, np.ones(len(events.class_of), dtype=np.bool_), demand.cell_size)
    for turn in range(MOST_ROUNDS):
        if np.count_nonzero(~stays) > demand.people or (stop is not None and stop()):
            return None
        exposed = _exposed(events, kept, stays, demand)
        if exposed is None:
            return None
        ended = _without_people(events, kept, stays, exposed, demand)
        if ended is not None:
            values = _restored(events, values, ended, demand) if restores else values
            return Thinned(_without_values(events, values), ended, values, turn)
        chosen = _worst_values(events, kept, stays, exposed, demand)
        if not len(chosen):
            return None
        values[chosen] = True
        kept = _without_values(events, values)
        if np.count_nonzero(~kept & stays[events.person]) > demand.rows:
            return None
    return None


def _without_values(events: LinkedEvents, values: Bools) -> Bools:
    """By row: whether it stays if these values are left out."""
    if not len(values):
        return np.ones(len(events.person), dtype=np.bool_)
    return np.asarray(~(values[events.value] & (events.value >= 0)))


def _restored(events: LinkedEvents, values: Bools, stays: Bools, demand: ThinDemand) -> Bools:
    """The values that are left out, without those that can come back; the most frequent are tried first."""
    mine = stays[events.person] & (events.value >= 0)
    rows = np.bincount(events.value[mine], minlength=len(values))
    gone = np.flatnonzero(values)
    sets = max(len(events.person), 1) * max(demand.known, 1)
    tries = int(min(MOST_RESTORED, demand.budget // (10 * sets)))
    for value in gone[np.argsort(-rows[gone], kind="stable")][:tries]:
        fewer = values.copy()
        fewer[value] = False
        exposed = _exposed(events, _without_values(events, fewer), stays, demand)
        if exposed is not None and not exposed.any():
            values = fewer
    return values


def _large_classes(class_of: Ints, stays: Bools, cell_size: int) -> Bools:
    """People whose class is large enough."""
    sizes = np.bincount(class_of[stays], minlength=int(class_of.max(initial=0)) + 1)
    return np.asarray(stays & (sizes[class_of] >= cell_size))


def _exposed(events: LinkedEvents, kept: Bools, stays: Bools, demand: ThinDemand) -> Bools | None:
    """By person: whether fewer people fit what may be known; None if there are too many sets to count."""
    if not stays.any():
        return None
    lists, _ = events.lists(kept, stays)
    found = joined_risk(lists, demand.known, caps=demand.caps, budget=demand.budget).by_known[-1]
    if found.method != "exact":
        return None
    exposed = np.zeros(len(stays), dtype=np.bool_)
    exposed[stays] = found.least < demand.cell_size
    return exposed


def _without_people(
    events: LinkedEvents, kept: Bools, stays: Bools, exposed: Bools, demand: ThinDemand
) -> Bools | None:
    """The people who stay if all who are exposed are left out, again and again; None if they are too many."""
    found: Bools | None = exposed
    while found is not None and found.any():
        stays = _large_classes(events.class_of, stays & ~found, demand.cell_size)
        if np.count_nonzero(~stays) > demand.people or not stays.any():
            return None
        found = _exposed(events, kept, stays, demand)
    return None if found is None else stays


def _worst_values(
    events: LinkedEvents, kept: Bools, stays: Bools, exposed: Bools, demand: ThinDemand
) -> Ints:
    """The values that are in the most sets that fit too few people, compared with the rows that they cost."""
    lists, rows = events.lists(kept, stays)
    if isinstance(lists, EventLists):
        weights: Floats = np.zeros(len(events.person))
        for size in range(1, demand.known + 1):
            slots = exposed_slots(lists, size, demand.cell_size, demand.caps)
            weights[rows[lists.rows]] += slots
    else:
        weights = (exposed[events.person] & kept).astype(np.float64)
    mine = kept & stays[events.person] & (events.value >= 0)
    number = int(events.value.max(initial=-1)) + 1
    score = np.bincount(events.value[mine], weights=weights[mine], minlength=number)
    lost = np.bincount(events.value[mine], minlength=number)
    found = np.flatnonzero(score > 0)
    order = found[np.lexsort((lost[found], -score[found] / lost[found]))]
    enough = np.searchsorted(np.cumsum(score[order]), PART * score.sum()) + 1
    return np.asarray(order[:enough], dtype=np.int64)
