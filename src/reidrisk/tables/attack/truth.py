"""Who a released record really is, by which guesses are judged."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.errors import BadData
from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.candidates import holds
from reidrisk.tables.attack.data import Ids, Tables
from reidrisk.tables.attack.persons import Persons
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
    owners: Persons
    """Of the released records: people of the other table by their numbers there, others by new ones."""

    @property
    def released(self) -> Ints:
        """The released records whose person is known."""
        return np.empty(0, dtype=np.int64) if self.person is None else np.flatnonzero(self.person >= 0)

    def targets(self, persons: Persons, rng: np.random.Generator) -> Ints:
        """One row of every person of the other table who is in the release, or of all if that is unknown."""
        rows = np.arange(persons.of.size, dtype=np.int64)
        if self.person is not None:
            is_released = np.zeros(persons.number, dtype=np.bool_)
            is_released[persons.of[self.person[self.released]]] = True
            rows = np.flatnonzero(is_released[persons.of])
        return persons.one_each(rows, rng)


def unjudged(truth: Truth) -> str:
    """Why nobody can say which links are right."""
    if truth.person is None:
        return f"Who is who is {truth.by}, so that nobody can say which links are right."
    return "No released record belongs to anybody in the other table."


def find_truth(tables: Tables, plan: AttackPlan) -> Truth:
    """By the column that tells who is who, or by the order of rows where that fits."""
    person, by = _found(tables, plan)
    own = tables.persons.number + tables.units.of
    if person is not None:
        own = np.where(person >= 0, tables.persons.of[np.maximum(person, 0)], own)
    number = tables.persons.number + tables.units.number
    return Truth(person, by, Persons(own, number, is_rows=plan.unit is None))


def _found(tables: Tables, plan: AttackPlan) -> tuple[Ints | None, str]:
    """The row of each released record's person, and how it is known."""
    if tables.ids is not None:
        return _by_id(*tables.ids, tables.persons), f"by the column {plan.id or plan.unit}"
    if len(tables.released) != len(tables.people):
        return (
            None,
            "unknown: the tables differ in length and no column was named that tells who is who (--id)",
        )
    columns = tables.places(plan.quasi)
    fits = holds(tables.covers(plan.quasi), tables.released[:, columns], tables.people[:, columns])
    if fits.mean() < SAME_ORDER:
        return (
            None,
            "unknown: the rows do not fit each other in order, and no column was named that tells who is who "
            "(--id)",
        )
    return np.arange(len(fits), dtype=np.int64), "by the order of rows"


def _by_id(released: Ids, people: Ids, persons: Persons) -> Ints:
    if persons.is_rows:
        for table in (released, people):
            _refuse_repeated(table)
    else:
        _refuse_shared(people, persons)
    order = np.argsort(people.marks, kind="stable")
    order = order[~people.empty[order]]
    if not order.size:
        return np.full(released.marks.size, -1, dtype=np.int64)
    known = people.marks[order]
    place = np.minimum(np.searchsorted(known, released.marks), order.size - 1)
    same = (known[place] == released.marks) & ~released.empty
    return np.where(same, order[place], -1)


def _refuse_shared(table: Ids, persons: Persons) -> None:
    """A value that tells who is who may stand in several rows, but of one person only."""
    filled = ~table.empty
    pairs = np.unique(np.stack([table.marks[filled], persons.of[filled].astype(np.uint64)]), axis=1)
    shared = pairs.shape[1] - np.unique(pairs[0]).size
    if shared:
        raise BadData(
            f"{table.source}: {plural(shared, 'value')} of the column that tells who is who belong to "
            "several persons.",
            hint="Name a column whose values belong to one person each (--id), or another unit (--unit).",
        )


def _refuse_repeated(table: Ids) -> None:
    _, times = np.unique(table.marks[~table.empty], return_counts=True)
    repeated = int((times > 1).sum())
    if repeated:
        raise BadData(
            f"{table.source}: {plural(repeated, 'value')} of the column that tells who is who occur more "
            "than once.",
            hint="If persons have several rows, name the column that tells persons apart (--unit); otherwise "
            "name a column that is different in every row.",
        )
