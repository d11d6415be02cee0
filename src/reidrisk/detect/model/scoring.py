"""What a chain says of the tokens of a text, with its features prepared for looking up."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_array

from reidrisk.detect.model.chains import marginals
from reidrisk.detect.model.crf import Crf
from reidrisk.detect.model.features import places
from reidrisk.detect.model.layout import Layout
from reidrisk.detect.model.templates import TEMPLATES, Grid
from reidrisk.stats.arrays import Floats, Ints

Rows = Callable[[Ints], Ints]


class Scorer:
    """Applies a chain. Numbers of single properties index a table; those of several are searched."""

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

    def probabilities(self, layout: Layout, grid: Grid) -> Floats:
        """Of each label at each token."""
        return marginals(self._scores(grid, layout.size), self._transitions, layout.chain)

    def _scores(self, grid: Grid, tokens: int) -> Floats:
        """The sum of the weights of each token's features, by label."""
        rows = np.empty((tokens, len(TEMPLATES)), dtype=np.int32)
        for place, (template, look_up) in enumerate(zip(TEMPLATES, self._rows, strict=True)):
            rows[:, place] = look_up(grid.keys(template))
        every = np.arange(0, rows.size + 1, len(TEMPLATES), dtype=np.int32)
        ones = np.ones(rows.size, dtype=np.float32)
        features = csr_array((ones, rows.ravel(), every), shape=(tokens, self._weights.shape[0]))
        return np.asarray(features @ self._weights, dtype=np.float64)


def _search(known: Ints, base: int) -> Rows:
    return lambda wanted: places(known, wanted, base)
