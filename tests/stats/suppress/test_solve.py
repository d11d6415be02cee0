"""All methods on a few records: as few cells as trying every way to form classes."""

from __future__ import annotations

import numpy as np
import pytest

from reidrisk.errors import InvalidSetting
from reidrisk.stats.suppress import block, large, solve
from reidrisk.stats.suppress.large import no_moves, whole_records
from reidrisk.stats.suppress.result import Suppression, SuppressionMoves, Unmet, cost
from reidrisk.stats.suppress.solve import (
    best_split,
    bound_below,
    by_subsets,
    cheapest_answer,
    class_costs,
    exactly,
    integer_only,
    solve_program,
    suppress_cells,
)
from reidrisk.stats.suppress.table import Budget, Method, Request, SuppressionTable, make_table, variables
from tests.stats.suppress.small import fewest, groups_of, owners, partitions, small_table, suppressed
from tests.stats.suppress.tables import check

pytestmark = pytest.mark.usefixtures("plain_loops")
SHORT = Budget(ascents=20, rounds=0)


def solved(table: SuppressionTable, request: Request, budget: Budget = SHORT) -> Suppression | Unmet:
    rng = np.random.default_rng(7)
    return suppress_cells(table.codes, table.counts, request=request, budget=budget, rng=rng)


def test_the_columns_and_the_cost_of_every_class() -> None:
    for k in (1, 2, 3):
        table = small_table(k, k=k, records=5, columns=3, weighted=True)
        masks, costs = class_costs(table.codes[owners(table)], table.weights, k)
        assert len(masks) == len(costs) == 32
        for subset in range(1, 32):
            members = [record for record in range(5) if subset >> record & 1]
            differ = suppressed(table, members)
            assert masks[subset] == sum(1 << column for column in differ)
            allowed = k <= len(members) < 2 * k
            each = sum(table.weights[differ]) if differ else 0.0
            assert costs[subset] == (each * len(members) if allowed else np.inf)


def test_the_cheapest_split_of_any_costs() -> None:
    for seed in range(5):
        costs = np.random.default_rng(seed).uniform(1, 10, 32)
        choice = best_split(costs, 5)
        for subset in range(1, 32):
            found, left = 0.0, subset
            while left:
                group = int(choice[left])
                assert group & left == group
                assert group & left & -left
                found, left = found + costs[group], left ^ group
            inside = [record for record in range(5) if subset >> record & 1]
            sums = [
                sum(costs[sum(1 << one for one in own)] for own in classes)
                for classes in partitions(inside, 1)
            ]
            assert found == pytest.approx(min(sums))


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_subsets_need_the_fewest_cells(k: int, weighted: bool) -> None:
    for seed in range(3):
        table = small_table(seed, k=k, weighted=weighted)
        assert cost(by_subsets(table), table) == pytest.approx(fewest(table))


@pytest.mark.parametrize("method", ["auto", "subsets", "integer", "search"])
def test_every_method_is_sound_and_all_but_the_search_are_exact(method: Method) -> None:
    for seed in range(3):
        table = small_table(seed, weighted=seed == 1)
        request = Request(2, tuple(table.weights.tolist()), method=method)
        answer = check(table.codes, table.counts, solved(table, request), request)
        best = fewest(table)
        assert answer.bound <= best + 1e-6
        assert answer.weighted >= best - 1e-6
        if method != "search":
            assert (answer.weighted, answer.bound) == pytest.approx((best, best))
            assert answer.optimal
        names = {"auto": "subsets", "subsets": "subsets", "integer": "integer programme"}
        assert answer.method in (
            [names[method]] if method in names else ["search", "greedy", "whole records"]
        )


@pytest.mark.parametrize(("records", "column"), [(6, 3), (5, None), (None, 2), (4, 4)])
def test_limits_are_met_with_the_fewest_cells(records: int | None, column: int | None) -> None:
    for seed in range(3):
        table = small_table(seed)
        request = Request(
            2,
            max_records=None if records is None else records / 6,
            max_column=None if column is None else column / 6,
        )
        best = fewest(table, records=records, column=column)
        answer = solved(table, request)
        if np.isinf(best):
            assert isinstance(answer, Unmet)
            assert answer.proved
            continue
        assert isinstance(answer, Suppression)
        assert answer.records <= (records or 6)
        assert max(answer.by_column) <= (column or 6)
        assert answer.weighted == pytest.approx(best)
        assert answer.optimal
        alone = solved(
            table,
            Request(2, max_records=request.max_records, max_column=request.max_column, method="integer"),
        )
        assert isinstance(alone, Suppression)
        assert alone.weighted == pytest.approx(best)


