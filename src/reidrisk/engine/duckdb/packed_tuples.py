"""Tuples as packed whole numbers in memory: many small questions about them without a statement for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from reidrisk.engine.protocol import Sizes

MIX = np.uint64(0x9E3779B97F4A7C15)
"""Spreads the numbers over buckets; the answers do not depend on it."""
SPARSE = 2
"""Buckets for each tuple, as a power of two and more."""

Words = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class PackedTuples:
    """The distinct tuples of a table; a set of columns is a mask for each number."""

    words: tuple[Words, ...] = field(repr=False)
    sizes: NDArray[np.int64] = field(repr=False)
    """Records of each tuple."""

    @classmethod
    def of(cls, rows: DuckDBPyRelation, words: int) -> PackedTuples:
        """Fetch the columns w0, w1, … and size."""
        found = rows.fetchnumpy()
        return cls(
            tuple(np.ascontiguousarray(found[f"w{word}"], dtype=np.int64) for word in range(words)),
            np.ascontiguousarray(found["size"], dtype=np.int64),
        )

    def counted(self, masks: Sequence[int]) -> Sizes:
        """Pairs (size of class, number of such classes), smallest size first."""
        keys = self._keys(masks)
        order = np.argsort(keys)
        ordered = keys[order]
        first = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
        size, number = np.unique(np.add.reduceat(self.sizes[order], first), return_counts=True)
        return tuple(zip(size.tolist(), number.tolist(), strict=True))

    def has_unique(self, masks: Sequence[int]) -> bool:
        """Whether some record is in a class of its own.

        A tuple without company in its bucket has none in its class, which answers most questions with yes.
        Tuples that share a bucket may still differ, so that a no needs the classes themselves.
        """
        single = self.sizes == 1
        if not single.any():
            return False
        bucket = self._buckets(masks)
        if (single & (np.bincount(bucket)[bucket] == 1)).any():
            return True
        marked = np.sort((self._keys(masks) << 1) | ~single)
        starts = np.concatenate(([True], marked[1:] >> 1 != marked[:-1] >> 1, [True]))
        return bool((starts[1:] & starts[:-1] & (marked & 1 == 0)).any())

    def _buckets(self, masks: Sequence[int]) -> NDArray[np.intp]:
        mixed = np.zeros(self.sizes.size, dtype=np.uint64)
        for word, mask in zip(self.words, masks, strict=True):
            if mask:
                mixed = (mixed ^ (word & mask).view(np.uint64)) * MIX
                mixed ^= mixed >> np.uint64(32)
        bits = self.sizes.size.bit_length() + SPARSE
        return (mixed * MIX >> np.uint64(64 - bits)).astype(np.intp)

    def _keys(self, masks: Sequence[int]) -> Words:
        """One number for each class, below 2**62."""
        parts = [word & mask for word, mask in zip(self.words, masks, strict=True) if mask]
        keys = parts[0]
        for part in parts[1:]:
            ranks = [np.unique(one, return_inverse=True)[1] for one in (keys, part)]
            keys = ranks[0] * self.sizes.size + ranks[1]
        return keys
