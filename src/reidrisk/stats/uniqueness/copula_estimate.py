"""Uniqueness and risk in the population, estimated from the columns of a sample.

The chance of every class comes from a Gaussian copula (`copula.py`), calibrated by how many others each
record has in the sample (`calibration.py`). There are four calibrations: three of the copula, which count
numbers of others from 5 on, from 10 on, or never as one; and one of independent columns. A fifth is added if
a column has many values of one record and few of two. Where they disagree, the limits are wider.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.uniqueness.calibration import (
    MOST_SPREAD,
    Calibration,
    ClassRows,
    Mixture,
    calibrate,
    inverse_variances,
    mean_inverses,
    small_chances,
    unique_chances,
)
from reidrisk.stats.uniqueness.copula import ClassChances, class_chances
from reidrisk.stats.uniqueness.drawn_classes import DrawnClasses, draw_classes
from reidrisk.stats.uniqueness.model_limits import small_class_chance
from reidrisk.stats.uniqueness.record_risk import Sampled

VARIANTS: Mapping[str, tuple[str, int | None]] = {
    "c5": ("copula", 5),
    "c10": ("copula", 10),
    "c_all": ("copula", None),
    "i10": ("independent", 10),
    "r10": ("cautious", 10),
}
"""By name: which chances of classes, and from which number of others on records count alike."""
CHANCES = ("copula", "independent", "cautious")
MAIN = "c10"
"""The variant that gives the point estimates."""
ALL_STEPS, WIDER = 10, 1.25
"""Cell sizes whose chance is always computed: all up to the first, then each a quarter larger."""
EDGES = (0.0, 0.01, 0.05, 0.1, 0.2, 1 / 3, 0.5, 0.8, 1.0)
"""Limits of the histogram of records by their chance of being unique."""

Rows = tuple[tuple[float, int, int], ...]


@dataclass(frozen=True, slots=True)
class CalibratedModel:
    """One calibration: parameters, their variance, and the totals with the spread of their logarithms."""

    name: str
    point: tuple[float, ...] = field(repr=False)
    variance: tuple[tuple[float, ...], ...] = field(repr=False)
    unique: float
    """Expected records that are unique in the population."""
    unique_spread: float
    average: float
    """Mean of 1 / F over the records."""
    average_spread: float
    """Also because the classes of this sample differ from their expectation."""

    @property
    def calibration(self) -> Calibration:
        """The fitted mixture."""
        return Calibration(self.mixture, np.array(self.variance))

    @property
    def mixture(self) -> Mixture:
        """The parameters."""
        return Mixture(np.array(self.point))

    @property
    def chances(self) -> str:
        """Which chances of classes it uses."""
        return VARIANTS[self.name][0]


@dataclass(frozen=True, slots=True)
class SmallClasses:
    """Classes of the sample that have fewer people in the population than a cell size, by each model."""

    cell_size: int
    classes: tuple[float, ...]
    class_spreads: tuple[float, ...]
    records: tuple[float, ...]
    record_spreads: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CopulaFit:
    """Everything that the estimates of any cell size need: small, and the same after a rest."""

    records: int
    population: int
    plug_in: float
    """Expected unique records if the chances of the copula were exact."""
    centres: tuple[float, ...]
    """Mean log chance of the records' classes, for each of `CHANCES`."""
    rows: tuple[Rows, ...] = field(repr=False)
    """Log chance less its mean, size, and number of classes; the last only if it differs from the first."""
    models: tuple[CalibratedModel, ...]
    """Empty if a calibration failed."""
    drawn: DrawnClasses | None = None
    """How classes were drawn; None if all of them are in the rows."""

    @property
    def is_estimated(self) -> bool:
        """Whether all calibrations succeeded."""
        return bool(self.models)

    @property
    def sample(self) -> Sampled:
        """Numbers of records and of people."""
        return Sampled(self.records, self.population)

    @property
    def main(self) -> CalibratedModel:
        """The variant that gives the point estimates."""
        return next(one for one in self.models if one.name == MAIN)

    @property
    def unique(self) -> float:
        """Expected records that are unique in the population: the mean of two estimates on a log scale."""
        return sqrt(self.main.unique * self.plug_in)

    def class_rows(self, chances: str) -> ClassRows:
        """The classes with their chances by the copula, by independent columns, or cautious ones."""
        at = CHANCES.index(chances)
        log_chance, size, number = np.array(self.rows[at], dtype=np.float64).T
        rows = ClassRows(log_chance, size.astype(np.int64), number.astype(np.int64), self.centres[at])
        return rows.standing_for(self.drawn)

    @property
    def examined(self) -> int:
        """Number of classes whose chances were computed."""
        return sum(number for _, _, number in self.rows[0])

    def small_classes(self, cell_size: int) -> SmallClasses:
        """Expected small classes and their records, with the spread of the logarithms."""
        return _small_classes(self, cell_size)

    def chance_below(self, cell_size: int) -> float:
        """The chance that some record is in a population class smaller than this.

        A class smaller than 4 is also smaller than 5: the chance is never below that of a smaller size.
        """
        sizes = [*_steps(cell_size), cell_size]
        return max((_chance(self, size) for size in sizes if size > 1), default=0.0)

    def unique_histogram(self) -> list[tuple[float, float, int]]:
        """Numbers of records by their chance of being unique in the population."""
        rows = self.class_rows("copula")
        chance = unique_chances(self.main.mixture, rows, self.sample)
        held, _ = np.histogram(chance, bins=EDGES, weights=rows.size * rows.number)
        return [
            (low, high, round(number)) for low, high, number in zip(EDGES[:-1], EDGES[1:], held, strict=True)
        ]

    def class_risks(self, chances: ClassChances, number: Ints) -> tuple[Floats, Floats]:
        """For each tuple: the chance that its record is unique in the population, and the mean of 1 / F."""
        logs = np.round(np.log(chances.by_copula) - self.centres[0], 1)
        rows = ClassRows(logs, number, np.ones_like(number), self.centres[0])
        model = self.main.mixture
        return unique_chances(model, rows, self.sample), mean_inverses(model, rows, self.sample)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        models = [
            {
                **{name: getattr(one, name) for name in CalibratedModel.__slots__},
                "point": list(one.point),
                "variance": [list(row) for row in one.variance],
            }
            for one in self.models
        ]
        rows = [[list(row) for row in rows] for rows in self.rows]
        plain = {name: getattr(self, name) for name in ("records", "population", "plug_in")}
        drawn = None if self.drawn is None else self.drawn.to_list()
        return {**plain, "centres": list(self.centres), "rows": rows, "models": models, "drawn": drawn}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> CopulaFit:
        """Read what `to_dict` wrote."""
        models = tuple(
            CalibratedModel(
                **{
                    **one,
                    "point": tuple(one["point"]),
                    "variance": tuple(tuple(row) for row in one["variance"]),
                }
            )
            for one in given["models"]
        )
        rows = tuple(tuple((low, int(f), int(n)) for low, f, n in rows) for rows in given["rows"])
        plain = (given["records"], given["population"], given["plug_in"])
        sizes = given.get("drawn")
        drawn = None if sizes is None else DrawnClasses(tuple((f, some, every) for f, some, every in sizes))
        return cls(*plain, tuple(given["centres"]), rows, models, drawn)


