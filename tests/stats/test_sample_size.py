from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting
from reidrisk.stats.sample_size import (
    BENCHMARK_UPPER,
    chance_to_pass,
    documents_assured,
    documents_needed,
    fewest_documents,
    most_leaking,
    upper_limit,
)

JEFFREYS = 0.08485942283856673
"""The benchmark's upper limit by Jeffreys, which decided before."""


def test_the_benchmark_is_its_own_limit() -> None:
    assert upper_limit(11, 220) == pytest.approx(BENCHMARK_UPPER, rel=1e-9)
    assert upper_limit(11, 220, model="jeffreys") == pytest.approx(JEFFREYS, rel=1e-12)


@pytest.mark.parametrize(
    ("documents", "leaking"),
    [(30, 0), (50, 0), (80, 2), (100, 3), (120, 4), (150, 6), (220, 11), (500, 30), (1000, 67)],
)
def test_the_largest_number_of_leaking_documents_that_passes(documents: int, leaking: int) -> None:
    """The specification's table of 4.2 for Jeffreys."""
    assert most_leaking(documents, upper=JEFFREYS, model="jeffreys") == leaking


def test_the_smallest_corpus_without_a_leak_that_passes() -> None:
    """29 by Jeffreys; by Clopper and Pearson 41 against their own benchmark, 0.0877."""
    assert fewest_documents(0, upper=JEFFREYS, model="jeffreys") == 29
    own = upper_limit(11, 220, model="clopper_pearson")
    assert fewest_documents(0, upper=own, model="clopper_pearson") == 41


@given(st.floats(0.9, 1.0), st.floats(0.02, 0.3))
def test_needed_documents_are_just_enough(recall: float, upper: float) -> None:
    found = documents_needed(recall=recall, upper=upper)
    if found is None:
        assert upper_limit((1 - recall) * 10**6, 10**6) > upper - 1e-3
        return
    assert upper_limit((1 - recall) * found, found) <= upper + 1e-9
    assert found == 1 or upper_limit((1 - recall) * (found - 1), found - 1) > upper


@pytest.mark.parametrize(("recall", "upper"), [(0.97, 0.08), (0.99, BENCHMARK_UPPER), (1.0, 0.05)])
def test_from_the_assured_number_on_the_chance_is_as_promised(recall: float, upper: float) -> None:
    found = documents_assured(recall=recall, upper=upper, assurance=0.8)
    assert found is not None
    chances = [chance_to_pass(n, recall=recall, upper=upper) for n in range(found, found + 120)]
    assert min(chances) >= 0.8
    below = [chance_to_pass(n, recall=recall, upper=upper) for n in range(max(1, found - 25), found)]
    assert min(below) < 0.8


def test_more_assurance_or_a_tighter_limit_takes_more_documents() -> None:
    base = documents_assured(recall=0.97, upper=0.08)
    surer = documents_assured(recall=0.97, upper=0.08, assurance=0.95)
    tighter = documents_assured(recall=0.97, upper=0.06)
    assert base is not None
    assert surer is not None
    assert tighter is not None
    assert base < min(surer, tighter)


def test_no_number_suffices_where_the_expected_share_is_above_the_limit() -> None:
    assert documents_needed(recall=0.9, upper=0.1) is None
    assert documents_assured(recall=0.9, upper=0.08) is None


@pytest.mark.parametrize("recall", [0.0, 1.2])
def test_nonsense_is_refused(recall: float) -> None:
    with pytest.raises(InvalidSetting, match="probabilities"):
        documents_needed(recall=recall, upper=0.1)
