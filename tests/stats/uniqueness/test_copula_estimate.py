"""The calibrated copula: second ways to compute, properties, and edge cases."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.stats import multivariate_normal, nbinom

from reidrisk.stats.arrays import Floats
from reidrisk.stats.uniqueness.calibration import (
    MOST_SPREAD,
    ClassRows,
    Mixture,
    OthersLikelihood,
    inverse_variances,
    mean_inverses,
    small_chances,
    unique_chances,
)
from reidrisk.stats.uniqueness.copula import (
    ClassChances,
    class_chances,
    normal_quantile,
    positive,
    rectangles,
)
from reidrisk.stats.uniqueness.copula_estimate import (
    CalibratedModel,
    CopulaFit,
    _steps,
    _wider,
    fit_chances,
    fit_copula,
)
from reidrisk.stats.uniqueness.drawn_classes import DrawnClasses
from reidrisk.stats.uniqueness.margins import margin_shares, order_categories, singleton_ratio
from reidrisk.stats.uniqueness.model_limits import (
    LARGEST_CHANCE,
    accepts_maximum,
    limit_smallest,
    poisson_quantile,
    small_class_chance,
)
from reidrisk.stats.uniqueness.record_risk import NegativeBinomialClasses, Sampled


def people(rows: int, seed: int = 3) -> Any:
    """Age, and two columns that depend on it."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(size=(rows, 3))
    latent[:, 1:] = 0.6 * latent[:, :1] + 0.8 * latent[:, 1:]
    edges = (np.linspace(-2, 2, 30), np.array([0.3]), np.array([-1.0, 0.2, 1.4, 2.2]))
    return np.stack(
        [np.searchsorted(edge, column) for edge, column in zip(edges, latent.T, strict=True)], axis=1
    )


def fit(rows: Any, population: int, ordinal: tuple[bool, ...] = (True, False, False)) -> CopulaFit:
    dense = np.stack([np.unique(column, return_inverse=True)[1] for column in rows.T], axis=1)
    codes, number = np.unique(dense, axis=0, return_counts=True)
    return fit_copula(codes, number, population, ordinal=ordinal)


@pytest.mark.parametrize("cap", [5, None])
def test_the_gradient_of_the_likelihood(cap: int | None) -> None:
    rows = ClassRows(np.array([-1.0, 0.0, 0.4, 3.0]), np.array([1, 2, 9, 30]), np.array([5, 4, 2, 1]), -3.0)
    likelihood = OthersLikelihood(rows, cap)
    point = np.array([-3.2, 0.9, 0.3, 0.8, 1.1, -0.4])
    numeric = approx_fprime(point, lambda at: likelihood.loss(at)[0], 1e-7)
    assert likelihood.loss(point)[1] == pytest.approx(numeric, rel=1e-4, abs=1e-4)


def test_probabilities_of_all_numbers_of_others_add_up() -> None:
    sizes = np.arange(1, 4000)
    rows = ClassRows(np.zeros(len(sizes)), sizes, np.ones(len(sizes), dtype=int), -3.0)
    point = np.array([-13.0, 1.0, 0.4, 0.9, 1.0, 0.3])
    every = np.exp(OthersLikelihood(rows).by_row(Mixture(point))[0])
    capped = np.exp(OthersLikelihood(rows, 5).by_row(Mixture(point))[0])
    assert every.sum() == pytest.approx(1, rel=1e-6)
    assert capped[5:] == pytest.approx(every[5:].sum(), rel=1e-6)


@pytest.mark.parametrize("size", [1, 4, 19, 20, 60, 900])
@pytest.mark.parametrize("success", [0.999, 0.4, 0.02])
def test_the_mean_inverse_is_the_sum_over_all_sizes(size: int, success: float) -> None:
    shape = size + 0.6
    model = NegativeBinomialClasses(np.array([size]), np.array([shape]), np.array([success]))
    others = np.arange(400_000)
    chance = nbinom.pmf(others, shape, success)
    assert model.inverse()[0] == pytest.approx((chance / (size + others)).sum(), rel=1e-5)
    assert model.inverse_square()[0] == pytest.approx((chance / (size + others) ** 2.0).sum(), rel=0.01)
    below = chance[size + others < 25].sum()
    assert model.below(25)[0] == pytest.approx(below, rel=1e-9, abs=1e-12)


