"""How many people of the population share a class of the sample, by each model of population uniques.

Every model of the number of uniques is also a model of class sizes. Given that `f` people of a class were
sampled, it says how likely it is that `x` more were not:

- Pitman: the rest of the population joins the class as in the urn of the model, a beta-binomial number with
  parameters f - alpha and theta + n - f + alpha;
- slide negative binomial: the prior 1 + NB(alpha, beta), thinned by the sampling;
- Zayatz: the class sizes of the sample are the prior, thinned by the sampling without replacement.

The journalist risk of a record of the class is then the mean of 1 / (f + x).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.class_risk import AttackRisk
from reidrisk.stats.uniqueness.pitman import Pitman
from reidrisk.stats.uniqueness.sampled import SampledClasses
from reidrisk.stats.uniqueness.slide import Slide

EACH = 1024
"""So many unsampled people are summed one by one; beyond, by steps of one per cent."""
STEP = 0.01
EXACT, LARGEST, BETWEEN = 50, 2000, 40
"""Up to the first size all are reckoned, up to the second so many; beyond, risk is as one over the size."""


class ClassModel(Protocol):
    """What is known of a population class from its sample."""

    def log_chance(self, size: int, others: Floats) -> Floats:
        """Of so many unsampled people beside `size` sampled ones; up to a constant."""

    def others(self, size: int) -> tuple[Floats, Floats]:
        """Numbers of unsampled people, and how many numbers each stands for."""


def _thinned(most: int) -> tuple[Floats, Floats]:
    """Whole numbers from 0 to `most`: all of the small ones, then fewer and fewer with their weights."""
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
        return _thinned(self.population - self.records)

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
        return _thinned(self.population - self.records)

    def log_chance(self, size: int, others: Floats) -> Floats:
        """The prior times the chance that just these were sampled."""
        from scipy.special import gammaln

        people = size + others
        prior = gammaln(people - 1 + self.model.alpha) - gammaln(people)
        drawn = gammaln(people + 1) - gammaln(others + 1)
        kept = np.log1p(-self.model.beta) + np.log1p(-self.records / self.population)
        return np.asarray(prior + drawn + others * kept)


@dataclass(frozen=True, slots=True, eq=False)
class ZayatzClasses:
    """Classes of a population in which sizes are as frequent as they are in the sample."""

    sample: SampledClasses

    def others(self, size: int) -> tuple[Floats, Floats]:
        """Only class sizes that the sample has."""
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
        """None."""
        return np.zeros(1), np.ones(1)

    def log_chance(self, size: int, others: Floats) -> Floats:  # noqa: ARG002 - one shape for all models
        """Sure."""
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


def journalist_by(model: ClassModel, sample: SampledClasses, *, cell_size: int) -> AttackRisk:
    """The estimated journalist risk: of the most exposed record, on average, and above the threshold."""
    risk, small = class_risks(model, sample.sizes, cell_size=cell_size)
    share = sample.sizes * sample.number / sample.records
    return AttackRisk(float(risk.max()), float(share @ risk), float(share @ small))
