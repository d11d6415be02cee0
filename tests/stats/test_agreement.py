from __future__ import annotations

from itertools import combinations, permutations
from math import isnan

import numpy as np
import pytest

from reidrisk.stats.agreement import (
    PairedDocument,
    Spans,
    cohen_kappa,
    disorder,
    dissimilarity,
    fleiss_kappa,
    gamma,
)

FLEISS_1971 = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
"""The usual worked example: ten subjects, fourteen raters, five categories."""


def spans(*given: tuple[int, int, int]) -> Spans:
    return Spans.of(given)


def test_kappa_of_many_raters_on_the_worked_example() -> None:
    assert fleiss_kappa(FLEISS_1971) == pytest.approx(0.210, abs=5e-4)


def test_rows_may_be_counted_instead_of_repeated() -> None:
    doubled = fleiss_kappa(FLEISS_1971, [2] * 10)
    assert doubled == pytest.approx(fleiss_kappa(FLEISS_1971 + FLEISS_1971), rel=1e-12)


def test_kappa_is_one_for_agreement_and_undefined_without_choice() -> None:
    assert cohen_kappa({("a", "a"): 3, ("b", "b"): 4}) == 1
    assert cohen_kappa({("a", "b"): 5, ("b", "a"): 5}) == -1
    assert isnan(cohen_kappa({("a", "a"): 7}))
    assert isnan(cohen_kappa({}))
    assert isnan(fleiss_kappa([[3, 0], [3, 0]]))
    assert isnan(fleiss_kappa([], []))


def test_disorder_of_one_pair_is_its_dissimilarity() -> None:
    """Half as long and apart by 5 of 10 + 5 characters; another category costs one more."""
    assert disorder(spans((0, 10, 0)), spans((0, 5, 0))) == pytest.approx((5 / 15) ** 2)
    assert disorder(spans((0, 10, 0)), spans((0, 10, 1))) == 1
    assert disorder(spans((0, 10, 0)), spans()) == 1
    assert disorder(spans((0, 10, 0)), spans((500, 510, 0))) == 2, (
        "aligning would cost more than leaving alone"
    )


def test_the_alignment_is_the_cheapest_one() -> None:
    first, second = spans((0, 4, 0), (5, 9, 0)), spans((5, 9, 0), (0, 4, 0))
    assert disorder(first, second) == 0


def test_gamma_is_one_for_equals_near_zero_for_chance_and_seeded() -> None:
    rng = np.random.default_rng(3)

    def marks() -> Spans:
        starts = np.sort(rng.choice(2000, 20, replace=False))
        return spans(*((int(at), int(at) + 8, int(rng.integers(3))) for at in starts))

    same = [PairedDocument(one, one, 2010) for one in (marks() for _ in range(20))]
    apart = [PairedDocument(marks(), marks(), 2010) for _ in range(60)]
    assert gamma(same, rng=np.random.default_rng(1)) == 1
    assert abs(gamma(apart, rng=np.random.default_rng(1))) < 0.05
    assert gamma(apart, rng=np.random.default_rng(1)) == gamma(apart, rng=np.random.default_rng(1))
    assert isnan(gamma([PairedDocument(spans(), spans(), 5)], rng=np.random.default_rng(1)))


def test_a_mark_that_is_a_little_off_costs_less_than_a_missing_one() -> None:
    text = [(at, at + 10, 0) for at in range(0, 1000, 50)]
    near = [(start, end - 2, kind) for start, end, kind in text]
    few = text[::2]
    scores = [
        gamma([PairedDocument(spans(*text), spans(*other), 1000)], rng=np.random.default_rng(5))
        for other in (text, near, few)
    ]
    assert 1 == scores[0] > scores[1] > scores[2] > 0


