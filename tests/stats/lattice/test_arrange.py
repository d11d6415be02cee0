"""Hierarchies as dense codes, and the loss of one column at one level, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reidrisk.errors import InvalidSetting
from reidrisk.stats.lattice.arrange import (
    AttributeLevels,
    LatticeQuestion,
    arrange,
    lattice_steps,
    level_loss,
)
from reidrisk.stats.lattice.inputs import Criterion, Recoding, Tuples
from reidrisk.stats.lattice.losses import Loss
from tests.stats.lattice.tables import small_table

AGES = Recoding.of_rows([[0, 1, 2, 3, 4], [1, 0, 1, 0, 0], [0, 0, 0, 0, 0]])
"""Five ages, of which the second, fourth and fifth belong together, and the first and third."""


def ages() -> AttributeLevels:
    """Four of the ages, with 2, 1, 3 and 4 records; nobody has the last one."""
    return AttributeLevels.of(AGES, np.array([0, 1, 2, 3], dtype=np.int32), np.array([2, 1, 3, 4]))


def test_codes_are_dense_and_neighbors_are_merged() -> None:
    found = ages()
    assert found.at(0).tolist() == [3, 0, 4, 1]
    assert found.at(1).tolist() == [1, 0, 1, 0]
    assert found.at(2).tolist() == [0, 0, 0, 0]
    assert [each.tolist() for each in found.counts] == [[1, 4, 0, 2, 3], [5, 5], [10]]
    assert [each.tolist() for each in found.shares] == [[0.2] * 5, [0.6, 0.4], [1.0]]
    assert found.step(0).tolist() == [0, 0, 0, 1, 1]
    assert found.step(1).tolist() == [0, 0]
    assert found.step(2).tolist() == [0]
    with pytest.raises(InvalidSetting, match="not in the hierarchy"):
        AttributeLevels.of(AGES, np.array([5], dtype=np.int32), np.array([1]))


@pytest.mark.parametrize(
    ("loss", "level", "base", "gain"),
    [
        ("dm", 1, 0.0, 0.0),
        ("prec", 0, 0.0, 1 / 10),
        ("prec", 1, 1 / 2, 1 / 20),
        ("prec", 2, 1.0, 0.0),
        # 10 records, of which each at level 0 has 1/5 of the rows: least 2, most 10.
        ("loss_am", 0, 0.0, [0.8 / 8] * 5),
        ("loss_gm", 1, (5 * 0.6 + 5 * 0.4 - 2) / 8, [0.4 / 8, 0.6 / 8]),
        ("loss_am", 2, 1.0, [0.0]),
        ("entropy", 0, 0.0, 0.0),
        ("entropy", 1, -sum(n * math.log2(n / 5) for n in (1, 4, 2, 3)), 0.0),
    ],
)
def test_the_loss_of_a_column_at_a_level(
    loss: Loss, level: int, base: float, gain: float | list[float]
) -> None:
    found = level_loss(loss, ages(), level)
    assert found[0] == pytest.approx(base)
    assert np.asarray(found[1]).tolist() == pytest.approx(gain)


@pytest.mark.parametrize("loss", ["loss_gm", "loss_am", "prec", "entropy", "dm"])
def test_a_column_of_one_value_loses_nothing(loss: Loss) -> None:
    one = AttributeLevels.of(Recoding.of_rows([[0]]), np.array([0], dtype=np.int32), np.array([7]))
    found = level_loss(loss, one, 0)
    assert found[0] == 0.0
    assert np.asarray(found[1]).tolist() == (1 / 7 if loss == "prec" else 0.0)


def test_two_records_of_two_values_lose_all_when_joined() -> None:
    two = AttributeLevels.of(
        Recoding.of_rows([[0, 1], [0, 0]]), np.array([0, 1], dtype=np.int32), np.array([1, 1])
    )
    assert level_loss("loss_am", two, 1)[0] == 1.0


@pytest.mark.parametrize(
    ("loss", "floored", "geometric", "whole"),
    [
        ("loss_gm", True, True, 1.0),
        ("loss_am", True, False, 1.0),
        ("prec", False, False, 1.0),
        ("entropy", True, False, 3.5),
        ("dm", False, False, 1.0),
    ],
)
def test_which_losses_are_rounded_and_whose_weights_are_shares(
    loss: Loss, floored: bool, geometric: bool, whole: float
) -> None:
    tuples, recodings = small_table(0)
    asked = LatticeQuestion.of(tuples, recodings, Criterion(2), loss, [2.0, 1.0, 0.5])
    measure = arrange(asked).problem.measure
    assert (measure.floored, measure.geometric) == (floored, geometric)
    assert measure.weights.sum() == pytest.approx(whole)


def test_where_the_tops_leave_too_many_in_small_classes_there_is_nothing_to_search() -> None:
    """At their highest, two columns make classes of 1, 2, 3 and 4 records."""
    codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.int32)
    tuples = Tuples(codes, np.array([1, 2, 3, 4]))
    columns = [Recoding.of_rows([[0, 1]])] * 2
    for cell_size, limit, searched in ((3, 0.3, True), (3, 0.2, False), (4, 0.5, False), (4, 0.6, True)):
        asked = LatticeQuestion.of(tuples, columns, Criterion(cell_size, limit=limit), "prec", None)
        state = arrange(asked).state
        assert (state.mark[0] == 0) == searched
        assert state.weight[0, : state.groups[0]].tolist() == [1, 2, 3, 4]


def test_steps_lead_from_every_code_to_the_one_above() -> None:
    for seed in range(3):
        tuples, recodings = small_table(seed)
        given = [
            AttributeLevels.of(one, tuples.codes[:, a], tuples.counts) for a, one in enumerate(recodings)
        ]
        offset, step = lattice_steps(given)
        ends = [end for row in offset.tolist() for end in row]
        assert ends == sorted(ends)
        for a, each in enumerate(given):
            for level in range(each.height):
                assert offset[a, level + 1] - offset[a, level] == each.counts[level].size
                raised = step[offset[a, level] + each.at(level)]
                assert raised.tolist() == each.at(level + 1).tolist()
            last = offset[a, each.height]
            top = each.counts[each.height].size
            assert step[last : last + top].tolist() == list(range(top))
            assert offset[a, each.height + 1] == last + top


def test_columns_with_the_most_values_come_first() -> None:
    codes = np.array([[0, 0, 0], [1, 1, 2], [0, 2, 3], [1, 2, 1]], dtype=np.int32)
    columns = [Recoding.of_rows([range(size), [0] * size]) for size in (2, 3, 4)]
    tuples = Tuples(codes, np.array([1, 1, 1, 1]))
    asked = LatticeQuestion.of(tuples, columns, Criterion(2, limit=1.0), "prec", [3.0, 2.0, 1.0])
    ready = arrange(asked)
    assert ready.order == (2, 1, 0)
    assert ready.problem.measure.weights.tolist() == [1 / 6, 2 / 6, 3 / 6]
    assert asked.lattice == 8
    assert tuple(asked.limits) == (4, 2, 4, 1.0)
    entries = ready.state.size[0]
    assert sorted(ready.state.counts[0, :entries].tolist()) == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "weights", [[-1.0, 1.0], [0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0], [1.0]]
)
def test_weights_that_make_no_sense_are_refused(weights: list[float]) -> None:
    columns = [Recoding.of_rows([[0, 1], [0, 0]])] * 2
    tuples = Tuples(np.array([[0, 1]], dtype=np.int32), np.array([1]))
    with pytest.raises(InvalidSetting, match="weight"):
        LatticeQuestion.of(tuples, columns, Criterion(2), "prec", weights)
    assert LatticeQuestion.of(tuples, columns, Criterion(2), "prec", [0.0, 1.0]).weights.tolist() == [0, 1]


@pytest.mark.parametrize("seed", range(12))
def test_a_column_starts_where_the_others_at_their_highest_are_enough(seed: int) -> None:
    """The first level that leaves few enough in small classes, by grouping the rows at each."""
    rng = np.random.default_rng(seed)
    columns = [
        Recoding.of_rows([range(6), [0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1]]),
        Recoding.of_rows([range(4), [0, 1, 1, 2], [0, 1, 1, 1]]),
        Recoding.of_rows([range(3), [0, 0, 1]]),
    ]
    codes = np.unique(rng.integers(0, [6, 4, 3], (14, 3)), axis=0).astype(np.int32)
    tuples = Tuples(codes, rng.integers(1, 4, len(codes)))
    criterion = Criterion(3, limit=0.1 + 0.05 * (seed % 4))
    ready = arrange(LatticeQuestion.of(tuples, columns, criterion, "prec", None))
    for place, column in enumerate(ready.order):
        for level in range(columns[column].height + 1):
            at = [level if other == column else one.height for other, one in enumerate(columns)]
            rows = [
                one.levels[own][codes[:, other]]
                for other, (one, own) in enumerate(zip(columns, at, strict=True))
            ]
            _, of = np.unique(np.stack(rows, axis=1), axis=0, return_inverse=True)
            sizes = np.bincount(of.ravel(), tuples.counts)
            if (
                sizes[sizes < 3].sum() <= criterion.may_suppress(tuples.records)
                or level == columns[column].height
            ):
                assert ready.problem.low[place] == level
                break
