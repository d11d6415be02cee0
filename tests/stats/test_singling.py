from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.stats.singling import WIDEST, _Guess, smallest_sets

families = st.lists(st.frozensets(st.integers(0, 5), min_size=1), max_size=6)
"""Sets of up to six columns; whatever contains one of them has the property."""


def unasked(places: tuple[int, ...]) -> bool:
    raise AssertionError(places)


def minimal(family: list[frozenset[int]]) -> set[tuple[int, ...]]:
    return {tuple(sorted(one)) for one in family if not any(other < one for other in family)}


@given(families, st.randoms(use_true_random=False))
def test_the_sets_are_minimal_and_complete_however_often_a_test_misses(
    family: list[frozenset[int]], random: object
) -> None:
    proofs: list[tuple[int, ...]] = []

    def prove(places: tuple[int, ...]) -> bool:
        proofs.append(places)
        return any(one <= set(places) for one in family)

    def test(places: tuple[int, ...]) -> bool | None:
        seen = any(one <= set(places) for one in family) and random.random() < 0.6  # type: ignore[attr-defined]
        return True if seen else None

    found = smallest_sets(6, test, prove)
    assert set(found.sets) == minimal(family)
    assert found.complete
    assert list(found.sets) == sorted(found.sets, key=lambda one: (len(one), one))
    assert len(set(proofs)) == len(proofs)


@given(families)
def test_sure_answers_need_no_proof(family: list[frozenset[int]]) -> None:
    asked: list[tuple[int, ...]] = []

    def test(places: tuple[int, ...]) -> bool:
        asked.append(places)
        return any(one <= set(places) for one in family)

    found = smallest_sets(6, test, unasked)
    assert set(found.sets) == minimal(family)
    assert len(set(asked)) == len(asked) < 63


def test_what_is_known_is_not_asked_again() -> None:
    known = {(0, 1, 2): True, (0, 1): False, (0, 2): False, (1, 2): False}
    assert smallest_sets(3, unasked, unasked, known=known).sets == ((0, 1, 2),)


def test_an_early_end_is_told() -> None:
    whole = smallest_sets(8, lambda places: len(places) >= 4, unasked)
    assert whole.complete
    assert whole.sets == tuple(combinations(range(8), 4))
    cut = smallest_sets(8, lambda places: len(places) >= 4, unasked, most=20)
    assert not cut.complete
    assert cut.sets
    unproved = smallest_sets(8, lambda places: len(places) >= 4 or None, lambda _: False, most_proofs=3)
    assert not unproved.complete


def test_many_columns_are_searched_from_small_sets_on() -> None:
    found = smallest_sets(WIDEST + 4, lambda places: {2, 7} <= set(places), unasked, most=500)
    assert found.sets == ((2, 7),)
    assert not found.complete


def test_without_columns_there_is_no_set() -> None:
    assert smallest_sets(0, unasked, unasked).sets == ()


@pytest.mark.parametrize("mask", [0b001, 0b110, 0b111])
def test_an_answer_makes_the_same_answer_more_likely_and_surprises_less_each_time(mask: int) -> None:
    for answer, sign in ((True, 1), (False, -1)):
        guess = _Guess(np.array([1.0, 2.0, 0.5]))
        chances = [guess.chances()]
        for _ in range(4):
            guess.learn(mask, answer=answer)
            chances.append(guess.chances())
        moved = sign * np.diff([one[mask] for one in chances])
        assert (moved > 0).all()
        weights = sign * (guess.weights - [1.0, 2.0, 0.5])
        inside = np.array([bool(mask >> column & 1) for column in range(3)])
        assert (weights[inside] > 0).all()
        assert (weights[~inside] == 0).all()
