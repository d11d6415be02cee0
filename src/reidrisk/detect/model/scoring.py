"""Probabilities of labels by the forward-backward algorithm."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_array

from reidrisk.detect.model.crf import Crf
from reidrisk.detect.model.layout import TokenLayout
from reidrisk.detect.model.templates import TEMPLATES, FeatureGrid, places
from reidrisk.stats.arrays import Floats, Ints

BATCH = 256
"""Number of chains of similar length processed together."""
RESCALED = 4
"""Rescale after this many steps."""


def marginals(scores: Floats, transitions: Floats, chain: Ints) -> Floats:
    """Probability of each label (columns) at each token (rows), by forward and backward passes.

    `scores` are log weights of labels at tokens, `transitions` are log weights of one label after another.
    Tokens with the same number in `chain`, which ascends, form a chain. Lafferty, McCallum and Pereira 2001.
    """
    result = np.empty_like(scores)
    if not scores.size:
        return result
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    moves = np.exp(transitions - transitions.max())
    first = np.flatnonzero(np.diff(chain, prepend=chain[0] - 1))
    length = np.diff(first, append=chain.size)
    order = np.argsort(length, kind="stable")
    for at in range(0, order.size, BATCH):
        some = order[at : at + BATCH]
        _batch(weights, moves, first[some], length[some], result)
    return result


def _batch(weights: Floats, moves: Floats, first: Ints, length: Ints, result: Floats) -> None:
    """Process chains in order of length: at step t, the chains that are long enough come last."""
    steps = int(length[-1])
    since = np.searchsorted(length, np.arange(steps), side="right")
    forward: list[Floats] = []
    for step in range(steps):
        here = weights[first[since[step] :] + step]
        if step:
            skipped = since[step] - since[step - 1]
            here *= forward[-1][skipped:] @ moves
        forward.append(_rescale(here, step))
    back = np.ones_like(forward[-1])
    for step in range(steps - 1, -1, -1):
        rows = first[since[step] :] + step
        both = forward[step] * back
        result[rows] = both / both.sum(axis=1, keepdims=True)
        if step:
            ahead = (back * weights[rows]) @ moves.T
            missing = since[step] - since[step - 1]
            back = np.ones((ahead.shape[0] + missing, ahead.shape[1]))
            back[missing:] = _rescale(ahead, step)


def _rescale(values: Floats, step: int) -> Floats:
    """Normalize to a sum of 1 every few steps, before numbers get too small."""
    return values if step % RESCALED else np.asarray(values / values.sum(axis=1, keepdims=True))


Rows = Callable[[Ints], Ints]


class Scorer:
    """Applies a chain. Features of one property are looked up in a table, combinations are searched."""

    def __init__(self, crf: Crf) -> None:
        self._weights = crf.weights.astype(np.float32)
        self._transitions = crf.transitions
        sizes = crf.vocabulary.sizes()
        self._rows: list[Rows] = []
        base = 1
        for template, known in zip(TEMPLATES, crf.features.keys, strict=True):
            table = np.zeros(sizes[template[0][0]] if len(template) == 1 else 0, dtype=np.int32)
            if len(template) == 1:
                table[known] = base + np.arange(known.size)
                self._rows.append(table.__getitem__)
            else:
                self._rows.append(_search(known, base))
            base += known.size

    def probabilities(self, layout: TokenLayout, grid: FeatureGrid) -> Floats:
        """Probability of each label at each token."""
        return marginals(self._scores(grid, layout.size), self._transitions, layout.chain)

    def _scores(self, grid: FeatureGrid, tokens: int) -> Floats:
        """The sum of the feature weights of each token, by label."""
        rows = np.empty((tokens, len(TEMPLATES)), dtype=np.int32)
        for place, (template, look_up) in enumerate(zip(TEMPLATES, self._rows, strict=True)):
            rows[:, place] = look_up(grid.keys(template))
        every = np.arange(0, rows.size + 1, len(TEMPLATES), dtype=np.int32)
        ones = np.ones(rows.size, dtype=np.float32)
        features = csr_array((ones, rows.ravel(), every), shape=(tokens, self._weights.shape[0]))
        return np.asarray(features @ self._weights, dtype=np.float64)


def _search(known: Ints, base: int) -> Rows:
    return lambda wanted: places(known, wanted, base)
