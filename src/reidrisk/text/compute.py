"""Run equations 20 and 21 with the engine of choice, and let another one check it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.stats.arrays import Floats
from reidrisk.stats.bootstrap import FEWEST_LEAKING_DOCUMENTS, DocumentCounts, bootstrap
from reidrisk.stats.exact import exact_direct, exact_quasi
from reidrisk.stats.models import DirectModel, DirectType, Observed, QuasiModel, QuasiSpread, Spread
from reidrisk.stats.proportion import Bound
from reidrisk.stats.simulate import (
    Points,
    affordable_draws,
    direct_dimensions,
    draw_direct,
    draw_mean_quasi,
    draw_quasi,
    quasi_dimensions,
    uniforms,
)
from reidrisk.stats.uncertain import Triangular
from reidrisk.text.evidence import Evidence
from reidrisk.text.settings import Engine, TextSettings

DISAGREEMENT = 0.01
"""Engines that differ by more than this share of the limit are reported."""
BATCHES = 16


@dataclass(frozen=True, slots=True)
class Limits:
    """A risk's mean and its lower and upper limit."""

    mean: float
    low: float
    high: float
    error: float | None = None
    """Standard error of the upper limit that comes from drawing, for random draws."""


@dataclass(frozen=True, slots=True)
class QuasiLimits:
    """Both intervals of equation 21; they share the mean."""

    parameter: Limits
    per_document: Limits


def direct_limits(model: DirectModel, settings: TextSettings, engine: Engine, *, seed: int) -> Limits:
    """Mean and limits of equation 20."""
    sides = _sides(*(part for kind in model.types for part in (kind.weight, kind.recall)))

    def spread(bound: Bound) -> tuple[Spread, Floats | None]:
        if engine == "exact":
            return exact_direct(model, settings.levels, bound=bound), None
        cube = _cube(engine, settings.draws, direct_dimensions(model), seed)
        draws = draw_direct(model, cube, bound=bound)
        return _of_draws(draws, settings.levels), draws

    ends = {bound: spread(bound) for bound in {"centre", *sides}}
    low, high = ends[sides[0]], ends[sides[-1]]
    error = _drawing_error(high[1], settings.levels[1]) if engine == "montecarlo" else None
    return Limits(ends["centre"][0].mean, low[0].quantiles[0], high[0].quantiles[1], error)


def quasi_limits(model: QuasiModel, settings: TextSettings, engine: Engine, *, seed: int) -> QuasiLimits:
    """Mean and both kinds of limits of equation 21."""
    sides = _sides(model.recall)
    wanted: set[Bound] = {"centre", *sides}
    ends = {bound: _quasi_spread(model, settings, engine, seed=seed, bound=bound) for bound in wanted}
    low, high = ends[sides[0]], ends[sides[-1]]
    mean = ends["centre"][0].mean
    errors = high[1] if engine == "montecarlo" else (None, None)
    return QuasiLimits(
        Limits(mean, low[0].parameter[0], high[0].parameter[1], errors[0]),
        Limits(mean, low[0].per_document[0], high[0].per_document[1], errors[1]),
    )


def _quasi_spread(
    model: QuasiModel, settings: TextSettings, engine: Engine, *, seed: int, bound: Bound
) -> tuple[QuasiSpread, tuple[float | None, float | None]]:
    if engine == "exact":
        return exact_quasi(model, settings.levels, bound=bound), (None, None)
    cube = _cube(engine, settings.draws, quasi_dimensions(model), seed)
    documents = draw_quasi(model, cube, bound=bound)
    means = draw_mean_quasi(model, cube[: affordable_draws(model, len(cube))], bound=bound)
    parameter, per_document = (_of_draws(draws, settings.levels) for draws in (means, documents))
    mean = per_document.mean if model.rate_shape is None else parameter.mean
    spread = QuasiSpread(mean, parameter.quantiles, per_document.quantiles)
    top = settings.levels[1]
    return spread, (_drawing_error(means, top), _drawing_error(documents, top))


def bootstrap_limits(
    evidence: Evidence,
    direct: DirectModel | None,
    quasi: QuasiModel | None,
    settings: TextSettings,
    *,
    seed: int,
) -> tuple[Limits | None, Limits | None, tuple[str, ...]]:
    """Limits by resampling documents; where too few leak, the model-free share with its interval instead."""
    counts = DocumentCounts(
        evidence.holds, evidence.leaks, evidence.values, evidence.instances, evidence.caught
    )
    drawn = bootstrap(counts, direct, quasi, resamples=settings.resamples, rng=np.random.default_rng(seed))
    leaking = {
        "direct": evidence.documents_with_direct_leak,
        "quasi": evidence.documents_with_leaks(settings.needed),
    }
    limits: dict[str, Limits | None] = {"direct": None, "quasi": None}
    notes = []
    for side, draws, model in (("direct", drawn.direct, direct), ("quasi", drawn.quasi, quasi)):
        if draws is None or model is None:
            continue
        if leaking[side] >= FEWEST_LEAKING_DOCUMENTS:
            spread = _of_draws(draws, settings.levels)
            limits[side] = Limits(spread.mean, *spread.quantiles)
            continue
        plain = _plain_share(leaking[side], evidence.documents, model)
        limits[side] = direct_limits(plain, settings, "exact", seed=seed)
        notes.append(
            f"Only {plural(leaking[side], 'document')} with {side} leaks: resampling sees too little, so the "
            "share of leaking documents stands instead, every leak recognised."
        )
    return limits["direct"], limits["quasi"], tuple(notes)


def _plain_share(leaking: int, documents: int, model: DirectModel | QuasiModel) -> DirectModel:
    """The share of leaking documents as one type that every document holds."""
    weight = Observed(documents, documents, "jeffreys_modified", certain=True)
    kind = DirectType(weight, Observed(documents - leaking, documents, "jeffreys_modified"), gate=False)
    catch = model.given_catch if isinstance(model, DirectModel) else model.catch.high
    return DirectModel((kind,), Triangular.constant(1.0), model.attempt, given_catch=catch)


def _sides(*proportions: Observed) -> tuple[Bound, ...]:
    """One distribution for most models; the two that enclose it for the others."""
    return ("low", "high") if any(proportion.is_two_sided for proportion in proportions) else ("centre",)


def _cube(engine: Engine, draws: int, dimensions: int, seed: int) -> Floats:
    points: Points = "sobol" if engine == "sobol" else "montecarlo"
    return uniforms(points, draws=draws, dimensions=dimensions, rng=np.random.default_rng(seed))


def _of_draws(draws: Floats, levels: tuple[float, float]) -> Spread:
    low, high = np.quantile(draws, levels)
    return Spread(float(draws.mean()), (float(low), float(high)))


def _drawing_error(draws: Floats | None, level: float) -> float | None:
    """Standard error of a quantile, from how it varies between batches of the draws."""
    if draws is None:
        return None
    batches = np.array_split(draws, BATCHES)
    return float(np.std([np.quantile(batch, level) for batch in batches], ddof=1) / np.sqrt(BATCHES))
