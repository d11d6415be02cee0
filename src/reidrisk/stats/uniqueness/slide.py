"""Population uniques by the slide negative binomial model (Chen and Keller-McNulty 1998)."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, nan

import numpy as np

from reidrisk.stats.arrays import Floats
from reidrisk.stats.uniqueness.sampled import SampledClasses

STARTS = tuple((alpha, beta) for alpha in (0.01, 0.1, 0.5, 1.0, 3.0) for beta in (0.05, 0.3, 0.6, 0.9))
CLOSE = 1e-7


@dataclass(frozen=True, slots=True)
class Slide:
    """A fitted model: population classes have 1 + NB(alpha, beta) people."""

    alpha: float
    beta: float
    classes: float
    """Classes of the population."""

    @property
    def uniques(self) -> float:
        """People who are alone in their class."""
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
    # (1 - pi)^i ((1 + pi)^i - 1), which overflows for large classes as it stands
    scale = number @ (-((1 - pi**2) ** sizes) * np.expm1(-sizes * np.log1p(pi)))
    missed = number @ (1 - pi) ** sizes
    seen = number @ (sizes * pi * (1 - pi) ** (sizes - 1))
    return float(sample.classes + sample.uniques * (rare / scale) * (missed / seen) ** 2)


def snb_uniques(sample: SampledClasses) -> float:
    """Expected number of people who are unique in the population; nan if the equations have no root.

    Up to 57 % too high where a tenth or less is sampled, and 28 % where a third is.
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