def _steps(cell_size: int) -> Sequence[int]:
    """Cell sizes below the given one whose chance is compared with its own."""
    found, size = list(range(2, min(cell_size, ALL_STEPS + 1))), ALL_STEPS
    while (size := int(size * WIDER)) < cell_size:
        found.append(size)
    return found


@lru_cache(maxsize=1024)
def _chance(fit: CopulaFit, cell_size: int) -> float:
    found = fit.small_classes(cell_size)
    return small_class_chance(found.classes, found.class_spreads)


@lru_cache(maxsize=1024)
def _small_classes(fit: CopulaFit, cell_size: int) -> SmallClasses:
    found = [_small(fit, model, cell_size) for model in fit.models]
    return SmallClasses(cell_size, *(tuple(one[at] for one in found) for at in range(4)))


def _small(fit: CopulaFit, model: CalibratedModel, cell_size: int) -> tuple[float, float, float, float]:
    every = fit.class_rows(model.chances)
    few = every.size < cell_size
    weight = None if every.weight is None else every.weight[few]
    rows = ClassRows(every.log_chance[few], every.size[few], every.number[few], every.centre, weight)
    held = np.stack([rows.number, rows.number * rows.size])

    def chances(mixture: Mixture) -> Floats:
        return small_chances(mixture, rows, fit.sample, cell_size=cell_size)

    def totals(mixture: Mixture) -> Floats:
        return np.asarray(held @ chances(mixture))

    (classes, records), spreads = totals(model.mixture), model.calibration.log_spreads(totals)
    own = chances(model.mixture)
    missed = 0.0 if fit.drawn is None else fit.drawn.missed(cell_size)
    return (
        float(classes) + missed,
        _wider(spreads[0], rows.variance_of_draw(own), classes),
        float(records),
        _wider(spreads[1], rows.variance_of_draw(rows.size * own), records),
    )


