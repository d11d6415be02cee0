"""All estimates of population uniques side by side, and the choice among them."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from typing import Literal

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


SPARSE = 0.1
"""Up to this sampling fraction, Pitman's model decides (Dankar et al. 2012, doi:10.1186/1472-6947-12-66)."""
Chosen = Literal["pitman", "zayatz", "snb", "none", "all"]


@dataclass(frozen=True, slots=True)
class UniquesEstimate:
    """Number of people who are unique in the population, by three models; nan where a model has no result."""

    zayatz: float
    pitman: float
    pitman_asymptotic: float
    snb: float
    chosen: Chosen
    model: Pitman | None
    population: int
    slide: Slide | None = None

    @property
    def uniques(self) -> float:
        """The estimate chosen by the decision rule."""
        chosen = {"pitman": self.pitman, "zayatz": self.zayatz, "snb": self.snb, "none": 0.0}
        return float(self.population) if self.chosen == "all" else chosen[self.chosen]


def estimate_uniques(sample: SampledClasses) -> UniquesEstimate:
    """Population uniques by every model, with the choice of the decision rule."""
    model = fit_pitman(sample)
    people = sample.population
    pitman = nan if model is None else min(model.uniques(people), people)
    asymptotic = nan if model is None else model.uniques(people, exact=False)
    zayatz, slide = zayatz_uniques(sample), fit_slide(sample)
    known = sample.uniques == 0 or sample.fraction == 1
    snb = float(sample.uniques) if known else nan if slide is None else slide.uniques
    chosen = _choice(sample, pitman=pitman, zayatz=zayatz, snb=snb)
    return UniquesEstimate(zayatz, pitman, asymptotic, snb, chosen, model, people, slide)


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
    if found.chosen == "all":
        models["all"] = WholeClasses()
    return models


def deciding_model(sample: SampledClasses, found: UniquesEstimate) -> str:
    """The model that the rule chooses for the classes, also where no record is unique in the sample."""
    if found.chosen != "none":
        return found.chosen
    return "pitman" if _is_sparse(sample) and found.model is not None else "zayatz"


def _is_sparse(sample: SampledClasses) -> bool:
    """Compare to three digits: with whole people, a tenth is a little more or less."""
    return round(sample.fraction, 3) <= SPARSE


def _choice(sample: SampledClasses, *, pitman: float, zayatz: float, snb: float) -> Chosen:
    if sample.uniques == 0:
        return "none"
    if _is_sparse(sample) and not isnan(pitman):
        return "pitman"
    if _is_sparse(sample) and sample.uniques == sample.records:
        return "all"
    return "zayatz" if isnan(snb) or zayatz <= snb else "snb"
