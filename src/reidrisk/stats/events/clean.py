"""Remove events until no set of them is shared by too few people, re-checking only what has changed.

Once a set that too few people share has been processed, nobody has it. Later, a set can fall below the limit
only if somebody lost one of its events. No other set is checked again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import comb

import numpy as np

from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.events.lists import EventLists, Pairs, event_kinds, event_lists, put_in_lists
from reidrisk.stats.events.walk import too_few


@dataclass(frozen=True, slots=True)
class Demand:
    """The requirement, and how much may be removed."""

    known: int
    cell_size: int
    limit: float
    """The share of events that may be removed."""
    counted: bool
    budget: int
    """Number of subsets up to which all are checked; levels with more cannot be verified."""
    caps: tuple[int, ...] | None = None
    """By table: the most events that are known from it; None without limits."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits beyond which a search at these levels is not worthwhile."""

    rows: int
    """Rows of the table that may be removed."""
    cost: float = np.inf
    """Cost of what is removed, in rows."""


@dataclass(frozen=True, slots=True, eq=False)
class Cleaning:
    """People and events, some of which are removed."""

    pairs: Pairs
    class_of: Ints = field(repr=False)
    demand: Demand
    kinds: Ints = field(repr=False)
    """For each kind of event in a class, the class."""
    of: Ints = field(repr=False)
    """For each pair, its kind."""
    kept: Bools = field(repr=False)
    changed: Bools = field(repr=False)
    """By set size and kind of event: whether somebody lost it since sets of this size were last checked."""

    @classmethod
    def of_pairs(cls, pairs: Pairs, class_of: Ints, demand: Demand) -> Cleaning:
        """The state before anything is removed."""
        kinds, of = event_kinds(pairs, class_of)
        kept = np.ones(len(of), dtype=np.bool_)
        return cls(
            pairs, class_of, demand, kinds, of, kept, np.ones((demand.known + 1, len(kinds)), dtype=np.bool_)
        )

    def clean(self, costs: Floats, bounds: Bounds) -> EventLists | None:
        """The events left once no set is shared by too few people; None if that removes too much."""
        known = np.ones(int(self.class_of.max(initial=0)) + 1, dtype=np.int64)
        while (size := int(known.min())) <= self.demand.known:
            looked = known == size  # a class is checked again only if something was removed from it
            gone = self._pairs_to_remove(size, looked)
            if gone is None:
                return None
            self._leave_out(gone, size, looked)
            if (
                int(self.pairs.copies[~self.kept].sum()) > bounds.rows
                or costs[~self.kept].sum() > bounds.cost
            ):
                return None
            known[looked] = size + 1
            known[self.kinds[self.of[gone]]] = 1  # removing events lowers the support of other people's sets
        lists = event_lists(self.pairs.only(self.kept), self.class_of, counted=self.demand.counted)
        sizes = range(1, self.demand.known + 1)
        return None if any(lists.subsets(size) > self.demand.budget for size in sizes) else lists

    def _pairs_to_remove(self, size: int, looked: Bools) -> Ints | None:
        """The pairs to remove from these classes; None if there are too many sets to check."""
        some = np.flatnonzero(self.kept & looked[self.kinds][self.of])
        copies = self.pairs.copies[some] if self.demand.counted else np.ones(len(some), dtype=np.int64)
        if _sets(self.pairs.person[some], copies, size) > self.demand.budget:
            return None
        support = np.bincount(self.of[some], minlength=len(self.kinds))
        if size == 1:
            return some[support[self.of[some]] < self.demand.cell_size]
        if size == 2:  # for larger sets the order of the walk, hence the choice, is that of all people
            some = some[self._of_people_with_changes(some)]
        copies = self.pairs.copies[some] if self.demand.counted else np.ones(len(some), dtype=np.int64)
        pairs = Pairs(self.pairs.person[some], self.pairs.event[some], copies, self.pairs.table_of)
        lists = put_in_lists(pairs, (self.kinds, self.of[some]), self.class_of, support)
        changed = self.changed[size][self.of[some]][lists.rows]
        return some[lists.rows[too_few(lists, size, self.demand.cell_size, changed, self.demand.caps)]]

    def _of_people_with_changes(self, some: Ints) -> Bools:
        has = np.zeros(len(self.class_of), dtype=np.bool_)
        has[self.pairs.person[some[self.changed[2][self.of[some]]]]] = True
        return np.asarray(has[self.pairs.person[some]])

    def _leave_out(self, gone: Ints, size: int, looked: Bools) -> None:
        self.kept[gone] = False
        self.changed[size, looked[self.kinds]] = False
        self.changed[:, self.of[gone]] = True


def _sets(person: Ints, copies: Ints, size: int) -> int:
    """Number of sets of `size` events, over all people."""
    lengths = np.bincount(np.bincount(person, weights=copies).astype(np.int64))
    return sum(comb(length, size) * int(people) for length, people in enumerate(lengths))
