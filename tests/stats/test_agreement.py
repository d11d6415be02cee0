from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from reidrisk.stats.agreement import PairedDocument, Spans, cohen_kappa, disorder, fleiss_kappa, gamma

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
