"""Columns of regression models, by hand and against plain linear algebra."""

from __future__ import annotations

import numpy as np
import pytest

from reidrisk.stats.usefulness.design import (
    FOLLOWS,
    Scale,
    apart,
    category_block,
    independent,
    interaction,
    join_blocks,
    number_block,
    products,
)


def test_weighted_products_of_all_columns() -> None:
    rng = np.random.default_rng(1)
    design, weights = rng.integers(0, 3, (7, 4)).astype(float), rng.integers(1, 5, 7).astype(float)
    assert products(design, weights) == pytest.approx(design.T @ np.diag(weights) @ design)


def test_numbers_are_standardised_and_gaps_are_the_mean() -> None:
    numbers, weights = np.array([1.0, np.nan, 5.0]), np.array([3.0, 9.0, 1.0])
    scale = Scale.of(numbers, weights)
    assert (scale.mean, scale.spread) == pytest.approx((2.0, np.sqrt((3 * 1 + 9) / 4)))
    assert scale.apply(numbers) == pytest.approx([-1 / np.sqrt(3), 0.0, 3 / np.sqrt(3)])
    assert Scale.of(np.array([4.0, 4.0]), np.ones(2)) == Scale(4.0, 1.0)
    assert Scale.of(np.array([np.nan]), np.ones(1)) == Scale(0.0, 1.0)


def test_blocks_of_columns_and_their_products() -> None:
    age = number_block("age", np.array([1.0, np.nan, 5.0]), Scale(2.0, 3.0), has_gaps=True)
    assert (age.names, age.units, age.width) == (("age", "age is missing"), (3.0, 1.0), 2)
    assert age.columns == pytest.approx(np.array([[-1 / 3, 0], [0, 1], [1, 0]]))
    whole = number_block("age", np.array([1.0, 5.0, 2.0]), Scale(2.0, 3.0), has_gaps=False)
    assert (whole.names, whole.units) == (("age",), (3.0,))
    sex = category_block("sex", np.array([0, 2, 1]), ["f", "m", "x"], base=1)
    assert (sex.names, sex.units) == (("sex = f", "sex = x"), (1.0, 1.0))
    assert sex.columns.tolist() == [[1, 0], [0, 1], [0, 0]]
    both = interaction(age, sex)
    assert both.names[0] == "age * sex = f"
    assert both.units == (3.0, 3.0, 1.0, 1.0)
    assert both.columns == pytest.approx(np.array([[-1 / 3, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]]))
    nothing = category_block("ward", np.array([0, 0, 0]), ["a"], base=0)
    assert interaction(age, nothing).columns.shape == (3, 0)
    every = join_blocks([age, sex], 3)
    assert every.names == ("(intercept)", *age.names, *sex.names)
    assert every.units == (1.0, 3.0, 1.0, 1.0, 1.0)
    assert every.columns[:, 0].tolist() == [1, 1, 1]
    assert every.columns[:, 3:].tolist() == sex.columns.tolist()
    assert join_blocks([], 2).columns.tolist() == [[1], [1]]


def test_records_without_the_most_frequent_value() -> None:
    assert apart(np.array([2.0, 2.0, 5.0, 7.0]), np.array([1.0, 2.0, 2.5, 1.0])) == 3.5
    assert apart(np.array([2.0]), np.array([3.0])) == 0.0
    assert apart(np.array([]), np.array([])) == 0.0


@pytest.mark.parametrize("seed", range(6))
def test_a_column_is_kept_if_it_adds_to_the_rank(seed: int) -> None:
    rng = np.random.default_rng(seed)
    design = rng.integers(-1, 2, (9, 5)).astype(float)
    design[:, 3] = design[:, 0] + 2 * design[:, 1]
    design[:, 4] *= seed % 2
    weights = rng.integers(1, 4, 9).astype(float)
    rank = [np.linalg.matrix_rank(design[:, : width + 1]) for width in range(5)]
    expected = np.diff(rank, prepend=0) == 1
    assert independent(design, weights).tolist() == expected.tolist()


def test_a_column_with_hardly_anything_of_its_own_depends_on_the_others() -> None:
    base = np.array([1.0, 1.0, 1.0, 1.0])
    for own, kept in ((3 * np.sqrt(FOLLOWS), True), (0.3 * np.sqrt(FOLLOWS), False)):
        nearly = base + own * np.array([1.0, -1.0, 1.0, -1.0])
        assert independent(np.column_stack([base, nearly]), np.ones(4)).tolist() == [True, kept]