def test_rectangles_agree_with_another_program() -> None:
    rng = np.random.default_rng(1)
    correlation = positive(np.asarray(np.corrcoef(rng.normal(size=(6, 4)), rowvar=False)))
    lower = rng.normal(size=(12, 4)) - 0.8
    upper = lower + 1.2
    theirs = [
        multivariate_normal.cdf(high, cov=correlation, lower_limit=low, rng=np.random.default_rng(2))
        for low, high in zip(lower, upper, strict=True)
    ]
    assert rectangles(lower, upper, correlation) == pytest.approx(theirs, rel=0.05, abs=1e-5)


def test_rows_that_share_limits_are_as_if_alone() -> None:
    lower = np.array([[-1.0, -1.0, 0.0], [-1.0, -1.0, 0.5], [-1.0, 0.2, 0.0]])
    matrix = np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.4], [0.2, 0.4, 1.0]])
    alone = [rectangles(row[None], row[None] + 1, matrix)[0] for row in lower]
    assert rectangles(lower, lower + 1, matrix).tolist() == alone


@given(st.floats(1e-290, 1 - 1e-15))
def test_the_normal_quantile(share: float) -> None:
    from scipy.special import ndtri

    assert normal_quantile(share) == pytest.approx(float(ndtri(share)), rel=1e-11, abs=1e-13)


@given(st.lists(st.integers(1, 60), min_size=1, max_size=12))
def test_shares_and_the_unseen_rest_are_one(counts: list[int]) -> None:
    found = margin_shares(np.array(counts))
    assert found.seen.sum() + found.unseen == pytest.approx(1)
    assert np.all(found.seen > 0)
    assert np.all(np.diff(found.bounds) >= 0)


