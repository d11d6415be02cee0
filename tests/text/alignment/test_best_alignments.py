"""All best alignments at once, against all of them listed."""

from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.text.alignment.result import MOST_WAYS
from reidrisk.text.alignment.surrogate import LARGE, best_alignments, common_runs, survival

TOKENS = st.lists(st.integers(0, 3), max_size=7)
Pairs = frozenset[tuple[int, int]]


def every_best(one: list[int], other: list[int]) -> set[Pairs]:
    """Every common subsequence of the greatest length, as matched pairs."""

    @cache
    def best(here: int, there: int) -> set[Pairs]:
        if here == len(one) or there == len(other):
            return {frozenset()}
        found = best(here + 1, there) | best(here, there + 1)
        if one[here] == other[there]:
            found = found | {rest | {(here, there)} for rest in best(here + 1, there + 1)}
        longest = max(map(len, found))
        return {pairs for pairs in found if len(pairs) == longest}

    return best(0, 0)


@given(TOKENS, TOKENS)
def test_what_all_and_what_some_best_alignments_keep(one: list[int], other: list[int]) -> None:
    listed = every_best(one, other)
    found = best_alignments(np.array(one, dtype=np.int64), np.array(other, dtype=np.int64))
    kept = [{here for here, _ in pairs} for pairs in listed]
    used = [{there for _, there in pairs} for pairs in listed]
    some = set().union(*kept)
    every = set.intersection(*kept)
    assert set(np.flatnonzero(found.always)) == every
    assert set(np.flatnonzero(found.perhaps)) == some - every
    assert set(np.flatnonzero(~found.free)) == set.intersection(*used)
    assert found.ways == (len(listed) if some != every else 1)


def test_ways_are_counted_up_to_a_limit() -> None:
    twice, once = np.zeros(20, dtype=np.int64), np.zeros(10, dtype=np.int64)
    assert best_alignments(twice, once).ways == MOST_WAYS
    assert best_alignments(np.zeros(400, dtype=np.int64), np.zeros(200, dtype=np.int64)).ways == 2


@given(TOKENS, TOKENS, st.integers(1, 3))
def test_common_runs_are_equal_single_and_in_order(one: list[int], other: list[int], size: int) -> None:
    runs = common_runs(one, other, size)
    assert runs == sorted(runs)
    for here, there in runs:
        run = one[here : here + size]
        assert run == other[there : there + size]
        for text in (one, other):
            assert sum(text[at : at + size] == run for at in range(len(text))) == 1
    assert [there for _, there in runs] == sorted(there for _, there in runs)


def test_a_text_equals_itself_whatever_its_length() -> None:
    rng = np.random.default_rng(7)
    tokens = rng.integers(0, 500, 5000)
    found = survival(tokens, tokens)
    assert found.always.all()
    assert not found.free.any()


def test_single_changes_of_a_long_text_are_found_exactly() -> None:
    rng = np.random.default_rng(8)
    tokens = rng.integers(0, 2000, 20_000)
    changed = np.arange(50, 20_000, 371)
    other = tokens.copy()
    other[changed] = 9999
    found = survival(tokens, other)
    assert set(np.flatnonzero(~found.always)) == set(changed)
    assert not found.perhaps.any()
    assert set(np.flatnonzero(found.free)) == set(changed)


def test_a_stretch_beyond_any_table_keeps_all_that_it_may_keep() -> None:
    one = np.tile(np.arange(3), 2000)
    other = np.tile(np.arange(2), 2000)
    assert one.size * other.size > LARGE
    found = survival(one, other)
    assert set(one[found.perhaps]) == {0, 1}
    assert not (found.always | found.perhaps)[one == 2].any()
