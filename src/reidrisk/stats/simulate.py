"""Equations 20 and 21 by simulation: one code path for pseudo-random and Sobol points.

Every quantity is its quantile function at a uniform number, so two runs with the same uniforms differ only by
what was changed between them.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.special import gammainc, gammaincinv

from reidrisk.stats.arrays import Floats
from reidrisk.stats.leak import at_least_fast, mean_at_least, value_leak
from reidrisk.stats.models import DirectModel, QuasiModel, opposite, with_catch
from reidrisk.stats.proportion import Bound

Points = Literal["sobol", "montecarlo"]
WORK = 20_000_000
"""Limit on evaluations for averaging over documents."""
SOBOL_DIMENSIONS = 21_201
"""Number of dimensions for which scipy has direction numbers."""
QUASI_DIMENSIONS = 6
"""Uniforms per draw of equation 21; one more if the risk through caught values is uncertain."""


def uniforms(points: Points, *, draws: int, dimensions: int, rng: np.random.Generator) -> Floats:
    """Points in the open unit cube, one row per draw; Sobol rounds `draws` up to a power of two.

    Beyond the dimensions of Sobol's sequence, the points are pseudo-random.
    """
    if points == "sobol" and dimensions <= SOBOL_DIMENSIONS:
        from scipy.stats import qmc  # slow to load, and the exact engine needs no points

        cube = qmc.Sobol(dimensions, scramble=True, rng=rng).random_base2(max(1, (draws - 1).bit_length()))
    else:
        cube = rng.random((draws, dimensions))
    return np.asarray(np.clip(cube, 1e-16, 1 - 1e-16), dtype=float)


def direct_dimensions(model: DirectModel) -> int:
    """Number of uniforms per draw of equation 20."""
    return 3 * len(model.types) + 2


def draw_direct(model: DirectModel, cube: Floats, *, bound: Bound = "high") -> Floats:
    """Draws of equation 20."""
    kept = np.zeros(len(cube))
    for place in range(len(model.types)):
        kept += draw_type(model, place, cube, bound=bound)
    return draw_from_no_leak(model, kept, cube)


def draw_type(model: DirectModel, place: int, cube: Floats, *, bound: Bound = "high") -> Floats:
    """Draws of log(1 - g W (1 - R)) of one type; the sum over types is the log-probability of no leak."""
    kind, own = model.types[place], cube[:, 2 + 3 * place : 5 + 3 * place]
    weight = kind.weight.at(own[:, 0], bound)
    recall = kind.recall.at(own[:, 1], opposite(bound))
    given = (model.recognition, cube[:, 1]) if kind.recognition is None else (kind.recognition, own[:, 2])
    leak = model.exposure(kind, recall, given[0].quantiles(given[1])) * weight * (1 - recall)
    return np.asarray(np.log1p(-np.minimum(leak, 1 - 1e-16)), dtype=float)


def draw_from_no_leak(model: DirectModel, kept: Floats, cube: Floats) -> Floats:
    """Draws of equation 20 from draws of the log-probability of no leak."""
    return with_catch(-np.expm1(kept), model.given_catch) * model.attempt.quantiles(cube[:, 0])


def quasi_dimensions(model: QuasiModel) -> int:
    """Number of uniforms per draw of equation 21."""
    return QUASI_DIMENSIONS + (not model.catch.is_constant)


def draw_quasi(model: QuasiModel, cube: Floats, *, bound: Bound = "high") -> Floats:
    """Draws of equation 21 as printed: the risk of a random document."""
    attempt, recall, exposure = _parameters(model, cube, bound)
    missed = value_leak(recall, model.repeats.quantiles(cube[:, 4]), independent=model.independent)
    risk = model.scale * at_least_fast(model.needed, model.values.quantiles(cube[:, 3]), exposure * missed)
    return attempt * model.total(risk, missed, _catch(model, cube))


def draw_mean_quasi(model: QuasiModel, cube: Floats, *, bound: Bound = "high") -> Floats:
    """Draws of the mean risk over documents: only recall, recognition and attempt (and rate) vary."""
    attempt, recall, exposure = _parameters(model, cube, bound)
    rate_factor = np.ones(len(cube))
    if model.rate_shape is not None:
        rate_factor = gammaincinv(model.rate_shape + 0.5, cube[:, 5]) / model.rate_shape
    catch = _catch(model, cube)
    total = np.zeros(len(cube))
    repeats = model.repeats.coarse()
    for count, chance in zip(repeats.support, repeats.chances, strict=True):
        missed = value_leak(recall, count, independent=model.independent)
        if model.is_linear:
            total += chance * _over_values(model, exposure * missed, rate_factor)
        else:
            total += chance * _combined_over_values(model, exposure * missed, missed, catch)
    return attempt * (model.total(model.scale * total, 0.0, catch) if model.is_linear else total)


def affordable_draws(model: QuasiModel, draws: int) -> int:
    """The largest power of two of draws for which averaging over documents stays fast."""
    numbers = 2 if model.values.rate is not None else model.values.coarse().support.size
    cells = model.repeats.coarse().support.size * numbers
    allowed = max(2**11, WORK // cells)
    return draws if draws <= allowed else 2 ** (allowed.bit_length() - 1)


def _parameters(model: QuasiModel, cube: Floats, bound: Bound) -> tuple[Floats, Floats, Floats]:
    recall = model.recall.at(cube[:, 0], opposite(bound))
    exposure = model.exposure(recall, model.recognition.quantiles(cube[:, 2]))
    return model.attempt.quantiles(cube[:, 1]), recall, exposure


def _catch(model: QuasiModel, cube: Floats) -> Floats | float:
    """Draws of the risk through caught values."""
    return model.catch.low if model.catch.is_constant else model.catch.quantiles(cube[:, QUASI_DIMENSIONS])


def _combined_over_values(model: QuasiModel, leak: Floats, missed: Floats, catch: Floats | float) -> Floats:
    """Mean over the number of values of both risks combined."""
    total = np.zeros_like(leak)
    values = model.values.coarse()
    for number, chance in zip(values.support, values.chances, strict=True):
        risk = model.scale * at_least_fast(model.needed, np.asarray(number), leak)
        total += chance * model.total(risk, missed, catch)
    return total


def _over_values(model: QuasiModel, leak: Floats, rate_factor: Floats) -> Floats:
    """Mean over the number of values in a document, by summing over that number."""
    if model.values.rate is not None:
        thinned = model.values.rate * rate_factor * leak  # a thinned Poisson is a Poisson
        return np.asarray(gammainc(model.needed, thinned), dtype=float)
    values = model.values.coarse()
    return mean_at_least(model.needed, values.support, values.chances, leak)
