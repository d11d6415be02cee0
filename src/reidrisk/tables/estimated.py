"""Estimate uniqueness and risk in the population that a table was sampled from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from math import isnan
from typing import Any

import numpy as np

from reidrisk.core.classes import ClassSizes
from reidrisk.core.reason import Reason
from reidrisk.core.wording import plural, probability
from reidrisk.engine.table import Table
from reidrisk.engine.tuples import DistinctTuples
from reidrisk.engine.weights import weighted_sizes
from reidrisk.errors import BadData
from reidrisk.stats.class_risk import AttackRisk
from reidrisk.stats.intrusion import right_match
from reidrisk.stats.uniqueness.class_models import SampledClasses, journalist_by
from reidrisk.stats.uniqueness.estimates import (
    UniquesEstimate,
    class_models,
    deciding_model,
    estimate_uniques,
)
from reidrisk.stats.uniqueness.individual import individual_journalist, least_sample_class
from reidrisk.stats.uniqueness.loglinear import Cells, LogLinear, independent_matches, select_loglinear
from reidrisk.tables.sampling import Sampling

MOST_CELLS = 500_000
"""Above this number only the model of independent columns is fitted: the others take too long."""
TOO_MANY = (
    "The columns have more combinations than a fit can use ({most:,}): only the model of independent columns "
    "was fitted, which overestimates the risk if columns depend on each other."
)


@dataclass(frozen=True, slots=True)
class LogLinearFit:
    """One log-linear model of the sample, and how well it fits."""

    terms: tuple[tuple[str, ...], ...]
    """Pairs of columns that depend on each other; empty if all are independent."""
    population_uniques: float
    """Records that are unique in the sample and in the population."""
    correct_matches: float
    """Expected correct matches of sample uniques by an adversary who guesses within the population class."""
    bias: float | None = None
    """Estimated bias of the number of uniques; above 0, the model is too simple and its estimate too high."""
    standardised_bias: float | None = None
    underfits: bool | None = None
    converged: bool = True

    @classmethod
    def of(cls, model: LogLinear, columns: Sequence[str]) -> LogLinearFit:
        """Build from a fitted model, with the names of its columns."""
        return cls(
            tuple(tuple(columns[axis] for axis in term) for term in model.terms if len(term) > 1),
            model.matches.population_uniques,
            model.matches.correct_matches,
            model.bias,
            model.standardised,
            model.underfits,
            model.converged,
        )


@dataclass(frozen=True, slots=True)
class SampledMeasure:
    """A table as a sample; independent of any threshold."""

    sampling: Sampling
    population: int
    weighted: tuple[tuple[int, float, int], ...] | None = field(default=None, repr=False)
    """Size of class, sum of its weights, number of such classes; None without weights."""
    fits: tuple[LogLinearFit, ...] = ()
    """Log-linear models, simplest first; the last one is used."""
    fits_note: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        fits = [{**asdict(fit), "terms": [list(term) for term in fit.terms]} for fit in self.fits]
        weighted = None if self.weighted is None else [list(row) for row in self.weighted]
        return {
            "sampling": self.sampling.to_dict(),
            "population": self.population,
            "weighted": weighted,
            "fits": fits,
            "fits_note": self.fits_note,
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> SampledMeasure:
        """Read what `to_dict` wrote."""
        rows = given["weighted"]
        fits = [
            LogLinearFit(**{**fit, "terms": tuple(tuple(term) for term in fit["terms"])})
            for fit in given["fits"]
        ]
        return cls(
            Sampling(**given["sampling"]),
            given["population"],
            None if rows is None else tuple((size, people, number) for size, people, number in rows),
            tuple(fits),
            given["fits_note"],
        )


def measure_sample(records: Table, tuples: DistinctTuples, sampling: Sampling) -> SampledMeasure:
    """Sum the weights by class, if there are any, and fit log-linear models to the distinct tuples."""
    weighted = None
    if sampling.weights is not None:
        weighted = weighted_sizes(records, tuples.columns, sampling.weights)
    total = None if weighted is None else sum(people * number for _, people, number in weighted)
    people = sampling.people(tuples.records, total)
    fits, note = _fit_loglinear(tuples, tuples.records / people)
    return SampledMeasure(sampling, people, weighted, fits, note)


def _fit_loglinear(tuples: DistinctTuples, fraction: float) -> tuple[tuple[LogLinearFit, ...], str | None]:
    codes = tuples.codes.astype(np.int64)
    try:
        cells = Cells.of(codes, tuples.counts, fraction, most=MOST_CELLS)
    except BadData:
        simple = independent_matches(codes, tuples.counts, fraction)
        fit = LogLinearFit((), simple.population_uniques, simple.correct_matches)
        return (fit,), TOO_MANY.format(most=MOST_CELLS)
    return tuple(LogLinearFit.of(model, tuples.columns) for model in select_loglinear(cells)), None


ALPHA = 0.05
NAMES = {
    "pitman": "Pitman",
    "pitman_asymptotic": "Pitman, asymptotic",
    "zayatz": "Zayatz",
    "snb": "slide negative binomial",
    "loglinear": "log-linear model",
    "weights": "survey weights",
    "all": "all records unique",
}
ACCURACY = {
    "pitman": "In simulations 1 to 3.5 times the true number of uniques if up to 10 % is sampled, 1 to "
    "1.8 times from 30 % on; the average risk 1 to 1.9 and 1 to 1.1 times.",
    "pitman_asymptotic": "As in other programs: too high if alpha is near 0.",
    "zayatz": "In simulations 1.2 to 28 times the true number of uniques if up to 10 % is sampled, 1 to "
    "1.4 times from 30 % on.",
    "snb": "In simulations 0.7 to 27 times the true number of uniques if up to 10 % is sampled, 1 to 1.2 "
    "times from 30 % on.",
    "loglinear": "In simulations 0.7 to 1 times the true number of uniques on average; single small samples "
    "0.3 to 1.7 times if columns depend on each other.",
    "weights": "Correct on average over all samples with such weights; single classes vary.",
    "all": "No two people in this small sample share the same values: all may be unique.",
}
"""From `bench/bench_uniqueness.py`, over five kinds of populations."""


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """The estimate of one model for the population."""

    model: str
    population_uniques: float | None
    """People who are unique in the population; None if the model gives no number."""
    in_sample: float | None
    """Number of them who are in the table."""
    journalist: AttackRisk | None
    reason: str | None = None
    """Why there is no estimate."""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        risk = self.journalist
        return {
            "model": self.model,
            "name": NAMES[self.model],
            "population_uniques": self.population_uniques,
            "unique_in_both": self.in_sample,
            "journalist": None if risk is None else attack_dict(risk),
            "accuracy": ACCURACY[self.model],
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class PopulationEstimate:
    """Estimates for the population that a table was sampled from."""

    measure: SampledMeasure
    records: int
    sample_uniques: int
    right_match: float | None
    """Probability that a match with a unique record is correct; None if no record is unique."""
    models: tuple[ModelEstimate, ...]
    chosen: str
    """The model that gives the journalist risk."""
    cell_size: int
    least_class: int
    """A sample class of at least this size shows that the population class reaches the cell size."""
    least_seen: int
    """The same among classes that occur in the sample, which are the ones examined."""
    records_below: int
    """Number of records in smaller classes."""

    @property
    def sampling(self) -> Sampling:
        """How the table was sampled."""
        return self.measure.sampling

    @property
    def deciding(self) -> ModelEstimate:
        """The estimate of the model that is used."""
        return next(one for one in self.models if one.model == self.chosen)

    @property
    def journalist(self) -> AttackRisk:
        """The estimated journalist risk."""
        risk = self.deciding.journalist
        assert risk is not None  # noqa: S101 - only models with a risk are chosen
        return risk

    @property
    def fraction(self) -> float:
        """The share of the population that is in the table."""
        return self.records / self.measure.population

    def reason(self) -> Reason:
        """Explain the estimate; it does not change the verdict."""
        found = self.deciding
        own = "" if found.in_sample is None else f", about {found.in_sample:,.0f} in the population too"
        return Reason(
            f"The table contains {100 * self.fraction:.3g} % of {self.measure.population:,} people. "
            f"{plural(self.sample_uniques, 'record')} are unique in it{own} ({NAMES[self.chosen]}). "
            "An intruder who does not know who is in the table matches a record correctly with an estimated "
            f"probability of {probability(self.journalist.average)} on average.",
            None,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        fits = [{**asdict(fit), "terms": [list(term) for term in fit.terms]} for fit in self.measure.fits]
        return {
            "sampling": self.sampling.to_dict(),
            "population_size": self.measure.population,
            "fraction": self.fraction,
            "sample_uniques": self.sample_uniques,
            "right_unique_match": self.right_match,
            "chosen": self.chosen,
            "models": [model.to_dict() for model in self.models],
            "loglinear": {"models": fits, "note": self.measure.fits_note},
            "k_map": {
                "cell_size": self.cell_size,
                "least_sample_class": self.least_class,
                "least_class_seen": self.least_seen,
                "level": 1 - ALPHA,
                "records_below": self.records_below,
                "share_below": self.records_below / self.records,
            },
        }


def attack_dict(risk: AttackRisk) -> dict[str, Any]:
    """Return the three figures of one kind of adversary."""
    return {"highest": risk.highest, "average": risk.average, "share_above_threshold": risk.share_above}


def estimate_population(measure: SampledMeasure, sizes: ClassSizes, *, cell_size: int) -> PopulationEstimate:
    """Apply every model to the class sizes of the table."""
    sample, found = _fit(sizes, measure.population)
    models = [*_by_sizes(sample, found, cell_size), *_by_cells(measure, sample)]
    chosen = deciding_model(sample, found)
    if measure.weighted is not None:
        models.insert(0, _by_weights(measure.weighted, cell_size))
        chosen = "weights"
    least, seen = (
        least_sample_class(cell_size, sample.fraction, alpha=ALPHA, seen=seen) for seen in (False, True)
    )
    return PopulationEstimate(
        measure=measure,
        records=sizes.records,
        sample_uniques=sample.uniques,
        right_match=right_match(sample.uniques, dict(sizes.counts).get(2, 0), sample.fraction),
        models=tuple(models),
        chosen=chosen,
        cell_size=cell_size,
        least_class=least,
        least_seen=seen,
        records_below=sizes.records_below(seen),
    )


@lru_cache(maxsize=8)
def _fit(sizes: ClassSizes, population: int) -> tuple[SampledClasses, UniquesEstimate]:
    """Fit once for all contexts of an assessment: the fits do not depend on a threshold."""
    size, number = np.array(sizes.counts, dtype=np.int64).T
    sample = SampledClasses(size, number, population)
    return sample, estimate_uniques(sample)


def _by_sizes(sample: SampledClasses, found: UniquesEstimate, cell_size: int) -> list[ModelEstimate]:
    models = class_models(sample, found)
    uniques = {
        "pitman": found.pitman,
        "pitman_asymptotic": found.pitman_asymptotic,
        "zayatz": found.zayatz,
        "snb": found.snb,
    }
    if found.chosen == "all":
        uniques["all"] = found.uniques
    rows = []
    for name, people in uniques.items():
        model = models.get(name)
        risk = None if model is None else journalist_by(model, sample, cell_size=cell_size)
        if isnan(people):
            rows.append(
                ModelEstimate(name, None, None, risk, "The model gives no estimate for these classes.")
            )
            continue
        rows.append(ModelEstimate(name, people, min(people * sample.fraction, sample.uniques), risk))
    return rows


def _by_cells(measure: SampledMeasure, sample: SampledClasses) -> list[ModelEstimate]:
    if not measure.fits:
        return []
    own = measure.fits[-1].population_uniques
    return [ModelEstimate("loglinear", own / sample.fraction, own, None, measure.fits_note)]


def _by_weights(rows: tuple[tuple[int, float, int], ...], cell_size: int) -> ModelEstimate:
    size, people, number = np.array(rows, dtype=np.float64).T
    risk, alone = individual_journalist(size, people, number, cell_size=cell_size)
    return ModelEstimate("weights", None, alone, risk)
