"""Which tuples look alike once a set of columns is starred, for every set considered."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.compiled import compiled

Codes = NDArray[np.int32]
Keys = NDArray[np.uint64]
SPREAD = np.uint64(0x9E3779B97F4A7C15)


class Groups(NamedTuple):
    """All groups of at least `k` records, numbered; a group is a starred set and the values that remain."""

    masks: Ints
    """Starred sets, cheapest first."""
    costs: Floats
    of: Codes
    """Group of each tuple (row) under each set (column); -1 where fewer than k records would share it."""
    pattern: Codes
    """Which set each group belongs to."""
    start: Ints
    """Members of group g are `members[start[g]:start[g + 1]]`."""
    members: Codes


def variables(groups: Groups) -> int:
    """How many (tuple, set) pairs can occur."""
    return int((groups.of >= 0).sum())


def column_keys(codes: Codes) -> Keys:
    """A number for each cell such that a sum over columns tells tuples apart.

    Mixed radix, hence exact, while the product of the columns' sizes stays below 2^64; beyond that
    random 64-bit numbers, where two different tuples agree with a chance of about 5e-20.
    """
    sizes = codes.max(axis=0).astype(object) + 1
    if int(np.prod(sizes)) < 2**63:
        strides = np.concatenate([[1], np.cumprod(sizes[:-1])]).astype(np.uint64)
        return np.ascontiguousarray(codes.astype(np.uint64) * strides)
    rng = np.random.default_rng(20_011)
    keys = np.empty(codes.shape, dtype=np.uint64)
    for column, size in enumerate(sizes):
        keys[:, column] = rng.integers(0, 2**64, int(size), dtype=np.uint64)[codes[:, column]]
    return keys


def kept_keys(keys: Keys, mask: int) -> Keys:
    """The key of each tuple once the columns of `mask` are starred."""
    kept = [column for column in range(keys.shape[1]) if not mask >> column & 1]
    total: Keys = keys[:, kept].sum(axis=1, dtype=np.uint64)
    return total


@compiled
def number_keys(keys: Keys, slots: Codes, ids: Codes) -> int:
    """Number equal keys alike, in order of appearance, into `ids`; `slots` is scratch of a power of two."""
    slots[:] = -1
    last = np.uint64(len(slots) - 1)
    first = np.empty(len(keys), dtype=np.uint64)
    found = 0
    for row in range(len(keys)):
        mixed = keys[row] * SPREAD
        place = (mixed ^ (mixed >> np.uint64(32))) & last
        while slots[place] >= 0 and first[slots[place]] != keys[row]:
            place = (place + np.uint64(1)) & last
        if slots[place] < 0:
            slots[place] = found
            first[found] = keys[row]
            found += 1
        ids[row] = slots[place]
    return found


def scratch_slots(rows: int) -> Codes:
    """A hash table with room for twice the rows."""
    return np.empty(1 << max(4, int(2 * rows).bit_length()), dtype=np.int32)


def group_tuples(codes: Codes, counts: Ints, k: int, masks: Ints, costs: Floats) -> Groups:
    """Number every group of at least `k` records under the given starred sets."""
    keys, slots = column_keys(codes), scratch_slots(len(codes))
    of = np.full((len(codes), len(masks)), -1, dtype=np.int32)
    ids = np.empty(len(codes), dtype=np.int32)
    owners, total = [], 0
    for index, mask in enumerate(masks):
        found = number_keys(kept_keys(keys, int(mask)), slots, ids)
        large = np.bincount(ids, weights=counts, minlength=found) >= k
        names = np.where(large, np.cumsum(large) - 1 + total, -1).astype(np.int32)
        of[:, index] = names[ids]
        total += int(large.sum())
        owners.append(np.full(int(large.sum()), index, dtype=np.int32))
    start, members = list_members(of, total)
    return Groups(masks, costs, of, np.concatenate(owners), start, members)


@compiled
def list_members(of: Codes, total: int) -> tuple[Ints, Codes]:
    """The tuples of each group, one after another."""
    start = np.zeros(total + 1, dtype=np.int64)
    for row in range(of.shape[0]):
        for group in of[row]:
            if group >= 0:
                start[group + 1] += 1
    start = np.cumsum(start)
    free = start.copy()
    members = np.empty(start[-1], dtype=np.int32)
    for row in range(of.shape[0]):
        for group in of[row]:
            if group >= 0:
                members[free[group]] = row
                free[group] += 1
    return start, members
