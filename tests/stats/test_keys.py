from __future__ import annotations

import numpy as np
import pytest
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


def test_rows_without_columns_are_in_the_only_group() -> None:
    assert groups([], 3).find([]).tolist() == [0]
    assert groups([], 0).number == 0


def test_no_row_has_no_group_and_finds_none() -> None:
    empty = np.zeros(0, dtype=np.int64)
    assert groups([empty], 0).number == 0
    assert groups([empty], 0).find([np.array([3])]).tolist() == [-1]
    assert groups([np.array([3, 4])], 2).find([empty]).tolist() == []


def test_a_row_that_was_lost_in_one_column_is_not_found_by_the_next() -> None:
    """The value 5 of the first column does not occur; with the second it must not pass for another pair."""
    found = groups([np.array([0, 1, 1]), np.array([0, 0, 1])], 3)
    assert found.find([np.array([5, 5, 1]), np.array([0, 1, 1])]).tolist() == [-1, -1, 2]


def test_distinct_numbers_are_in_order() -> None:
    for numbers in ([5, 2, 5, 9, 2], [3, 1, 2], [4, 4], [7], []):
        found = keys.distinct(np.array(numbers, dtype=np.int64))
        assert found.tolist() == sorted(set(numbers))


def test_numbers_around_the_largest_that_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    for dense in (1, 8, 9, 10):
        monkeypatch.setattr(keys, "DENSE", dense)
        values, places = rank_keys(np.array([8, 3, 8, 0]))
        assert (values.tolist(), places.tolist()) == ([0, 3, 8], [2, 1, 2, 0])
