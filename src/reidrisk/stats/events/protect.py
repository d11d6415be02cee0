"""Generalize events and remove some, until known events match enough people: a heuristic without a bound.

Levels of the event columns are tried in order of increasing loss. At each level, events that too few people
of a class have are removed. If too few people share two or more events, the event that is in the most such
sets is removed. The choice is greedy: removing fewer might be enough. The result is k^m-anonymous within the
classes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from math import floor

import numpy as np

from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.events.clean import Bounds, Cleaning, Demand
from reidrisk.stats.events.lists import EventLists, Pairs
from reidrisk.stats.grouping import packed
from reidrisk.stats.keys import rank_keys
from reidrisk.stats.lattice.inputs import Codes, Recoding

Node = tuple[int, ...]
ROUNDING = 1e-6
"""Tolerance for the cost of removed events: far above rounding errors of sums, far below one row."""


@dataclass(frozen=True, slots=True, eq=False)
class Histories:
    """Values of people in the event columns, each combination once."""

    person: Ints = field(repr=False)
    codes: Codes = field(repr=False)
    """One column for each event column."""
    copies: Ints = field(repr=False)
    """Number of rows of the table."""
    class_of: Ints = field(repr=False)
    """The class of every person."""
    recodings: tuple[Recoding, ...] = field(repr=False)

    @property
    def rows(self) -> int:
        """Rows of the table."""
        return int(self.copies.sum())

    def at(self, node: Node) -> tuple[Pairs, Ints]:
        """People and generalized events at a node, and the pair that each combination belongs to."""
        general = np.stack(
            [one.levels[level][self.codes[:, at]] for at, (one, level) in enumerate(self._chosen(node))],
            axis=1,
        )
        _, event = rank_keys(packed(general, range(general.shape[1])))
        width = int(event.max(initial=0)) + 1
        keys, of = np.unique(self.person * width + event, return_inverse=True)
        number = np.bincount(of, weights=self.copies, minlength=len(keys)).astype(np.int64)
        return Pairs(keys // width, keys % width, number), of.astype(np.int64)

    def lost(self, node: Node) -> Floats:
        """By combination: the share of its granularity that is lost, over all columns; 0 to 1."""
        shares = []
        for at, (one, level) in enumerate(self._chosen(node)):
            leaves = one.leaves[level][one.levels[level][self.codes[:, at]]]
            shares.append((leaves - 1) / max(one.domain - 1, 1))
        mean: Floats = np.mean(shares, axis=0)
        return mean

    def mean(self, lost: Floats) -> float:
        """Mean over the rows of the table."""
        return float(lost @ self.copies) / max(self.rows, 1)

    def _chosen(self, node: Node) -> list[tuple[Recoding, int]]:
        return list(zip(self.recodings, node, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Protection:
    """The chosen levels, and the events removed at these levels."""

    node: Node
    dropped: Bools = field(repr=False)
    """By combination: whether it is removed."""
    rows: int
    """Rows of the table that are removed."""
    loss: float
    """Granularity lost over all events, a removed event counting as 1; 0 to 1."""
    lists: EventLists = field(repr=False)
    """The remaining events."""
    nodes: int = 0
    tried: int = 0


@dataclass(frozen=True, slots=True)
class UnprotectedEvents:
    """No levels within the limit were found."""

    nodes: int
    tried: int
    share: float | None
    """Share of events removed at the coarsest levels; None if there are too many subsets to check."""


@dataclass(frozen=True, slots=True)
class Follow:
    """Reports the progress of a search and can end it early with the best result so far."""

    stop: Callable[[], bool] | None = None
    tell: Callable[[int, int], None] | None = None

    def goes_on(self, done: int, total: int) -> bool:
        """Report the progress, and return whether to go on."""
        if self.tell is not None:
            self.tell(done, total)
        return self.stop is None or not self.stop()


def protect(
    histories: Histories, demand: Demand, follow: Follow | None = None
) -> Protection | UnprotectedEvents:
    """The levels with the least loss, given the greedy choice of events to remove."""
    follow = follow or Follow()
    ranges = [range(one.lowest, one.top + 1) for one in histories.recodings]
    bases = sorted((histories.mean(histories.lost(node)), node) for node in product(*ranges))
    best: Protection | None = None
    tried = 0
    for base, node in bases:
        if (best is not None and base >= best.loss) or not follow.goes_on(tried, len(bases)):
            break
        tried += 1
        most, below = floor(demand.limit * histories.rows + 1e-9), np.inf if best is None else best.loss
        found = _clean(histories, node, demand, most=most, below=below)
        if found is not None and (best is None or found.loss < best.loss):
            best = found
    if best is not None:
        return Protection(best.node, best.dropped, best.rows, best.loss, best.lists, len(bases), tried)
    if not follow.goes_on(tried, len(bases)):
        return UnprotectedEvents(len(bases), tried, None)
    top = _clean(histories, tuple(one.top for one in histories.recodings), demand, most=histories.rows)
    return UnprotectedEvents(len(bases), tried, None if top is None else top.rows / max(histories.rows, 1))


def _clean(
    histories: Histories, node: Node, demand: Demand, *, most: int, below: float = np.inf
) -> Protection | None:
    """Remove events at these levels until no set is too rare; None if that removes too much."""
    pairs, of = histories.at(node)
    lost = histories.lost(node)
    cleaning = Cleaning.of_pairs(pairs, histories.class_of, demand)
    costs = np.bincount(of, weights=(1 - lost) * histories.copies, minlength=len(pairs.person))
    spare = (below - histories.mean(lost)) * max(histories.rows, 1)
    lists = cleaning.clean(costs.astype(np.float64), Bounds(most, spare * (1 + ROUNDING) + ROUNDING))
    if lists is None:
        return None
    dropped = ~cleaning.kept[of]
    loss = histories.mean(np.where(dropped, 1.0, lost))
    return Protection(node, dropped, int(pairs.copies[~cleaning.kept].sum()), loss, lists)
