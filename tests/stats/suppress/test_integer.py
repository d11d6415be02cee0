"""The integer program: as few cells as trying every way to form classes, with limits and without."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from reidrisk.stats.suppress.integer import (
    INFEASIBLE,
    LIMIT_REACHED,
    IntegerProgram,
    read,
    solve_integer_program,
)
from reidrisk.stats.suppress.result import by_column, cost, keeps, smallest_class
from reidrisk.stats.suppress.table import Budget, Request, SuppressionTable, make_table
from tests.stats.suppress.small import fewest, groups_of, small_table

pytestmark = pytest.mark.usefixtures("plain_loops")


@pytest.mark.parametrize("k", [2, 3])
def test_no_other_classes_cost_less(k: int) -> None:
    seen = {"solved": 0, "impossible": 0}
    for seed, (records, column) in product(
        range(3), [(None, None), (6, None), (4, None), (None, 3), (6, 3), (None, 5)]
    ):
        table = small_table(
            seed, k=k, records=7, columns=2 + seed % 2, values=2 + seed // 2, weighted=seed > 1
        )
        request = Request(
            k,
            max_records=None if records is None else records / 7,
            max_column=None if column is None else column / 7,
        )
        best = fewest(table, records=records, column=column)
        found = solve_integer_program(table, groups_of(table), request, Budget(nodes=10_000))
        assert found.impossible == np.isinf(best)
        seen["impossible" if found.impossible else "solved"] += 1
        if found.moves is None:
            continue
        assert cost(found.moves, table) == pytest.approx(best)
        assert found.bound == pytest.approx(best)
        assert keeps(found.moves, table, request)
        assert smallest_class(found.moves, table) >= k
        placed = np.bincount(found.moves.tuples, weights=found.moves.numbers)
        assert placed.tolist() == table.counts.tolist()
    assert min(seen.values()) >= 2


def test_tuples_of_many_records_are_split() -> None:
    """One record lends another its company; three of four stay as they are."""
    table = make_table(np.array([[0, 0], [0, 1]], dtype=np.int32), np.array([4, 1]), Request(2))
    found = solve_integer_program(table, groups_of(table), Request(2), Budget())
    assert found.moves is not None
    assert [column.tolist() for column in found.moves] == [[0, 0, 1], [0, 2, 2], [3, 1, 1]]
    assert by_column(found.moves, 2).tolist() == [0, 2]
    assert found.bound == 2.0


def program_of(table: SuppressionTable) -> IntegerProgram:
    groups = groups_of(table)
    tuples, sets = np.nonzero(groups.of >= 0)
    return IntegerProgram(tuples, sets, groups.of[tuples, sets].astype(np.int64), len(groups.pattern))


def answer(status: int, bound: float | None = None, x: list[float] | None = None) -> SimpleNamespace:
    return SimpleNamespace(status=status, mip_dual_bound=bound, x=None if x is None else np.array(x))


def test_what_the_solver_says() -> None:
    table = make_table(np.array([[0], [1]], dtype=np.int32), np.array([2, 1]), Request(2))
    groups, program = groups_of(table), program_of(table)
    assert list(zip(program.tuples.tolist(), program.sets.tolist(), strict=True)) == [(0, 0), (0, 1), (1, 1)]
    late = read(answer(LIMIT_REACHED, 1.0, [0.0, 2.0, 1.0]), program, groups)
    assert (late.moves, late.bound, late.impossible) == (None, 0.0, False)
    none = read(answer(INFEASIBLE), program, groups)
    assert (none.moves, none.bound, none.impossible) == (None, 0.0, True)
    unknown = read(answer(4, 2.5), program, groups)
    assert (unknown.moves, unknown.bound, unknown.impossible) == (None, 2.5, False)
    for bound, shown in [(None, 0.0), (-np.inf, 0.0), (np.nan, 0.0), (-0.5, 0.0), (1.5, 1.5)]:
        found = read(answer(0, bound, [0.0000001, 1.9999999, 1.0, 0.0, 1.0]), program, groups)
        assert found.moves is not None
        assert [column.tolist() for column in found.moves] == [[0, 1], [1, 1], [2, 1]]
        assert (found.bound, found.impossible) == (shown, False)
