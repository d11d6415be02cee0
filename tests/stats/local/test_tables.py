"""The arrays of local recoding: worked losses and positions."""

from __future__ import annotations

import numpy as np
import pytest

from reidrisk.stats.lattice.inputs import Recoding, Tuples
from reidrisk.stats.local.tables import SUPPRESSION_COST, column_of, new_state, share_lost, space_of

VALUES = [[0, 1, 2, 3, 4], [0, 0, 1, 1, 2], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0]]


def test_the_loss_is_the_share_of_other_values_under_the_same_one() -> None:
    tree = Recoding.of_rows(VALUES)
    assert share_lost(tree, 0).tolist() == [0.0] * 5
    assert share_lost(tree, 1).tolist() == [0.25, 0.25, 0.25, 0.25, 0.0]
    assert share_lost(tree, 2).tolist() == [0.75, 0.75, 0.75, 0.75, 0.0]
    assert share_lost(tree, 3).tolist() == [1.0] * 5


def test_leaves_that_do_not_occur_count_too() -> None:
    """Two values of a hierarchy with nine rows: two and three of them under each, all under the top."""
    levels = tuple(np.array(level, dtype=np.int32) for level in ([0, 1], [0, 1], [0, 0]))
    leaves = (np.array([1, 1]), np.array([2, 3]), np.array([9]))
    tree = Recoding(levels, leaves, 9)
    assert share_lost(tree, 1).tolist() == [1 / 8, 2 / 8]
    assert share_lost(tree, 2).tolist() == [1.0, 1.0]
    assert share_lost(Recoding.of_rows([[0, 1], [0, 0]]), 1).tolist() == [1.0, 1.0]
    single = Recoding.of_rows([[0]])
    assert share_lost(single, 0).tolist() == [0.0]


def test_steps_are_the_allowed_levels() -> None:
    column = column_of(Recoding.of_rows(VALUES, lowest=1, highest=2), 0.5, star=False)
    assert [codes.tolist() for codes in column.codes] == VALUES[1:3]
    assert [loss.tolist() for loss in column.loss] == [[0.125] * 4 + [0.0], [0.375] * 4 + [0.0]]
    assert not column.has_star


@pytest.mark.parametrize(
    ("highest", "domain", "star"),
    [(3, 5, False), (2, 5, True), (0, 5, True), (3, 6, True)],
)
def test_suppression_is_a_step_of_its_own_unless_the_top_tells_nothing(
    highest: int, domain: int, star: bool
) -> None:
    """A top with fewer leaves than the hierarchy has rows still tells what the value is not."""
    codes = tuple(np.array(level, dtype=np.int32) for level in VALUES)
    leaves = tuple(np.bincount(level).astype(np.int64) for level in codes)
    tree = Recoding(codes, leaves, domain, 0, highest)
    column = column_of(tree, 1.0, star=True)
    assert column.has_star is star
    assert len(column.codes) == len(column.loss) == highest + 1 + star
    if star:
        assert column.codes[-1].tolist() == [0] * 5
        assert column.loss[-1].tolist() == [SUPPRESSION_COST] * 5
    assert not column_of(tree, 1.0, star=False).has_star


def test_all_columns_stand_in_one_row_of_numbers() -> None:
    table = Tuples(np.array([[0, 1], [4, 0]], dtype=np.int32), np.array([2, 3]))
    columns = [
        column_of(Recoding.of_rows(VALUES, highest=1), 0.5, star=True),
        column_of(Recoding.of_rows([[0, 1], [0, 0]]), 0.5, star=True),
    ]
    space = space_of(table, columns, 4)
    assert space.steps.tolist() == [3, 2]
    assert space.offset.tolist() == [[0, 5, 10], [15, 17, 0]]
    assert space.cell_size == 4
    for place, column in enumerate(columns):
        for step in range(len(column.codes)):
            at = space.offset[place, step]
            own = slice(at, at + len(column.codes[step]))
            assert space.code[own].tolist() == column.codes[step].tolist()
            assert space.loss[own].tolist() == column.loss[step].tolist()
    assert len(space.code) == len(space.loss) == 19
    assert space.codes.tolist() == [[0, 1], [4, 0]]
    assert space.counts.tolist() == [2, 3]


def test_at_first_no_tuple_is_in_a_group() -> None:
    table = Tuples(np.array([[0, 1], [4, 0], [3, 1]], dtype=np.int32), np.array([2, 3, 1]))
    columns = [column_of(Recoding.of_rows(one), 0.5, star=False) for one in (VALUES, [[0, 1], [0, 0]])]
    state = new_state(space_of(table, columns, 4))
    for none in (state.group, state.head, state.after, state.before):
        assert none.tolist() == [-1, -1, -1]
    for zeros in (state.size, state.cost):
        assert zeros.tolist() == [0, 0, 0]
    assert state.step.shape == state.lost.shape == (3, 2)
    assert (state.spare.tolist(), state.kept.shape) == ([0, 0], (2, 3))
