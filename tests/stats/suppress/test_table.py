"""Tables, keys and groups: compared with a plain look at every row."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from reidrisk.errors import InvalidSetting
from reidrisk.stats.suppress.table import (
    MOST_COLUMNS,
    Budget,
    Request,
    column_keys,
    group_tuples,
    kept_keys,
    make_table,
    number_keys,
    scratch_slots,
    variables,
)
from tests.stats.suppress.small import groups_of, small_table

pytestmark = pytest.mark.usefixtures("plain_loops")


def grid(*sizes: int) -> np.ndarray:
    return np.array(list(product(*(range(size) for size in sizes))), dtype=np.int32)


def test_keys_number_the_cells_of_a_grid_without_gaps() -> None:
    for sizes in ((4,), (2, 3, 4), (6, 6, 6)):
        codes = grid(*sizes)
        assert sorted(kept_keys(column_keys(codes), 0).tolist()) == list(range(len(codes)))


def test_keys_are_equal_where_the_columns_that_stay_are() -> None:
    codes = grid(2, 3, 2)
    keys = column_keys(codes)
    for mask in range(8):
        stay = [column for column in range(3) if not mask >> column & 1]
        kept = kept_keys(keys, mask).tolist()
        for one, row in enumerate(codes[:, stay].tolist()):
            for other, second in enumerate(codes[:, stay].tolist()):
                assert (kept[one] == kept[other]) == (row == second)


def test_keys_of_more_cells_than_64_bits_can_number_differ() -> None:
    """Seven columns of 1,024 values: places in a number of 64 bits would meet in the last column."""
    rng = np.random.default_rng(3)
    codes = np.concatenate([rng.integers(0, 1024, (400, 7)), np.full((1, 7), 1023), np.zeros((64, 7))])
    codes[-64:, 6] = np.arange(64) * 16
    codes = codes.astype(np.int32)
    keys = column_keys(codes)
    assert len(set(kept_keys(keys, 0).tolist())) == len(codes)
    assert len(set(keys[:, 0].tolist())) == len(set(codes[:, 0].tolist()))


@pytest.mark.parametrize("slots", [8, 16])
def test_distinct_keys_are_numbered_in_order_of_appearance(slots: int) -> None:
    rng = np.random.default_rng(slots)
    for _ in range(20):
        keys = rng.integers(0, 2**64, 8, dtype=np.uint64)[rng.integers(0, 8, 20)]
        ids = np.empty(20, dtype=np.int32)
        first = list(dict.fromkeys(keys.tolist()))
        assert number_keys(keys, np.zeros(slots, dtype=np.int32), ids) == len(first)
        assert ids.tolist() == [first.index(key) for key in keys.tolist()]


def test_a_full_table_of_slots_is_searched_to_its_end() -> None:
    keys = np.arange(16, dtype=np.uint64) * np.uint64(3)
    ids = np.empty(16, dtype=np.int32)
    assert number_keys(keys, np.zeros(16, dtype=np.int32), ids) == 16
    assert ids.tolist() == list(range(16))


def test_slots_have_room_for_twice_the_rows_and_no_more_than_four_times() -> None:
    for rows in range(1, 70):
        slots = len(scratch_slots(rows))
        assert slots & (slots - 1) == 0
        assert 2 * rows <= slots <= max(16, 4 * rows)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_groups_are_the_values_that_at_least_k_records_share(k: int) -> None:
    for seed in range(4):
        table = small_table(seed, k=k, records=8)
        groups = groups_of(table)
        expected: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        for place, mask in enumerate(groups.masks.tolist()):
            stay = [column for column in range(3) if not mask >> column & 1]
            for row, values in enumerate(table.codes[:, stay].tolist()):
                expected.setdefault((place, tuple(values)), []).append(row)
        large = {key: rows for key, rows in expected.items() if table.counts[rows].sum() >= k}
        found = {}
        for group, place in enumerate(groups.pattern.tolist()):
            rows = groups.members[groups.start[group] : groups.start[group + 1]].tolist()
            stay = [column for column in range(3) if not int(groups.masks[place]) >> column & 1]
            found[place, tuple(table.codes[rows[0], stay].tolist())] = rows
            assert np.flatnonzero(groups.of[:, place] == group).tolist() == rows
        assert found == large
        assert len(groups.pattern) == len(large)
        assert variables(groups) == sum(len(rows) for rows in large.values()) == (groups.of >= 0).sum()
        assert groups.of.min() >= -1


def test_groups_of_some_sets_only() -> None:
    table = make_table(grid(2, 2), np.array([1, 2, 3, 4]), Request(4))
    groups = group_tuples(table.codes, table.counts, 4, np.array([0, 2]), np.array([0.0, 1.0]))
    assert groups.of.tolist() == [[-1, -1], [-1, -1], [-1, 1], [0, 1]]
    assert groups.pattern.tolist() == [0, 1]
    assert groups.start.tolist() == [0, 1, 3]
    assert groups.members.tolist() == [3, 2, 3]
    assert variables(groups) == 3


def test_codes_become_ranks_and_weights_one() -> None:
    codes = np.array([[-5, 3], [1000, 3], [7, 4]], dtype=np.int32)
    table = make_table(codes, np.array([1, 2, 3]), Request(3))
    assert table.codes.tolist() == [[0, 0], [2, 0], [1, 1]]
    assert table.codes.dtype == np.int32
    assert table.counts.tolist() == [1, 2, 3]
    assert (table.weights.tolist(), table.entry, table.k) == ([1.0, 1.0], 0.0, 3)
    assert make_table(codes, np.array([1, 2, 3]), Request(3, (2.0, 0.5))).weights.tolist() == [2.0, 0.5]


def test_risky_records_are_those_of_classes_below_k() -> None:
    table = make_table(grid(2, 2), np.array([1, 2, 3, 4]), Request(3))
    assert (table.records, table.risky) == (10, 3)


def test_what_is_no_table_is_refused() -> None:
    one = np.ones(1, dtype=np.int64)
    for codes, counts, words in [
        (np.zeros(1, dtype=np.int32), one, "no records"),
        (np.zeros((0, 1), dtype=np.int32), one[:0], "no records"),
        (np.zeros((1, 2), dtype=np.int32), np.ones(2, dtype=np.int64), "no records"),
        (np.zeros((1, 0), dtype=np.int32), one, "1 to 62 columns"),
        (np.zeros((1, MOST_COLUMNS + 1), dtype=np.int32), one, "1 to 62 columns"),
        (grid(2), np.array([1, 0]), "at least 1"),
        (np.array([[1, 2], [1, 3], [1, 2]], dtype=np.int32), np.ones(3, dtype=np.int64), "occur twice"),
    ]:
        with pytest.raises(InvalidSetting, match=words):
            make_table(codes, counts, Request(2))
    with pytest.raises(InvalidSetting, match="2 columns and 3 weights"):
        make_table(grid(2, 2), np.ones(4, dtype=np.int64), Request(2, (1.0, 1.0, 1.0)))
    widest = make_table(np.zeros((1, MOST_COLUMNS), dtype=np.int32), one, Request(2))
    assert len(widest.weights) == MOST_COLUMNS


def test_the_limits_of_a_request_are_included() -> None:
    Request(1, max_records=0.0, max_column=1.0)
    Request(1, max_records=1.0, max_column=0.0)
    for wrong in (-0.01, 1.01):
        with pytest.raises(InvalidSetting, match="share from 0 to 1"):
            Request(1, max_records=wrong)
        with pytest.raises(InvalidSetting, match="share from 0 to 1"):
            Request(1, max_column=wrong)
    with pytest.raises(InvalidSetting, match="at least 1"):
        Request(0)
    for weight in (0.0, -1.0, np.inf, np.nan):
        with pytest.raises(InvalidSetting, match="greater than 0"):
            Request(1, (1.0, weight))
    with pytest.raises(InvalidSetting, match="method"):
        Request(1, method="fast")  # type: ignore[arg-type]


def test_a_request_is_limited_by_either_share() -> None:
    assert not Request(2).limited
    assert Request(2, max_records=1.0).limited
    assert Request(2, max_column=1.0).limited
    assert Request(2, max_records=0.0, max_column=0.0).limited


def test_a_budget_ends_by_time_or_by_request() -> None:
    assert not Budget().watch()()
    assert not Budget(seconds=1000.0).watch()()
    assert Budget(seconds=-1.0).watch()()
    assert Budget(stop=lambda: True).watch()()
    assert Budget(seconds=1000.0, stop=lambda: True).watch()()
