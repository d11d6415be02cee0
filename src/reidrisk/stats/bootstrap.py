"""Bootstrap over documents, also paired for two tools.

It does not assume that types are independent, and has no model of documents. Like the normal model, it shows
no uncertainty where nothing leaked.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import ndtri

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.leak import at_least, value_leak
from reidrisk.stats.models import DirectModel, QuasiModel, with_catch

FEWEST_LEAKING_DOCUMENTS = 5
"""With fewer leaking documents, the spread of the resamples does not reflect the true uncertainty."""
CELLS = 2_000_000


@dataclass(frozen=True, slots=True)
class DocumentCounts:
    """The counts of each document."""

    holds: Bools
    leaks: Bools
    values: Ints
    instances: Ints
    caught: Ints

    @property
    def size(self) -> int:
        """The number of documents."""
        return int(self.values.size)


@dataclass(frozen=True, slots=True)
class BootstrapDraws:
    """Draws of the two risks; None where there is nothing to resample."""

    direct: Floats | None
    quasi: Floats | None


def bootstrap(
    counts: DocumentCounts,
    direct: DirectModel | None,
    quasi: QuasiModel | None,
    *,
    resamples: int,
    rng: np.random.Generator,
) -> BootstrapDraws:
    """Equations 16 and 12 (with attempt) of corpora resampled from the corpus with replacement."""
    found: list[tuple[Floats | None, Floats | None]] = []
    batch = max(1, CELLS // max(1, counts.size))
    for start in range(0, resamples, batch):
        size = min(batch, resamples - start)
        times = rng.multinomial(counts.size, np.full(counts.size, 1 / counts.size), size=size).astype(float)
        first = _direct(counts, direct, times, rng) if direct else None
        second = _quasi(counts, quasi, times, rng) if quasi else None
        found.append((first, second))
    return BootstrapDraws(_join([pair[0] for pair in found]), _join([pair[1] for pair in found]))


def _direct(counts: DocumentCounts, model: DirectModel, times: Floats, rng: np.random.Generator) -> Floats:
    present, leaking = times @ counts.holds, times @ counts.leaks
    recall = np.divide(present - leaking, present, out=np.ones_like(present), where=present > 0)
    shared = model.recognition.quantiles(rng.random(len(times)))
    kept = np.zeros(len(times))
    for place, kind in enumerate(model.types):
        own = shared if kind.recognition is None else kind.recognition.quantiles(rng.random(len(times)))
        leak = model.exposure(kind, recall[:, place], own) * leaking[:, place] / counts.size
        kept += np.log1p(-np.minimum(leak, 1 - 1e-16))
    return with_catch(-np.expm1(kept), model.given_catch) * model.attempt.quantiles(rng.random(len(times)))


def _quasi(counts: DocumentCounts, model: QuasiModel, times: Floats, rng: np.random.Generator) -> Floats:
    values, instances, caught = times @ counts.values, times @ counts.instances, times @ counts.caught
    some = values > 0
    recall = np.divide(caught, instances, out=np.ones_like(caught), where=some)
    repeats = np.divide(instances, values, out=np.ones_like(values), where=some)
    exposure = model.exposure(recall, model.recognition.quantiles(rng.random(len(times))))
    missed = value_leak(recall, repeats, independent=model.independent)
    share = (times @ (counts.instances > 0)) / counts.size if model.scale < 1 else np.ones(len(times))
    number = np.divide(values / counts.size, share, out=np.zeros_like(values), where=share > 0)
    risk = share * at_least(model.needed, number, exposure * missed)
    attempt = model.attempt.quantiles(rng.random(len(times)))
    catch = model.catch.low if model.catch.is_constant else model.catch.quantiles(rng.random(len(times)))
    return model.total(risk, missed, catch) * attempt


def _join(parts: list[Floats | None]) -> Floats | None:
    arrays = [part for part in parts if part is not None]
    return np.concatenate(arrays) if arrays else None


def difference_interval(first: Floats, second: Floats, levels: tuple[float, float]) -> tuple[float, float]:
    """Percentile interval of first - second, drawn with the same resampled documents.

    Effects that both share, such as a resample with more or fewer difficult documents, cancel out.

    >>> low, high = difference_interval(np.array([0.5, 0.7, 0.9]), np.array([0.4, 0.6, 0.8]), (0.025, 0.975))
    >>> round(low, 3), round(high, 3)
    (0.1, 0.1)
    """
    if first.shape != second.shape:
        raise InvalidSetting(
            "The two risks have different numbers of draws.", hint="Resample both with the same seed."
        )
    low, high = np.quantile(first - second, levels)
    return float(low), float(high)


def share_difference(
    only_first: int, only_second: int, documents: int, *, levels: tuple[float, float]
) -> tuple[float, float, float]:
    """Difference of two shares of the same documents, with its interval.

    `only_first` is the number of documents that have the property under the first treatment only. This is the
    adjusted Wald interval of Bonett and Price (2012), doi:10.3102/1076998611411915, which is valid for small
    numbers too: one document is added to each kind of disagreement.

    >>> [round(part, 4) for part in share_difference(1, 9, 100, levels=(0.025, 0.975))]
    [-0.08, -0.1432, -0.0136]
    """
    if min(only_first, only_second) < 0 or only_first + only_second > documents or documents < 1:
        raise InvalidSetting(
            f"There cannot be {only_first} and {only_second} disagreements in {documents} documents.",
            hint="Count each document once.",
        )
    first, second = (only_first + 1) / (documents + 2), (only_second + 1) / (documents + 2)
    spread = sqrt((first + second - (first - second) ** 2) / (documents + 2))
    low, high = (first - second + float(ndtri(level)) * spread for level in levels)
    return (only_first - only_second) / documents, max(low, -1.0), min(high, 1.0)
