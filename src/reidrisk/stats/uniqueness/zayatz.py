"""Population uniques by Zayatz 1991: sample classes stand for population ones."""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Floats
from reidrisk.stats.uniqueness.sampled import SampledClasses


def zayatz_uniques(sample: SampledClasses) -> float:
    """Expected number of people who are unique in the population.

    Overestimates 1.5 to 6 times where a tenth or less is sampled: rare classes are taken to be as
    frequent in the population as they seem in the sample.
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
    """The chance that exactly one of a population class of each size is in the sample: hypergeometric.

    As the product j n/N (N-n)/(N-1) (N-n-1)/(N-2) ...: factorials of a nation would cancel.
    """
    people, drawn = sample.population, sample.records
    step = np.arange(int(sample.sizes.max()) - 1, dtype=np.float64)
    left = np.clip(people - drawn - step, 0, None) / np.clip(people - 1 - step, 1, None)
    others = np.concatenate([[1.0], np.cumprod(left)])
    return np.asarray(sample.sizes * sample.fraction * others[sample.sizes - 1])
