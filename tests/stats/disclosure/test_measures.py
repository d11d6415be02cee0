"""l, t, beta and delta: the papers' numbers, and plain Python beside the arrays."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.stats import wasserstein_distance

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.disclosure.classes import SensitiveClasses
from reidrisk.stats.disclosure.diversity import distinct_l, entropy_l, recursive_l, sure_share
from reidrisk.stats.disclosure.likeness import basic_beta, enhanced_beta, lacking, present_delta
from reidrisk.stats.disclosure.limits import SensitiveLimits, equal_t, hierarchical_t, ordered_t, within
from tests.stats.disclosure.classes import ROWS, Row, of_lists, of_rows, shares

SALARIES = ([0, 1, 2], [3, 5, 8], [4, 6, 7])
"""Nine salaries in three classes, from 3,000 to 11,000."""


def test_the_example_of_t_closeness() -> None:
    """Li et al. 2007: the class of the three lowest salaries is at 0.375, that of 6, 8 and 11 at 0.167."""
    found = ordered_t(of_lists(*SALARIES))
    assert found[:2] == pytest.approx([0.375, 1 / 6])
    better = ordered_t(of_lists([0, 2, 6], [3, 8, 5], [1, 4, 7]))
    assert better.max() == pytest.approx(1 / 6)


@given(ROWS)
def test_diversity_against_plain_python(rows: list[Row]) -> None:
    classes, (inside, _) = of_rows(rows), shares(rows)
    assert distinct_l(classes).tolist() == [len(found) for found in inside.values()]
    entropy = [math.exp(-sum(p * math.log(p) for p in found.values())) for found in inside.values()]
    assert entropy_l(classes) == pytest.approx(entropy)
    assert sure_share(classes) == pytest.approx([max(found.values()) for found in inside.values()])


@given(ROWS, st.sampled_from([0.5, 1.0, 2.0, 3.0]))
def test_recursive_diversity_against_its_definition(rows: list[Row], c: float) -> None:
    classes = of_rows(rows)
    expected = []
    for number in range(classes.size.size):
        counts = sorted(classes.count[classes.of == number].tolist(), reverse=True)
        expected.append(sum(counts[0] < c * sum(counts[place:]) for place in range(len(counts))))
    assert recursive_l(classes, c=c).tolist() == expected


@given(ROWS)
def test_distances_against_other_ways_to_reckon_them(rows: list[Row]) -> None:
    classes, (inside, whole) = of_rows(rows), shares(rows)
    values = classes.overall.size
    for place, found in enumerate(inside.values()):
        far = sum(abs(found.get(value, 0) - whole.get(value, 0)) for value in range(values)) / 2
        assert equal_t(classes)[place] == pytest.approx(far, abs=1e-12)
        p = [found.get(value, 0.0) for value in range(values)]
        q = [whole.get(value, 0.0) for value in range(values)]
        moved = wasserstein_distance(range(values), range(values), p, q) / max(values - 1, 1)
        assert ordered_t(classes)[place] == pytest.approx(moved, abs=1e-9)


def test_the_hierarchical_distance_is_the_least_work_of_moving() -> None:
    """Against the linear programme, with the ground distance of the paper."""
    levels = [np.arange(6), np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 0, 0, 1, 1]), np.zeros(6, int)]
    ground = np.zeros((6, 6))
    for one in range(6):
        for two in range(6):
            ground[one, two] = next(at for at, level in enumerate(levels) if level[one] == level[two]) / 3
    rng = np.random.default_rng(4)
    for _ in range(10):
        rows = [(group, value, int(rng.integers(1, 9))) for group in range(2) for value in range(6)]
        rows = [row for row in rows if rng.random() < 0.7] or rows
        classes, (inside, whole) = of_rows(rows), shares(rows)
        if classes.overall.size < 6:
            continue
        found = hierarchical_t(classes, levels)
        for place, own in enumerate(inside.values()):
            p = np.array([own.get(value, 0.0) for value in range(6)])
            q = np.array([whole.get(value, 0.0) for value in range(6)])
            assert found[place] == pytest.approx(_least_work(ground, p, q), abs=1e-8)


def _least_work(ground: np.ndarray, p: np.ndarray, q: np.ndarray) -> float:
    size = p.size
    out, into = np.zeros((size, size * size)), np.zeros((size, size * size))
    for place in range(size):
        out[place, place * size : (place + 1) * size] = 1
        into[place, place::size] = 1
    found = linprog(ground.ravel(), A_eq=np.vstack([out, into]), b_eq=np.concatenate([p, q]))
    return float(found.fun)


def test_one_level_is_the_equal_distance() -> None:
    classes = of_lists([0, 1, 1], [2, 2, 0])
    assert hierarchical_t(classes, [np.arange(3), np.zeros(3, int)]) == pytest.approx(equal_t(classes))
    assert hierarchical_t(of_lists([0, 0]), [np.zeros(1, int)]).tolist() == [0.0]


@given(ROWS)
def test_likeness_against_plain_python(rows: list[Row]) -> None:
    classes, (inside, whole) = of_rows(rows), shares(rows)
    gains = [[(p - whole[v]) / whole[v] for v, p in found.items()] for found in inside.values()]
    assert basic_beta(classes) == pytest.approx([max(0.0, *gain) for gain in gains], abs=1e-12)
    doublings = [max(abs(math.log2(p / whole[v])) for v, p in found.items()) for found in inside.values()]
    assert present_delta(classes) == pytest.approx(doublings, abs=1e-12)
    assert lacking(classes).tolist() == [len(whole) - len(found) for found in inside.values()]
    assert np.all(enhanced_beta(classes) >= basic_beta(classes) - 1e-12)


def test_enhanced_likeness_keeps_frequent_values_from_becoming_sure() -> None:
    classes = of_lists([0] * 9 + [1], [0] * 5 + [1] * 5)
    assert np.isfinite(basic_beta(classes)).all()
    alone = of_lists([0] * 8, [0] * 2 + [1] * 6)
    assert basic_beta(alone)[0] == pytest.approx(0.6)
    assert enhanced_beta(alone)[0] == np.inf  # the gain of 0.6 is above -ln(10/16)


MONOTONE = {"l": (1.5, 2.0), "t": (0.1, 0.3), "beta": (0.5, 1.0)}


@given(ROWS, st.sampled_from(["distinct", "entropy", "recursive"]), st.sampled_from(["equal", "ordered"]))
def test_joining_classes_that_keep_a_limit_keeps_it(rows: list[Row], diversity: str, distance: str) -> None:
    """What makes these criteria monotone where nothing is suppressed; delta is not."""
    classes = of_rows(rows)
    joined = of_rows([(group // 2, value, count) for group, value, count in rows])
    for name, limits in MONOTONE.items():
        for limit in limits:
            asked = SensitiveLimits(**{name: limit}, diversity=diversity, distance=distance)  # type: ignore[arg-type]
            if asked.kept(classes).all():
                assert asked.kept(joined).all()


def test_delta_over_present_values_is_not_monotone() -> None:
    """A class that lacks a value keeps the limit; joined with one that has it, the value is too rare."""
    rows = [row for group in range(10) for row in ((group, 0, 90), (group, 1, 10))]
    rows.append((10, 0, 1000))
    asked = SensitiveLimits(delta=1.0)
    assert asked.kept(of_rows(rows)).all()
    assert not asked.kept(of_rows([(min(group, 9), value, count) for group, value, count in rows])).all()


def test_a_limit_that_is_met_but_for_the_last_digits_is_met() -> None:
    assert within("t", 0.2, np.array([0.2 + 1e-12])).all()
    assert within("l", 3, np.array([3 - 1e-12])).all()
    assert not within("l", 3, np.array([2.9])).any()


@pytest.mark.parametrize(
    ("given_limits", "said"),
    [
        ({"l": 0.5}, "setting l cannot be 0.5"),
        ({"t": 1.5}, "setting t cannot be 1.5"),
        ({"t": -0.1}, "setting t cannot"),
        ({"beta": float("nan")}, "setting beta cannot"),
        ({"delta": -1.0}, "setting delta cannot"),
        ({"c": 0.0}, "setting c cannot"),
        ({"diversity": "wide"}, "diversity"),
        ({"distance": "far"}, "distance"),
        ({"likeness": "some"}, "likeness"),
    ],
)
def test_limits_that_make_no_sense_are_refused(given_limits: dict[str, float], said: str) -> None:
    with pytest.raises(InvalidSetting, match=said):
        SensitiveLimits(**given_limits)  # type: ignore[arg-type]


def test_rows_that_cannot_be_are_refused() -> None:
    none = np.array([], dtype=np.int64)
    with pytest.raises(NothingToMeasure):
        SensitiveClasses.count_up(none, none, none)
    one = np.array([0])
    with pytest.raises(InvalidSetting):
        SensitiveClasses.count_up(one, np.array([3]), one + 1, overall=np.array([1.0]))


CLASSES = of_lists([0] * 5 + [1] * 3, [0, 0, 1, 2, 2, 3])


def test_each_setting_asks_for_its_own_measure() -> None:
    levels = [np.arange(4), np.array([0, 0, 1, 1])]
    expected = {
        ("l", "distinct"): distinct_l(CLASSES),
        ("l", "entropy"): entropy_l(CLASSES),
        ("l", "recursive"): recursive_l(CLASSES, c=1.2),
        ("t", "equal"): equal_t(CLASSES),
        ("t", "ordered"): ordered_t(CLASSES),
        ("t", "hierarchical"): hierarchical_t(CLASSES, levels),
        ("beta", "basic"): basic_beta(CLASSES),
        ("beta", "enhanced"): enhanced_beta(CLASSES),
        ("delta", "delta"): present_delta(CLASSES),
    }
    settings = {"l": "diversity", "t": "distance", "beta": "likeness"}
    for (name, way), figures in expected.items():
        asked = SensitiveLimits(c=1.2, **({settings[name]: way} if name in settings else {}))  # type: ignore[arg-type]
        assert asked.figures(CLASSES, levels)[name].tolist() == figures.tolist()
    for one, other in ((("t", "equal"), ("t", "ordered")), (("l", "entropy"), ("l", "distinct"))):
        assert expected[one].tolist() != expected[other].tolist()


def test_all_limits_must_be_kept() -> None:
    assert [one.tolist() for one in (distinct_l(CLASSES), CLASSES.size)] == [[2, 4], [8, 6]]
    assert SensitiveLimits(l=3).kept(CLASSES).tolist() == [False, True]
    basic = basic_beta(CLASSES)
    assert basic[1] > basic[0]
    both = SensitiveLimits(l=3, beta=float(basic[0]))
    assert both.kept(CLASSES).tolist() == [False, False]
    assert SensitiveLimits(beta=float(basic[0])).kept(CLASSES).tolist() == [True, False]
    assert SensitiveLimits().kept(CLASSES).tolist() == [True, True]
    assert (SensitiveLimits().asks, both.asks, list(both.named())) == (False, True, ["l", "beta"])
    assert both.to_dict()["l"] == 3


def test_limits_are_met_exactly_and_missed_by_little() -> None:
    for name, limit in (("t", 0.2), ("beta", 1.5), ("delta", 0.0)):
        assert within(name, limit, np.array([limit, limit + 1e-6, limit - 1e-6])).tolist() == [
            True,
            False,
            True,
        ]
    assert within("l", 3, np.array([3.0, 3 - 1e-6, 3 + 1e-6])).tolist() == [True, False, True]


def test_a_class_counts_rows_of_the_same_value_together() -> None:
    rows = [(5, 2, 1), (0, 1, 2), (5, 2, 3), (0, 0, 4), (5, 0, 1)]
    found = of_rows(rows)
    assert found.of.tolist() == [0, 0, 1, 1]
    assert (found.value.tolist(), found.count.tolist()) == ([0, 1, 0, 2], [4, 2, 1, 4])
    assert found.overall == pytest.approx([5 / 11, 2 / 11, 4 / 11])
    assert (found.records, found.size.tolist(), found.starts.tolist()) == (11, [6, 5], [0, 2])
    assert found.share == pytest.approx([4 / 6, 2 / 6, 1 / 5, 4 / 5])
    joined = found.joined(np.array([0, 1, 0]))
    assert (joined.value.tolist(), joined.count.tolist()) == ([0, 1, 0], [4, 2, 5])
    assert joined.overall == pytest.approx([9 / 11, 2 / 11])


def test_many_possible_values_are_counted_as_few() -> None:
    """Where values are thin among all possible ones they are sorted instead of counted in a table."""
    far, value = np.array([0, 900, 0, 900]), np.array([7, 7, 7, 3])
    found = SensitiveClasses.count_up(far, value, np.array([1, 2, 3, 4]), overall=np.full(40, 1 / 40))
    assert (found.of.tolist(), found.value.tolist(), found.count.tolist()) == (
        [0, 1, 1],
        [7, 3, 7],
        [4, 4, 2],
    )


def test_rows_at_the_ends_of_what_is_allowed() -> None:
    one = np.array([0])
    assert SensitiveClasses.count_up(one, one, one + 1, overall=np.ones(1)).records == 1
    for value, count in (([-1], [1]), ([0], [0]), ([1], [1])):
        with pytest.raises(InvalidSetting):
            SensitiveClasses.count_up(one, np.array(value), np.array(count), overall=np.ones(1))


def test_enhanced_likeness_by_its_definition() -> None:
    classes = of_lists([0, 0, 0, 1], [0, 1, 1, 1])
    # Half of all records each: a gain of 0.5 in either class is below -ln(0.5) = 0.69.
    assert enhanced_beta(classes) == pytest.approx([0.5, 0.5])
    sure = of_lists([0, 0, 0, 0], [0, 1, 1, 1, 1, 1])
    # Half again; the first class gains 1.
    assert enhanced_beta(sure).tolist() == [np.inf, pytest.approx(2 / 3)]
    assert basic_beta(sure) == pytest.approx([1, 2 / 3])


def test_a_column_of_one_value_is_as_close_as_can_be() -> None:
    one = of_lists([0, 0], [0])
    for measure in (equal_t, ordered_t, basic_beta, present_delta):
        assert measure(one).tolist() == [0.0, 0.0]


def test_either_form_of_beta_limits_what_it_measures() -> None:
    """The first class has one value only, which half of all records have: it gains 1, more than -ln(1/2)."""
    sure = of_lists([0, 0, 0, 0], [0, 1, 1, 1, 1, 1])
    assert SensitiveLimits(beta=1.0, likeness="basic").kept(sure).tolist() == [True, True]
    assert SensitiveLimits(beta=1.0, likeness="enhanced").kept(sure).tolist() == [False, True]


def test_a_few_rows_need_little_memory_however_far_apart_their_classes_are() -> None:
    """A table of all possible keys would have 2^43 cells."""
    found = SensitiveClasses.count_up(np.array([2**40, 0, 2**40]), np.array([7, 3, 7]), np.array([1, 2, 4]))
    assert (found.of.tolist(), found.value.tolist(), found.count.tolist()) == ([0, 1], [3, 7], [2, 5])


def test_codes_of_a_level_may_begin_anywhere() -> None:
    classes = of_lists([0, 1, 1, 3], [2, 2, 0])
    level = np.array([0, 0, 1, 1])
    for shift in (0, 1, 5):
        found = hierarchical_t(classes, [np.arange(4) + shift, level + shift])
        assert found == pytest.approx(hierarchical_t(classes, [np.arange(4), level]))
