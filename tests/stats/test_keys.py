from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.stats import keys
from reidrisk.stats.keys import groups, rank_keys

ROWS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=40)


@given(ROWS)
def test_rows_are_together_exactly_if_they_are_alike(rows: list[tuple[int, ...]]) -> None:
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    found = groups(columns, len(rows))
    assert found.number == len(set(rows))
    assert len(set(zip(rows, found.of.tolist(), strict=True))) == found.number


@given(ROWS, ROWS)
def test_other_rows_find_their_group(rows: list[tuple[int, ...]], others: list[tuple[int, ...]]) -> None:
    found = groups([np.array(column) for column in zip(*rows, strict=True)], len(rows))
    known = dict(zip(rows, found.of.tolist(), strict=True))
    places = found.find([np.array(column) for column in zip(*others, strict=True)])
    assert places.tolist() == [known.get(row, -1) for row in others]


def test_a_row_that_fits_nothing_is_in_no_group() -> None:
    found = groups([np.array([0, 1]), np.array([0, 1])], 2)
    assert found.find([np.array([-1, 0, 1, 0]), np.array([0, -1, 1, 1])]).tolist() == [-1, -1, 1, -1]


def test_without_columns_all_are_one_group() -> None:
    found = groups([], 3)
    assert (found.number, found.of.tolist()) == (1, [0, 0, 0])


def test_large_numbers_are_sorted_instead_of_counted() -> None:
    values, places = rank_keys(np.array([keys.DENSE + 5, 3, keys.DENSE + 5]))
    assert values.tolist() == [3, keys.DENSE + 5]
    assert places.tolist() == [1, 0, 1]
