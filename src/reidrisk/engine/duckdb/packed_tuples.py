"""Tuples as packed whole numbers in memory: many small questions about them without a statement for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
        totals = self._totals(masks)
        if totals.max() > self.sizes.size:
            size, number = np.unique(totals, return_counts=True)
        else:
            every = np.bincount(totals)
            size = np.flatnonzero(every)
            number = every[size]
        return tuple(zip(size.tolist(), number.tolist(), strict=True))

    def _totals(self, masks: Sequence[int]) -> NDArray[np.int64]:
        """Records of each class, in no order; fewer than 2**53, so that sums of doubles are exact."""
        if self._is_small(masks):
            found = np.bincount(self._codes(masks), weights=self.sizes).astype(np.int64)
            return found[found > 0]
        keys, shift = self._keys(masks), int(self.sizes.max()).bit_length()
        if int(keys.max()).bit_length() + shift < 63:  # one sort of numbers is quicker than one of places
            marked = np.sort(keys << shift | self.sizes)
            ordered, sizes = marked >> shift, marked & ((1 << shift) - 1)
        else:
            order = np.argsort(keys)
            ordered, sizes = keys[order], self.sizes[order]
        first = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
        return np.asarray(np.add.reduceat(sizes, first))

    def has_unique(self, masks: Sequence[int]) -> bool:
        """Whether some record is in a class of its own.

        If the columns have few possible classes, each of them has a bucket. Otherwise a tuple without company
        in its bucket has none in its class, which answers most questions with yes. Tuples that share a bucket
        may still differ, so that a no needs the classes themselves.
        """
        single = self.sizes == 1
        if not single.any():
            return False
        is_exact = self._is_small(masks)
        bucket = self._codes(masks) if is_exact else self._buckets(masks)
        if (np.bincount(bucket)[bucket[single]] == 1).any():
            return True
        if is_exact:
            return False
        marked = np.sort((self._keys(masks) << 1) | ~single)
        starts = np.concatenate(([True], marked[1:] >> 1 != marked[:-1] >> 1, [True]))
        return bool((starts[1:] & starts[:-1] & (marked & 1 == 0)).any())

    def _is_small(self, masks: Sequence[int]) -> bool:
        """Whether there are so few possible classes that each has a place in an array."""
        return sum(mask.bit_count() for mask in masks) <= self.sizes.size.bit_length() + SPARSE

    def _codes(self, masks: Sequence[int]) -> Words:
        """The bits of the masks, moved together: one number for each class."""
        codes, taken = np.zeros(self.sizes.size, dtype=np.int64), 0
        for word, mask in zip(self.words, masks, strict=True):
            for start, length in _runs(mask):
                codes |= (word >> start & ((1 << length) - 1)) << taken
                taken += length
        return codes

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


def _runs(mask: int) -> Iterator[tuple[int, int]]:
    """The first bit and the number of bits of each run of ones.

    >>> list(_runs(0b1101100))
    [(2, 2), (5, 2)]
    """
    start = 0
    while rest := mask >> start:
        start += (rest & -rest).bit_length() - 1
        length = (~(mask >> start) & (mask >> start) + 1).bit_length() - 1
        yield start, length
        start += length
