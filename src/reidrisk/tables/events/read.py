"""The events of people from a table, as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from reidrisk.engine.table import Table
from reidrisk.engine.tuples import DistinctTuples, distinct_tuples
from reidrisk.stats.arrays import Bools, Ints
from reidrisk.stats.events.lists import EventLists, Pairs, event_lists
from reidrisk.stats.grouping import packed


@dataclass(frozen=True, slots=True, eq=False)
class EventRows:
    """Who has which combination of values, as often as it occurs."""

    tuples: DistinctTuples = field(repr=False)
    """Of the unit and the columns of events; the unit is the first column."""

    @property
    def people(self) -> int:
        """With an event or without."""
        return len(self.tuples.values[0])

    @property
    def empty(self) -> Bools:
        """Rows that tell of no event: all columns are missing."""
        missing = [
            self.tuples.codes[:, place] == len(values) - 1
            if values[-1] is None
            else np.zeros(len(self.tuples), dtype=np.bool_)
            for place, values in enumerate(self.tuples.values[1:], start=1)
        ]
        empty: Bools = np.logical_and.reduce(missing)
        return empty

    def pairs(self, codes: Ints | None = None) -> Pairs:
        """People and events; `codes` has other values of the columns for each row, such as coarser ones."""
        held = ~self.empty
        values = self.tuples.codes[:, 1:].astype(np.int64) if codes is None else codes
        person = self.tuples.codes[held, 0].astype(np.int64)
        return joined_pairs(person, values[held], self.tuples.counts[held])


def joined_pairs(person: Ints, values: Ints, copies: Ints) -> Pairs:
    """Pairs, each once, from rows that may repeat."""
    _, event = np.unique(packed(values, range(values.shape[1])), return_inverse=True)
    width = int(event.max(initial=0)) + 1
    keys, at = np.unique(person * width + event, return_inverse=True)
    number = np.bincount(at, weights=copies, minlength=len(keys)).astype(np.int64)
    return Pairs(keys // width, keys % width, number)


def event_rows(table: Table, unit: str, columns: Sequence[str]) -> EventRows:
    """Distinct combinations of person and event, counted in the database."""
    return EventRows(distinct_tuples(table, (unit, *columns)))


def static_classes(records: Table, unit: str, quasi: Sequence[str]) -> Ints:
    """The class of every person, in the order of the events."""
    tuples = distinct_tuples(records, (unit, *quasi))
    _, of = np.unique(packed(tuples.codes, range(1, len(quasi) + 1)), return_inverse=True)
    return of.astype(np.int64)


def read_lists(
    table: Table, records: Table, unit: str, quasi: Sequence[str], columns: Sequence[str], *, counted: bool
) -> EventLists:
    """The lists of events of all people in their static classes."""
    pairs = event_rows(table, unit, columns).pairs()
    return event_lists(pairs, static_classes(records, unit, quasi), counted=counted)
