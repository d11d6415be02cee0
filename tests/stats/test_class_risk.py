"""The worked examples of the literature, as numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.core.threshold import Threshold
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints
from reidrisk.stats.class_risk import (
    MatchedClasses,
    discernibility,
    expected_matches,
    journalist,
    prosecutor,
    risk_curve,
)

KUMAR = list(zip("MFMFFFMFFF", (26, 26, 26, 26, 29, 28, 26, 27, 28, 29), strict=True))
KNIOLA = list(zip("MFFMFMMFMF", (26, 28, 31, 29, 28, 30, 29, 32, 29, 31), strict=True))
SIMILAR_TRIALS = {("M", 26): 12, ("F", 28): 32, ("F", 31): 27, ("M", 29): 11, ("M", 30): 15, ("F", 32): 4}
FIVE = 5


def sizes(rows: Sequence[Hashable]) -> tuple[Ints, Ints]:
    tally = Counter(Counter(rows).values())
    return np.array(list(tally)), np.array(list(tally.values()))


def matched(rows: Sequence[Hashable], population: Mapping[Any, int]) -> MatchedClasses:
    tally = Counter((number, population.get(row, 0)) for row, number in Counter(rows).items())
    f, big = np.array(list(tally)).T
    return MatchedClasses(f, big, np.array(list(tally.values())))


def test_kumar_table_2() -> None:
    risk = prosecutor(*sizes(KUMAR), cell_size=FIVE)
    assert (risk.highest, risk.average, risk.share_above) == (1.0, 0.5, 1.0)
    assert discernibility(*sizes(KUMAR)) == 22
    each = Counter(KUMAR)
    assert [round(1 / each[row], 4) for row in KUMAR] == [
        *(0.3333, 0.5, 0.3333, 0.5, 0.5, 0.5, 0.3333, 1.0, 0.5, 0.5)
    ]


def test_kumar_table_3() -> None:
    ages = [age for _, age in KUMAR]
    risk = prosecutor(*sizes(ages), cell_size=FIVE)
    assert (risk.highest, risk.average, risk.share_above) == (1.0, 0.4, 0.5)
    assert max(1 / Counter(ages)[age] for age in ages[:2]) == pytest.approx(0.2)


def test_kniola_study_population_and_generalised() -> None:
    risk = prosecutor(*sizes(KNIOLA), cell_size=Threshold(0.09, "printed").cell_size)
    assert (risk.highest, risk.average) == (1.0, 0.6)
    assert discernibility(*sizes(KNIOLA)) == 20
    decades = [(sex, "21-30" if age <= 30 else "31-40") for sex, age in KNIOLA]
    coarse = prosecutor(*sizes(decades), cell_size=FIVE)
    assert (coarse.highest, coarse.average) == (0.5, 0.3)


def test_kniola_similar_trials() -> None:
    """Class size 11 is above a literal 0.09, so three more records count."""
    pairs = matched(KNIOLA, Counter(SIMILAR_TRIALS))
    risk = journalist(pairs, cell_size=Threshold(0.09, "printed").cell_size)
    assert risk.highest == 0.25
    assert risk.average == pytest.approx(0.08093013468013469)
    assert risk.share_above == pytest.approx(0.4)
    assert journalist(pairs, cell_size=11).share_above == pytest.approx(0.1)


def test_benitez_and_malin_figure_1() -> None:
    released = [("F", 53), ("M", 53), ("F", 53), ("M", 55), ("M", 55)]
    voters = Counter([*released, ("M", 57), ("F", 55), ("F", 57), ("M", 56), ("F", 56)])
    pairs = matched(released, voters)
    assert expected_matches(pairs) == pytest.approx(3.0)
    assert journalist(pairs, cell_size=FIVE).highest == 1.0


def test_hospital_figure_3() -> None:
    """Eleven records in five classes, one of them of three: the sizes are forced."""
    forced = (np.array([2, 3]), np.array([4, 1]))
    risk = prosecutor(*forced, cell_size=3)
    assert risk.highest == 0.5
    assert risk.average == pytest.approx(5 / 11)
    assert discernibility(*forced) == 25


def test_discernibility_with_its_penalty_is_not_monotone() -> None:
    two_years = [(sex, (age - 1) // 2) for sex, age in KNIOLA]
    decades = [(sex, (age - 1) // 10) for sex, age in KNIOLA]
    sexes = [sex for sex, _ in KNIOLA]
    found = [discernibility(*sizes(rows), cell_size=2) for rows in (KNIOLA, two_years, decades, sexes)]
    assert found == [47, 39, 38, 50]


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
