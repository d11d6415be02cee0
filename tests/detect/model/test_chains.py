from __future__ import annotations

from itertools import pairwise, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.detect.model.scoring import marginals
from reidrisk.stats.arrays import Floats


def by_enumeration(scores: Floats, transitions: Floats) -> Floats:
    """The sum over all sequences of labels, as the definition has it."""
    total = np.zeros_like(scores)
    for labels in product(range(scores.shape[1]), repeat=scores.shape[0]):
        score = sum(scores[place, label] for place, label in enumerate(labels))
        score += sum(transitions[a, b] for a, b in pairwise(labels))
        for place, label in enumerate(labels):
            total[place, label] += np.exp(score)
    return np.asarray(total / total.sum(axis=1, keepdims=True))


@given(st.lists(st.integers(1, 5), min_size=1, max_size=6), st.integers(0, 1000))
def test_marginals_are_those_of_the_definition(lengths: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores, transitions = rng.normal(0, 3, (sum(lengths), 3)), rng.normal(0, 2, (3, 3))
    chain = np.repeat(np.arange(len(lengths)), lengths)
    found = marginals(scores, transitions, chain)
    at = 0
    for length in lengths:
        expected = by_enumeration(scores[at : at + length], transitions)
        np.testing.assert_allclose(found[at : at + length], expected, atol=1e-9)
        at += length


def test_large_scores_do_not_overflow() -> None:
    scores = np.array([[800.0, -800.0], [-800.0, 800.0]])
    found = marginals(scores, np.zeros((2, 2)), np.zeros(2, dtype=np.int64))
    np.testing.assert_allclose(found, [[1, 0], [0, 1]], atol=1e-12)


def test_no_token_no_marginal() -> None:
    assert marginals(np.zeros((0, 3)), np.zeros((3, 3)), np.zeros(0, dtype=np.int64)).shape == (0, 3)
