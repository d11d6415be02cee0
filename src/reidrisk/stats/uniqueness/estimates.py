"""Estimates of population uniques from class sizes alone, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np

from reidrisk.stats.arrays import Floats
from reidrisk.stats.uniqueness.class_models import (
    ClassModel,
    Pitman,
    PitmanClasses,
    SampledClasses,
    Slide,
    SlideClasses,
    WholeClasses,
    ZayatzClasses,
    fit_pitman,
    fit_slide,
)


def zayatz_uniques(sample: SampledClasses) -> float:
    """Expected number of people who are unique in the population (Zayatz 1991).

    It is 1.5 to 6 times too high if a tenth or less is sampled, because rare classes are assumed to be as
    frequent in the population as in the sample.
    """
    if sample.uniques == 0:
        return 0.0
    if sample.records == sample.population:
        return float(sample.uniques)
    share = sample.number / sample.classes
    chance = _one_drawn(sample)
    own = share[sample.sizes == 1].sum() * sample.fraction
    return float(sample.uniques * own / (share @ chance) / sample.fraction)


def _one_drawn(sample: SampledClasses) -> Floats:
    """The hypergeometric probability that exactly one member of a population class of each size is sampled.

    Computed as the product j n/N (N-n)/(N-1) (N-n-1)/(N-2) ..., because factorials of a national population
    would cancel.
    """
    people, drawn = sample.population, sample.records
    step = np.arange(int(sample.sizes.max()) - 1, dtype=np.float64)
    left = np.clip(people - drawn - step, 0, None) / np.clip(people - 1 - step, 1, None)
    others = np.concatenate([[1.0], np.cumprod(left)])
    return np.asarray(sample.sizes * sample.fraction * others[sample.sizes - 1])


@dataclass(frozen=True, slots=True)
class UniquesEstimate:
    """Number of people who are unique in the population, by three models; nan where a model has no result."""

    zayatz: float
    pitman: float
    pitman_asymptotic: float
    snb: float
    model: Pitman | None
    slide: Slide | None = None


def estimate_uniques(sample: SampledClasses) -> UniquesEstimate:
    """Population uniques by every model."""
    model = fit_pitman(sample)
    people = sample.population
    pitman = nan if model is None else min(model.uniques(people), people)
    asymptotic = nan if model is None else model.uniques(people, exact=False)
    zayatz, slide = zayatz_uniques(sample), fit_slide(sample)
    known = sample.uniques == 0 or sample.fraction == 1
    snb = float(sample.uniques) if known else nan if slide is None else slide.uniques
    return UniquesEstimate(zayatz, pitman, asymptotic, snb, model, slide)


def class_models(sample: SampledClasses, found: UniquesEstimate) -> dict[str, ClassModel]:
    """The models of the number of people who share a class with those sampled, by name."""
    if sample.fraction == 1:
        return dict.fromkeys(("pitman", "zayatz", "snb"), WholeClasses())
    records, people = sample.records, sample.population
    models: dict[str, ClassModel] = {"zayatz": ZayatzClasses(sample)}
    if found.model is not None:
        models["pitman"] = PitmanClasses(found.model, records, people)
    if found.slide is not None:
        models["snb"] = SlideClasses(found.slide, records, people)
    return models
