"""Exact linkage: how many people each released record could belong to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.columns import NONE, Cover
from reidrisk.stats.grouping import grouped, packed

Codes = NDArray[np.int32]


def candidates(
    covers: Sequence[Cover], released: Codes, people: Codes, *, persons: Ints | None = None
) -> Ints:
    """For each released record, the number of people who match all of its values.

    Records whose values lie on the same layers are matched together, by equal numbers. `persons` is the
    person of each row of people; without it, each row is a different person.
    """
    records = grouped(released, np.ones(len(released), dtype=np.int64))
    others = _Others.rows(people) if persons is None else _Others.persons(people, persons)
    layers = np.stack([one.layer[records.codes[:, at]] for at, one in enumerate(covers)], axis=1).astype(
        np.int32
    )
    pattern, _, of = grouped(layers, np.ones(len(layers), dtype=np.int64))
    found = np.zeros(len(records.codes), dtype=np.int64)
    for at, layer in enumerate(pattern):
        mine = np.flatnonzero(of == at)
        found[mine] = _count_matches(covers, layer, records.codes[mine], others)
    return found[records.of]


def holds(covers: Sequence[Cover], released: Codes, people: Codes) -> NDArray[np.bool_]:
    """Whether each released record could belong to the person in the same row."""
    held = np.ones(len(released), dtype=np.bool_)
    for at, one in enumerate(covers):
        held &= one.holds(released[:, at], people[:, at])
    return held


def _count_matches(covers: Sequence[Cover], layer: Codes, released: Codes, others: _Others) -> Ints:
    """Number of people with the groups of each record; all records lie on the same layers."""
    used = [at for at, one in enumerate(covers) if not _tells_nothing(one, int(layer[at]))]
    own = np.stack([covers[at].group[released[:, at]] for at in used], axis=1) if used else None
    if own is None:
        return np.full(len(released), others.number, dtype=np.int64)
    theirs = np.stack([covers[at].groups[layer[at]][others.codes[:, at]] for at in used], axis=1)
    known = (theirs >= 0).all(axis=1)
    possible = (own > NONE).all(axis=1)
    keys = packed(np.concatenate([own[possible], theirs[known]]), range(len(used)))
    mine, yours = np.split(keys, [int(possible.sum())])
    ordered, back = np.unique(mine, return_inverse=True)
    found = np.zeros(len(released), dtype=np.int64)
    if ordered.size:
        place = np.minimum(np.searchsorted(ordered, yours), ordered.size - 1)
        same = ordered[place] == yours
        found[possible] = others.counted(place[same], np.flatnonzero(known)[same], ordered.size)[back]
    return found


class _Others(NamedTuple):
    """Distinct rows of people, with the number of people, or the person, of each."""

    codes: Codes
    counts: Ints
    person: Ints | None
    number: int
    """Number of people."""

    @classmethod
    def rows(cls, people: Codes) -> _Others:
        """Every row is a different person."""
        alike = grouped(people, np.ones(len(people), dtype=np.int64))
        return cls(alike.codes, alike.counts, None, len(people))

    @classmethod
    def persons(cls, people: Codes, person: Ints) -> _Others:
        """A person may have several rows, and counts once wherever these are counted together."""
        return cls(people, np.ones(len(people), dtype=np.int64), person, np.unique(person).size)

    def counted(self, place: Ints, rows: Ints, places: int) -> Ints:
        """Number of people among the rows at each place."""
        if self.person is None:
            return np.bincount(place, weights=self.counts[rows], minlength=places).astype(np.int64)
        of, pairs = self.person[rows], int(self.person.max(initial=0)) + 1
        return np.bincount(np.unique(place * pairs + of) // pairs, minlength=places)


def _tells_nothing(one: Cover, layer: int) -> bool:
    return layer > 0 and bool((one.groups[layer] == 0).all())
