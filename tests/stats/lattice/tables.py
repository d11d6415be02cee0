"""Random small tables with random hierarchies."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from reidrisk.stats.lattice.inputs import Recoding, Tuples


@st.composite
def recodings(draw: st.DrawFn) -> Recoding:
    """Values of one column, joined level by level; some leaves of the hierarchy are not in the data."""
    values = draw(st.integers(1, 6))
    levels = [np.arange(values, dtype=np.int32)]
    for _ in range(draw(st.integers(0, 3))):
        below = levels[-1]
        join = draw(st.lists(st.integers(0, 2), min_size=int(below.max()) + 1, max_size=int(below.max()) + 1))
        levels.append(np.array(join, dtype=np.int32)[below])
    absent = draw(st.integers(0, 3))
    leaves = [np.bincount(level, minlength=values) for level in levels]
    leaves = [leaf + (absent if height else 0) for height, leaf in enumerate(leaves)]
    height = len(levels) - 1
    lowest = draw(st.integers(0, height))
    highest = draw(st.integers(lowest, height))
    return Recoding(
        tuple(levels), tuple(leaf.astype(np.int64) for leaf in leaves), values + absent, lowest, highest
    )


@st.composite
def tables(draw: st.DrawFn) -> tuple[Tuples, list[Recoding]]:
    """A table of one to four columns."""
    columns = draw(st.lists(recodings(), min_size=1, max_size=4))
    row = st.tuples(*(st.integers(0, each.levels[0].size - 1) for each in columns))
    rows = draw(st.lists(row, min_size=1, max_size=12, unique=True))
    counts = draw(st.lists(st.integers(1, 4), min_size=len(rows), max_size=len(rows)))
    return Tuples(np.array(rows, dtype=np.int32), np.array(counts, dtype=np.int64)), columns


def small_table(seed: int) -> tuple[Tuples, list[Recoding]]:
    """Three columns and eight tuples, the same for every run: small enough to go through every node.

    With an odd seed, the top of a column may still tell two values apart.
    """
    rng = np.random.default_rng(seed)
    columns = [_hierarchy(rng, values, height, 1 + seed % 2) for values, height in ((4, 2), (3, 1), (2, 1))]
    every = np.array([[a, b, c] for a in range(4) for b in range(3) for c in range(2)], dtype=np.int32)
    rows = every[np.sort(rng.choice(len(every), 8, replace=False))]
    return Tuples(rows, rng.integers(1, 5, 8)), columns


def _hierarchy(rng: np.random.Generator, values: int, height: int, tops: int) -> Recoding:
    """Values that are joined level by level; some rows of the hierarchy may not be in the data."""
    levels = [np.arange(values, dtype=np.int32)]
    for level in range(1, height + 1):
        joined = rng.integers(0, 2 if level < height else tops, int(levels[-1].max()) + 1)
        levels.append(joined.astype(np.int32)[levels[-1]])
    absent = int(rng.integers(0, 2))
    leaves = [np.bincount(level, minlength=values) for level in levels]
    leaves[-1] += absent
    lowest = int(rng.integers(0, 2)) if height > 1 else 0
    return Recoding(tuple(levels), tuple(leaf.astype(np.int64) for leaf in leaves), values + absent, lowest)
