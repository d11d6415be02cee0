from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.stats.attack.columns import AttackColumn, Extent, cover
from reidrisk.stats.attack.predicates import (
    AT_LEAST,
    AT_MOST,
    EQUAL,
    Predicates,
    join_predicates,
    matches,
    on_others,
    on_release,
    singled_out_integral,
    size_correction,
    sort_rows,
)

KNOWN = np.array([1.0, 2.0, 3.0, 5.0])
RELEASED = np.array([2.0, 4.0, 5.0])
AGE = AttackColumn(
    cover(np.array([1, -1, 3]), {1: np.empty(0, np.int64)}, 4),
    Extent(RELEASED, np.zeros(3)),
    Extent(KNOWN, np.zeros(4)),
    is_ordered=True,
)
PLACE = AttackColumn(cover(np.array([0, -1]), {1: np.array([0, 2])}, 3))


def true_of(person: tuple[int, int], column: int, relation: int, value: int) -> bool:
    if column == 1:
        return person[1] == 0 or (value == 1 and person[1] == 2)
    number = KNOWN[person[0]]
    if relation == EQUAL:
        return bool(number == RELEASED[value])
    return bool(number >= RELEASED[value] if relation == AT_LEAST else number <= RELEASED[value])


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=8),
    st.lists(
        st.tuples(st.sampled_from([EQUAL, AT_MOST, AT_LEAST]), st.integers(0, 2), st.integers(0, 1)),
        min_size=1,
    ),
)
def test_people_are_counted_whom_every_condition_fits(
    people: list[tuple[int, int]], drawn: list[tuple[int, int, int]]
) -> None:
    rows = np.array(drawn, dtype=np.int32)
    column = np.tile(np.array([0, 1], np.int32), (len(rows), 1))
    relation = np.stack([rows[:, 0], np.full(len(rows), EQUAL, np.int32)], axis=1)
    predicates = Predicates(column, relation, rows[:, 1:])
    conditions, groups = on_others(predicates, (AGE, PLACE), np.array([4, 3]))
    found = matches(conditions, sort_rows(np.array(people, dtype=np.int32), np.array([4, 3])), groups)
    for at, (how, age, place) in enumerate(drawn):
        true = [
            person for person in people if true_of(person, 0, how, age) and true_of(person, 1, EQUAL, place)
        ]
        assert found[at] == min(2, len(true))


def test_an_empty_cell_is_never_at_least_anything() -> None:
    released = sort_rows(np.array([[0], [1], [2]], dtype=np.int32), np.array([3]))
    at_least = Predicates(*(np.array([[value]], np.int32) for value in (0, AT_LEAST, 1)))
    empty = np.empty(0, np.int32)
    assert matches(on_release(at_least, np.array([2])), released, empty).tolist() == [1]
    assert matches(on_release(at_least, np.array([3])), released, empty).tolist() == [2]


def test_each_predicate_is_kept_once_in_the_order_of_arrival() -> None:
    columns = [np.array([[1], [0], [1]], np.int32), np.zeros((3, 1), np.int32), np.zeros((3, 1), np.int32)]
    assert join_predicates(Predicates(*columns)).column.ravel().tolist() == [1, 0]
    assert len(Predicates.none(3)) == 0


def test_the_integral_is_that_of_the_chance_to_single_out() -> None:
    weights = np.linspace(0, 0.02, 200_001)
    chance = 300 * weights * (1 - weights) ** 299
    area = float(np.trapezoid(chance, weights))
    assert abs(float(singled_out_integral(np.array([300.0]), 0.02)[0]) - area) < 1e-9


def test_successes_in_a_group_of_another_size_follow_the_model() -> None:
    sizes = np.array([200.0, 400.0, 700.0, 1000.0])
    successes = 5000 * singled_out_integral(sizes, 0.003)
    both = singled_out_integral(np.array([4000.0, 1000.0]), 0.003)
    found = size_correction(sizes, successes, wanted=4000, have=1000)
    assert abs(found - both[0] / both[1]) < 0.02
    assert size_correction(sizes, np.zeros(4), wanted=4000, have=1000) == 1


def test_conditions_that_hardly_anybody_fits_are_corrected_too() -> None:
    """The weight is a fiftieth of one record: successes grow with the square of the size."""
    sizes = np.array([250.0, 500.0, 1000.0])
    weight = 0.02 / 2000
    successes = 10**6 * singled_out_integral(sizes, weight)
    both = singled_out_integral(np.array([2000.0, 1000.0]), weight)
    found = size_correction(sizes, successes, wanted=2000, have=1000)
    assert found == pytest.approx(both[0] / both[1], rel=0.01)
    assert 1.95 < found < 2
