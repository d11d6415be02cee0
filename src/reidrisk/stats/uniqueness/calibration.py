"""How far the chance of a class by the columns is right: fitted to how often records have company.

A record in a class of f has g = f - 1 others like it. Their number shows how the true probabilities of
classes scatter around those of the model: a power of them, times a mixture of two Gamma variables. Then g is
a mixture of two negative binomial variables (`docs/concepts/population-from-a-sample.md`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf, nan

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.uniqueness.drawn_classes import DrawnClasses
from reidrisk.stats.uniqueness.record_risk import NegativeBinomialClasses, RecordRisk, Sampled

NAMES = ("b0", "b1", "log_a1", "log_a2", "delta", "logit_w")
MEANS = np.array([0.0, 1.0, 0.5, 0.5, 1.5, 0.0])
"""Prior means; that of b0 is the mean log chance of the records' classes."""
SPREADS = np.array([1.5, 0.3, 1.5, 1.5, 1.0, 1.0])
LOWER = np.array([-8.0, 0.05, -3.0, -3.0, 0.0, -4.0])
UPPER = np.array([8.0, 2.5, 4.0, 4.0, 5.0, 4.0])
SECOND_START = np.array([1.0, 1.0, 0.5, 0.5, 2.5, 0.5])
STEP = 1e-3
LEVEL = 0.01
"""A larger slope for each record is not that of a minimum."""
SEARCHES: Mapping[str, Mapping[str, float]] = {
    "SLSQP": {"maxiter": 300, "ftol": 1e-9},
    "L-BFGS-B": {"maxiter": 500, "ftol": 1e-12, "gtol": 1e-6},
}
LEAST_CURVATURE = 0.2
MOST_SPREAD = 3.0
LEAST_CHANCE = 1e-300


@dataclass(frozen=True, slots=True, eq=False)
class ClassRows:
    """Classes by their log chance, less the mean of the records, and their size."""

    log_chance: Floats
    size: Ints
    number: Ints | Floats
    """How many such classes there are."""
    centre: float
    """The mean that was subtracted."""
    weight: Floats | None = None
    """How many classes each class that was drawn stands for; None if all were examined."""

    @classmethod
    def of(cls, chance: Floats, size: Ints, drawn: DrawnClasses | None = None) -> ClassRows:
        """Group the classes; log chances are rounded to a tenth."""
        logs = np.log(np.maximum(chance, LEAST_CHANCE))
        held = size if drawn is None else size * drawn.weights(size)
        centre = float(held @ logs / held.sum())
        tenths = np.round(10 * (logs - centre)).astype(np.int64)
        rows, number = np.unique(np.stack([tenths, size], axis=1), axis=0, return_counts=True)
        return cls(rows[:, 0] / 10, rows[:, 1], number, centre).standing_for(drawn)

    def standing_for(self, drawn: DrawnClasses | None) -> ClassRows:
        """The same rows, with the number of classes that those drawn stand for."""
        if drawn is None:
            return self
        weight = drawn.weights(self.size)
        return ClassRows(self.log_chance, self.size, self.number * weight, self.centre, weight)

    @property
    def records(self) -> int:
        """Number of records."""
        return round(float(self.size @ self.number))

    def variance_of_draw(self, figure: Floats) -> float:
        """The variance of the sum of a figure over all classes that comes from the draw."""
        return 0.0 if self.weight is None else float((self.number * (self.weight - 1)) @ figure**2)


@dataclass(frozen=True, slots=True, eq=False)
class Mixture:
    """Parameters of the calibration."""

    point: Floats
    """b0, b1, log a1, log a2, delta, logit w."""

    def chances(self, log_chance: Floats) -> tuple[Floats, Floats]:
        """The mean probability of classes in both components, at most 1."""
        first = self.point[0] + self.point[1] * log_chance
        return np.exp(np.minimum(first, 0.0)), np.exp(np.minimum(first - self.point[4], 0.0))

    @property
    def shapes(self) -> tuple[float, float]:
        """The shapes of the two Gamma variables."""
        return float(np.exp(self.point[2])), float(np.exp(self.point[3]))

    @property
    def log_weights(self) -> tuple[float, float]:
        """Logarithms of the weights of the components."""
        return -float(np.logaddexp(0, -self.point[5])), -float(np.logaddexp(0, self.point[5]))


def _log_others(others: Ints, mean: Floats, shape: float) -> tuple[Floats, Floats, Floats]:
    """Log-probability of a negative binomial number, and its slopes in log mean and log shape."""
    from scipy.special import digamma, gammaln

    whole = shape + mean
    logs = gammaln(shape + others) - gammaln(shape) - gammaln(others + 1.0) - shape * np.log1p(mean / shape)
    logs = logs + np.where(others > 0, others * np.log(np.maximum(mean, LEAST_CHANCE) / whole), 0.0)
    share = (shape + others) / whole
    by_shape = digamma(shape + others) - digamma(shape) - np.log1p(mean / shape) + 1 - share
    return np.asarray(logs), np.asarray(others - share * mean), np.asarray(shape * by_shape)


