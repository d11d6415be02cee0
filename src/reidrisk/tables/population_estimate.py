"""Uniqueness and risk in the population of a table that is a sample, under one cell size."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from math import isnan
from typing import Any

import numpy as np

from reidrisk.core.classes import ClassSizes
from reidrisk.core.reason import Reason
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import plural, probability
from reidrisk.stats.class_risk import AttackRisk
from reidrisk.stats.intrusion import right_match
from reidrisk.stats.uniqueness.class_models import SampledClasses, class_figures
from reidrisk.stats.uniqueness.copula_estimate import VARIANTS
from reidrisk.stats.uniqueness.estimated_risk import (
    EstimatedRisk,
    PitmanFigures,
    copula_risk,
    weighted_risk,
    whole_risk,
)
from reidrisk.stats.uniqueness.estimates import UniquesEstimate, class_models, estimate_uniques
from reidrisk.stats.uniqueness.individual import WeightedClasses, least_sample_class
from reidrisk.stats.uniqueness.model_limits import LARGEST_CHANCE, accepts_maximum
from reidrisk.tables.estimated import SampledMeasure
from reidrisk.tables.population_words import (
    ACCURACY,
    NAMES,
    REFUSALS,
    REMEDIES,
    WHY,
    figures_text,
    match_text,
    small_class_text,
    unique_text,
)
from reidrisk.tables.sampling import Sampling
from reidrisk.tables.settings import CAP, JournalistRule

ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """The estimate of one model for the population."""

    model: str
    population_uniques: float | None
    """People who are unique in the population; None if the model gives no number."""
    in_sample: float | None
    """Number of them who are in the table."""
    average: float | None = None
    """Average journalist risk."""
    small_share: float | None = None
    """Share of records in population classes below the cell size."""
    reason: str | None = None
    """Why there is no estimate."""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {
            "model": self.model,
            "name": NAMES[self.model],
            "population_uniques": self.population_uniques,
            "unique_in_both": self.in_sample,
            "average": self.average,
            "share_above_threshold": self.small_share,
            "accuracy": ACCURACY[self.model],
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class PopulationEstimate:
    """Estimates for the population that a table was sampled from."""

    measure: SampledMeasure
    sizes: ClassSizes
    right_match: float | None
    """Probability that a match with a unique record is correct; None if no record is unique."""
    models: tuple[ModelEstimate, ...]
    chosen: str
    """The model that decides."""
    risk: EstimatedRisk | None
    """None if no model could be fitted."""
    cell_size: int
    least_class: int
    """A sample class of at least this size shows that the population class reaches the cell size."""
    least_seen: int
    """The same among classes that occur in the sample, which are the ones examined."""

    @property
    def sampling(self) -> Sampling:
        """How the table was sampled."""
        return self.measure.sampling

    @property
    def journalist(self) -> AttackRisk | None:
        """The estimated journalist risk."""
        found = self.risk
        if found is None:
            return None
        records = self.sizes.records
        return AttackRisk(1 / found.smallest, found.average.value, found.small_records.value / records)

    @property
    def fraction(self) -> float:
        """The share of the population that is in the table."""
        return self.sizes.records / self.measure.population

    @property
    def smallest_limit(self) -> int:
        """The smallest population class that cannot be ruled out."""
        return self.sizes.smallest if self.risk is None else self.risk.smallest_limit

    @property
    def average_limit(self) -> float:
        """The upper limit of the average journalist risk."""
        return self.sizes.classes / self.sizes.records if self.risk is None else self.risk.average.high

    @property
    def drawn_note(self) -> str:
        """How many classes were examined, if not all; nothing otherwise."""
        fit = self.measure.copula
        if fit is None or fit.drawn is None or self.chosen != "copula":
            return ""
        first = fit.drawn.sizes[0][0]
        whole = (
            "" if first == self.sizes.smallest else f"all classes smaller than {first:,}, and of the others "
        )
        return (
            f" Estimated from a sample of classes: {whole}a random share, {fit.examined:,} of "
            f"{self.sizes.classes:,} in all. The limits allow for it."
        )

    def acceptable(self, threshold: Threshold, rule: JournalistRule) -> bool:
        """Whether the rule accepts the table."""
        if self.risk is None or self.chosen == "weights":
            return self.sizes.smallest >= threshold.cell_size
        if rule != "maximum":
            within = rule == "average" or self.risk.chance_of_three <= LARGEST_CHANCE
            return threshold.accepts(self.average_limit) and within and not self._no_pair
        chance, cell_size = self.risk.chance, threshold.cell_size
        return accepts_maximum(chance, smallest=self.sizes.smallest, cell_size=cell_size)

    @property
    def _no_pair(self) -> bool:
        """Whether no two records are alike, so that nothing is known about the upper limits."""
        return self.chosen == "copula" and self.sizes.classes == self.sizes.records

    def sentence(self, threshold: Threshold, rule: JournalistRule) -> str:
        """The verdict in words."""
        word = "acceptable" if self.acceptable(threshold, rule) else "not acceptable"
        if self.risk is None or self.chosen == "weights":
            return f"{WHY[self.chosen]} The smallest class has {self.sizes.smallest:,}: {word}."
        if rule == "maximum":
            chance = small_class_text(self.risk.chance, self.cell_size)
            figures = figures_text(self.risk, self.sizes.records)
            return f"{chance}: {word}. {figures} {match_text(self.risk)}{self.drawn_note}"
        cap = ""
        if rule == "strict_average":
            cap = f" {small_class_text(self.risk.chance_of_three, CAP)}."
        limit = f"The threshold is {probability(threshold.probability)}: {word}."
        return (
            f"{match_text(self.risk)}{cap} {limit} {unique_text(self.risk, is_accepted=word == 'acceptable')}"
            f"{self.drawn_note}"
        )

    def summary(self) -> str:
        """What was estimated, for a verdict by another rule."""
        if self.risk is None or self.chosen == "weights":
            return WHY[self.chosen]
        chance = small_class_text(self.risk.chance, self.cell_size)
        figures = figures_text(self.risk, self.sizes.records)
        return f"{chance}. {figures} {match_text(self.risk)}{self.drawn_note}"

    def help(self, rule: JournalistRule) -> Reason:
        """What to do about a table that is refused."""
        strict = f"{REFUSALS} " if rule == "maximum" and self.chosen == "copula" else ""
        return Reason(f"{strict}What would help: {'; '.join(REMEDIES)}.", None)

    def reason(self) -> Reason:
        """Explain the estimate; it does not change the verdict."""
        unique = plural(_uniques(self.sizes), "record")
        start = (
            f"The table contains {100 * self.fraction:.3g} % of {self.measure.population:,} people. "
            f"{unique} {'is' if unique.startswith('1 ') else 'are'} unique in it."
        )
        if self.risk is None:
            return Reason(f"{start} {WHY['none']}", None)
        where = f" in a population class smaller than {self.cell_size}"
        figures = figures_text(self.risk, self.sizes.records, where)
        return Reason(f"{start} {figures} {match_text(self.risk)}{self.drawn_note}", None)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {
            "sampling": self.sampling.to_dict(),
            "population_size": self.measure.population,
            "fraction": self.fraction,
            "sample_uniques": _uniques(self.sizes),
            "right_unique_match": self.right_match,
            "chosen": self.chosen,
            "why": WHY[self.chosen],
            "sampled": self._sampled(),
            **self._risk_dict(),
            "models": [model.to_dict() for model in self.models],
            "calibrations": self._calibrations(),
            "record_chances": self._record_chances(),
            "ordered_columns": list(self.measure.ordered),
            "rare_columns": list(self.measure.rare_columns),
            "loglinear": {"models": self._fits(), "note": self.measure.fits_note},
            "k_map": self._k_map(),
            "remedies": list(REMEDIES),
        }

    def _sampled(self) -> dict[str, Any] | None:
        """How classes were drawn; None if all were examined."""
        fit = self.measure.copula
        if not self.drawn_note or fit is None or fit.drawn is None:
            return None
        return {
            "what": "classes",
            "drawn": fit.examined,
            "of": self.sizes.classes,
            "all_below": fit.drawn.sizes[0][0],
            "note": self.drawn_note.strip(),
        }

    def _risk_dict(self) -> dict[str, Any]:
        found = self.risk
        names = ("unique_in_both", "population_uniques", "average", "records_in_small_classes")
        if found is None:
            return {"chance_of_small_class": None, "chance_limit": LARGEST_CHANCE, **dict.fromkeys(names)}
        figures = (found.unique, found.people, found.average, found.small_records)
        pairs = zip(names, figures, strict=True)
        return {
            "chance_of_small_class": None if self.chosen == "weights" else found.chance,
            "chance_limit": LARGEST_CHANCE,
            **{name: None if figure is None else figure.to_dict() for name, figure in pairs},
        }

    def _calibrations(self) -> list[dict[str, Any]]:
        """The models whose limits are combined, without Pitman's."""
        fit = self.measure.copula
        if fit is None or not fit.is_estimated:
            return []
        small = fit.small_classes(self.cell_size)
        return [
            {
                "name": model.name,
                "chances": model.chances,
                "counted_as_one_from": VARIANTS[model.name][1],
                "unique_in_both": model.unique,
                "unique_log_sd": model.unique_spread,
                "average": model.average,
                "average_log_sd": model.average_spread,
                "small_classes": small.classes[place],
                "small_classes_log_sd": small.class_spreads[place],
            }
            for place, model in enumerate(fit.models)
        ]

    def _record_chances(self) -> list[dict[str, Any]]:
        fit = self.measure.copula
        if fit is None or not fit.is_estimated:
            return []
        rows = fit.unique_histogram()
        return [{"from": low, "to": high, "records": records} for low, high, records in rows]

    def _fits(self) -> list[dict[str, Any]]:
        return [{**asdict(fit), "terms": [list(term) for term in fit.terms]} for fit in self.measure.fits]

    def _k_map(self) -> dict[str, Any]:
        below = self.sizes.records_below(self.least_seen)
        return {
            "cell_size": self.cell_size,
            "least_sample_class": self.least_class,
            "least_class_seen": self.least_seen,
            "level": 1 - ALPHA,
            "records_below": below,
            "share_below": below / self.sizes.records,
        }


