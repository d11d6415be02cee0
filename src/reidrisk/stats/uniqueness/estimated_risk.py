"""The risk in the population with its limits, from all models of a sample."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reidrisk.core.estimate import Estimate
from reidrisk.stats.uniqueness.class_models import ClassFigures, SampledClasses
from reidrisk.stats.uniqueness.copula_estimate import CopulaFit
from reidrisk.stats.uniqueness.individual import WeightedClasses
from reidrisk.stats.uniqueness.model_limits import (
    count_limits,
    limit_smallest,
    median_smallest,
    people_limits,
    spread_limits,
)


@dataclass(frozen=True, slots=True)
class PitmanFigures:
    """What Pitman's model says, as another view of the same sample."""

    unique: float
    """Records that are unique in the population."""
    average: float
    """Mean of 1 / F over the records."""
    small_records: float
    """Records in population classes below the cell size."""

    @classmethod
    def of(cls, people: float, figures: ClassFigures, sample: SampledClasses) -> PitmanFigures:
        """Build from the number of unique people in the population and the risk of the records."""
        unique = min(people * sample.fraction, float(sample.uniques))
        return cls(unique, figures.average, figures.small_share * sample.records)


@dataclass(frozen=True, slots=True)
class EstimatedRisk:
    """The risk in the population, for one cell size."""

    chance: float
    """That some record is in a population class below the cell size."""
    chance_of_three: float
    """The same for a cell size of 3, which caps the risk of single records under the average rule."""
    smallest: int
    """As likely as not, the smallest population class of a record is no larger than this."""
    smallest_limit: int
    """The smallest size of a population class that cannot be ruled out with 95 % confidence."""
    unique: Estimate
    """Records that are unique in the population."""
    people: Estimate | None
    """People who are unique in the population; None if they were not estimated."""
    average: Estimate
    """Journalist risk on average, which is the marketer risk."""
    small_records: Estimate
    """Records in population classes below the cell size."""


def copula_risk(
    fit: CopulaFit, sample: SampledClasses, *, cell_size: int, pitman: PitmanFigures | None
) -> EstimatedRisk:
    """The risk by the calibrated copula; limits also cover the other calibrations and Pitman's model."""
    small = fit.small_classes(cell_size)
    unique = [one.unique for one in fit.models], [one.unique_spread for one in fit.models]
    average = [one.average for one in fit.models], [one.average_spread for one in fit.models]
    records = list(small.records), list(small.record_spreads)
    if pitman is not None:
        unique[0].append(pitman.unique)
        average[0].append(pitman.average)
        records[0].append(pitman.small_records)
    main = fit.models.index(fit.main)
    no_pair = sample.classes == sample.records
    people = people_limits(*unique, fraction=sample.fraction, population=sample.population)
    low, high = spread_limits(*average)
    most = sample.classes / sample.records
    below = int((sample.sizes * sample.number)[sample.sizes < cell_size].sum())

    def chance(size: int) -> float:
        return float(no_pair and size > 1) or fit.chance_below(size)

    return EstimatedRisk(
        chance=chance(cell_size),
        chance_of_three=chance(3),
        smallest=median_smallest(chance, most=sample.population),
        smallest_limit=limit_smallest(chance, most=sample.population),
        unique=_wide(fit.unique, *count_limits(*unique, most=sample.uniques), no_pair, sample.uniques),
        people=_wide(fit.unique / sample.fraction, *people, no_pair, sample.population),
        average=_wide(fit.main.average, low, min(high, most), no_pair, most),
        small_records=_wide(small.records[main], *count_limits(*records, most=below), no_pair, below),
    )


def _wide(value: float, low: float, high: float, no_pair: bool, most: float) -> Estimate:  # noqa: FBT001
    """Limits that contain the point; if no two records are alike, nothing is known about the upper one."""
    return Estimate(value, min(low, value), max(high, value, most if no_pair else 0.0))


def whole_risk(sample: SampledClasses, *, cell_size: int) -> EstimatedRisk:
    """The risk if everybody was sampled: the classes of the table are those of the population."""
    below = float((sample.sizes * sample.number)[sample.sizes < cell_size].sum())
    smallest = int(sample.sizes.min())
    return EstimatedRisk(
        chance=float(smallest < cell_size),
        chance_of_three=float(smallest < 3),
        smallest=smallest,
        smallest_limit=smallest,
        unique=_exact(sample.uniques),
        people=_exact(sample.uniques),
        average=_exact(sample.classes / sample.records),
        small_records=_exact(below),
    )


def weighted_risk(classes: WeightedClasses, sample: SampledClasses, *, cell_size: int) -> EstimatedRisk:
    """The risk by survey weights; not validated, so that the limits are those of the table itself."""
    whole = whole_risk(sample, cell_size=cell_size)
    return replace(
        whole,
        smallest=max(classes.smallest, whole.smallest),
        unique=_up_to(classes.unique, sample.uniques),
        people=None,
        average=_up_to(classes.average, whole.average.value),
        small_records=_up_to(classes.small(cell_size)[1], whole.small_records.value),
    )


def _up_to(value: float, most: float) -> Estimate:
    return Estimate(min(value, most), 0.0, most)


def _exact(value: float) -> Estimate:
    return Estimate(value, value, value)
