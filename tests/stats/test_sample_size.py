from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom

from reidrisk.errors import InvalidSetting
from reidrisk.stats import sample_size
from reidrisk.stats.sample_size import (
    BENCHMARK_UPPER,
    _fewest_by_leaks,
    _roughly_fewest,
    chance_to_pass,
    documents_assured,
    documents_for_chance,
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


def passing(documents: int, upper: float, level: float) -> int:
    """The most leaks that pass, one by one, by the beta distribution."""
    limits = beta.ppf(level, np.arange(documents) + 1, documents - np.arange(documents))
    return int((limits <= upper + 1e-9).sum()) - 1


@pytest.mark.parametrize("share", [0.0, 0.004, 0.03, 0.1])
@pytest.mark.parametrize(("upper", "chance", "level"), [(0.15, 0.9, 0.975), (0.22, 0.5, 0.9)])
def test_documents_for_a_chance_agree_with_trying_every_number(
    share: float, upper: float, chance: float, level: float
) -> None:
    tried = ((n, passing(n, upper, level)) for n in range(1, 1000))
    expected = next(n for n, most in tried if binom.cdf(most, n, share) >= chance)
    assert documents_for_chance(share, upper=upper, chance=chance, level=level) == expected


def test_no_number_of_documents_has_the_chance() -> None:
    for share in (-0.01, 0.15, 0.2, 0.149999):
        assert documents_for_chance(share, upper=0.15) is None
    assert documents_for_chance(0.5, upper=1.0) == 1
    assert documents_for_chance(0.0, upper=1e-7) is None


@pytest.mark.parametrize("upper", [0.01, BENCHMARK_UPPER, 0.4, 0.95])
@pytest.mark.parametrize("level", [0.6, 0.975])
def test_the_fewest_documents_of_many_leaks_are_those_of_each(upper: float, level: float) -> None:
    leaking = np.array([0.0, 1.0, 2.0, 7.0, 40.0])
    found = _fewest_by_leaks(leaking, upper, level)
    for leaks, documents in zip(leaking, found, strict=True):
        assert beta.cdf(upper + 1e-9, leaks + 1, documents - leaks) >= level
        before = documents - 1
        assert before <= leaks or beta.cdf(upper + 1e-9, leaks + 1, before - leaks) < level
        assert documents == fewest_documents(leaks, upper=upper, level=level)
    roughly = _roughly_fewest(leaking, upper, level)
    assert roughly == pytest.approx(found, rel=0.08, abs=1 + 0.3 / upper)


def test_counts_at_the_ends() -> None:
    assert upper_limit(0, 30) == pytest.approx(1 - 0.025 ** (1 / 30))
    assert upper_limit(30, 30) == 1.0
    assert upper_limit(3, 30, level=0.9) == pytest.approx(beta.ppf(0.9, 4, 27))
    assert fewest_documents(0, upper=1e-7) is None
    assert fewest_documents(3, upper=0.99999) == 4
    assert most_leaking(5, upper=1.0) == 5
    assert most_leaking(5, upper=0.01) == -1
    for documents in (1, 7, 60):
        for upper in (0.1, 0.5, 0.9):
            assert most_leaking(documents, upper=upper) == passing(documents, upper, 0.975)
            chance = binom.cdf(passing(documents, upper, 0.975), documents, 0.05)
            assert chance_to_pass(documents, recall=0.95, upper=upper) == pytest.approx(chance)


def by_trying(share: float, upper: float, chance: float, level: float, *, most: int) -> int | None:
    """The fewest documents with the chance: x leaks pass if `upper` gives so few with less than 1 - level."""
    documents = np.arange(1, most)
    passing_leaks = binom.ppf(1 - level, documents, upper + 1e-9) - 1
    enough = (passing_leaks >= 0) & (binom.cdf(passing_leaks, documents, share) >= chance)
    return int(documents[enough.argmax()]) if enough.any() else None


@pytest.mark.parametrize(
    ("share", "upper", "chance", "level"),
    [(0.08, BENCHMARK_UPPER, 0.9, 0.975), (0.28, 0.3, 0.8, 0.975), (0.47, 0.5, 0.5, 0.9)],
)
def test_many_leaks_are_tried_one_after_another(
    share: float, upper: float, chance: float, level: float
) -> None:
    found = documents_for_chance(share, upper=upper, chance=chance, level=level)
    assert found == by_trying(share, upper, chance, level, most=15_000)
    assert found is not None
    assert 5 * np.sqrt(found * share) > 64, "more leaks than the first block has"


@pytest.mark.parametrize(
    ("share", "upper", "chance", "level"),
    [
        (0.19, 0.21, 0.001, 0.8),
        (0.033, 0.0472, 0.1, 0.5),
        (0.2308, 0.5374, 0.02, 0.9999),
        (0.08, 0.09, 0.4, 0.9),
    ],
)
def test_with_a_small_chance_few_documents_may_pass_by_luck(
    share: float, upper: float, chance: float, level: float
) -> None:
    found = documents_for_chance(share, upper=upper, chance=chance, level=level)
    assert found == by_trying(share, upper, chance, level, most=5_000)


@pytest.mark.parametrize("guess", [0, 1_000])
def test_a_bad_first_guess_costs_steps_only(guess: int, monkeypatch: pytest.MonkeyPatch) -> None:
    leaking = np.array([0.0, 1.0, 7.0, 40.0])
    known = _fewest_by_leaks(leaking, 0.1, 0.975)
    monkeypatch.setattr(sample_size, "_roughly_fewest", lambda leaks, *_: np.full(leaks.size, float(guess)))
    assert _fewest_by_leaks(leaking, 0.1, 0.975).tolist() == known.tolist()
