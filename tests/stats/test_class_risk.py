"""Properties of the risk measures; the worked examples of the literature are in tests/papers."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting
from reidrisk.stats.class_risk import MatchedClasses, expected_matches, journalist, prosecutor, risk_curve
from tests.papers.tables import matched, sizes

FIVE = 5

rows_of = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


@given(rows_of)
def test_if_the_data_are_the_population_all_three_coincide(rows: list[tuple[int, int]]) -> None:
    pairs = matched(rows, Counter(rows))
    one, two = prosecutor(*sizes(rows), cell_size=FIVE), journalist(pairs, cell_size=FIVE)
    assert two.highest == one.highest
    assert two.average == pytest.approx(one.average)
    assert expected_matches(pairs) / len(rows) == pytest.approx(one.average)


@given(rows_of)
def test_coarser_never_raises_the_risk(rows: list[tuple[int, int]]) -> None:
    fine, coarse = (
        prosecutor(*sizes(version), cell_size=3) for version in (rows, [first for first, _ in rows])
    )
    assert coarse.highest <= fine.highest
    assert coarse.average <= fine.average
    assert coarse.share_above <= fine.share_above


@given(rows_of)
def test_the_curve_rises_to_one_and_knows_cell_sizes(rows: list[tuple[int, int]]) -> None:
    curve = risk_curve(*sizes(rows))
    shares = [share for _, share in curve]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)
    third = dict(curve)[1 / 3]
    assert third == pytest.approx(sum(n for n in Counter(rows).values() if n >= 3) / len(rows))


def test_a_population_smaller_than_its_sample_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="fewer records than the data set"):
        MatchedClasses(np.array([3]), np.array([2]), np.array([1]))


@given(rows_of)
def test_prosecutor_against_a_record_by_record_count(rows: list[tuple[int, int]]) -> None:
    each = [1 / Counter(rows)[row] for row in rows]
    risk = prosecutor(*sizes(rows), cell_size=4)
    assert risk.highest == max(each)
    assert risk.average == pytest.approx(sum(each) / len(each))
    assert risk.share_above == pytest.approx(sum(chance > 1 / 4 for chance in each) / len(each))
