"""Special uniques: a small table by hand, and plain Python beside the arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting
from reidrisk.stats import special_uniques as module
from reidrisk.stats.special_uniques import special_uniques

ROWS = st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=25)


def distinct(rows: Sequence[tuple[int, ...]]) -> tuple[list[tuple[int, ...]], np.ndarray, np.ndarray]:
    counted = sorted(Counter(rows).items())
    tuples = [row for row, _ in counted]
    return tuples, np.array(tuples), np.array([number for _, number in counted])


def test_a_table_by_hand() -> None:
    rows = [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 1, 1)]
    _, codes, counts = distinct(rows)
    found = special_uniques(codes, counts, largest=2)
    assert found.smallest.tolist() == [2, 2, 2, 1]
    assert dict(found.by_set) == {(0,): 1, (0, 1): 1, (0, 2): 1, (1, 2): 4}
    assert found.scores.tolist() == [1, 2, 2, 3]
    assert found.by_column.tolist() == [4 / 8, 5 / 8, 5 / 8]  # of all scores, 8


@given(ROWS, st.integers(1, 4))
def test_minimal_uniques_against_plain_python(rows: list[tuple[int, ...]], largest: int) -> None:
    tuples, codes, counts = distinct(rows)
    found = special_uniques(codes, counts, largest=largest)
    sets = [set_ for size in range(1, largest + 1) for set_ in combinations(range(4), size)]
    known: Counter[tuple[int, ...]] = Counter()
    for place, row in enumerate(tuples):
        own: list[tuple[int, ...]] = []
        for columns in sets:
            alike = sum(all(other[c] == row[c] for c in columns) for other in rows)
            if alike == 1 and not any(set(smaller) <= set(columns) for smaller in own):
                own.append(columns)
        known.update(own)
        assert found.smallest[place] == (len(own[0]) if own else 0)
        score = sum(prod(max(4 - i, 1) for i in range(len(one), largest + 1)) for one in own)
        assert found.scores[place] == pytest.approx(score)
    assert dict(found.by_set) == dict(known)


def test_many_columns_are_looked_at_in_smaller_sets() -> None:
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 2, (30, 60))
    found = special_uniques(codes, np.ones(30, dtype=np.int64), largest=5)
    assert found.largest == 2


def test_nobody_unique_has_no_scores_and_no_set_is_refused() -> None:
    found = special_uniques(np.array([[0, 0]]), np.array([5]))
    assert (found.by_set, found.scores.sum(), found.by_column.sum()) == ((), 0, 0)
    with pytest.raises(InvalidSetting, match="0 columns"):
        special_uniques(np.array([[0, 0]]), np.array([5]), largest=0)


def test_sets_are_listed_by_size_and_then_by_how_many_records_they_single_out() -> None:
    rows = [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 1, 1)]
    _, codes, counts = distinct(rows)
    found = special_uniques(codes, counts, largest=2)
    assert found.by_set == (((0,), 1), ((1, 2), 4), ((0, 1), 1), ((0, 2), 1))
    assert found.largest == 2
    assert special_uniques(codes, counts, largest=7).largest == 3


def test_two_records_of_a_tuple_are_not_unique() -> None:
    found = special_uniques(np.array([[0, 0], [0, 1], [1, 1]]), np.array([1, 2, 1]))
    assert found.smallest.tolist() == [1, 0, 1]
    assert dict(found.by_set) == {(0,): 1, (1,): 1}


@pytest.mark.parametrize(("most", "largest"), [(3, 1), (4, 1), (9, 1), (10, 2), (13, 2), (14, 3), (15, 4)])
def test_the_number_of_sets_is_bounded(monkeypatch: pytest.MonkeyPatch, most: int, largest: int) -> None:
    """Four columns have 4, 6, 4 and 1 sets."""
    monkeypatch.setattr(module, "MOST_SETS", most)
    assert (
        special_uniques(np.eye(4, dtype=np.int64), np.ones(4, dtype=np.int64), largest=4).largest == largest
    )
