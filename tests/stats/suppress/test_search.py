"""The search: sound on any table, never worse than the yardsticks, repeatable, and it can be stopped."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reidrisk.stats.suppress import block
from reidrisk.stats.suppress.large import greedy, whole_records
from reidrisk.stats.suppress.result import cheapest, cost, smallest_class
from reidrisk.stats.suppress.solve import suppress_cells
from reidrisk.stats.suppress.table import Budget, Request, make_table
from tests.stats.suppress.tables import check, coded, random_table, solve, tables

SHAPES = [
    (300, (2, 5, 8, 4), 5),
    (500, (2, 3, 12), 3),
    (400, (20, 20), 5),
    (200, (2, 2, 2, 2, 2, 2, 2), 7),
    (120, (30, 30, 30), 10),
]


@settings(max_examples=30, deadline=None)
@given(tables, st.integers(1, 4))
def test_any_small_table_is_solved_soundly(rows: list[tuple[int, ...]], k: int) -> None:
    assume(len(rows) >= k)
    codes, counts = coded(rows)
    found = solve(codes, counts, Request(k, method="search"))
    best = solve(codes, counts, Request(k, method="subsets"))
    assert found.bound - 1e-6 <= best.weighted <= found.weighted


@settings(max_examples=10, deadline=None)
@given(tables, st.integers(2, 4), st.sampled_from([1.0, 0.3]))
def test_an_early_end_changes_nothing(rows: list[tuple[int, ...]], k: int, weight: float) -> None:
    assume(len(rows) >= k)
    codes, counts = coded(rows)
    request = Request(k, weights=tuple([weight] * codes.shape[1]), method="search")
    early = solve(codes, counts, request)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block, "least_cost", lambda *_: -1.0)
        assert solve(codes, counts, request) == early


@pytest.mark.parametrize(("records", "sizes", "k"), SHAPES)
@pytest.mark.parametrize("weighted", [False, True])
def test_never_worse_than_the_yardsticks(
    records: int, sizes: tuple[int, ...], k: int, weighted: bool
) -> None:
    codes, counts = random_table(records, sizes)
    weights = tuple(1.0 + 0.3 * column for column in range(len(sizes))) if weighted else ()
    request = Request(k, weights, method="search")
    answer, table = solve(codes, counts, request), make_table(codes, counts, request)
    for yardstick in (greedy(table), whole_records(table)):
        assert smallest_class(yardstick, table) >= k
        assert answer.weighted <= cost(yardstick, table) + 1e-9


@settings(max_examples=60, deadline=None)
@given(tables, st.integers(1, 4))
def test_the_yardsticks_themselves_are_sound(rows: list[tuple[int, ...]], k: int) -> None:
    assume(len(rows) >= k)
    table = make_table(*coded(rows), Request(k))
    for stars in (greedy(table), whole_records(table)):
        assert smallest_class(stars, table) >= k
        assert stars.numbers.sum() == len(rows)


def test_the_search_is_near_the_proved_optimum() -> None:
    codes, counts = random_table(100, (3, 4, 6, 3))
    found = solve(codes, counts, Request(5, method="search"))
    best = solve(codes, counts, Request(5))
    assert found.bound <= best.bound <= best.weighted <= found.weighted <= 1.05 * best.weighted


def test_the_same_seed_gives_the_same_answer() -> None:
    codes, counts = random_table(300, (2, 5, 8, 4))
    request = Request(5, method="search")
    assert solve(codes, counts, request) == solve(codes, counts, request)


def test_counts_far_above_k_lend_their_records() -> None:
    codes, counts = coded([(0, 0)] * 1000 + [(0, 1)] * 4)
    answer = solve(codes, counts, Request(5, method="search"))
    assert answer.cells == 5
    assert answer.optimal


def test_a_stopped_search_still_gives_a_sound_answer() -> None:
    codes, counts = random_table(500, (2, 5, 8, 4))
    rng = np.random.default_rng(1)
    for budget in (Budget(stop=lambda: True), Budget(seconds=0.0)):
        answer = suppress_cells(codes, counts, request=Request(5), budget=budget, rng=rng)
        assert check(codes, counts, answer, Request(5)).cells > 0


def test_more_columns_than_sets_can_be_listed() -> None:
    codes, counts = random_table(200, (3,) * 24)
    answer = solve(codes, counts, Request(3, method="search"))
    assert 0 < answer.bound <= answer.cells


def test_sets_come_cheapest_first_and_complete() -> None:
    masks, costs = cheapest(np.array([2.0, 1.0, 1.5, 3.0]), 100)
    assert sorted(masks.tolist()) == list(range(16))
    assert np.all(np.diff(costs) >= 0)
