"""Packed tuples are counted as a plain loop counts them, with few possible classes and with many."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from reidrisk.engine.duckdb.packed_tuples import PackedTuples


def plain(tuples: PackedTuples, masks: list[int]) -> tuple[tuple[int, int], ...]:
    classes: Counter[tuple[int, ...]] = Counter()
    for place, size in enumerate(tuples.sizes.tolist()):
        classes[tuple(int(word[place]) & mask for word, mask in zip(tuples.words, masks, strict=True))] += (
            size
        )
    return tuple(sorted(Counter(classes.values()).items()))


@pytest.mark.parametrize("bits", [4, 12, 58])
@pytest.mark.parametrize("words", [1, 2])
@pytest.mark.parametrize("largest", [1, 3, 2**40])
def test_classes_are_those_of_a_plain_count(bits: int, words: int, largest: int) -> None:
    rng = np.random.default_rng(7)
    for records in (1, 30, 80):
        drawn = [rng.integers(0, 1 << bits, (words, records)) for _ in range(3)]
        sizes = rng.integers(1, largest + 1, records)
        tuples = PackedTuples(tuple(drawn[0] & drawn[1] & drawn[2]), sizes)
        masks = [int(rng.integers(1, 1 << bits)) for _ in range(words)]
        expected = plain(tuples, masks)
        assert tuples.counted(masks) == expected
        assert tuples.has_unique(masks) == (expected[0][0] == 1)