def test_the_search_alone_proves_no_limit_impossible() -> None:
    table = make_table(np.array([[0], [1], [2]], dtype=np.int32), np.array([1, 1, 4]), Request(2))
    for method, proved in (("auto", True), ("integer", True), ("search", False)):
        answer = solved(table, Request(2, max_column=0.0, method=method))  # type: ignore[arg-type]
        assert isinstance(answer, Unmet)
        assert answer.proved is proved


def test_where_the_search_finds_more_cells_the_integer_program_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solve, "MOST_RECORDS", 0)
    for k, seed in ((2, 0), (2, 6)):
        table = small_table(seed, k=k, records=7, weighted=seed % 2 == 1)
        weights, best = tuple(table.weights.tolist()), fewest(table)
        found = solved(table, Request(k, weights, method="search"))
        answer = solved(table, Request(k, weights))
        assert isinstance(found, Suppression)
        assert isinstance(answer, Suppression)
        assert found.bound < best < found.weighted
        assert (answer.weighted, answer.bound) == pytest.approx((best, best))
        assert (answer.method, answer.optimal) == ("integer programme", True)


def test_the_greedy_answer_counts_up_to_a_number_of_tuples(monkeypatch: pytest.MonkeyPatch) -> None:
    table = small_table(2, k=3, records=7)
    request = Request(3, method="search")
    for most, method in ((len(table.counts), "greedy"), (len(table.counts) - 1, "search")):
        monkeypatch.setattr(solve, "MOST_AGGLOMERATED", most)
        answer = solved(table, request)
        assert isinstance(answer, Suppression)
        assert answer.method == method


