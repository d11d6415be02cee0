"""What is counted in a table to reason about the population that it was drawn from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from reidrisk.engine.table import Table
from reidrisk.engine.tuples import DistinctTuples
from reidrisk.engine.weights import weighted_sizes
from reidrisk.errors import BadData
from reidrisk.stats.uniqueness.loglinear import LogLinear, SampleCells, independent_matches, select_loglinear
from reidrisk.tables.sampling import Sampling

MOST_CELLS = 500_000
"""Above it only the model of independent columns is fitted: the others take too long."""
TOO_MANY = (
    "The columns have more combinations than a fit takes ({most:,}): only the model of independent columns "
    "was fitted, which says too much risk where columns depend on each other."
)


@dataclass(frozen=True, slots=True)
class LogLinearFit:
    """One log-linear model of the sample, and whether it fits."""

    terms: tuple[tuple[str, ...], ...]
    """The pairs of columns that depend on each other; none: all are independent."""
    population_uniques: float
    """Records that are unique in the sample and in the population."""
    correct_matches: float
    """Sample uniques that an adversary matches rightly who picks one of the population class."""
    bias: float | None = None
    """Estimated bias of the number of uniques; above 0: too simple a model, too high an answer."""
    standardised_bias: float | None = None
    underfits: bool | None = None
    converged: bool = True

    @classmethod
    def of(cls, model: LogLinear, columns: Sequence[str]) -> LogLinearFit:
        """A fitted model by the names of its columns."""
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
    """A table as a sample; no threshold is in it."""

    sampling: Sampling
    population: int
    weighted: tuple[tuple[int, float, int], ...] | None = field(default=None, repr=False)
    """Size of class, sum of its weights, number of such classes; None without weights."""
    fits: tuple[LogLinearFit, ...] = ()
    """Log-linear models from the simplest on; the last one counts."""
    fits_note: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
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
        """What `to_dict` wrote."""
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
    """Weights by class where there are any, and log-linear models of the distinct tuples."""
    weighted = None
    if sampling.weights is not None:
        weighted = weighted_sizes(records, tuples.columns, sampling.weights)
    total = None if weighted is None else sum(people * number for _, people, number in weighted)
    people = sampling.people(tuples.records, total)
    fits, note = _fits(tuples, tuples.records / people)
    return SampledMeasure(sampling, people, weighted, fits, note)


def _fits(tuples: DistinctTuples, fraction: float) -> tuple[tuple[LogLinearFit, ...], str | None]:
    codes = tuples.codes.astype(np.int64)
    try:
        cells = SampleCells.of(codes, tuples.counts, fraction, most=MOST_CELLS)
    except BadData:
        simple = independent_matches(codes, tuples.counts, fraction)
        fit = LogLinearFit((), simple.population_uniques, simple.correct_matches)
        return (fit,), TOO_MANY.format(most=MOST_CELLS)
    return tuple(LogLinearFit.of(model, tuples.columns) for model in select_loglinear(cells)), None
