"""The loops of local recoding on a few tuples: each is compared with a plain look at all classes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from reidrisk.stats.lattice.inputs import Recoding, Tuples
from reidrisk.stats.local.kernels import (
    cheapest,
    dissolve,
    fitted,
    improve,
    insert,
    link,
    move,
    refit,
    refit_all,
    unlink,
    walk,
)
from reidrisk.stats.local.tables import SUPPRESSION_COST, column_of, new_state, space_of
from tests.stats.local.small import Small, check_state, classes_of, grouped, small, tables, total_loss

pytestmark = pytest.mark.usefixtures("plain_loops")


def nodes_of(table: Small) -> np.ndarray:
    """All nodes, the lowest first."""
    every = list(product(*(range(len(column.codes)) for column in table.columns)))
    return np.array(sorted(every, key=lambda node: (sum(node), node)), dtype=np.int64)


def walked(
    table: Small, nodes: np.ndarray, rest: list[int], cell_size: int
) -> tuple[list[int], list[list[int]], int]:
    """Node by node: classes of the rest that reach the cell size, by the order of their first tuples."""
    found: list[list[int]] = []
    for number, node in enumerate(nodes.tolist()):
        if not rest:
            return rest, found, number
        classes: dict[tuple[int, ...], list[int]] = {}
        for row in rest:
            key = tuple(
                int(column.codes[step][table.tuples.codes[row, place]])
                for place, (column, step) in enumerate(zip(table.columns, node, strict=True))
            )
            classes.setdefault(key, []).append(row)
        large = [rows for rows in classes.values() if table.size(rows) >= cell_size]
        found += large
        rest = [row for row in rest if not any(row in rows for rows in large)]
    return rest, found, len(nodes)


@pytest.mark.parametrize("number", [1, 2, 7, 12])
def test_a_walk_fixes_the_classes_that_reach_the_cell_size(number: int) -> None:
    for seed, cell_size, star in product(range(6), (2, 4, 7, 100), (False, True)):
        table = small(seed, cell_size=cell_size, tuples=number, star=star)
        state, nodes = new_state(table.space), nodes_of(table)
        rest = np.random.default_rng(seed).permutation(number)
        expected, classes, looked = walked(table, nodes, rest.tolist(), cell_size)
        left, groups, seen = walk(table.space, state, nodes, rest, 0)
        assert (left, groups, seen) == (len(expected), len(classes), looked)
        assert rest[:left].tolist() == expected
        assert classes_of(state) == {group: sorted(rows) for group, rows in enumerate(classes)}
        check_state(table, state, fitted=False)
        refit_all(table.space, state, groups)
        check_state(table, state)


def test_a_second_node_counts_from_nothing() -> None:
    """Twelve values in pairs, whichever of them comes first."""
    tree = Recoding.of_rows([list(range(12)), [value // 2 for value in range(12)]])
    for shift in range(12):
        rows = np.roll(np.arange(12, dtype=np.int32), shift)[:, None]
        space = space_of(Tuples(rows, np.ones(12, dtype=np.int64)), [column_of(tree, 1.0, star=False)], 2)
        state = new_state(space)
        assert walk(space, state, np.array([[0], [1]]), np.arange(12), 0) == (0, 6, 2)
        pairs = {frozenset((rows[members, 0] // 2).tolist()) for members in classes_of(state).values()}
        assert pairs == {frozenset({pair}) for pair in range(6)}


def test_a_walk_adds_to_the_groups_that_there_are() -> None:
    table = small(1, cell_size=2)
    state = new_state(table.space)
    link(table.space, state, 0, 0)
    _, groups, _ = walk(table.space, state, nodes_of(table), np.arange(1, 7), 1)
    assert classes_of(state)[0] == [0]
    assert set(classes_of(state)) == set(range(groups))


def test_tuples_enter_and_leave_groups_in_any_order() -> None:
    for seed, table in tables(4):
        state, rng = new_state(table.space), np.random.default_rng(seed)
        for _ in range(40):
            row = int(rng.integers(7))
            if state.group[row] >= 0:
                unlink(table.space, state, row)
                assert state.group[row] == -1
            else:
                link(table.space, state, row, int(rng.integers(3)))
            check_state(table, state, fitted=False)


def test_the_lowest_steps_of_a_group_with_and_without_a_tuple() -> None:
    for seed, table in tables():
        state = grouped(table, seed, 2)
        check_state(table, state)
        for group, members in classes_of(state).items():
            assert fitted(table.space, state, group, -1) == pytest.approx(table.loss(members))
            assert state.spare.tolist() == table.steps(members)
            for row in members if len(members) > 1 else ():
                others = [one for one in members if one != row]
                assert fitted(table.space, state, group, row) == pytest.approx(table.loss(others))
                assert state.spare.tolist() == table.steps(others)
        group, members = next(one for one in classes_of(state).items() if len(one[1]) > 1)
        unlink(table.space, state, members[0])
        refit(table.space, state, group)
        check_state(table, state)


def added(table: Small, members: list[int], row: int) -> float:
    return table.total([*members, row]) - table.total(members)


def test_the_group_that_costs_least_with_one_more_tuple() -> None:
    found = nowhere = 0
    for seed, table in tables(12):
        state = grouped(table, seed, 3)
        row = seed % 7
        for out in (False, True):
            if out:
                own = int(state.group[row])
                unlink(table.space, state, row)
                if state.head[own] >= 0:
                    refit(table.space, state, own)
            classes = classes_of(state)
            costs = {
                group: added(table, members, row)
                for group, members in sorted(classes.items())
                if row not in members
            }
            least = min(costs.values())
            to, more, looked = cheapest(table.space, state, row, 3, np.inf)
            assert looked == 3
            if np.isinf(least):
                assert to == -1
                continue
            assert (costs[to], more) == pytest.approx((least, least))
            assert to == min(group for group, value in costs.items() if abs(value - least) < 1e-9)
            assert cheapest(table.space, state, row, 3, least + 0.01)[0] == to
            assert cheapest(table.space, state, row, 3, least - 0.01)[:2] == (-1, least - 0.01)
            found += 1
            nowhere += len(costs) < 3
    assert found > 10
    assert nowhere > 3


def test_without_a_common_level_a_tuple_fits_nowhere_or_is_suppressed() -> None:
    """Levels up to pairs: 0 and 3 are in no common one. One record joins four."""
    pairs = Recoding.of_rows([[0, 1, 2, 3], [0, 0, 1, 1]])
    rows = Tuples(np.array([[0], [1], [3]], dtype=np.int32), np.array([1, 2, 4]))
    for star, expected in ((False, (-1, np.inf)), (True, (0, 5 * SUPPRESSION_COST))):
        space = space_of(rows, [column_of(pairs, 1.0, star=star)], 2)
        state = new_state(space)
        link(space, state, 2, 0)
        refit(space, state, 0)
        assert cheapest(space, state, 0, 1, np.inf)[:2] == expected


def test_tuples_are_inserted_where_they_cost_least() -> None:
    for seed, table in tables():
        if seed % 2:
            continue
        state = grouped(table, seed, 2)
        rest = [row for row in range(7) if len(classes_of(state)[int(state.group[row])]) > 2][:2]
        for row in rest:
            group = int(state.group[row])
            unlink(table.space, state, row)
            refit(table.space, state, group)
        classes = classes_of(state)
        for row in rest:
            to = min(sorted(classes), key=lambda group, row=row: round(added(table, classes[group], row), 9))  # type: ignore[misc]
            classes[to] = sorted([*classes[to], row])
        insert(table.space, state, np.array(rest, dtype=np.int64), 2)
        assert classes_of(state) == classes
        check_state(table, state)


def test_a_tuple_moves_to_where_it_costs_least_if_that_gains() -> None:
    moved = stayed = 0
    for seed, table in tables(12):
        for row in range(7):
            state = grouped(table, seed, 3)
            classes = classes_of(state)
            own = int(state.group[row])
            if len(classes[own]) == 1:
                continue
            others = [one for one in classes[own] if one != row]
            saved = table.total(classes[own]) - table.total(others)
            best = saved - min(
                added(table, members, row) for group, members in classes.items() if group != own
            )
            before = total_loss(table, state)
            gain, looked = move(table.space, state, row, 3)
            check_state(table, state)
            assert looked == 3
            if best <= 1e-9:
                assert gain == 0.0
                assert classes_of(state) == classes
                stayed += 1
            else:
                assert gain == pytest.approx(best)
                assert before - total_loss(table, state) == pytest.approx(best)
                assert state.group[row] != own
                moved += 1
    assert moved > 5
    assert stayed > 5


def without(
    table: Small, classes: dict[int, list[int]], order: list[int], own: int
) -> dict[int, list[int]] | None:
    """The classes after each tuple of one joined where it costs least; None if one fits nowhere."""
    others = {group: list(members) for group, members in classes.items() if group != own}
    for row in order:
        costs = {group: added(table, members, row) for group, members in others.items()}
        if np.isinf(min(costs.values())):
            return None
        to = min(sorted(costs), key=lambda group, costs=costs: round(costs[group], 9))  # type: ignore[misc]
        others[to] = sorted([*others[to], row])
    return others


def test_a_class_is_dissolved_if_that_gains_and_left_as_it_is_if_not() -> None:
    gone = kept = 0
    for seed, table in tables(16):
        for own in range(3):
            state = grouped(table, seed, 3)
            classes = classes_of(state)
            order, row = [], int(state.head[own])
            while row >= 0:
                order.append(row)
                row = int(state.after[row])
            after = without(table, classes, order, own)
            before = total_loss(table, state)
            spread = np.inf if after is None else sum(table.total(members) for members in after.values())
            gain, looked = dissolve(table.space, state, own, 3)
            check_state(table, state)
            assert 3 <= looked <= 3 * len(order)
            if spread >= before - 1e-9:
                assert gain == 0.0
                assert classes_of(state) == classes
                kept += 1
            else:
                assert gain == pytest.approx(before - spread)
                assert classes_of(state) == after
                assert looked == 3 * len(order)
                gone += 1
    assert gone > 5
    assert kept > 5


def test_rounds_end_where_no_tuple_and_no_class_gains_by_moving() -> None:
    for seed, table in tables(12):
        state = grouped(table, seed, 3)
        size = table.space.cell_size
        safe = {group for group, members in classes_of(state).items() if table.size(members) >= size}
        order = np.arange(7)
        for _ in range(20):
            before = total_loss(table, state)
            gained, reached, looked = improve(table.space, state, order, 3, 10**6)
            assert reached == 7
            assert before - total_loss(table, state) == pytest.approx(gained, abs=1e-9)
            assert looked % 3 == 0
            check_state(table, state)
            if gained <= 1e-9:
                break
        assert gained <= 1e-9
        classes = classes_of(state)
        for group in safe & set(classes):
            assert table.size(classes[group]) >= size
        for own, members in classes.items():
            for row in members:
                others = [one for one in members if one != row]
                if table.size(members) - table.size([row]) < size or not others:
                    continue
                saved = table.total(members) - table.total(others)
                costs = [added(table, rows, row) for group, rows in classes.items() if group != own]
                assert min(costs, default=np.inf) >= saved - 2e-9
            listed, row = [], int(state.head[own])
            while row >= 0:
                listed.append(row)
                row = int(state.after[row])
            if table.size(members) - table.size(listed[:1]) < size and table.loss(members) > 1e-9:
                after = without(table, classes, listed, own) if len(classes) > 1 else None
                spread = np.inf if after is None else sum(table.total(rows) for rows in after.values())
                assert spread >= total_loss(table, state) - 2e-9


def test_a_round_stops_after_so_many_looks_and_says_where() -> None:
    """A pair of equal halves that another pair lends nothing: every tuple is looked at."""
    table = small(2, cell_size=3, tuples=7)
    state = grouped(table, 2, 3)
    assert improve(table.space, state, np.arange(7), 3, 0) == (0.0, 0, 0)
    looks = []
    for most in (1, 4, 7):
        state = grouped(table, 2, 3)
        _, reached, looked = improve(table.space, state, np.arange(7), 3, most)
        looks.append((reached, looked))
        assert looked < most + 3 * 7
        again = grouped(table, 2, 3)
        assert improve(table.space, again, np.arange(reached), 3, 10**6)[1:] == (reached, looked)
    assert looks == sorted(looks)
    assert looks[0][0] < looks[-1][0]


def test_a_class_without_loss_is_left_alone() -> None:
    table = small(0, cell_size=1, tuples=3)
    state = new_state(table.space)
    for row in range(3):
        link(table.space, state, row, row)
    refit_all(table.space, state, 3)
    assert improve(table.space, state, np.arange(3), 3, 10**6) == (0.0, 3, 0)
