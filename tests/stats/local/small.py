"""Tables of a few tuples, and the loss of a class by looking at all its values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reidrisk.stats.lattice.inputs import Recoding, Tuples
from reidrisk.stats.local.kernels import link, refit_all
from reidrisk.stats.local.tables import LocalColumn, LocalState, Space, column_of, new_state, space_of

PAIRS = [[0, 1, 2, 3, 4], [0, 0, 1, 1, 2], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0]]
HALVES = [[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]]


@dataclass(frozen=True, slots=True)
class Small:
    """A table with its hierarchies as columns of losses."""

    tuples: Tuples
    recodings: list[Recoding]
    columns: list[LocalColumn]
    space: Space

    def steps(self, members: list[int]) -> list[int] | None:
        """The lowest steps on which tuples have the same values; None if there are none in some column."""
        found = []
        for place, column in enumerate(self.columns):
            values = self.tuples.codes[members, place]
            joined = [
                step for step, codes in enumerate(column.codes) if len(set(codes[values].tolist())) == 1
            ]
            if not joined:
                return None
            found.append(joined[0])
        return found

    def loss(self, members: list[int]) -> float:
        """Loss per record of a class."""
        steps = self.steps(members)
        if steps is None:
            return np.inf
        values = self.tuples.codes[members[0]]
        return float(
            sum(
                column.loss[step][value]
                for column, step, value in zip(self.columns, steps, values, strict=True)
            )
        )

    def size(self, members: list[int]) -> int:
        """Number of records."""
        return int(self.tuples.counts[members].sum())

    def total(self, members: list[int]) -> float:
        """Loss of all records of a class; nothing if it is empty."""
        return self.loss(members) * self.size(members) if members else 0.0


def small(seed: int, *, cell_size: int = 3, tuples: int = 7, star: bool = False) -> Small:
    """Two columns, the second up to pairs only if records may be suppressed beyond these."""
    rng = np.random.default_rng(seed)
    every = np.array([(one, other) for one in range(5) for other in range(4)], dtype=np.int32)
    codes = every[rng.permutation(len(every))[:tuples]]
    table = Tuples(codes, rng.integers(1, 4, tuples))
    recodings = [Recoding.of_rows(PAIRS), Recoding.of_rows(HALVES, highest=1 if star else None)]
    columns = [
        column_of(one, weight, star=star) for one, weight in zip(recodings, (0.625, 0.375), strict=True)
    ]
    return Small(table, recodings, columns, space_of(table, columns, cell_size))


def classes_of(state: LocalState) -> dict[int, list[int]]:
    """The tuples of each group, from the group of each tuple."""
    found: dict[int, list[int]] = {}
    for row, group in enumerate(state.group.tolist()):
        if group >= 0:
            found.setdefault(group, []).append(row)
    return found


def check_state(table: Small, state: LocalState, *, fitted: bool = True) -> None:
    """Links, sizes, steps and losses say the same as the group of each tuple."""
    classes = classes_of(state)
    for group in range(len(state.head)):
        listed, row, last = [], int(state.head[group]), -1
        while row >= 0:
            assert state.before[row] == last
            listed.append(row)
            row, last = int(state.after[row]), row
        assert sorted(listed) == classes.get(group, [])
        assert state.size[group] == table.size(listed)
        if listed and fitted:
            assert state.step[group].tolist() == table.steps(listed)
            assert abs(state.cost[group] - table.loss(listed)) < 1e-9
            assert abs(state.lost[group].sum() - state.cost[group]) < 1e-9


def grouped(table: Small, seed: int, number: int) -> LocalState:
    """A state with tuples in random groups, none of which is empty."""
    rng = np.random.default_rng(seed)
    state = new_state(table.space)
    tuples = len(table.tuples.counts)
    for row, group in enumerate(
        rng.permutation(np.concatenate([np.arange(number), rng.integers(0, number, tuples - number)]))
    ):
        link(table.space, state, row, int(group))
    refit_all(table.space, state, number)
    return state


def total_loss(table: Small, state: LocalState) -> float:
    """Loss of all records in classes."""
    return sum(table.total(members) for members in classes_of(state).values())


def tables(number: int = 10) -> Iterator[tuple[int, Small]]:
    """Half of them with suppressed cells."""
    for seed in range(number):
        yield seed, small(seed, cell_size=2 + seed % 3, star=seed % 2 == 1)
