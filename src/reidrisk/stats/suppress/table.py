"""A suppression problem: distinct tuples with counts, their groups, and limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.keys import rank_keys

Codes = NDArray[np.int32]
Keys = NDArray[np.uint64]
SPREAD = np.uint64(0x9E3779B97F4A7C15)


class TupleGroups(NamedTuple):
    """All groups of at least `k` records, numbered; a group is a column set and the values that remain."""

    masks: Ints
    """Column sets, cheapest first."""
    costs: Floats
    of: Codes
    """Group of each tuple (row) under each set (column); -1 where fewer than k records would share it."""
    pattern: Codes
    """Which set each group belongs to."""
    start: Ints
    """Members of group g are `members[start[g]:start[g + 1]]`."""
    members: Codes


def variables(groups: TupleGroups) -> int:
    """Number of (tuple, set) pairs that can occur."""
    return int((groups.of >= 0).sum())


def column_keys(codes: Codes) -> Keys:
    """A number for each cell such that the sum over columns identifies a tuple.

    It is a mixed radix, hence exact, while the product of the columns' sizes stays below 2^64. Beyond that,
    random 64-bit numbers are used, where two different tuples agree with a probability of about 5e-20.
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
    """The key of each tuple once the columns of `mask` are suppressed."""
    kept = [column for column in range(keys.shape[1]) if not mask >> column & 1]
    total: Keys = keys[:, kept].sum(axis=1, dtype=np.uint64)
    return total


@compiled
def number_keys(keys: Keys, slots: Codes, ids: Codes) -> int:
    """Number the distinct keys in order of appearance, into `ids`; the size of `slots` is a power of two."""
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


def group_tuples(codes: Codes, counts: Ints, k: int, masks: Ints, costs: Floats) -> TupleGroups:
    """Number every group of at least `k` records under the given column sets."""
    keys, slots = column_keys(codes), scratch_slots(len(codes))
    of = np.empty((len(codes), len(masks)), dtype=np.int32)
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
    return TupleGroups(masks, costs, of, np.concatenate(owners), start, members)


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


Method = Literal["auto", "subsets", "integer", "search"]
METHODS: tuple[Method, ...] = get_args(Method)
MOST_COLUMNS = 62


@dataclass(frozen=True, slots=True)
class Request:
    """The cell size, weights, limits and method of a suppression."""

    k: int
    """Cell size: every record shares its row, suppressed cells included, with at least k - 1 others."""
    weights: tuple[float, ...] = ()
    """Cost of a suppressed cell in each column; 1 each if empty."""
    max_records: float | None = None
    """Largest share of records with any suppressed cell."""
    max_column: float | None = None
    """Largest share of records suppressed in any one column."""
    method: Method = "auto"

    def __post_init__(self) -> None:
        if self.k < 1:
            raise InvalidSetting(
                f"The cell size must be at least 1, not {self.k}.", hint="Five is customary."
            )
        if any(not 0 < weight < np.inf for weight in self.weights):
            raise InvalidSetting("A weight must be greater than 0.", hint="Leave a column out instead.")
        for share in (self.max_records, self.max_column):
            if share is not None and not 0 <= share <= 1:
                raise InvalidSetting(
                    f"A limit must be a share from 0 to 1, not {share}.", hint="Write 15 % as 0.15."
                )
        if self.method not in METHODS:
            raise InvalidSetting.among("The method of cell suppression", self.method, METHODS)

    @property
    def limited(self) -> bool:
        """Whether any share is limited."""
        return self.max_records is not None or self.max_column is not None


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to work. Rounds keep the result reproducible; seconds and `stop` end it early."""

    rounds: int = 12
    """Ruin-and-recreate rounds for each record that moves."""
    ascents: int = 400
    """Steps toward the largest lower bound."""
    seconds: float | None = None
    """Stop improving after this time; the result then depends on the speed of the machine."""
    stop: Callable[[], bool] = field(default=lambda: False)
    """Called regularly; returning true ends the work with the best result so far."""
    gap: float = 0.0
    """Relative gap at which the integer program may stop."""
    nodes: int = 100
    """Nodes of the integer program's search tree: a limit that does not depend on the machine's speed."""
    integer_seconds: float = 900.0
    """Emergency limit of the integer program; what it found by then is not used."""

    def watch(self) -> Callable[[], bool]:
        """A function to call between pieces of work: is it time to stop?"""
        end = np.inf if self.seconds is None else monotonic() + self.seconds
        return lambda: monotonic() > end or self.stop()


class SuppressionTable(NamedTuple):
    """Distinct tuples, the number of records of each, and the costs of suppression."""

    codes: Codes
    counts: Ints
    k: int
    weights: Floats
    entry: float
    """Added cost of a record's first suppressed cell; 0 unless a limit on records is being enforced."""

    @property
    def records(self) -> int:
        """Number of records."""
        return int(self.counts.sum())

    @property
    def risky(self) -> int:
        """Records in classes below k: at least these need a suppressed cell."""
        return int(self.counts[self.counts < self.k].sum())


def make_table(codes: Codes, counts: Ints, request: Request) -> SuppressionTable:
    """Check the arrays; codes become small non-negative numbers."""
    if codes.ndim != 2 or len(codes) != len(counts) or not len(codes):
        raise InvalidSetting(
            "There are no records to suppress.", hint="Give one row of codes for each count."
        )
    columns = codes.shape[1]
    if not 1 <= columns <= MOST_COLUMNS:
        raise InvalidSetting(
            f"Cell suppression takes 1 to {MOST_COLUMNS} columns, not {columns}.",
            hint="Choose fewer columns.",
        )
    if request.weights and len(request.weights) != columns:
        raise InvalidSetting(
            f"There are {columns} columns and {len(request.weights)} weights.",
            hint="Give one weight per column.",
        )
    if np.any(counts < 1):
        raise InvalidSetting("A count must be at least 1.", hint="Leave out tuples that do not occur.")
    dense = np.empty(codes.shape, dtype=np.int32)
    for column in range(columns):
        dense[:, column] = rank_keys(codes[:, column].astype(np.int64) - int(codes[:, column].min()))[1]
    if not np.all(np.diff(np.sort(kept_keys(column_keys(dense), 0)))):
        raise InvalidSetting("Some tuples occur twice.", hint="Group the records first.")
    weights = np.array(request.weights or (1.0,) * columns, dtype=np.float64)
    return SuppressionTable(dense, np.asarray(counts, dtype=np.int64), request.k, weights, 0.0)