def test_kappa_of_two_by_its_definition() -> None:
    """Seen 35 of 50; by chance 25 x 30 / 50 + 25 x 20 / 50 of 50."""
    found = cohen_kappa({("yes", "yes"): 20, ("yes", "no"): 5, ("no", "yes"): 10, ("no", "no"): 15})
    assert found == pytest.approx((35 - 25) / (50 - 25))
    unequal = cohen_kappa({("a", "a"): 2, ("a", "b"): 1, ("b", "c"): 3})
    assert unequal == pytest.approx((2 - (3 * 2 + 3 * 1) / 6) / (6 - (3 * 2 + 3 * 1) / 6))
    assert isnan(cohen_kappa({}))
    assert isnan(fleiss_kappa(np.zeros((0, 2))))
    assert isnan(fleiss_kappa([[2, 0], [2, 0]]))
    assert fleiss_kappa([[1, 1], [1, 1]]) == pytest.approx(-1)


def cheapest(first: Spans, second: Spans) -> float:
    """Every way to pair some spans: a pair costs its dissimilarity, any other span 1."""
    costs, best = dissimilarity(first, second), float(first.size + second.size)
    for size in range(1, min(first.size, second.size) + 1):
        for rows in combinations(range(first.size), size):
            for columns in permutations(range(second.size), size):
                paired = sum(costs[pair] for pair in zip(rows, columns, strict=True))
                best = min(best, paired + first.size + second.size - 2 * size)
    return best


def test_dissimilarity_is_squared_distance_by_length_and_category() -> None:
    found = dissimilarity(spans((0, 10, 1)), spans((0, 4, 2), (2, 10, 1), (30, 40, 1)))
    assert found == pytest.approx(np.array([[(6 / 14) ** 2 + 1, (2 / 18) ** 2, 9.0]]))


def at_random(rng: np.random.Generator, size: int) -> Spans:
    drawn = rng.integers([0, 1, 0], [30, 9, 2], (size, 3))
    return Spans.of((int(at), int(at + length), int(category)) for at, length, category in drawn)


def test_disorder_agrees_with_every_alignment() -> None:
    rng = np.random.default_rng(4)
    for sizes in ((1, 1), (2, 3), (3, 2), (3, 3), (0, 2), (2, 0), (0, 0)):
        for _ in range(4):
            one, two = (at_random(rng, size) for size in sizes)
            assert disorder(one, two) == pytest.approx(cheapest(one, two))


def test_spans_that_only_one_annotator_has_lower_the_agreement() -> None:
    both = PairedDocument(spans((0, 5, 1), (20, 30, 1)), spans((0, 5, 1), (20, 30, 1)), 100)
    alone = PairedDocument(spans((3, 9, 1)), spans(), 100)
    other = PairedDocument(spans(), spans((3, 9, 1)), 100)
    nobody = PairedDocument(spans(), spans(), 100)
    kept = gamma([both] * 4, rng=np.random.default_rng(1))
    assert kept == 1.0
    for one in (alone, other):
        assert gamma([both] * 4 + [one] * 4, rng=np.random.default_rng(1)) < 0.9
        assert gamma([one], rng=np.random.default_rng(1)) < 0.5
    assert gamma([both, nobody], rng=np.random.default_rng(1)) == 1.0
    assert isnan(gamma([nobody], rng=np.random.default_rng(1)))


def test_gamma_compares_the_disorder_with_that_of_every_shift() -> None:
    """One span of one character each, of different categories, in a text of four: distances 0 to 3."""
    document = PairedDocument(spans((0, 1, 1)), spans((0, 1, 2)), 4)
    near = {0: 0.0, 1: 1.0, 2: 2.0, 3: 2.0}  # ((2 d) / 2)^2, at most 2
    apart = [near[abs(a - b)] for a in range(4) for b in range(4)]
    expected = np.mean([np.mean(apart), np.mean([min(2.0, one + 1) for one in apart])])
    found = gamma([document] * 60, rng=np.random.default_rng(2))
    assert found == pytest.approx(1 - 1 / expected, abs=0.05)


def test_shifted_spans_keep_lengths_and_wrap_around() -> None:
    found = spans((1, 4, 7), (6, 9, 8)).shift(5, 10)
    assert (found.start.tolist(), found.end.tolist(), found.category.tolist()) == ([6, 1], [9, 4], [7, 8])
    empty = spans((0, 0, 1)).shift(3, 0)
    assert empty.start.tolist() == [0]
    only = spans((1, 4, 7), (6, 9, 8)).only(8)
    assert (only.start.tolist(), only.end.tolist(), only.size) == ([6], [9], 1)