def _wider(spread: float, variance: float, total: float) -> float:
    """The spread of the logarithm of a total, with the variance of the draw."""
    if variance <= 0:
        return float(spread)
    return min(sqrt(spread**2 + variance / total**2), MOST_SPREAD) if total > 0 else MOST_SPREAD


def fit_copula(
    codes: Ints, number: Ints, population: int, *, ordinal: Sequence[bool], most: int | None = None
) -> CopulaFit:
    """Fit to a sample: distinct tuples, the records of each, and which columns have ordered categories.

    If there are more tuples than `most`, the chances of about so many are computed.
    """
    places, drawn = draw_classes(codes, number, most=len(codes) if most is None else most)
    chances = class_chances(codes, number, ordinal=ordinal, only=places)
    return fit_chances(chances, number[places], population, drawn)


def fit_chances(
    found: ClassChances, number: Ints, population: int, drawn: DrawnClasses | None = None
) -> CopulaFit:
    """Calibrate the chances of classes by the records of each; `drawn` says which classes these are."""
    weight = np.ones(len(number)) if drawn is None else drawn.weights(number)
    sample = Sampled(round(float(number @ weight)), population)
    outside, alone = population - sample.records, number == 1
    plug_in = float((weight[alone] * np.exp(-outside * found.by_copula[alone])).sum())
    used = CHANCES if np.any(found.cautious < found.by_copula) else CHANCES[:2]
    every = (found.by_copula, found.independent, found.cautious)
    rows = {name: ClassRows.of(chance, number, drawn) for name, chance in zip(used, every, strict=False)}
    models = [
        _calibrated(name, rows[chances], sample, cap=cap)
        for name, (chances, cap) in VARIANTS.items()
        if chances in rows
    ]
    return CopulaFit(
        sample.records,
        population,
        plug_in,
        tuple(one.centre for one in rows.values()),
        tuple(_listed(one) for one in rows.values()),
        () if None in models else tuple(one for one in models if one is not None),
        drawn,
    )


def _listed(rows: ClassRows) -> Rows:
    number = rows.number if rows.weight is None else np.round(rows.number / rows.weight).astype(np.int64)
    return tuple(zip(rows.log_chance.tolist(), rows.size.tolist(), number.tolist(), strict=True))


def _calibrated(name: str, rows: ClassRows, sample: Sampled, *, cap: int | None) -> CalibratedModel | None:
    found = calibrate(rows, cap=cap)
    if found is None:
        return None

    def totals(model: Mixture) -> Floats:
        unique = rows.number @ unique_chances(model, rows, sample)
        inverse = (rows.number * rows.size) @ mean_inverses(model, rows, sample)
        return np.array([unique, inverse / sample.records])

    (unique, average), spreads = totals(found.model), found.log_spreads(totals)
    chance = (rows.number * rows.size**2) @ inverse_variances(found.model, rows, sample)
    chance += rows.variance_of_draw(rows.size * mean_inverses(found.model, rows, sample))
    spread = sqrt(spreads[1] ** 2 + chance / (sample.records * average) ** 2)
    draw = rows.variance_of_draw(unique_chances(found.model, rows, sample))
    return CalibratedModel(
        name,
        tuple(found.model.point.tolist()),
        tuple(tuple(row) for row in found.variance.tolist()),
        float(unique),
        _wider(spreads[0], draw, unique),
        float(average),
        min(spread, MOST_SPREAD),
    )
