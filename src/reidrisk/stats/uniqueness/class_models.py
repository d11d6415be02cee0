"""Models of population uniques and class sizes, estimated from the class sizes of a sample.

Sources: the Ewens-Pitman partition (Hoshino 2001, J. Official Statistics 17(4):499), the slide negative
binomial model (Chen and Keller-McNulty 1998), and Zayatz 1991.

Every model of the number of uniques is also a model of class sizes. Given that `f` people of a class were
sampled, it gives the probability that `x` more were not:

- Pitman: the rest of the population joins the class as in the urn of the model, a beta-binomial number with
  parameters f - alpha and theta + n - f + alpha;
- slide negative binomial: the prior 1 + NB(alpha, beta), thinned by the sampling;
- Zayatz: the class sizes of the sample are the prior, thinned by the sampling without replacement.

The average journalist risk is then the mean of 1 / (f + x) over the records. These models do not decide; the
calibrated copula does (`copula_estimate.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, lgamma, log, nan
from typing import Protocol

import numpy as np

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class SampledClasses:
    """A simple random sample: `number[i]` classes have `sizes[i]` records each."""

    sizes: Ints
    number: Ints
    population: int

    def __post_init__(self) -> None:
        if self.sizes.size == 0:
            raise NothingToMeasure("There are no records.", hint="Give a table with at least one record.")
        if np.any(self.sizes < 1) or np.any(self.number < 1):
            raise InvalidSetting(
                "A class has no records, or a class size has no classes.",
                hint="Count only classes that occur.",
            )
        if self.population < self.records:
            raise InvalidSetting(
                f"A population of {self.population:,} cannot hold a sample of {self.records:,} records.",
                hint="The population size is the number of people that the sample was drawn from.",
            )

    @property
    def records(self) -> int:
        """Number of records in the sample."""
        return int(self.sizes @ self.number)

    @property
    def classes(self) -> int:
        """Number of equivalence classes in the sample."""
        return int(self.number.sum())

    @property
    def fraction(self) -> float:
        """The share of the population that is in the sample."""
        return self.records / self.population

    def of_size(self, size: int) -> int:
        """Number of classes of this size."""
        return int(self.number[self.sizes == size].sum())

    @property
    def uniques(self) -> int:
        """Number of records that are alone in their class."""
        return self.of_size(1)


SMALL = 1e-4
"""Below this alpha, the sum over classes is computed term by term: the gamma functions would cancel."""
GRID = 40
"""Number of values of alpha that are tried first."""


@dataclass(frozen=True, slots=True)
class Pitman:
    """The two parameters: theta > -alpha, 0 <= alpha < 1."""

    theta: float
    alpha: float

    def uniques(self, population: int, *, exact: bool = True) -> float:
        """Expected uniques in a population.

        The asymptotic form, which other programs use, is too high where alpha is near 0.

        >>> round(Pitman(500, 0).uniques(20_000), 4)
        487.8287
        """
        theta, alpha = self.theta, self.alpha
        if not exact:
            return exp(lgamma(theta + 1) - lgamma(theta + alpha) + alpha * log(population))
        first = lgamma(theta + 1) - lgamma(theta + alpha)
        return population * exp(first + _log_ratio(theta + population, alpha - 1))


def _log_ratio(x: float, step: float) -> float:
    """log(Gamma(x + step) / Gamma(x)); by its series where the two would cancel."""
    if x < 1e5:
        return lgamma(x + step) - lgamma(x)
    return step * log(x) + float(np.log1p(step * (step - 1) / (2 * x)))


def fit_pitman(sample: SampledClasses) -> Pitman | None:
    """Maximum likelihood parameters; None if every record is unique or all are in one class."""
    if sample.classes in {1, sample.records}:
        return None
    from scipy.optimize import minimize_scalar

    def loss(alpha: float) -> float:
        return -log_likelihood(sample, _best_theta(sample, alpha))

    grid = np.linspace(0, 1, GRID, endpoint=False)
    best = int(np.argmin([loss(alpha) for alpha in grid]))
    low, high = grid[max(best - 1, 0)], grid[best + 1] if best + 1 < GRID else 1 - 1e-12
    inner = minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-12}).x
    return _best_theta(sample, min((0.0, float(inner)), key=lambda alpha: (loss(alpha), alpha)))


def _best_theta(sample: SampledClasses, alpha: float) -> Pitman:
    """The best theta for an alpha: where the likelihood no longer grows."""
    from scipy.optimize import brentq

    def slope(point: float) -> float:
        return _slope(sample, Pitman(exp(point) - alpha, alpha))

    low, high = -30.0, log(1e9 * sample.records)
    if slope(low) <= 0:
        return Pitman(exp(low) - alpha, alpha)
    if slope(high) >= 0:
        return Pitman(exp(high) - alpha, alpha)
    return Pitman(exp(brentq(slope, low, high, xtol=1e-13, rtol=1e-14)) - alpha, alpha)


def _slope(sample: SampledClasses, model: Pitman) -> float:
    from scipy.special import digamma

    theta, alpha = model.theta, model.alpha
    if alpha < SMALL:
        opened = float((1 / (theta + alpha * np.arange(1, sample.classes))).sum())
    else:
        opened = float(digamma(theta / alpha + sample.classes) - digamma(theta / alpha + 1)) / alpha
    return opened - float(digamma(theta + sample.records) - digamma(theta + 1))


def log_likelihood(sample: SampledClasses, model: Pitman) -> float:
    """Log-likelihood of the class sizes."""
    from scipy.special import gammaln

    theta, alpha, records, classes = model.theta, model.alpha, sample.records, sample.classes
    if not (0 <= alpha < 1 and theta > -alpha):
        return -inf
    if alpha < SMALL:
        opened = float(np.log(theta + alpha * np.arange(1, classes)).sum())
    else:
        opened = (classes - 1) * log(alpha) + lgamma(theta / alpha + classes) - lgamma(theta / alpha + 1)
    joined = float(sample.number @ (gammaln(sample.sizes - alpha) - lgamma(1 - alpha)))
    return opened - (lgamma(theta + records) - lgamma(theta + 1)) + joined


STARTS = tuple((alpha, beta) for alpha in (0.01, 0.1, 0.5, 1.0, 3.0) for beta in (0.05, 0.3, 0.6, 0.9))
CLOSE = 1e-7


@dataclass(frozen=True, slots=True)
class Slide:
    """A fitted model: population classes have 1 + NB(alpha, beta) people."""

    alpha: float
    beta: float
    classes: float
    """Number of classes in the population."""

    @property
    def uniques(self) -> float:
        """Number of people who are alone in their class."""
        return float(self.classes * self.beta**self.alpha)


def snb_expected(alpha: float, beta: float, classes: float, fraction: float) -> tuple[float, float]:
    """Expected sample classes of size 1 and 2, if a population class has 1 + NB(alpha, beta) people.

    By binomial thinning of the generating function; checked against the explicit sum.

    >>> [round(value, 3) for value in snb_expected(0.7, 0.3, 200_000, 0.2)]
    [57849.372, 14185.485]
    """
    lost = (1 - fraction) * (1 - beta)
    kept = 1 - lost
    common = classes * fraction * (beta / kept) ** alpha
    one = common * (1 + alpha * lost / kept)
    two = common * fraction / 2 * alpha * (1 - beta) * (2 - (1 - alpha) * lost) / kept**2
    return one, two


def population_classes(sample: SampledClasses) -> float:
    """The number of classes in the population by the modified Shlosser estimator."""
    sizes, number, pi = sample.sizes.astype(np.float64), sample.number, sample.fraction
    if pi == 1:
        return float(sample.classes)
    rare = number @ (sizes * pi**2 * (1 - pi**2) ** (sizes - 1))
    # (1 - pi)^i ((1 + pi)^i - 1), which overflows for large classes in this form
    scale = number @ (-((1 - pi**2) ** sizes) * np.expm1(-sizes * np.log1p(pi)))
    missed = number @ (1 - pi) ** sizes
    seen = number @ (sizes * pi * (1 - pi) ** (sizes - 1))
    return float(sample.classes + sample.uniques * (rare / scale) * (missed / seen) ** 2)


def snb_uniques(sample: SampledClasses) -> float:
    """Expected number of people who are unique in the population; nan if the equations have no root.

    It is up to 57 % too high if a tenth or less is sampled, and up to 28 % if a third is.
    """
    if sample.uniques == 0:
        return 0.0
    if sample.fraction == 1:
        return float(sample.uniques)
    model = fit_slide(sample)
    return nan if model is None else model.uniques


def fit_slide(sample: SampledClasses) -> Slide | None:
    """The root with the fewest uniques; None if the equations have none."""
    if sample.fraction == 1:
        return None
    classes = population_classes(sample)
    roots = _roots(sample, classes)
    models = [Slide(alpha, beta, classes) for alpha, beta in roots]
    return min(models, key=lambda model: model.uniques, default=None)


def _roots(sample: SampledClasses, classes: float) -> list[tuple[float, float]]:
    from scipy.optimize import root

    seen = np.array([sample.of_size(1), sample.of_size(2)], dtype=np.float64)
    if np.any(seen == 0):
        return []

    def off(point: Floats) -> Floats:
        alpha, beta = _parameters(point)
        return np.array(snb_expected(alpha, beta, classes, sample.fraction)) / seen - 1

    found = []
    for alpha, beta in STARTS:
        answer = root(off, [log(alpha), log(beta / (1 - beta))])
        if answer.success and np.all(np.abs(off(answer.x)) < CLOSE):
            found.append(_parameters(answer.x))
    return found


def _parameters(point: Floats) -> tuple[float, float]:
    alpha, beta = np.clip(point, -40, 30)
    return exp(alpha), 1 / (1 + exp(-beta))


EACH = 1024
"""Up to this many unsampled people are summed one by one; beyond, in steps of one percent."""
STEP = 0.01
EXACT, LARGEST, BETWEEN = 50, 2000, 40
"""Sizes up to the first are all computed; up to the second, this many; beyond, the risk is as 1 / size."""


class ClassModel(Protocol):
    """The distribution of a population class, given its sample."""

    def log_chance(self, size: int, others: Floats) -> Floats:
        """Log-probability, up to a constant, of numbers of unsampled people beside `size` sampled ones."""

    def others(self, size: int) -> tuple[Floats, Floats]:
        """Numbers of unsampled people, and how many numbers each of them represents."""


def _thin(most: int) -> tuple[Floats, Floats]:
    """Whole numbers from 0 to `most`: all small ones, then fewer and fewer with their weights."""
    each = np.arange(min(EACH, most + 1), dtype=np.float64)
    if most < EACH:
        return each, np.ones(each.size)
    far = np.unique(np.round(np.exp(np.arange(np.log(EACH), np.log(most) + STEP, STEP))))
    points = np.concatenate([each, far[(far >= EACH) & (far < most)], [float(most)]])
    weights = np.empty(points.size)
    weights[1:-1] = (points[2:] - points[:-2]) / 2
    weights[0], weights[-1] = 1.0, (points[-1] - points[-2] + 1) / 2
    return points, weights


@dataclass(frozen=True, slots=True)
class PitmanClasses:
    """Classes of a population of the Ewens-Pitman partition."""

    model: Pitman
    records: int
    population: int

    def others(self, size: int) -> tuple[Floats, Floats]:  # noqa: ARG002 - one shape for all models
        """Up to everybody who was not sampled."""
        return _thin(self.population - self.records)

    def log_chance(self, size: int, others: Floats) -> Floats:
        """Beta-binomial."""
        from scipy.special import betaln, gammaln

        left, alpha = self.population - self.records, self.model.alpha
        joins, leaves = size - alpha, self.model.theta + self.records - size + alpha
        ways = -gammaln(others + 1) - gammaln(left - others + 1)
        return np.asarray(ways + betaln(joins + others, leaves + left - others))


@dataclass(frozen=True, slots=True)
class SlideClasses:
    """Classes of a slide negative binomial population."""

    model: Slide
    records: int
    population: int

    def others(self, size: int) -> tuple[Floats, Floats]:  # noqa: ARG002 - one shape for all models
        """Up to everybody who was not sampled."""
        return _thin(self.population - self.records)

    def log_chance(self, size: int, others: Floats) -> Floats:
        """The prior times the probability that exactly these people were sampled."""
        from scipy.special import gammaln

        people = size + others
        prior = gammaln(people - 1 + self.model.alpha) - gammaln(people)
        drawn = gammaln(people + 1) - gammaln(others + 1)
        kept = np.log1p(-self.model.beta) + np.log1p(-self.records / self.population)
        return np.asarray(prior + drawn + others * kept)


@dataclass(frozen=True, slots=True, eq=False)
class ZayatzClasses:
    """Classes of a population in which class sizes are as frequent as in the sample."""

    sample: SampledClasses

    def others(self, size: int) -> tuple[Floats, Floats]:
        """Only class sizes that occur in the sample."""
        sizes, people = self.sample.sizes, self.sample
        possible = (sizes >= size) & (sizes - size <= people.population - people.records)
        return (sizes[possible] - size).astype(np.float64), people.number[possible].astype(np.float64)

    def log_chance(self, size: int, others: Floats) -> Floats:
        """Hypergeometric."""
        from scipy.special import gammaln

        people, drawn, whole = size + others, self.sample.records, self.sample.population
        left = whole - people - (drawn - size)
        own = gammaln(people + 1) - gammaln(others + 1)
        rest = gammaln(whole - people + 1) - gammaln(left + 1)
        return np.asarray(own + rest)


@dataclass(frozen=True, slots=True, eq=False)
class WholeClasses:
    """Nobody of a class is outside the sample: a full count, or a population of unique people."""

    def others(self, size: int) -> tuple[Floats, Floats]:  # noqa: ARG002 - one shape for all models
        """No unsampled people."""
        return np.zeros(1), np.ones(1)

    def log_chance(self, size: int, others: Floats) -> Floats:  # noqa: ARG002 - one shape for all models
        """Certain: log-probability 0."""
        return np.zeros(others.size)


def class_risks(model: ClassModel, sizes: Ints, *, cell_size: int) -> tuple[Floats, Floats]:
    """For classes of these sample sizes: the mean of 1 / F, and the chance that F is below the cell size."""
    asked = np.unique(sizes)
    many = asked[(asked > EXACT) & (asked <= LARGEST)]
    some = many[np.unique(np.linspace(0, many.size - 1, min(many.size, BETWEEN)).astype(int))]
    known = np.concatenate([asked[asked <= EXACT], some, asked[asked > LARGEST][:1]]).astype(np.int64)
    found = [_one(model, int(min(size, LARGEST)), cell_size) for size in known]
    risk, small = np.array([one[0] for one in found]), np.array([one[1] for one in found])
    risk = np.where(known > LARGEST, risk * LARGEST / known, risk)
    means = np.exp(np.interp(np.log(sizes), np.log(known), np.log(risk)))
    means = np.where(sizes > known[-1], means * known[-1] / sizes, means)
    return np.minimum(means, 1 / sizes), np.where(
        sizes >= cell_size, 0.0, np.interp(sizes, known.astype(np.float64), small)
    )


def _one(model: ClassModel, size: int, cell_size: int) -> tuple[float, float]:
    others, weights = model.others(size)
    log_chance = model.log_chance(size, others) + np.log(weights)
    chance = np.exp(log_chance - log_chance.max())
    chance /= chance.sum()
    people = size + others
    return float((chance / people).sum()), float(chance[people < cell_size].sum())


@dataclass(frozen=True, slots=True)
class ClassFigures:
    """What a model of class sizes alone says about the records."""

    average: float
    """Mean of 1 / F over the records."""
    small_share: float
    """Share of records in population classes below the cell size."""


def class_figures(model: ClassModel, sample: SampledClasses, *, cell_size: int) -> ClassFigures:
    """The average journalist risk, and the share of records in small classes.

    There is no highest risk here: the largest mean of 1 / F is not the risk of the most exposed record.
    """
    risk, small = class_risks(model, sample.sizes, cell_size=cell_size)
    share = sample.sizes * sample.number / sample.records
    return ClassFigures(float(share @ risk), float(share @ small))
