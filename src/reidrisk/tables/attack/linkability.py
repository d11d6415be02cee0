"""Linkability: are two sources about the same people joined by the release?"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

from reidrisk.stats.arrays import Bools, Ints
from reidrisk.stats.attack.nearest import nearest_in
from reidrisk.tables.attack.data import Codes, Tables
from reidrisk.tables.attack.outcome import Outcome, Tally
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.truth import Truth

NAME = "linkability"


def link_sources(tables: Tables, plan: AttackPlan, truth: Truth, rng: np.random.Generator) -> Outcome:
    """A target is linked if both parts of what is known of it have the same nearest released record.

    Of several neighbours one must be the same.
    """
    one, other = plan.linked_sets
    if not one or not other:
        return Outcome(NAME, plan.quasi, plan.level, reason="It needs two sets of columns (--sets A;B).")
    record = truth.record(len(tables.people))
    among = np.arange(len(tables.people)) if record is None else np.flatnonzero(record >= 0)
    if not among.size:
        return Outcome(
            NAME, (*one, *other), plan.level, reason="Nobody of the other table is in the release."
        )
    targets = rng.choice(among, min(plan.guesses, among.size), replace=False)
    pair = _Pair(tables, one, other, rng)
    first, second = pair.nearest(tables.people[targets], plan.neighbours)
    linked = share_one(first, second)
    control = None
    if tables.control is not None:
        tried = rng.choice(len(tables.control), min(plan.guesses, len(tables.control)), replace=False)
        control = Tally(
            int(share_one(*pair.nearest(tables.control[tried], plan.neighbours)).sum()), tried.size
        )
    chance = rng.random(targets.size) < by_chance(len(tables.released), plan.neighbours)
    return Outcome(
        NAME,
        (*one, *other),
        plan.level,
        main=Tally(int(linked.sum()), targets.size),
        control=control,
        baseline=Tally(int(chance.sum()), targets.size),
        right=None
        if record is None
        else int((_has(first, record[targets]) & _has(second, record[targets])).sum()),
    )


def share_one(first: Ints, second: Ints) -> Bools:
    """Whether two sets of neighbours have one in common; -1 is none."""
    same = (first[:, :, None] == second[:, None, :]) & (first >= 0)[:, :, None]
    found: Bools = same.any(axis=(1, 2))
    return found


def by_chance(records: int, neighbours: int) -> float:
    """The chance that two random sets of so many records share one.

    >>> round(by_chance(10, 2), 6), by_chance(3, 2)
    (0.377778, 1.0)
    """
    if 2 * neighbours > records:
        return 1.0
    return 1 - comb(records - neighbours, neighbours) / comb(records, neighbours)


def _has(neighbours: Ints, record: Ints) -> Bools:
    found: Bools = (neighbours == record[:, None]).any(axis=1)
    return found


class _Pair:
    """The release, made ready to be searched by each of two sets of columns."""

    def __init__(
        self, tables: Tables, one: Sequence[str], other: Sequence[str], rng: np.random.Generator
    ) -> None:
        self._places = [tables.places(names) for names in (one, other)]
        # The same draw for both: an adversary who takes the first of several takes the same one twice.
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
        """The nearest released records by the one set and by the other."""
        found = [
            search.find_many(targets[:, places], many)
            for search, places in zip(self._searches, self._places, strict=True)
        ]
        return found[0], found[1]
