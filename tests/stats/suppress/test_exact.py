"""Subset dynamic programming and the integer program: the papers' tables, and each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting
from reidrisk.stats.suppress.result import Unmet
from reidrisk.stats.suppress.solve import suppress_cells
from reidrisk.stats.suppress.table import Budget, Method, Request
from tests.stats.suppress.tables import KNIOLA, KUMAR, coded, published, random_table, solve, tables

PUBLISHED = [(KNIOLA, 2, 5), (KNIOLA, 3, 10), (KNIOLA, 5, 10), (KUMAR, 2, 3), (KUMAR, 3, 7), (KUMAR, 5, 10)]


@pytest.mark.parametrize(("text", "k", "cells"), PUBLISHED)
@pytest.mark.parametrize("method", ["subsets", "integer", "auto"])
def test_the_published_tables_need_as_many_cells(text: str, k: int, cells: int, method: Method) -> None:
    codes, counts = published(text)
    answer = solve(codes, counts, Request(k, method=method))
    assert (answer.cells, answer.bound, answer.optimal) == (cells, cells, True)


@settings(max_examples=20, deadline=None)
@given(tables, st.integers(1, 4), st.data())
def test_integer_programme_and_subsets_agree(
    rows: list[tuple[int, ...]], k: int, data: st.DataObject
) -> None:
    assume(len(rows) >= k)
    codes, counts = coded(rows)
    weights = data.draw(st.sampled_from([(), tuple(range(1, codes.shape[1] + 1))]))
    exact = solve(codes, counts, Request(k, weights, method="subsets"))
    whole = solve(codes, counts, Request(k, weights, method="integer"))
    assert exact.weighted == pytest.approx(whole.weighted)
    assert exact.optimal
    assert whole.optimal


def test_weights_protect_a_column() -> None:
    codes, counts = published(KNIOLA)
    plain = solve(codes, counts, Request(2))
    kept = solve(codes, counts, Request(2, (1.0, 10.0)))
    assert kept.by_column[1] <= plain.by_column[1]
    assert kept.weighted <= plain.by_column[0] + 10 * plain.by_column[1]


@pytest.mark.parametrize(("records", "method"), [(100, "auto"), (1500, "search")])
def test_limits_are_kept_at_the_cost_of_more_cells(records: int, method: Method) -> None:
    codes, counts = random_table(records, (3, 6, 12))
    free = solve(codes, counts, Request(3, method="search"))
    most = int(0.9 * max(free.by_column))
    held = solve(codes, counts, Request(3, max_column=most / records, method=method))
    assert max(held.by_column) <= most
    assert held.cells >= free.bound


def test_a_limit_on_records_is_kept() -> None:
    codes, counts = random_table(60, (3, 4, 4))
    risky = int(counts[counts < 3].sum())
    share = (risky + 1) / 60
    answer = solve(codes, counts, Request(3, max_records=share))
    assert risky <= answer.records <= risky + 1


def test_what_cannot_be_met_is_said_with_its_proof() -> None:
    codes, counts = published(KNIOLA)
    rng = np.random.default_rng(1)
    for request, words in [
        (Request(11), "fewer than the cell size"),
        (Request(2, max_records=0.2), "only 2 may have suppressed cells"),
        (Request(2, max_column=0.0), "proves"),
    ]:
        answer = suppress_cells(codes, counts, request=request, rng=rng, budget=Budget(10, 10))
        assert isinstance(answer, Unmet)
        assert answer.proved
        assert words in answer.reason
    unproved = suppress_cells(codes, counts, request=Request(2, max_column=0.0, method="search"), rng=rng)
    assert isinstance(unproved, Unmet)
    assert not unproved.proved
    alone = suppress_cells(codes, counts, request=Request(2, max_column=0.0, method="integer"), rng=rng)
    assert isinstance(alone, Unmet)
    assert alone.proved


def test_nothing_is_starred_where_nothing_is_needed() -> None:
    codes, counts = coded([(0, 1)] * 5 + [(1, 1)] * 6)
    answer = solve(codes, counts, Request(5))
    assert (answer.cells, answer.bound, answer.optimal, answer.gap) == (0, 0, True, 0)


def test_nonsense_is_refused() -> None:
    codes, counts = published(KNIOLA)
    wrong = [{"k": 0}, {"k": 2, "weights": (0.0, 1.0)}, {"k": 2, "max_records": 1.5}, {"k": 2, "method": "x"}]
    for fields in wrong:
        with pytest.raises(InvalidSetting, match="Hint:"):
            Request(**fields)  # type: ignore[arg-type]
    rng, large = np.random.default_rng(1), random_table(4000, (9, 9, 9, 9, 9, 9))
    many = np.zeros((1, 63), dtype=np.int32)
    twice = np.zeros((2, 1), dtype=np.int32)
    for rows, numbers, request in [
        (codes[:0], counts[:0], Request(2)),
        (many, np.ones(1, dtype=np.int64), Request(2)),
        (codes, counts, Request(2, (1.0,))),
        (codes, counts * 0, Request(2)),
        (twice, np.ones(2, dtype=np.int64), Request(2)),
        (codes, counts, Request(2, max_column=0.9, method="subsets")),
        (*large, Request(3, method="integer")),
    ]:
        with pytest.raises(InvalidSetting, match="Hint:"):
            suppress_cells(rows, numbers, request=request, rng=rng)
