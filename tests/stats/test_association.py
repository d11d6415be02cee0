"""Associations against SciPy on the records written out one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reidrisk.stats import association
from reidrisk.stats.association import associations, cramers_v, ordered_codes, rank_correlation
from reidrisk.stats.lattice.inputs import Codes, Recoding, Tuples
from reidrisk.stats.utility import ReleasedTuples

pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(1, 9)), min_size=2, max_size=20)


def arrays(rows: list[tuple[int, int, int]]) -> tuple[Codes, Codes, np.ndarray]:
    x, y, numbers = np.array(rows).T
    return x.astype(np.int32), y.astype(np.int32), numbers


def corrected(table: np.ndarray) -> float | None:
    """Bergsma's formula on SciPy's chi-square."""
    records = table.sum()
    square = stats.chi2_contingency(table, correction=False).statistic / records
    r, c = table.shape
    excess = max(0.0, square - (r - 1) * (c - 1) / (records - 1))
    room = min(r - (r - 1) ** 2 / (records - 1), c - (c - 1) ** 2 / (records - 1)) - 1
    return None if room <= 0 else min(1.0, float(np.sqrt(excess / room)))


@given(pairs)
def test_rank_correlation_is_that_of_scipy(rows: list[tuple[int, int, int]]) -> None:
    x, y, numbers = arrays(rows)
    found = rank_correlation(x, y, numbers)
    if len(np.unique(x)) == 1 or len(np.unique(y)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(stats.spearmanr(np.repeat(x, numbers), np.repeat(y, numbers)).statistic)


@pytest.mark.parametrize("dense", [0, association.DENSE])
@given(rows=pairs)
def test_cramers_v_is_that_of_the_table_of_counts(rows: list[tuple[int, int, int]], dense: int) -> None:
    x, y, numbers = arrays(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(association, "DENSE", dense)
        found = cramers_v(x, y, numbers)
    table = stats.contingency.crosstab(np.repeat(x, numbers), np.repeat(y, numbers)).count
    if 1 in table.shape:
        assert found is None
    else:
        assert found == pytest.approx(corrected(table), abs=1e-7)


def test_undefined_is_none() -> None:
    one, two, none = (
        np.array([1], dtype=np.int32),
        np.array([2, 3], dtype=np.int32),
        np.array([], dtype=np.int32),
    )
    for measure in (rank_correlation, cramers_v):
        assert measure(none, none, np.array([], dtype=np.int64)) is None
        assert measure(one, one, np.array([9])) is None
        assert measure(two, np.array([4, 4], dtype=np.int32), np.array([2, 9])) is None
        assert measure(two, two, np.array([20, 30])) == pytest.approx(1)


def test_many_values_need_no_table_of_all_pairs() -> None:
    """A hundred thousand values on both sides would be ten thousand million cells."""
    codes = np.arange(100_000, dtype=np.int32)
    assert cramers_v(codes, codes, np.full(100_000, 3)) == pytest.approx(1, abs=1e-6)
    assert rank_correlation(codes, codes[::-1].copy(), np.ones(100_000, dtype=np.int64)) == pytest.approx(-1)


def test_generalized_values_keep_the_order_of_what_they_join() -> None:
    """The codes of a level may be in any order, such as that of their names."""
    recoding = Recoding.of_rows([[0, 1, 2, 3, 4], [2, 2, 0, 0, 1], [0, 0, 0, 0, 0]])
    assert ordered_codes(recoding, 0).tolist() == [0, 1, 2, 3, 4]
    assert ordered_codes(recoding, 1).tolist() == [0, 0, 1, 1, 2]
    assert ordered_codes(recoding, 2).tolist() == [0, 0, 0, 0, 0]


def test_before_and_after_leave_out_starred_pairs() -> None:
    codes = np.array([[0, 0, 0], [1, 1, 0], [2, 2, 1], [3, 0, 1]], dtype=np.int32)
    exact = [[0, 1, 2, 3], [0, 1, 2], [0, 1]]
    recodings = [Recoding.of_rows([level, [0] * len(level)]) for level in exact]
    tuples = Tuples(codes, np.array([5, 4, 3, 2]))
    stars = np.array([0, 0, 0, 0b001])
    released = ReleasedTuples(tuples, recodings, (0, 0, 1), (np.arange(4), stars, tuples.counts))
    found = {one.columns: one for one in associations(released, [True, True, False])}
    assert list(found) == [(0, 1), (0, 2), (1, 2)]
    assert [one.measure for one in found.values()] == ["rank correlation", "Cramer's V", "Cramer's V"]
    x, y = (np.repeat(codes[:, column], tuples.counts) for column in (0, 1))
    assert found[0, 1].before == pytest.approx(stats.spearmanr(x, y).statistic)
    assert found[0, 1].after == pytest.approx(1)
    assert found[0, 2].before == pytest.approx(1, abs=0.1)
    assert found[0, 2].after is None
