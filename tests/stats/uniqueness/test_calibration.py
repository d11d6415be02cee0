"""The calibration of chances of classes: every part computed a second way."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.stats import nbinom

from reidrisk.stats.arrays import Floats
from reidrisk.stats.uniqueness import calibration
from reidrisk.stats.uniqueness.calibration import (
    LOWER,
    MEANS,
    MOST_SPREAD,
    SPREADS,
    UPPER,
    Calibration,
    ClassRows,
    Mixture,
    OthersLikelihood,
    calibrate,
    inverse_variances,
    mixture_risk,
)
from reidrisk.stats.uniqueness.drawn_classes import DrawnClasses
from reidrisk.stats.uniqueness.record_risk import Sampled

POINT = np.array([-3.2, 0.9, 0.3, 0.8, 1.1, -0.4])
ROWS = ClassRows(np.array([-1.0, 0.0, 0.4, 2.0]), np.array([1, 2, 5, 12]), np.array([6, 4, 2, 1]), -3.0)


def component(log_chance: float, place: int, point: Floats = POINT) -> tuple[float, float, float]:
    """Mean chance, shape and weight of a component, by their definition."""
    log_mean = point[0] + point[1] * log_chance - (point[4] if place else 0.0)
    weight = 1 / (1 + math.exp(-point[5]))
    return min(math.exp(log_mean), 1.0), math.exp(point[2 + place]), (1 - weight) if place else weight


def chance_of_others(others: int, mean: float, shape: float, cap: int | None = None) -> float:
    found = nbinom(shape, shape / (shape + mean))
    return float(found.sf(cap - 1) if cap is not None and others >= cap else found.pmf(others))


@pytest.mark.parametrize("cap", [None, 4, 5, 11, 12])
def test_the_likelihood_is_a_mixture_of_two_negative_binomial_numbers(cap: int | None) -> None:
    likelihood = OthersLikelihood(ROWS, cap)
    logs, slope = likelihood.by_row(Mixture(POINT))
    others = ROWS.records - 1
    assert others == 6 + 8 + 10 + 12 - 1
    for row, (log_chance, size) in enumerate(zip(ROWS.log_chance, ROWS.size, strict=True)):
        parts = [component(log_chance, place) for place in (0, 1)]
        chance = [chance_of_others(int(size) - 1, others * m, a, cap) for m, a, _ in parts]
        expected = sum(weight * one for (_, _, weight), one in zip(parts, chance, strict=True))
        assert logs[row] == pytest.approx(math.log(expected), rel=1e-8)

        def log_of_row(point: Floats, row: int = row) -> float:
            return float(likelihood.by_row(Mixture(point))[0][row])

        assert slope[row] == pytest.approx(approx_fprime(POINT, log_of_row, 1e-6), rel=1e-3, abs=2e-4)


def test_chances_end_at_1_and_then_have_no_slope() -> None:
    sure = ClassRows(np.array([4.0]), np.array([3]), np.array([2]), 0.0)
    point = np.array([0.0, 1.0, 0.3, 0.8, 1.1, -0.4])
    first, second = Mixture(point).chances(sure.log_chance)
    assert (first[0], second[0]) == (1.0, 1.0)
    slope = OthersLikelihood(sure).by_row(Mixture(point))[1][0]
    assert slope[[0, 1, 4]].tolist() == [0.0, 0.0, 0.0]
    assert np.all(slope[[2, 3]] != 0)


def test_the_loss_adds_the_prior_and_counts_every_record_once() -> None:
    likelihood = OthersLikelihood(ROWS)
    logs, _ = likelihood.by_row(Mixture(POINT))
    start = [*MEANS]
    start[0] -= 3.0
    prior = sum(((p - s) / w) ** 2 / 2 for p, s, w in zip(POINT, start, SPREADS, strict=True))
    expected = prior - (6 * 1 * logs[0] + 4 * 2 * logs[1] + 2 * 5 * logs[2] + 12 * logs[3])
    assert likelihood.loss(POINT)[0] == pytest.approx(expected)


def test_classes_are_grouped_by_tenths_of_their_log_chance() -> None:
    chance = np.exp([-2.0, -2.02, -4.0, -4.0, -1.0])
    size = np.array([1, 1, 1, 2, 4])
    rows = ClassRows.of(chance, size)
    centre = (-2 - 2.02 - 4 - 2 * 4 - 4 * 1) / 9
    assert rows.centre == pytest.approx(centre)
    assert rows.weight is None
    assert rows.records == 9
    found = dict(
        zip(zip(rows.log_chance.tolist(), rows.size.tolist(), strict=True), rows.number, strict=True)
    )
    tenths = [round(log - centre, 1) for log in (-2.0, -4.0, -1.0)]
    assert found == {(tenths[0], 1): 2, (tenths[1], 1): 1, (tenths[1], 2): 1, (tenths[2], 4): 1}
    assert rows.variance_of_draw(np.ones(4)) == 0.0


def test_classes_that_were_drawn_stand_for_others() -> None:
    drawn = DrawnClasses(((1, 2, 5),))
    rows = ClassRows.of(np.exp([-2.0, -4.0, -1.0]), np.array([1, 1, 4]), drawn)
    assert rows.centre == pytest.approx((-2.5 * 2 - 2.5 * 4 - 4) / 9)
    assert rows.weight is not None
    by_size = dict(zip(rows.size.tolist(), rows.weight.tolist(), strict=True))
    assert by_size == {1: 2.5, 4: 1.0}
    assert rows.number[rows.size == 1].tolist() == [2.5, 2.5]
    assert rows.records == 9
    # Of a class that stands for w, the variance is w (w - 1) times the square of its figure.
    figure = np.where(rows.size == 1, 2.0, 7.0)
    assert rows.variance_of_draw(figure) == pytest.approx(2 * 2.5 * 1.5 * 4)


def calibrated(variance: Floats) -> Calibration:
    return Calibration(Mixture(POINT), variance)


def test_spreads_are_those_of_the_delta_method() -> None:
    root = np.random.default_rng(2).normal(size=(6, 6)) / 6
    variance = root @ root.T
    one, two = np.array([1.0, 0.5, 0, 0, -1.0, 0.3]), np.array([0, 0, 2.0, 1.0, 0, 0])

    def totals(model: Mixture) -> Floats:
        return np.exp([one @ model.point, two @ model.point])

    expected = [np.sqrt(each @ variance @ each) for each in (one, two)]
    assert calibrated(variance).log_spreads(totals) == pytest.approx(expected, rel=1e-6)
    assert calibrated(variance * 1e6).log_spreads(totals).tolist() == [MOST_SPREAD] * 2


def test_the_spread_of_a_total_that_may_be_0_is_the_largest() -> None:
    variance = np.eye(6)
    asked = calibrated(variance).log_spreads(
        lambda model: np.array([0.0, max(model.point[0] - POINT[0], 0.0), math.exp(model.point[1])])
    )
    assert asked == pytest.approx([0.0, MOST_SPREAD, 1.0], rel=1e-5)


@pytest.fixture(scope="module")
def fitted() -> tuple[ClassRows, Calibration]:
    """Few classes with others, and many without."""
    rows = ClassRows(
        np.array([-2.0, -1.0, 0.0, 0.5, 1.0, 2.0, 2.5]),
        np.array([1, 1, 1, 2, 3, 6, 14]),
        np.array([30, 20, 12, 9, 5, 3, 1]),
        -5.0,
    )
    found = calibrate(rows, cap=10)
    assert found is not None
    return rows, found


def test_a_fit_is_a_least_of_the_loss(fitted: tuple[ClassRows, Calibration]) -> None:
    rows, found = fitted
    likelihood = OthersLikelihood(rows, 10)
    point = found.model.point
    loss, slope = likelihood.loss(point)
    assert found.loss == pytest.approx(loss)
    shift = np.array([rows.centre, 0, 0, 0, 0, 0])
    inside = (point > LOWER + shift + 1e-6) & (point < UPPER + shift - 1e-6)
    assert np.abs(slope[inside]).max() < 0.01
    assert np.all(slope[point <= LOWER + shift + 1e-6] >= -1e-3)
    for at, step in enumerate(np.eye(6) * 0.05):
        for way in (1, -1):
            near = np.clip(point + way * step, LOWER + shift, UPPER + shift)
            assert likelihood.loss(near)[0] >= loss - 1e-9, at


FAR = {
    "chances far too low": ClassRows(
        np.array([-1.0, 0, 1]), np.array([100, 200, 300]), np.array([500, 200, 100]), -15.0
    ),
    "chances far too high": ClassRows(
        np.array([-1.0, 0, 1]), np.array([1, 1, 2]), np.array([50_000, 20_000, 900]), -2.0
    ),
    "sizes all alike": ClassRows(
        np.array([-1.0, 0, 1]), np.array([10, 10, 10]), np.array([500, 200, 900]), -5.0
    ),
    "two sizes": ClassRows(np.zeros(4), np.array([1, 2, 3000, 3010]), np.array([500, 20, 90, 50]), -5.0),
}


@pytest.mark.parametrize("name", FAR)
def test_a_search_that_starts_far_away_ends_at_a_least_within_the_limits(name: str) -> None:
    """The quicker method may stay at its start there, and say that this is the least."""
    rows = FAR[name]
    found = calibrate(rows, cap=10)
    assert found is not None
    shift = np.array([rows.centre, 0, 0, 0, 0, 0])
    low, high, point = LOWER + shift, UPPER + shift, found.model.point
    assert np.all((low <= point) & (point <= high))
    likelihood = OthersLikelihood(rows, 10)
    for at, step in enumerate(np.eye(6) * 0.05):
        for way in (1, -1):
            near = np.clip(point + way * step, low, high)
            assert likelihood.loss(near)[0] >= found.loss * (1 - 1e-6), at


def sandwich(rows: ClassRows, point: Floats, cap: int | None) -> Floats:
    """From second differences of the loss, and from the score of each class, by the classes it stands for."""
    likelihood, step = OthersLikelihood(rows, cap), 1e-3
    curved = np.empty((6, 6))
    for one in range(6):
        for other in range(6):
            ends = [
                likelihood.loss(point + step * (up * np.eye(6)[one] + right * np.eye(6)[other]))[0]
                * up
                * right
                for up in (1, -1)
                for right in (1, -1)
            ]
            curved[one, other] = sum(ends) / (4 * step**2)
    values, vectors = np.linalg.eigh((curved + curved.T) / 2)
    inverse = vectors @ np.diag(1 / np.maximum(values, 0.2)) @ vectors.T
    middle = np.diag(1 / SPREADS**2)
    weights = np.ones(len(rows.size)) if rows.weight is None else rows.weight
    slope = likelihood.by_row(Mixture(point))[1]
    for row, size, number, weight in zip(slope, rows.size, rows.number, weights, strict=True):
        middle = middle + weight * number * np.outer(size * row, size * row)
    return np.asarray(inverse @ middle @ inverse)


def test_the_variance_is_the_sandwich(fitted: tuple[ClassRows, Calibration]) -> None:
    rows, found = fitted
    assert found.variance == pytest.approx(sandwich(rows, found.model.point, 10), rel=0.02, abs=1e-3)


def test_a_class_that_stands_for_others_counts_with_its_weight_in_the_scores() -> None:
    weight = np.array([1.0, 3.0, 1.0, 1.0])
    rows = ClassRows(ROWS.log_chance, ROWS.size, ROWS.number * weight, ROWS.centre, weight)
    found = calibration._variance(OthersLikelihood(rows), POINT)
    assert found == pytest.approx(sandwich(rows, POINT, None), rel=0.01, abs=1e-3)


def test_no_finite_fit_is_no_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OthersLikelihood, "loss", lambda *_: (math.inf, np.zeros(6)))
    with np.errstate(invalid="ignore"):
        assert calibrate(ROWS, cap=None) is None


@pytest.mark.parametrize("row", range(4))
def test_the_figures_of_a_mixture_are_weighed_by_how_well_it_predicts_the_others(row: int) -> None:
    sample = Sampled(36, 500)
    found = mixture_risk(Mixture(POINT), ROWS, sample, cell_size=7)
    size = int(ROWS.size[row])
    parts, weights = [], []
    for place in (0, 1):
        mean, shape, weight = component(ROWS.log_chance[row], place)
        weights.append(weight * chance_of_others(size - 1, 35 * mean, shape))
        rate = shape / mean + 35
        pmf = nbinom.pmf(np.arange(30_000), shape + size - 1, rate / (rate + 464))
        whole = size + np.arange(30_000.0)
        parts.append(
            (pmf[0] * (size == 1), pmf[whole < 7].sum(), (pmf / whole).sum(), (pmf / whole**2).sum())
        )
    unique, below, inverse, square = np.average(parts, axis=0, weights=weights)
    assert found.unique[row] == pytest.approx(unique, rel=1e-8, abs=1e-14)
    assert found.below[row] == pytest.approx(below, rel=1e-8, abs=1e-14)
    assert found.inverse[row] == pytest.approx(inverse, rel=1e-6)
    variance = inverse_variances(Mixture(POINT), ROWS, sample)[row]
    assert variance == pytest.approx(square - inverse**2, rel=0.02)
