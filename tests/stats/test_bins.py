"""People in bins: the paper's examples, exact rational arithmetic, and properties."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting
from reidrisk.stats.distinctness import (
    bins_of_size,
    distinct_people,
    distinct_people_uneven,
    occupied_bins,
    occupied_bins_uneven,
)


def exact_bins(size: int, people: int, bins: int) -> Fraction:
    p = Fraction(1, bins)
    return bins * comb(people, size) * p**size * (1 - p) ** (people - size)


def exact_distinct(size: int, people: int, bins: int) -> Fraction:
    return sum((i * exact_bins(i, people, bins) for i in range(1, min(size, people) + 1)), Fraction(0))


def test_the_papers_examples() -> None:
    """Topics benitez.eq1, eq2, eq4 of the reference values; 116 of 200 and 199.95 are printed."""
    assert bins_of_size(1, 200, 365) == pytest.approx(115.8578099973399, rel=1e-9)
    assert distinct_people(5, 200, 365) == pytest.approx(199.95087148835003, rel=1e-9)
    assert 3 / 200 * occupied_bins(200, 365) == pytest.approx(2.3120817870726196, rel=1e-9)
    assert round(3 / 200 * float(distinct_people(5, 200, 365)), 3) == 2.999


@given(people=st.integers(1, 60), bins=st.integers(1, 40), size=st.integers(1, 70))
def test_equal_to_rational_arithmetic(people: int, bins: int, size: int) -> None:
    assert bins_of_size(size, people, bins) == pytest.approx(
        float(exact_bins(size, people, bins)) if size <= people else 0.0, rel=1e-11
    )
    assert distinct_people(size, people, bins) == pytest.approx(
        float(exact_distinct(size, people, bins)), rel=1e-12
    )
    occupied = bins * (1 - Fraction(bins - 1, bins) ** people)
    assert occupied_bins(people, bins) == pytest.approx(float(occupied), rel=1e-12)


@pytest.mark.parametrize(
    ("people", "bins", "size"),
    [
        (10_000_000, 365, 19_999),
        (10_000_000, 1_825, 5_000),
        (10_000_000, 36_500, 100),
        (1_000_000, 365, 2_500),
        (10_000_000, 600, 16_000),
        (40_742, 365, 50),
        (9_999_999, 500, 20_000),
    ],
)
def test_nine_digits_and_no_overflow_for_ten_million(people: int, bins: int, size: int) -> None:
    """Against a sum of terms with fifty digits and an exponent without limits."""
    with localcontext() as context:
        context.prec, context.Emin, context.Emax = 50, -(10**9), 10**9
        p, others = Decimal(1) / bins, people - 1
        term = (others * (1 - p).ln()).exp()
        total, odds = term, p / (1 - p)
        for i in range(1, size):
            term = term * (others - i + 1) / i * odds
            total += term
        exact = people * total
    found = float(distinct_people(size, people, bins))
    if exact < Decimal("1e-300"):
        assert found < 1e-299
    else:
        assert abs(Decimal(found) - exact) <= exact * Decimal("1e-9")


@pytest.mark.parametrize(
    ("people", "bins", "size"),
    [(6_477_317, 366, 17_697), (10_000_000, 365, 27_397), (10_000_000, 500, 20_000), (9_999_999, 12, 20_000)],
)
def test_nine_digits_of_the_number_of_bins(people: int, bins: int, size: int) -> None:
    """Equation 1 by Stirling's series with fifty digits."""
    with localcontext() as context:
        context.prec, context.Emin, context.Emax = 50, -(10**9), 10**9
        p = Decimal(1) / bins
        ways = log_factorial(people) - log_factorial(size) - log_factorial(people - size)
        exact = (ways + size * p.ln() + (people - size) * (1 - p).ln()).exp() * bins
    found = Decimal(float(bins_of_size(size, people, bins)))
    assert abs(found - exact) <= max(exact * Decimal("1e-9"), Decimal("1e-300"))


def log_factorial(number: int) -> Decimal:
    n, pi = Decimal(number), Decimal("3.14159265358979323846264338327950288419716939937510582")
    series = 1 / (12 * n) - 1 / (360 * n**3) + 1 / (1260 * n**5) - 1 / (1680 * n**7)
    return n * n.ln() - n + (2 * pi * n).ln() / 2 + series


@given(people=st.integers(0, 10**7), bins=st.integers(1, 10**5), size=st.integers(1, 20_000))
def test_bounds(people: int, bins: int, size: int) -> None:
    distinct = float(distinct_people(size, people, bins))
    assert 0 <= distinct <= people
    assert distinct <= float(distinct_people(size + 1, people, bins)) * (1 + 1e-12)
    occupied = float(occupied_bins(people, bins))
    assert 0 <= occupied <= min(people, bins) * (1 + 1e-12)


@given(people=st.integers(1, 500), bins=st.integers(1, 50), size=st.integers(1, 20))
def test_even_bins_are_a_case_of_uneven_ones(people: int, bins: int, size: int) -> None:
    even = np.full(bins, 1 / bins)
    assert distinct_people_uneven(size, people, even) == pytest.approx(
        float(distinct_people(size, people, bins))
    )
    assert occupied_bins_uneven(people, even) == pytest.approx(float(occupied_bins(people, bins)))


@given(st.lists(st.integers(1, 20), min_size=2, max_size=12), st.integers(2, 200))
def test_uneven_bins_are_less_occupied(weights: list[int], people: int) -> None:
    chances = np.array(weights) / sum(weights)
    assert occupied_bins_uneven(people, chances) <= occupied_bins(people, len(weights)) * (1 + 1e-12)


def test_refusals() -> None:
    with pytest.raises(InvalidSetting):
        distinct_people(1, -1, 365)
    with pytest.raises(InvalidSetting):
        occupied_bins(3, 0.5)
    with pytest.raises(InvalidSetting):
        distinct_people_uneven(1, 5, [0.5, 0.4])
