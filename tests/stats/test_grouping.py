from __future__ import annotations

from itertools import product

import numpy as np

from reidrisk.stats.grouping import grouped, packed


def test_equal_rows_are_merged_and_their_records_added() -> None:
    rows = list(product(range(3), range(2))) * 2 + [(2, 1)]
    codes = np.array(rows, dtype=np.int32)
    found = grouped(codes, np.arange(1, len(rows) + 1))
    assert found.codes.tolist() == [list(row) for row in sorted(set(rows))]
    assert [tuple(found.codes[at]) for at in found.of] == rows
    due = [sum(at + 1 for at, row in enumerate(rows) if row == one) for one in sorted(set(rows))]
    assert found.counts.tolist() == due


def test_numbers_of_combinations_keep_their_order_even_beyond_64_bits() -> None:
    """Five columns with values up to a million have 10^30 combinations."""
    rng = np.random.default_rng(1)
    codes = rng.choice([0, 1, 999_999, 1_000_000], (200, 5)).astype(np.int32)
    for columns in ([0, 1, 2, 3, 4], [4, 1], [3], []):
        keys = packed(codes, columns)
        rows = [tuple(row) for row in codes[:, columns].tolist()]
        places = {row: at for at, row in enumerate(sorted(set(rows)))}
        _, found = np.unique(keys, return_inverse=True)
        assert found.tolist() == [places[row] for row in rows]


def test_a_table_without_rows() -> None:
    found = grouped(np.zeros((0, 2), dtype=np.int32), np.zeros(0, dtype=np.int64))
    assert (found.codes.shape, found.counts.tolist(), found.of.tolist()) == ((0, 2), [], [])