def _log_at_least(cap: int, mean: Floats, shape: float) -> tuple[Floats, Floats, Floats]:
    """The same for a number of `cap` or more: I_x(cap, a) with x = M / (a + M)."""
    from scipy.special import betainc, betaln

    x = mean / (shape + mean)
    chance = np.maximum(betainc(cap, shape, x), LEAST_CHANCE)
    with np.errstate(divide="ignore"):
        density = cap * np.log(x) + shape * np.log1p(-x) - betaln(cap, shape)
    by_mean = np.exp(density - np.log(chance))
    step = 1e-5
    ends = [np.maximum(betainc(cap, shape * np.exp(way * step), x), LEAST_CHANCE) for way in (1, -1)]
    return np.log(chance), by_mean, np.log(ends[0] / ends[1]) / (2 * step) - by_mean


@dataclass(frozen=True, slots=True, eq=False)
class OthersLikelihood:
    """Log-probability of how many others each record has; numbers of `cap` or more count alike."""

    rows: ClassRows
    cap: int | None = None

    def _component(self, mean: Floats, shape: float) -> tuple[Floats, Floats, Floats]:
        others = self.rows.size - 1
        if self.cap is None:
            return _log_others(others, mean, shape)
        capped = others >= self.cap
        found = np.empty((3, len(others)))
        found[:, ~capped] = _log_others(others[~capped], mean[~capped], shape)
        found[:, capped] = _log_at_least(self.cap, mean[capped], shape)
        return found[0], found[1], found[2]

    def by_row(self, model: Mixture) -> tuple[Floats, Floats]:
        """Log-probability of each row, and its gradient in the six parameters."""
        chances, shapes, weights = model.chances(self.rows.log_chance), model.shapes, model.log_weights
        records = self.rows.records
        parts = [
            self._component((records - 1) * chance, a) for chance, a in zip(chances, shapes, strict=True)
        ]
        logs = np.logaddexp(weights[0] + parts[0][0], weights[1] + parts[1][0])
        own = [np.exp(weight + part[0] - logs) for weight, part in zip(weights, parts, strict=True)]
        moves = [
            part * share * (chance < 1)
            for (_, part, _), share, chance in zip(parts, own, chances, strict=True)
        ]
        slope = np.stack(
            [
                moves[0] + moves[1],
                (moves[0] + moves[1]) * self.rows.log_chance,
                own[0] * parts[0][2],
                own[1] * parts[1][2],
                -moves[1],
                own[0] - np.exp(weights[0]),
            ],
            axis=1,
        )
        return logs, slope

    def loss(self, point: Floats) -> tuple[float, Floats]:
        """The negative penalized log-likelihood, each record counting once, and its gradient."""
        logs, slope = self.by_row(Mixture(point))
        weight = (self.rows.size * self.rows.number).astype(np.float64)
        away = (point - self.start) / SPREADS
        return float(away @ away / 2 - weight @ logs), away / SPREADS - weight @ slope

    @property
    def start(self) -> Floats:
        """The prior means."""
        return np.asarray(MEANS + np.array([self.rows.centre, 0, 0, 0, 0, 0]))


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """A fitted mixture, and how far its parameters are uncertain."""

    model: Mixture
    variance: Floats
    """H^-1 J H^-1: the sandwich of the curvature and the scores of the classes."""
    loss: float = nan
    """The negative penalized log-likelihood."""

    def log_spreads(self, totals: Callable[[Mixture], Floats]) -> Floats:
        """Standard deviations of the logarithms of totals, by the delta method; at most 3."""
        ends = [
            [totals(Mixture(self.model.point + way * _unit(place))) for way in (1, -1)]
            for place in range(len(NAMES))
        ]
        above, below = (np.stack([pair[side] for pair in ends]) for side in (0, 1))
        lowest = np.minimum(above, below).min(axis=0)
        slope = np.log(np.maximum(above, LEAST_CHANCE) / np.maximum(below, LEAST_CHANCE)) / (2 * STEP)
        found = np.sqrt(np.maximum(np.einsum("it,ij,jt->t", slope, self.variance, slope), 0.0))
        unknown = np.where(np.maximum(above, below).max(axis=0) > 0, MOST_SPREAD, 0.0)
        return np.where(lowest > 0, np.minimum(found, MOST_SPREAD), unknown)


def _unit(place: int) -> Floats:
    return np.where(np.arange(len(NAMES)) == place, STEP, 0.0)