@pytest.mark.parametrize("method", ["search", "auto"])
def test_columns_above_their_limit_are_spared_by_searching_again(
    method: Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both squares lose column 0, the cheapest; under a limit of half the records one loses another."""
    monkeypatch.setattr(solve, "MOST_VARIABLES", 0)
    codes = np.array(
        [(a, b, 9) for a in (0, 1) for b in (0, 1)] + [(a, 7, c) for a in (5, 6) for c in (0, 1)]
    )
    table = make_table(codes.astype(np.int32), np.ones(8, dtype=int), Request(2, (1.0, 1.05, 1.05)))
    budget = Budget(ascents=80, rounds=0)
    free = solved(table, Request(2, (1.0, 1.05, 1.05), method="search"), budget)
    assert isinstance(free, Suppression)
    assert free.by_column == (8, 0, 0)
    held = solved(table, Request(2, (1.0, 1.05, 1.05), max_column=0.5, method=method), budget)
    assert isinstance(held, Suppression)
    assert max(held.by_column) == 4
    assert (held.cells, held.method) == (8, "search")
    refused = solved(table, Request(2, (1.0, 1.05, 1.05), max_column=0.25, method=method), budget)
    assert isinstance(refused, Unmet)
    assert not refused.proved
    assert "12 tries" in refused.reason


def test_a_small_table_is_searched_as_one_block() -> None:
    for seed in (2, 4):
        table = small_table(seed, k=2, records=8, columns=4)
        found = solve.search(table, SHORT, np.random.default_rng(1), lambda: False)
        whole = block.search_block(table, SHORT, np.random.default_rng(1), lambda: False)
        parts = large.search_large(table, SHORT, np.random.default_rng(1), lambda: False, times=1)
        assert found.bound == whole.bound > parts.bound


def test_few_records_without_limits_are_solved_by_subsets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "MOST_RECORDS", 5)
    for records, allowed in ((5, True), (6, False)):
        table = small_table(3, records=records)
        answer = solved(table, Request(2))
        assert isinstance(answer, Suppression)
        assert (answer.method == "subsets") is allowed
        for request in (Request(2, method="subsets"), Request(2, max_records=1.0, method="subsets")):
            if allowed and not request.limited:
                assert exactly(table, request).optimal
            else:
                with pytest.raises(InvalidSetting, match="at most 5 records, and no limits"):
                    exactly(table, request)


def test_nothing_is_done_where_nothing_is_needed() -> None:
    table = make_table(np.array([[0], [1]], dtype=np.int32), np.array([2, 3]), Request(2))
    answer = solved(table, Request(2, method="integer"))
    assert isinstance(answer, Suppression)
    assert (answer.method, answer.moves, answer.optimal) == ("none needed", ((0, 0, 2), (1, 0, 3)), True)


def test_a_program_that_is_too_large_is_not_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    table = small_table(0)
    request, number = Request(2), variables(groups_of(table))
    assert number > len(table.counts)
    monkeypatch.setattr(solve, "MOST_VARIABLES", number)
    assert solve_program(table, request, Budget()) is not None
    monkeypatch.setattr(solve, "MOST_VARIABLES", number - 1)
    assert solve_program(table, request, Budget()) is None
    with pytest.raises(InvalidSetting, match="too large for the integer program"):
        integer_only(table, request, Budget())
    monkeypatch.setattr(solve, "MOST_VARIABLES", number)
    monkeypatch.setattr(block, "MOST_SETS", 3)
    assert solve_program(table, request, Budget()) is None


def test_a_program_of_many_sets_is_not_even_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four tuples under 64 sets of columns; a program of 4 variables may have 256 pairs."""
    codes = np.arange(24, dtype=np.int32).reshape(4, 6)
    table = make_table(codes, np.array([1, 1, 1, 1]), Request(4))
    asked: list[int] = []

    def listed(asked_table: SuppressionTable) -> object:
        asked.append(len(asked_table.counts))
        return block.group_block(asked_table)

    monkeypatch.setattr(solve, "group_block", listed)
    monkeypatch.setattr(solve, "MOST_VARIABLES", 4)
    assert solve_program(table, Request(4), Budget()) is not None
    assert asked == [4]
    monkeypatch.setattr(solve, "MOST_VARIABLES", 3)
    assert solve_program(table, Request(4), Budget()) is None
    assert asked == [4]


def test_without_a_solution_the_integer_program_says_so() -> None:
    table = small_table(0)
    refused = integer_only(table, Request(2, max_column=0.0), Budget())
    assert refused == Unmet("The integer program found no solution.", proved=True)


def test_the_cheapest_sound_answer_is_taken() -> None:
    codes = np.array([[0, 0], [0, 1], [1, 0]], dtype=np.int32)
    table = make_table(codes, np.array([1, 1, 4]), Request(2))
    good = SuppressionMoves(np.array([0, 1, 2]), np.array([2, 2, 0]), np.array([1, 1, 4]))
    unsafe = no_moves(table, np.arange(3))
    whole = whole_records(table)
    answers = {"whole": whole, "none": unsafe, "good": good}
    best = cheapest_answer(answers, table, Request(2), 1.0)
    assert best is not None
    assert (best.method, best.cells, best.bound) == ("good", 2, 1.0)
    other = cheapest_answer({"whole": whole, "none": unsafe}, table, Request(2), 1.0)
    assert other is not None
    assert (other.method, other.cells) == ("whole", 4)
    assert cheapest_answer({"none": unsafe}, table, Request(2), 0.0) is None
    assert cheapest_answer({"good": good}, table, Request(2, max_records=0.2), 0.0) is None
    for bound, below in [(1.9, True), (2.0, False), (1.9999999, False), (2.5, False)]:
        assert bound_below(bound, {"whole": whole, "good": good}, table) is below


def test_a_stopped_run_still_has_a_sound_answer() -> None:
    table = small_table(1)
    answer = solved(table, Request(2, max_records=1.0), Budget(stop=lambda: True))
    assert check(table.codes, table.counts, answer, Request(2)).method in ("search", "whole records")


def test_tables_too_large_for_one_search_are_searched_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    table = small_table(2, records=8)
    request = Request(2, method="search")
    for module in (block, large):
        monkeypatch.setattr(module, "MOST_CELLS", 20)
    answer = check(table.codes, table.counts, solved(table, request), request)
    assert answer.bound <= fewest(table) <= answer.weighted
