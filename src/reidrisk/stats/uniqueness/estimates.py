"""All estimates of population uniques side by side, and which of them counts."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from typing import Literal

from reidrisk.stats.uniqueness.pitman import Pitman, fit_pitman
from reidrisk.stats.uniqueness.sampled import SampledClasses
from reidrisk.stats.uniqueness.slide import snb_uniques
from reidrisk.stats.uniqueness.zayatz import zayatz_uniques

SPARSE = 0.1
"""Up to this sampling fraction Pitman's model decides (Dankar et al. 2012, doi:10.1186/1472-6947-12-66)."""
Chosen = Literal["pitman", "zayatz", "snb", "none", "all"]


@dataclass(frozen=True, slots=True)
class UniquesEstimate:
    """People who are unique in the population, by three models; nan where a model has no answer."""

    zayatz: float
    pitman: float
    pitman_asymptotic: float
    snb: float
    chosen: Chosen
    model: Pitman | None
    population: int

    @property
    def uniques(self) -> float:
        """The estimate that the decision rule takes."""
        chosen = {"pitman": self.pitman, "zayatz": self.zayatz, "snb": self.snb, "none": 0.0}
        return float(self.population) if self.chosen == "all" else chosen[self.chosen]


def estimate_uniques(sample: SampledClasses) -> UniquesEstimate:
    """Population uniques by every model, with the rule's choice."""
    model = fit_pitman(sample)
    people = sample.population
    pitman = nan if model is None else min(model.uniques(people), people)
    asymptotic = nan if model is None else model.uniques(people, exact=False)
    zayatz, snb = zayatz_uniques(sample), snb_uniques(sample)
    chosen = _choice(sample, pitman=pitman, zayatz=zayatz, snb=snb)
    return UniquesEstimate(zayatz, pitman, asymptotic, snb, chosen, model, people)


def _choice(sample: SampledClasses, *, pitman: float, zayatz: float, snb: float) -> Chosen:
    if sample.uniques == 0:
        return "none"
    if sample.fraction <= SPARSE and not isnan(pitman):
        return "pitman"
    if sample.fraction <= SPARSE and sample.uniques == sample.records:
        return "all"
    return "zayatz" if isnan(snb) or zayatz <= snb else "snb"
