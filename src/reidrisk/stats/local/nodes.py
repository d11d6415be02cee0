"""The nodes that a walk looks at, the least loss first."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from reidrisk.stats.arrays import Floats, Ints

MOST = 100_000
FEWEST = 200
WORK = 1_000_000_000
"""Nodes at most and at least, and tuples times nodes at most: some seconds."""


def most_nodes(tuples: int) -> int:
    """How many nodes are walked for so many distinct tuples."""
    return int(np.clip(WORK // max(1, tuples), FEWEST, MOST))


def nodes_in_order(means: Sequence[Floats], most: int, rng: np.random.Generator) -> tuple[Ints, bool]:
    """Steps of every column, ordered by the mean loss; and whether these are all that there are.

    Beyond `most` nodes only those on chains are taken, which climb from the lowest node to the highest one
    step at a time, in an order by chance. Classes are not bound to these nodes: each takes the lowest steps
    on which its own tuples are alike.
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
