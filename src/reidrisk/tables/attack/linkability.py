"""Linkability: does the release link two sources about the same people?"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

from reidrisk.stats.arrays import Bools, Ints
from reidrisk.stats.attack.nearest import nearest_in
from reidrisk.tables.attack.data import AttackTables, Codes, Truth
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.success import AttackResult, GuessCount

NAME = "linkability"


def link_sources(
    tables: AttackTables, plan: AttackPlan, truth: Truth, rng: np.random.Generator
) -> AttackResult:
    """Link a target if both parts of what is known about it have the same nearest released record.

    With several neighbors, one must be the same.
    """
    one, other = plan.linked_sets
    if not one or not other:
        return AttackResult(
            NAME, plan.quasi, plan.level, reason="Two sets of columns are needed (--sets A;B)."
        )
    among = truth.targets(tables.persons, rng)
    if not among.size:
        return AttackResult(
            NAME, (*one, *other), plan.level, reason="Nobody in the other table is in the release."
        )
    targets = rng.choice(among, min(plan.guesses, among.size), replace=False)
    pair = _SourcePair(tables, one, other, truth.owners.of, rng)
    first, second = pair.nearest(tables.people[targets], plan.neighbours)
    linked = share_one(first, second)
    control = None
    if tables.control is not None and tables.control_persons is not None:
        every = tables.control_persons.one_each(np.arange(len(tables.control)), rng)
        tried = rng.choice(every, min(plan.guesses, every.size), replace=False)
        control = GuessCount(
            int(share_one(*pair.nearest(tables.control[tried], plan.neighbours)).sum()), tried.size
        )
    owners = np.unique(truth.owners.of).size
    chance = rng.random(targets.size) < by_chance(owners, plan.neighbours)
    own = tables.persons.of[targets]
    return AttackResult(
        NAME,
        (*one, *other),
        plan.level,
        main=GuessCount(int(linked.sum()), targets.size),
        control=control,
        baseline=GuessCount(int(chance.sum()), targets.size),
        right=None if truth.person is None else int((_has(first, own) & _has(second, own)).sum()),
    )


def share_one(first: Ints, second: Ints) -> Bools:
    """Whether two sets of neighbors share one; -1 is none."""
    same = (first[:, :, None] == second[:, None, :]) & (first >= 0)[:, :, None]
    found: Bools = same.any(axis=(1, 2))
    return found


def by_chance(records: int, neighbours: int) -> float:
    """Return the probability that two random sets of neighbors share a record.

    >>> round(by_chance(10, 2), 6), by_chance(3, 2)
    (0.377778, 1.0)
    """
    if 2 * neighbours > records:
        return 1.0
    return 1 - comb(records - neighbours, neighbours) / comb(records, neighbours)


def _has(neighbours: Ints, record: Ints) -> Bools:
    found: Bools = (neighbours == record[:, None]).any(axis=1)
    return found


class _SourcePair:
    """The release, prepared for searches by each of two sets of columns."""

    def __init__(
        self,
        tables: AttackTables,
        one: Sequence[str],
        other: Sequence[str],
        owners: Ints,
        rng: np.random.Generator,
    ) -> None:
        self._owners = owners
        self._places = [tables.places(names) for names in (one, other)]
        # The same draw for both: an adversary who picks one of several picks the same one twice.
        seed = int(rng.integers(2**62))
        self._searches = [
            nearest_in(
                tables.chosen(names),
                tables.released[:, places],
                wide=False,
                rng=np.random.default_rng(seed),
            )
            for names, places in zip((one, other), self._places, strict=True)
        ]

    def nearest(self, targets: Codes, many: int) -> tuple[Ints, Ints]:
        """Return the persons of the nearest released records, by each set of columns; -1 is none."""
        rows = [
            search.find_many(targets[:, places], many)
            for search, places in zip(self._searches, self._places, strict=True)
        ]
        found = [np.where(one >= 0, self._owners[one], -1) for one in rows]
        return found[0], found[1]
