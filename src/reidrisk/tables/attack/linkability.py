"""Linkability: are two sources about the same people joined by the release?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.nearest import nearest_in
from reidrisk.tables.attack.data import Codes, Tables
from reidrisk.tables.attack.outcome import Outcome, Tally
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.truth import Truth

NAME = "linkability"


def link_sources(tables: Tables, plan: AttackPlan, truth: Truth, rng: np.random.Generator) -> Outcome:
    """A target is linked if both parts of what is known of it have the same nearest released record."""
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
    first, second = pair.nearest(tables.people[targets])
    linked = first == second
    control = None
    if tables.control is not None:
        tried = rng.choice(len(tables.control), min(plan.guesses, len(tables.control)), replace=False)
        left, right = pair.nearest(tables.control[tried])
        control = Tally(int((left == right).sum()), tried.size)
    chance = rng.random(targets.size) * len(tables.released) < 1
    return Outcome(
        NAME,
        (*one, *other),
        plan.level,
        main=Tally(int(linked.sum()), targets.size),
        control=control,
        baseline=Tally(int(chance.sum()), targets.size),
        right=None if record is None else int((linked & (first == record[targets])).sum()),
    )


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

    def nearest(self, targets: Codes) -> tuple[Ints, Ints]:
        """The nearest released record by the one set and by the other."""
        found = [
            search.find(targets[:, places]).row
            for search, places in zip(self._searches, self._places, strict=True)
        ]
        return found[0], found[1]
