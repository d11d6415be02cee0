"""The arrays of the compiled loops of local recoding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.lattice.inputs import Codes, Recoding, Tuples

SUPPRESSION_COST = 1000.0
"""Cost of a suppressed cell: so high that a group is never suppressed for the sake of a few records."""


class Space(NamedTuple):
    """Tuples, with the code and loss of each value on each step. Step 0 is the lowest allowed level."""

    codes: Codes
    counts: Ints
    code: Codes
    """By position: the generalized value."""
    loss: Floats
    """By position: the loss per record; the sum over the columns is at most 1 without a suppressed cell."""
    offset: Ints
    """By column and step: the position of value 0."""
    steps: Ints
    """By column: number of steps."""
    cell_size: int


class LocalState(NamedTuple):
    """Which tuples form a group, and how general each group is."""

    group: Ints
    """By tuple; -1 if it is in no group."""
    head: Ints
    """By group: its first tuple, -1 if it has none."""
    after: Ints
    """By tuple: the next of its group."""
    before: Ints
    size: Ints
    """By group: number of records."""
    step: Ints
    """By group and column: the lowest step on which all its tuples have the same value."""
    lost: Floats
    """By group and column: loss per record."""
    cost: Floats
    """By group: the sum of these losses."""
    spare: Ints
    """Scratch space for the steps of one group."""
    kept: Ints
    """Scratch space for the tuples of a dissolved group and their new groups."""


class Room(NamedTuple):
    """Where the classes of a node are counted: a hash table that is reused for every node."""

    first: Ints
    """By slot: a tuple of the class."""
    stamp: Ints
    """By slot: the node that last used it."""
    total: Ints
    """By slot: number of records."""
    number: Ints
    """By slot: the group that the class became, or -1."""
    slots: Ints
    """By position in the list of tuples: its slot."""


class LocalColumn(NamedTuple):
    """The steps of one column."""

    codes: tuple[Codes, ...]
    loss: tuple[Floats, ...]
    """By step and value."""
    has_star: bool
    """Whether the last step is suppression and not a level."""


def column_of(recoding: Recoding, weight: float, *, star: bool) -> LocalColumn:
    """The allowed levels; with `star`, one more step for suppression, which costs more than all others."""
    levels = range(recoding.lowest, recoding.top + 1)
    codes = [recoding.levels[level] for level in levels]
    loss = [weight * share_lost(recoding, level) for level in levels]
    tells_nothing = recoding.leaves[recoding.top][0] == recoding.domain
    if star and not tells_nothing:
        codes.append(np.zeros_like(codes[0]))
        loss.append(np.full(codes[0].size, SUPPRESSION_COST))
    return LocalColumn(tuple(codes), tuple(loss), star and not tells_nothing)


def share_lost(recoding: Recoding, level: int) -> Floats:
    """By value: the leaves under its generalized value, without its own, as a share of all but one."""
    beyond = recoding.leaves[level][recoding.levels[level]] - 1
    return np.asarray(beyond / max(1, recoding.domain - 1), dtype=np.float64)


def space_of(tuples: Tuples, columns: Sequence[LocalColumn], cell_size: int) -> Space:
    """All columns in one row of numbers."""
    steps = max(len(column.codes) for column in columns)
    offset = np.zeros((len(columns), steps), dtype=np.int64)
    codes: list[Codes] = []
    loss: list[Floats] = []
    position = 0
    for place, column in enumerate(columns):
        for step, (code, lost) in enumerate(zip(column.codes, column.loss, strict=True)):
            offset[place, step] = position
            codes.append(code)
            loss.append(lost)
            position += code.size
    return Space(
        np.ascontiguousarray(tuples.codes, dtype=np.int32),
        tuples.counts,
        np.concatenate(codes).astype(np.int32),
        np.concatenate(loss),
        offset,
        np.array([len(column.codes) for column in columns]),
        cell_size,
    )


def new_state(space: Space) -> LocalState:
    """The initial state: no tuple is in a group; there is space for as many groups as tuples."""
    tuples, columns = space.codes.shape

    def nothing() -> Ints:
        return np.full(tuples, -1, dtype=np.int64)

    return LocalState(
        group=nothing(),
        head=nothing(),
        after=nothing(),
        before=nothing(),
        size=np.zeros(tuples, dtype=np.int64),
        step=np.zeros((tuples, columns), dtype=np.int64),
        lost=np.zeros((tuples, columns)),
        cost=np.zeros(tuples),
        spare=np.zeros(columns, dtype=np.int64),
        kept=np.zeros((2, tuples), dtype=np.int64),
    )