def test_a_nominal_column_is_ordered_by_the_others() -> None:
    age = np.repeat(np.arange(40), 10)
    shuffled = np.array([2, 0, 3, 1])[age // 10]
    codes, number = np.unique(np.stack([age, shuffled], axis=1), axis=0, return_counts=True)
    _, order = order_categories(codes, number, ordinal=(True, False))
    assert order.tolist() in ([2, 0, 3, 1], [1, 3, 0, 2])


def test_one_column_and_constant_columns() -> None:
    column = np.array([[0, 0], [0, 1], [0, 2]])
    number = np.array([5, 3, 2])
    found = class_chances(column, number, ordinal=(False, False))
    assert found.by_copula == pytest.approx([0.5, 0.3, 0.2])
    nothing = class_chances(np.array([[0, 0]]), np.array([7]), ordinal=(False, False))
    assert nothing.by_copula.tolist() == [1.0]


def test_the_chance_never_falls_with_the_cell_size() -> None:
    found = fit(people(400), 8_000)
    chances = [found.chance_below(size) for size in range(1, 40)]
    assert chances[0] == 0
    assert chances == sorted(chances)
    limit = limit_smallest(found.chance_below, most=8_000)
    for size in range(2, 40):
        accepted = accepts_maximum(found.chance_below(size), smallest=1, cell_size=size)
        assert accepted == (1 / limit <= 1 / size) == (found.chance_below(size) <= LARGEST_CHANCE)


def test_a_fit_is_the_same_after_a_rest_and_for_columns_in_another_order() -> None:
    rows = people(300)
    found = fit(rows, 6_000)
    assert CopulaFit.from_dict(json.loads(json.dumps(found.to_dict()))) == found
    turned = fit(rows[:, ::-1], 6_000, (False, False, True))
    assert turned.main.unique == pytest.approx(found.main.unique, rel=0.05)


def test_everybody_sampled_is_exact() -> None:
    rows = people(300)
    found = fit(rows, 300)
    _, sizes = np.unique(rows, axis=0, return_counts=True)
    assert found.unique == pytest.approx((sizes == 1).sum())
    assert found.main.average == pytest.approx(len(sizes) / 300)
    assert found.small_classes(5).classes[1] == pytest.approx((sizes < 5).sum())


def test_records_by_their_chance_of_being_unique() -> None:
    found = fit(people(400), 8_000)
    histogram = found.unique_histogram()
    assert sum(number for *_, number in histogram) == 400
    assert [low for low, _, _ in histogram[1:]] == [high for _, high, _ in histogram[:-1]]


@given(st.floats(0.001, 0.999), st.floats(0, 3000))
def test_poisson_quantiles(share: float, mean: float) -> None:
    from scipy.stats import poisson

    assert poisson_quantile(share, mean) == int(poisson.ppf(share, mean)) if mean else True


def test_many_values_of_one_record_and_none_of_two_are_taken_as_rarer() -> None:
    common, rare = np.repeat(np.arange(4), 100), np.arange(4, 20)
    counts = np.bincount(np.concatenate([common, rare]))
    ratio = singleton_ratio(counts, margin_shares(counts))
    assert ratio == pytest.approx(2 / 17 / 416 / margin_shares(counts).seen[-1])
    assert singleton_ratio(np.array([100, 100, 1]), margin_shares(np.array([100, 100, 1]))) == 1
    assert singleton_ratio(np.array([5, 7]), margin_shares(np.array([5, 7]))) == 1
    rows = np.concatenate([common, rare])[:, None]
    found = fit(np.hstack([rows, rows % 2]), 41_600, (False, False))
    assert [model.name for model in found.models] == ["c5", "c10", "c_all", "i10", "r10"]
    small = found.small_classes(5).classes
    assert small[-1] > small[1]
    assert found.chance_below(5) > 0.05


def test_the_fifth_fit_is_left_out_where_it_would_be_the_same() -> None:
    rng = np.random.default_rng(1)
    found = fit(rng.integers(0, 3, (300, 3)), 6_000)
    assert [model.name for model in found.models] == ["c5", "c10", "c_all", "i10"]


CHANCE = np.array([0.1, 0.05, 0.02, 0.01, 0.008, 0.004, 0.003, 0.001, 0.0005, 0.0002])
NUMBER = np.array([12, 6, 3, 2, 2, 1, 1, 1, 1, 1])


def chances(*, cautious: float = 1.0) -> ClassChances:
    """Ten classes; by independent columns the rare ones are rarer still."""
    return ClassChances(CHANCE, CHANCE**1.2, CHANCE * cautious, (), np.eye(2))


@pytest.fixture(scope="module")
def small() -> CopulaFit:
    return fit_chances(chances(), NUMBER, 300)


def test_a_fit_of_ten_classes(small: CopulaFit) -> None:
    assert (small.records, small.population, small.examined) == (30, 300, 10)
    assert small.is_estimated
    assert small.sample == Sampled(30, 300)
    assert [(one.name, one.chances) for one in small.models] == [
        ("c5", "copula"),
        ("c10", "copula"),
        ("c_all", "copula"),
        ("i10", "independent"),
    ]
    assert small.main.name == "c10"
    alone = CHANCE[NUMBER == 1]
    assert small.plug_in == pytest.approx(np.exp(-270 * alone).sum())
    assert small.unique == pytest.approx(np.sqrt(small.main.unique * small.plug_in))
    logs = np.log(CHANCE)
    assert small.centres[:2] == pytest.approx([NUMBER @ logs / 30, 1.2 * (NUMBER @ logs) / 30])
    rows = small.class_rows("copula")
    assert rows.records == 30
    assert rows.centre == small.centres[0]
    assert sorted(zip(rows.size.tolist(), np.round(rows.log_chance, 1), strict=True)) == sorted(
        zip(NUMBER.tolist(), np.round(logs - small.centres[0], 1), strict=True)
    )


def test_the_figures_of_a_model_are_sums_over_its_classes(small: CopulaFit) -> None:
    for model in small.models:
        rows, sample = small.class_rows(model.chances), small.sample
        unique = float(rows.number @ unique_chances(model.mixture, rows, sample))
        inverse = rows.number * rows.size @ mean_inverses(model.mixture, rows, sample)
        assert model.unique == pytest.approx(unique)
        assert model.average == pytest.approx(inverse / 30)

        def totals(mixture: Mixture, rows: ClassRows = rows, sample: Sampled = sample) -> Floats:
            every = unique_chances(mixture, rows, sample), mean_inverses(mixture, rows, sample)
            return np.array([rows.number @ every[0], rows.number * rows.size @ every[1]])

        spreads = model.calibration.log_spreads(totals)
        assert model.unique_spread == pytest.approx(spreads[0], rel=1e-6)
        classes = rows.number * rows.size**2 @ inverse_variances(model.mixture, rows, sample)
        expected = np.sqrt(spreads[1] ** 2 + classes / inverse**2)
        assert model.average_spread == pytest.approx(min(expected, MOST_SPREAD), rel=1e-6)


@pytest.mark.parametrize("cell_size", [2, 3, 7])
def test_small_classes_are_those_of_the_sample_that_may_be_small(small: CopulaFit, cell_size: int) -> None:
    found = small.small_classes(cell_size)
    assert found.cell_size == cell_size
    for at, model in enumerate(small.models):
        rows = small.class_rows(model.chances)
        below = small_chances(model.mixture, rows, small.sample, cell_size=cell_size)
        assert np.all(below[rows.size >= cell_size] == 0)
        assert found.classes[at] == pytest.approx(rows.number @ below)
        assert found.records[at] == pytest.approx(rows.number * rows.size @ below)
        assert 0 < found.class_spreads[at] <= MOST_SPREAD
        if cell_size == 2:  # classes of one record: as many records as classes
            assert found.record_spreads[at] == pytest.approx(found.class_spreads[at])
            assert found.classes[at] == pytest.approx(model.unique)


def test_the_chance_of_a_small_class_is_the_highest_of_all_smaller_sizes(small: CopulaFit) -> None:
    assert small.chance_below(0) == small.chance_below(1) == 0.0
    own = {}
    for size in range(2, 9):
        found = small.small_classes(size)
        own[size] = small_class_chance(found.classes, found.class_spreads)
        assert small.chance_below(size) == pytest.approx(max(own.values()))


def test_sizes_that_are_compared() -> None:
    assert [*_steps(1), *_steps(2)] == []
    assert list(_steps(5)) == [2, 3, 4]
    assert list(_steps(11)) == [2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert list(_steps(20)) == [*range(2, 11), 12, 15, 18]
    assert list(_steps(18)) == [*range(2, 11), 12, 15]


def test_a_spread_with_that_of_the_draw() -> None:
    assert _wider(0.3, 0.0, 2.0) == 0.3
    assert _wider(0.3, 0.64, 2.0) == pytest.approx(0.5)
    assert _wider(0.3, 10.0**6, 2.0) == MOST_SPREAD
    assert _wider(0.3, 0.64, 0.0) == MOST_SPREAD


def test_records_are_counted_by_their_chance_of_being_unique(small: CopulaFit) -> None:
    rows = small.class_rows("copula")
    chance = unique_chances(small.main.mixture, rows, small.sample)
    found = small.unique_histogram()
    assert (found[0][0], found[-1][1], len(found)) == (0.0, 1.0, 8)
    for low, high, number in found:
        inside = (chance >= low) & ((chance < high) | (high == 1))
        assert number == rows.size[inside].sum()


def test_the_risk_of_single_records(small: CopulaFit) -> None:
    unique, inverse = small.class_risks(chances(), NUMBER)
    rows = small.class_rows("copula")
    theirs = unique_chances(small.main.mixture, rows, small.sample)
    by_class = dict(zip(zip(np.round(rows.log_chance, 1), rows.size, strict=True), theirs, strict=True))
    logs = np.round(np.log(CHANCE) - small.centres[0], 1)
    for at, key in enumerate(zip(logs, NUMBER, strict=True)):
        assert unique[at] == pytest.approx(by_class[key], rel=1e-6)
    assert np.all(unique[NUMBER > 1] == 0)
    assert np.all((inverse <= 1 / NUMBER) & (inverse > 0))
    assert inverse @ NUMBER / 30 == pytest.approx(small.main.average, rel=1e-6)


def test_cautious_chances_make_a_fifth_model_and_a_failed_fit_leaves_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = fit_chances(chances(cautious=0.5), NUMBER, 300)
    assert [one.name for one in found.models] == ["c5", "c10", "c_all", "i10", "r10"]
    assert (len(found.rows), len(found.centres)) == (3, 3)
    assert found.centres[2] == pytest.approx(found.centres[0] + np.log(0.5))
    assert found.models[4].chances == "cautious"
    monkeypatch.setattr("reidrisk.stats.uniqueness.copula_estimate.calibrate", lambda *_, **__: None)
    nothing = fit_chances(chances(), NUMBER, 300)
    assert nothing.models == ()
    assert not nothing.is_estimated


def test_classes_that_were_drawn_stand_for_all() -> None:
    drawn = DrawnClasses(((1, 5, 20),))
    found = fit_chances(chances(), NUMBER, 400, drawn)
    assert (found.records, found.examined) == (30 + 15, 10)
    assert found.class_rows("copula").records == 45
    alone = CHANCE[NUMBER == 1]
    assert found.plug_in == pytest.approx(4 * np.exp(-355 * alone).sum())
    again = CopulaFit.from_dict(json.loads(json.dumps(found.to_dict())))
    assert again == found
    assert again.drawn == drawn
    rows = found.class_rows("copula")
    below = small_chances(found.main.mixture, rows, found.sample, cell_size=3)
    small = found.small_classes(3)
    assert small.classes[1] == pytest.approx(rows.number @ below + drawn.missed(3))
    assert small.records[1] == pytest.approx(rows.number * rows.size @ below)
    without = found.small_classes(3).class_spreads[1]
    assert rows.weight is not None
    assert without**2 > (rows.number * (rows.weight - 1)) @ below**2 / (rows.number @ below) ** 2
    model = found.main
    assert model.unique == pytest.approx(rows.number @ unique_chances(model.mixture, rows, found.sample))


def test_a_fit_without_rest_is_read_again(small: CopulaFit) -> None:
    again = CopulaFit.from_dict(json.loads(json.dumps(small.to_dict())))
    assert again == small
    assert isinstance(again.models[0], CalibratedModel)
    assert isinstance(again.models[0].variance[0], tuple)


def test_a_fit_of_few_tuples_is_that_of_their_chances() -> None:
    codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]])
    number = np.array([9, 1, 4, 2, 1, 1])
    found = fit_copula(codes, number, 100, ordinal=(True, False))
    expected = fit_chances(class_chances(codes, number, ordinal=(True, False)), number, 100)
    assert found.drawn is None
    assert found == expected


def test_columns_that_tell_the_same_leave_every_model_at_the_risk_of_one() -> None:
    """Sixty crowded places, told by four columns: of 200,000 people, the average risk is 60 of them."""
    place = np.minimum((np.random.default_rng(0).pareto(1.0, 10_000) * 3).astype(int), 59)
    _, number = np.unique(place, return_counts=True)
    codes = np.repeat(np.arange(60)[:, None], 4, axis=1)
    found = fit_copula(codes, number, 200_000, ordinal=(True,) * 4)
    for one in found.models:
        assert one.average == pytest.approx(60 / 200_000, rel=0.2), one.name