def calibrate(rows: ClassRows, *, cap: int | None) -> Calibration | None:
    """Fit from two starts; None if no finite maximum is found."""
    likelihood = OthersLikelihood(rows, cap)
    shift = np.array([rows.centre, 0, 0, 0, 0, 0])
    best, least = None, inf
    for start in (MEANS + shift, SECOND_START + shift):
        point, loss = _minimum(likelihood, start, shift)
        if np.isfinite(loss) and np.all(np.isfinite(point)) and loss < least:
            best, least = point, loss
    return None if best is None else Calibration(Mixture(best), _variance(likelihood, best), least)


def _minimum(likelihood: OthersLikelihood, start: Floats, shift: Floats) -> tuple[Floats, float]:
    """Search with the first method that converges; the second one is slower where cores are busy."""
    from scipy.optimize import minimize

    low, high = LOWER + shift, UPPER + shift
    bounds = list(zip(low, high, strict=True))
    tried: list[tuple[float, Floats]] = []
    for method, options in SEARCHES.items():
        found = minimize(likelihood.loss, start, jac=True, bounds=bounds, method=method, options=options)
        point = np.clip(np.asarray(found.x, dtype=np.float64), low, high)
        tried.append((float(found.fun), point))
        # Far from the minimum, the first method may give up and say that it is there.
        if found.success and _is_level(point, likelihood.loss(point)[1], low, high, likelihood.rows.records):
            break
    loss, point = min(tried, key=lambda one: inf if np.isnan(one[0]) else one[0])
    return point, loss


def _is_level(point: Floats, slope: Floats, low: Floats, high: Floats, records: int) -> bool:
    """Whether no step within the bounds lowers the loss by much for each record."""
    down = np.where(slope > 0, point > low + STEP, point < high - STEP)
    return bool(np.abs(slope[down]).max(initial=0.0) <= LEVEL * records)


def _variance(likelihood: OthersLikelihood, point: Floats) -> Floats:
    curved = np.stack(
        [
            (likelihood.loss(point + _unit(place))[1] - likelihood.loss(point - _unit(place))[1]) / (2 * STEP)
            for place in range(len(NAMES))
        ]
    )
    values, vectors = np.linalg.eigh((curved + curved.T) / 2)
    inverse = (vectors / np.maximum(values, LEAST_CURVATURE)) @ vectors.T
    slope, rows = likelihood.by_row(Mixture(point))[1], likelihood.rows
    weight = rows.number * rows.size.astype(np.float64) ** 2
    if rows.weight is not None:
        weight = weight * rows.weight
    middle = (slope * weight[:, None]).T @ slope + np.diag(SPREADS**-2.0)
    return np.asarray(inverse @ middle @ inverse)


def _mixed(
    model: Mixture, rows: ClassRows, sample: Sampled, figure: Callable[[NegativeBinomialClasses], Floats]
) -> Floats:
    """A figure of each class: that of both components, weighed by how well they predict the others."""
    chances, shapes, weights = model.chances(rows.log_chance), model.shapes, model.log_weights
    logs, found = [], []
    for chance, shape, weight in zip(chances, shapes, weights, strict=True):
        logs.append(weight + _log_others(rows.size - 1, (sample.records - 1) * chance, shape)[0])
        found.append(figure(NegativeBinomialClasses.of(rows.size, chance, shape, sample)))
    own = np.exp(logs[0] - np.logaddexp(logs[0], logs[1]))
    return np.asarray(own * found[0] + (1 - own) * found[1])


def unique_chances(model: Mixture, rows: ClassRows, sample: Sampled) -> Floats:
    """For each row of classes, the chance that a record is unique in the population."""
    return _mixed(model, rows, sample, NegativeBinomialClasses.unique)


def small_chances(model: Mixture, rows: ClassRows, sample: Sampled, *, cell_size: int) -> Floats:
    """For each row of classes, the chance that the class in the population is below the cell size."""
    return _mixed(model, rows, sample, lambda one: one.below(cell_size))


def mean_inverses(model: Mixture, rows: ClassRows, sample: Sampled) -> Floats:
    """For each row of classes, the mean of 1 / F."""
    return _mixed(model, rows, sample, NegativeBinomialClasses.inverse)


def inverse_variances(model: Mixture, rows: ClassRows, sample: Sampled) -> Floats:
    """For each row of classes, the variance of 1 / F."""
    squares = _mixed(model, rows, sample, NegativeBinomialClasses.inverse_square)
    return np.maximum(squares - mean_inverses(model, rows, sample) ** 2, 0.0)


def mixture_risk(model: Mixture, rows: ClassRows, sample: Sampled, *, cell_size: int) -> RecordRisk:
    """The three figures of each row of classes."""
    return RecordRisk(
        unique_chances(model, rows, sample),
        small_chances(model, rows, sample, cell_size=cell_size),
        mean_inverses(model, rows, sample),
    )
