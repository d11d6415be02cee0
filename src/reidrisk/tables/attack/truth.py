"""Who a released record really is, by which guesses are judged."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.errors import BadData
from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.candidates import holds
from reidrisk.tables.attack.data import Ids, Tables
from reidrisk.tables.attack.plan import AttackPlan

SAME_ORDER = 0.99
"""Share of records that must fit the person in the same row before rows are taken to be in one order."""


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """For each released record the row of its person."""

    person: Ints | None = field(repr=False)
    """-1 for a record whose person is not in the other table; None if nothing is known."""
    by: str
    """How it is known, or why not."""

    @property
    def released(self) -> Ints:
        """The released records whose person is known."""
        return np.empty(0, dtype=np.int64) if self.person is None else np.flatnonzero(self.person >= 0)

    def record(self, people: int) -> Ints | None:
        """The other way round: for each person the released record, -1 for none."""
        if self.person is None:
            return None
        found = np.full(people, -1, dtype=np.int64)
        found[self.person[self.released]] = self.released
        return found


def unjudged(truth: Truth) -> str:
    """Why nobody can say which links are right."""
    if truth.person is None:
        return f"Who is who is {truth.by}, so that nobody can say which links are right."
    return "No released record belongs to anybody in the other table."


def find_truth(tables: Tables, plan: AttackPlan) -> Truth:
    """By the column that tells who is who, or by the order of rows where that fits."""
    if tables.ids is not None:
        return Truth(_by_id(*tables.ids), f"by the column {plan.id}")
    if len(tables.released) != len(tables.people):
        return Truth(
            None, "unknown: the tables differ in length and no column was named that tells who is who (--id)"
        )
    columns = tables.places(plan.quasi)
    fits = holds(tables.covers(plan.quasi), tables.released[:, columns], tables.people[:, columns])
    if fits.mean() < SAME_ORDER:
        return Truth(
            None,
            "unknown: the rows do not fit each other in order, and no column was named that tells who is who "
            "(--id)",
        )
    return Truth(np.arange(len(fits), dtype=np.int64), "by the order of rows")


def _by_id(released: Ids, people: Ids) -> Ints:
    for table in (released, people):
        _refuse_repeated(table)
    order = np.argsort(people.marks, kind="stable")
    order = order[~people.empty[order]]
    if not order.size:
        return np.full(released.marks.size, -1, dtype=np.int64)
    known = people.marks[order]
    place = np.minimum(np.searchsorted(known, released.marks), order.size - 1)
    same = (known[place] == released.marks) & ~released.empty
    return np.where(same, order[place], -1)


def _refuse_repeated(table: Ids) -> None:
    _, times = np.unique(table.marks[~table.empty], return_counts=True)
    repeated = int((times > 1).sum())
    if repeated:
        raise BadData(
            f"{table.source}: {plural(repeated, 'value')} of the column that tells who is who occur more "
            "than once.",
            hint="Make one record a person first, or name a column that is different in every row.",
        )
