"""Local recoding: generalize each record only as far as necessary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from types import ModuleType

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.grouping import packed
from reidrisk.stats.lattice.inputs import Recoding, Tuples
from reidrisk.stats.local.tables import LocalColumn, LocalState, Space, column_of, new_state, space_of

MOST = 100_000
FEWEST = 200
WORK = 1_000_000_000
"""Most and fewest nodes, and most tuples times nodes: a few seconds."""


def most_nodes(tuples: int) -> int:
    """Number of nodes to walk for a number of distinct tuples."""
    return int(np.clip(WORK // max(1, tuples), FEWEST, MOST))


def nodes_in_order(means: Sequence[Floats], most: int, rng: np.random.Generator) -> tuple[Ints, bool]:
    """Steps of every column, ordered by the mean loss; and whether these are all nodes.

    If there are more than `most` nodes, only nodes on chains are taken. A chain climbs from the lowest node
    to the highest one step at a time, in random order. Classes are not tied to these nodes: each takes the
    lowest steps on which its own tuples have the same values.
    """
    steps = [len(mean) for mean in means]
    complete = prod(steps) <= most
    nodes = _all(steps) if complete else _on_chains(steps, most, rng)
    loss = np.zeros(len(nodes))
    for place, mean in enumerate(means):
        loss += mean[nodes[:, place]]
    return np.ascontiguousarray(nodes[np.argsort(loss, kind="stable")]), complete


def _all(steps: Sequence[int]) -> Ints:
    return np.indices(steps).reshape(len(steps), -1).T.astype(np.int64)


def _on_chains(steps: Sequence[int], most: int, rng: np.random.Generator) -> Ints:
    climbs = np.repeat(np.arange(len(steps)), [step - 1 for step in steps])
    chains = max(1, most // (climbs.size + 1))
    found = np.zeros((chains, climbs.size + 1, len(steps)), dtype=np.int64)
    for chain in range(chains):
        order = rng.permutation(climbs)
        found[chain, np.arange(1, climbs.size + 1), order] = 1
    return np.unique(np.cumsum(found, axis=1).reshape(-1, len(steps)), axis=0)


Stop = Callable[[], bool]
SUPPRESSED_CELL = -1
"""In place of a level: the cell is suppressed, because no allowed level is general enough."""
LOOKS = 40_000_000
"""Number of groups that the search examines in all: about half a second."""
AT_ONCE = 5_000_000
"""Groups examined between two calls of `stop`."""
SMALL_GAIN = 1e-5
"""The search ends when a round gains less than this per record."""


@dataclass(frozen=True, slots=True)
class LocalRequest:
    """The settings of local recoding."""

    cell_size: int
    """Least size of a class."""
    weights: tuple[float, ...] | None = None
    """Weight of the loss in each column."""
    stars: bool = True
    """Whether cells may be suppressed where no allowed level is enough; else such records are in no class."""
    looks: int = LOOKS
    """Effort to improve the classes: groups to examine."""

    def __post_init__(self) -> None:
        if self.cell_size < 1:
            raise InvalidSetting(
                f"The cell size cannot be {self.cell_size}.", hint="Give a cell size of 1 or more."
            )


@dataclass(frozen=True, slots=True, eq=False)
class LocalRecoding:
    """For every distinct tuple, its class and the level of each of its cells."""

    group: Ints = field(repr=False)
    """By tuple: its class; -1 if it fits into none."""
    levels: Ints = field(repr=False)
    """By tuple and column; STARRED is a suppressed cell."""
    lattice: int
    """Number of nodes within the allowed levels."""
    walked: int
    """Number of nodes whose classes were counted."""
    complete: bool
    """Whether the walk could reach all nodes, or only some of a large lattice."""
    stopped: bool = False
    """Whether the caller stopped the search and asked for the best result so far."""


def recode_locally(
    tuples: Tuples,
    recodings: Sequence[Recoding],
    request: LocalRequest,
    *,
    rng: np.random.Generator,
    stop: Stop | None = None,
) -> LocalRecoding:
    """Put every tuple into a class of at least the cell size, with little loss of granularity.

    Nodes are visited in order of increasing loss. Each node fixes the classes of the remaining tuples that
    reach the cell size. Each class then takes the lowest levels on which its tuples have the same values.
    After that, tuples move to where they cost less, and classes are dissolved if that gains. Tuples are never
    split. This is a heuristic: nothing is proved about the least possible loss.
    """
    weights = _shares(request.weights, len(recodings))
    columns = [
        column_of(one, weight, star=request.stars) for one, weight in zip(recodings, weights, strict=True)
    ]
    space = space_of(tuples, columns, request.cell_size)
    run = _LocalRun(tuples, columns, space, new_state(space), rng)
    groups, walked, complete = run.build_classes()
    stopped = run.improve_classes(groups, request.looks, stop)
    lowest = np.array([one.lowest for one in recodings])
    return LocalRecoding(
        group=run.state.group.copy(),
        levels=run.levels(lowest),
        lattice=prod(one.top - one.lowest + 1 for one in recodings),
        walked=walked,
        complete=complete,
        stopped=stopped,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _LocalRun:
    tuples: Tuples
    columns: Sequence[LocalColumn]
    space: Space
    state: LocalState
    rng: np.random.Generator

    def build_classes(self) -> tuple[int, int, bool]:
        """First classes: by levels, then by suppression where no level helps, then the rest as guests."""
        kernels = _kernels()
        rest = np.arange(len(self.tuples.counts))
        nodes, complete = self._nodes(stars=False, tuples=len(rest))
        left, groups, looked = kernels.walk(self.space, self.state, nodes, rest, 0)
        rest = rest[:left]
        helped = self._reaches_cell_size()[rest]
        alone = rest[~helped]
        if alone.size and any(column.has_star for column in self.columns):
            starred, whole = self._nodes(stars=True, tuples=len(alone))
            _, groups, more = kernels.walk(self.space, self.state, starred, alone, groups)
            looked, complete = looked + more, complete and whole
        kernels.refit_all(self.space, self.state, groups)
        kernels.insert(self.space, self.state, rest[helped], groups)
        return groups, looked, complete

    def _nodes(self, *, stars: bool, tuples: int) -> tuple[Ints, bool]:
        """Nodes without or with suppressed cells."""
        means = [self._means(place, stars=stars) for place in range(len(self.columns))]
        return nodes_in_order(means, most_nodes(tuples), self.rng)

    def _means(self, place: int, *, stars: bool) -> Floats:
        """By step: the mean loss per record."""
        column, codes = self.columns[place], self.tuples.codes[:, place]
        used = column.loss if stars or not column.has_star else column.loss[:-1]
        return np.array([self.tuples.counts @ loss[codes] for loss in used]) / self.tuples.records

    def _reaches_cell_size(self) -> Bools:
        """By tuple: whether its class at the highest levels reaches the cell size."""
        tops = [column.codes[-2 if column.has_star else -1] for column in self.columns]
        codes = np.stack([top[self.tuples.codes[:, place]] for place, top in enumerate(tops)], axis=1)
        _, of = np.unique(packed(codes, range(len(tops))), return_inverse=True)
        sizes = np.bincount(of, weights=self.tuples.counts)
        return np.asarray(sizes[of] >= self.space.cell_size)

    def improve_classes(self, groups: int, looks: int, stop: Stop | None) -> bool:
        """Rounds over all tuples, the worst first, until the gain is small; returns True if stopped."""
        while looks > 0:
            order = np.flatnonzero(self.state.group >= 0)
            order = order[np.argsort(-self.state.cost[self.state.group[order]], kind="stable")]
            round_gain = 0.0
            while order.size and looks > 0:
                if stop is not None and stop():
                    return True
                gained, reached, looked = _kernels().improve(
                    self.space, self.state, order, groups, min(looks, AT_ONCE)
                )
                order, looks, round_gain = order[reached:], looks - looked, round_gain + gained
            if round_gain <= SMALL_GAIN * self.tuples.records:
                break
        return False

    def levels(self, lowest: Ints) -> Ints:
        """Levels by tuple and column; tuples in no class are suppressed."""
        found = self.state.step[self.state.group] + lowest
        for place, column in enumerate(self.columns):
            if column.has_star:
                star = self.state.step[self.state.group, place] == len(column.codes) - 1
                found[star, place] = SUPPRESSED_CELL
        found[self.state.group < 0] = SUPPRESSED_CELL
        return np.asarray(found, dtype=np.int64)


def _kernels() -> ModuleType:
    """The compiled module; loaded when a search runs, because loading takes a moment."""
    from reidrisk.stats.local import kernels

    return kernels


def _shares(weights: Sequence[float] | None, columns: int) -> Floats:
    given = np.ones(columns) if weights is None else np.asarray(weights, dtype=np.float64)
    if given.shape != (columns,) or not np.isfinite(given).all() or given.min() < 0 or given.sum() <= 0:
        raise InvalidSetting(
            "The weights do not match the columns.",
            hint="Give one weight for each column, 0 or more, and at least one above 0.",
        )
    return np.asarray(given / given.sum(), dtype=np.float64)