def _uniques(sizes: ClassSizes) -> int:
    return dict(sizes.counts).get(1, 0)


def estimate_population(measure: SampledMeasure, sizes: ClassSizes, *, cell_size: int) -> PopulationEstimate:
    """Apply every model to the table, and choose the one that decides."""
    sample, found = _fit(sizes, measure.population)
    by_sizes = _by_sizes(sample, found, cell_size)
    chosen, risk = _deciding(measure, sample, found, cell_size)
    own = [] if risk is None else [_own(chosen, risk, sample)]
    models = [*own, *_by_columns(measure, sample), *by_sizes]
    least, seen = (
        least_sample_class(cell_size, sample.fraction, alpha=ALPHA, seen=seen) for seen in (False, True)
    )
    return PopulationEstimate(
        measure=measure,
        sizes=sizes,
        right_match=right_match(sample.uniques, dict(sizes.counts).get(2, 0), sample.fraction),
        models=tuple(models),
        chosen=chosen,
        risk=risk,
        cell_size=cell_size,
        least_class=least,
        least_seen=seen,
    )


def _deciding(
    measure: SampledMeasure, sample: SampledClasses, found: UniquesEstimate, cell_size: int
) -> tuple[str, EstimatedRisk | None]:
    if measure.weighted is not None:
        return "weights", weighted_risk(WeightedClasses(measure.weighted), sample, cell_size=cell_size)
    if sample.records == sample.population:
        return "whole", whole_risk(sample, cell_size=cell_size)
    if measure.copula is None or not measure.copula.is_estimated:
        return "none", None
    pitman = None
    if found.model is not None:
        figures = class_figures(class_models(sample, found)["pitman"], sample, cell_size=cell_size)
        pitman = PitmanFigures.of(found.pitman, figures, sample)
    return "copula", copula_risk(measure.copula, sample, cell_size=cell_size, pitman=pitman)


