"""Tables too large to be searched at once: sound, repeatable, and little is lost by looking at less."""

from __future__ import annotations

import numpy as np
import pytest

from reidrisk.stats.suppress import block, large
from reidrisk.stats.suppress.large import times_too_large, whole_records, with_helpers
from reidrisk.stats.suppress.result import cost
from reidrisk.stats.suppress.solve import suppress_cells
from reidrisk.stats.suppress.table import Budget, Request, make_table
from tests.stats.suppress.tables import check, random_table, solve

REQUEST = Request(5, method="search")


@pytest.fixture
def small_room(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (large, block):
        monkeypatch.setattr(module, "MOST_CELLS", 5000)


def test_a_table_too_large_is_searched_where_it_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    codes, counts = random_table(2000, (2, 9, 12, 5))
    whole = solve(codes, counts, REQUEST)
    for module in (large, block):
        monkeypatch.setattr(module, "MOST_CELLS", 5000)
    table = make_table(codes, counts, REQUEST)
    assert times_too_large(table) > 1
    parts = solve(codes, counts, REQUEST)
    assert parts.method == "search"
    assert parts.bound <= whole.weighted
    assert parts.weighted < cost(whole_records(table), table)
    assert parts.weighted <= 1.3 * whole.weighted


@pytest.mark.usefixtures("small_room")
@pytest.mark.parametrize("budget", [Budget(), Budget(rounds=0, ascents=0), Budget(stop=lambda: True)])
def test_any_budget_gives_a_sound_and_repeatable_answer(budget: Budget) -> None:
    codes, counts = random_table(3000, (3, 8, 8, 6))
    answers = [
        suppress_cells(codes, counts, request=REQUEST, budget=budget, rng=np.random.default_rng(3))
        for _ in range(2)
    ]
    assert answers[0] == answers[1]
    assert check(codes, counts, answers[0], REQUEST).cells > 0


@pytest.mark.usefixtures("small_room")
def test_a_single_record_that_must_be_starred_finds_others() -> None:
    codes = np.stack([np.arange(600) // 30, np.arange(600) % 30, np.arange(600) % 7], axis=1).astype(np.int32)
    counts = np.full(600, 9, dtype=np.int64)
    counts[17] = 1
    answer = solve(codes, counts, REQUEST)
    assert answer.records >= 5


def test_helpers_are_the_largest_of_the_nearest_while_there_is_room() -> None:
    codes = np.array([[0, 0, 0], [0, 0, 1], [0, 0, 2], [5, 5, 0], [6, 5, 0], [7, 7, 7]], dtype=np.int32)
    counts = np.array([1, 6, 8, 2, 9, 50])
    table = make_table(codes, counts, Request(5))
    assert with_helpers(table, 100).tolist() == [0, 2, 3, 4]
    assert len(with_helpers(table, 3)) == 3
    assert with_helpers(table, 0).tolist() == [0, 3]
