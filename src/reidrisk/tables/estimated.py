"""A table as a sample of its population: what is fitted once, for any threshold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.plans import DistinctTuples
from reidrisk.engine.protocol import Table
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.stats.uniqueness.copula import ClassChances, class_chances
from reidrisk.stats.uniqueness.copula_estimate import CopulaFit, fit_chances
from reidrisk.stats.uniqueness.drawn_classes import draw_classes
from reidrisk.stats.uniqueness.loglinear import LogLinear, SampleCells, independent_matches, select_loglinear
from reidrisk.tables.sampling import Sampling

MOST_CELLS = 500_000
"""Above this number only the model of independent columns is fitted: the others take too long."""
TOO_MANY = (
    "The columns have more combinations than a fit can use ({most:,}): only the model of independent columns "
    "was fitted, which overestimates the risk if columns depend on each other."
)
MOST_TUPLES = 200_000
"""Up to this number of distinct tuples, the chance of every one is computed; above, of so many of them."""
MOSTLY = 0.5
FEW_VALUES = 10
"""A column of numbers or dates with more values than this is ordered; one with fewer may hold codes."""


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
    copula: CopulaFit | None = field(default=None, repr=False)
    """The calibrated copula; None if everybody was sampled."""
    ordered: tuple[str, ...] = ()
    """Columns whose values were taken in their natural order."""
    rare_columns: tuple[str, ...] = ()
    """Columns in which most unique records have a value that no other record has."""
    chances: ClassChances | None = field(default=None, repr=False, compare=False)
    """The chance of each distinct tuple; not kept in the results of a measurement."""

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
            "copula": None if self.copula is None else self.copula.to_dict(),
            "ordered": list(self.ordered),
            "rare_columns": list(self.rare_columns),
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
            Sampling.from_dict(given["sampling"]),
            given["population"],
            None if rows is None else tuple((size, people, number) for size, people, number in rows),
            tuple(fits),
            given["fits_note"],
            None if given["copula"] is None else CopulaFit.from_dict(given["copula"]),
            tuple(given["ordered"]),
            tuple(given["rare_columns"]),
        )


def measure_sample(
    records: Table, tuples: DistinctTuples, sampling: Sampling, *, every_tuple: bool = False
) -> SampledMeasure:
    """Sum the weights by class, if there are any, and fit the models of columns to the distinct tuples.

    Above `MOST_TUPLES` the chances of classes are computed for a sample of them, unless those of
    `every_tuple` are wanted.
    """
    weighted = None
    if sampling.weights is not None:
        weighted = records.rows.weighted_sizes(tuples.columns, sampling.weights)
    total = None if weighted is None else sum(people * number for _, people, number in weighted)
    people = sampling.people(tuples.records, total)
    fits, note = _fit_loglinear(tuples, tuples.records / people)
    ordered = tuple(_ordered(tuples, sampling.ordinal))
    copula, chances = None, None
    if people > tuples.records:
        ordinal = tuple(column in ordered for column in tuples.columns)
        codes = tuples.codes.astype(np.int64)
        most = len(codes) if every_tuple else MOST_TUPLES
        places, drawn = draw_classes(codes, tuples.counts, most=most)
        chances = class_chances(codes, tuples.counts, ordinal=ordinal, only=places)
        copula = fit_chances(chances, tuples.counts[places], people, drawn)
    rare = tuple(_rare_columns(tuples))
    return SampledMeasure(sampling, people, weighted, fits, note, copula, ordered, rare, chances)


def write_record_chances(
    records: Table, tuples: DistinctTuples, sampled: SampledMeasure, path: str | Path
) -> None:
    """Write each record's chance of being unique in the population; no value of the table is written."""
    fit = sampled.copula
    if fit is None:
        unique, average = (tuples.counts == 1).astype(np.float64), 1 / tuples.counts
    elif sampled.chances is None or not fit.is_estimated:
        raise BadData(
            "The chances of records were not estimated: the model could not be fitted.",
            hint="Leave out --record-chances, or use fewer quasi-identifiers.",
        )
    else:
        unique, average = fit.class_risks(sampled.chances, tuples.counts)
    figures = {"class_size": tuples.counts, "chance_unique": unique, "chance_of_right_match": average}
    records.edit.write_by_row(tuples, figures, path)


def _fit_loglinear(tuples: DistinctTuples, fraction: float) -> tuple[tuple[LogLinearFit, ...], str | None]:
    codes = tuples.codes.astype(np.int64)
    try:
        cells = SampleCells.of(codes, tuples.counts, fraction, most=MOST_CELLS)
    except BadData:
        simple = independent_matches(codes, tuples.counts, fraction)
        fit = LogLinearFit((), simple.population_uniques, simple.correct_matches)
        return (fit,), TOO_MANY.format(most=MOST_CELLS)
    return tuple(LogLinearFit.of(model, tuples.columns) for model in select_loglinear(cells)), None


def _rare_columns(tuples: DistinctTuples) -> Iterable[str]:
    """Columns that alone explain why most unique records are unique: their counts say little."""
    alone = tuples.counts == 1
    for place, column in enumerate(tuples.columns if alone.any() else ()):
        codes = tuples.codes[:, place]
        held = np.bincount(codes, weights=tuples.counts)
        if np.mean(held[codes[alone]] == 1) > MOSTLY:
            yield column


def _ordered(tuples: DistinctTuples, declared: Sequence[str]) -> Iterable[str]:
    """Columns with an order: declared ones, and numbers or dates with more than ten values."""
    for column in declared:
        if column not in tuples.columns:
            raise InvalidSetting(
                f"{column!r} is declared as ordered, but it is not a quasi-identifier.",
                hint=f"Choose from: {', '.join(tuples.columns)}.",
            )
    for column, values in zip(tuples.columns, tuples.values, strict=True):
        if column in declared or _is_measured(values):
            yield column


def _is_measured(values: NDArray[np.object_]) -> bool:
    known = [value for value in values if value is not None]
    kinds = (int, float, Decimal, date, time)
    return len(known) > FEW_VALUES and all(
        isinstance(value, kinds) and not isinstance(value, bool) for value in known
    )