@lru_cache(maxsize=8)
def _fit(sizes: ClassSizes, population: int) -> tuple[SampledClasses, UniquesEstimate]:
    """Fit once for all contexts of an assessment: the fits do not depend on a threshold."""
    size, number = np.array(sizes.counts, dtype=np.int64).T
    sample = SampledClasses(size, number, population)
    return sample, estimate_uniques(sample)


def _own(chosen: str, risk: EstimatedRisk, sample: SampledClasses) -> ModelEstimate:
    people = None if risk.people is None else risk.people.value
    share = risk.small_records.value / sample.records
    return ModelEstimate(chosen, people, risk.unique.value, risk.average.value, share)


def _by_columns(measure: SampledMeasure, sample: SampledClasses) -> list[ModelEstimate]:
    """The models of columns beside the one that decides."""
    rows = []
    fit = measure.copula
    if fit is not None and fit.is_estimated:
        rows.append(ModelEstimate("plug_in", fit.plug_in / sample.fraction, fit.plug_in))
        if measure.weighted is not None:
            rows.insert(
                0, ModelEstimate("copula", fit.unique / sample.fraction, fit.unique, fit.main.average)
            )
    if measure.fits:
        own = measure.fits[-1].population_uniques
        rows.append(ModelEstimate("loglinear", own / sample.fraction, own, reason=measure.fits_note))
    return rows


def _by_sizes(sample: SampledClasses, found: UniquesEstimate, cell_size: int) -> list[ModelEstimate]:
    models = class_models(sample, found)
    uniques = {
        "pitman": found.pitman,
        "pitman_asymptotic": found.pitman_asymptotic,
        "snb": found.snb,
        "zayatz": found.zayatz,
    }
    rows = []
    for name, people in uniques.items():
        model = models.get(name)
        figures = None if model is None else class_figures(model, sample, cell_size=cell_size)
        average, small = (None, None) if figures is None else (figures.average, figures.small_share)
        if isnan(people):
            reason = "The model gives no estimate for these classes."
            rows.append(ModelEstimate(name, None, None, average, small, reason))
            continue
        own = min(people * sample.fraction, float(sample.uniques))
        rows.append(ModelEstimate(name, people, own, average, small))
    return rows
