"""Equations 20 and 21 without simulation: quantile grids, convolution by FFT, root search.

Accuracy on the reference corpus: 5e-4 of the 97.5 % limit or better; the same digits each time.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammainc, gammaincinv, ndtr

from reidrisk.stats.arrays import Floats
from reidrisk.stats.leak import any_of, at_least_fast, value_leak
from reidrisk.stats.models import (
    DirectModel,
    DirectType,
    QuasiModel,
    QuasiSpread,
    Spread,
    opposite,
    with_catch,
)
from reidrisk.stats.proportion import Bound
from reidrisk.stats.scaled import ScaledRisk
from reidrisk.stats.uncertain import Uncertain

CELLS = 2**12
GRID_POINTS = 60_000
"""Of the grid over values, instances and recall; at most 400 of them for the recall."""
COUNT_POINTS = 40
RECOGNITION_NODES, RATE_NODES = 121, 25
WEIGHT_AND_RECALL_NODES = {"known": (25, 1600), "uncertain": (9, 200)}
"""Fewer where recognition is uncertain too, since the grid then has one more axis."""


def exact_direct(model: DirectModel, levels: tuple[float, ...], *, bound: Bound = "high") -> Spread:
    """Mean and quantiles of equation 20."""
    closed = _closed_form(model, levels, bound)
    if closed is not None:
        return closed
    values, masses, means = [], [], []
    for recognition in _nodes(model.recognition):
        grid, mass = _sum_of_types(model, recognition, bound)
        values.append(grid)
        masses.append(mass)
        means.append(any_of(np.array([_mean_leak(model, kind, recognition, bound) for kind in model.types])))
    leak = with_catch(np.concatenate(values), model.given_catch)
    risk = ScaledRisk(leak, np.concatenate(masses), model.attempt)
    centre = with_catch(np.mean(means, keepdims=True), model.given_catch)
    return Spread(model.attempt.mean * float(centre[0]), risk.quantiles(levels))


def exact_quasi(model: QuasiModel, levels: tuple[float, ...], *, bound: Bound = "high") -> QuasiSpread:
    """Mean of equation 21, quantiles of the mean risk, and quantiles of the risk of a document."""
    numbers, repeats = model.values.at_most(COUNT_POINTS), model.repeats.at_most(COUNT_POINTS)
    most = 400 if model.recognition.is_constant else 60
    nodes = int(np.clip(GRID_POINTS // (numbers.support.size * repeats.support.size), most // 4, most))
    recalls = model.recall.at(_midpoints(nodes), opposite(bound))
    by_document, weights, by_parameter = [], [], []
    for recognition in _nodes(model.recognition):
        leak = model.exposure(recalls, recognition)[:, None] * value_leak(
            recalls[:, None], repeats.support, independent=model.independent
        )
        grid = at_least_fast(model.needed, numbers.support[:, None, None], leak)
        by_document.append(grid.ravel())
        chance = numbers.chances[:, None, None] * np.ones((1, nodes, 1)) * repeats.chances
        weights.append(chance.ravel())
        by_parameter.append(_mean_risk(model, grid, leak, numbers.chances) @ repeats.chances)
    parameter = with_catch(
        np.concatenate([part.ravel() for part in by_parameter]) * model.scale, model.given_catch
    )
    by_one = with_catch(np.concatenate(by_document) * model.scale, model.given_catch)
    documents = ScaledRisk(by_one, np.concatenate(weights), model.attempt, smooth=False)
    return QuasiSpread(
        exact_quasi_mean(model, bound=bound),
        ScaledRisk(parameter, np.ones_like(parameter), model.attempt).quantiles(levels),
        documents.quantiles(levels),
    )


def exact_quasi_mean(model: QuasiModel, *, bound: Bound = "high") -> float:
    """Mean of equation 21, by a trapezoidal sum over the normal score of the recall."""
    u, weights = _equal_nodes() if model.gate is None else _normal_nodes()
    recalls = model.recall.at(u, opposite(bound))
    numbers, repeats = model.values.at_most(COUNT_POINTS), model.repeats.at_most(COUNT_POINTS)
    total = 0.0
    nodes = _nodes(model.recognition)
    for recognition in nodes:
        g = model.exposure(recalls, recognition)
        for count, chance in zip(repeats.support, repeats.chances, strict=True):
            leak = g * value_leak(recalls, count, independent=model.independent)
            if model.values.rate is not None:
                risk = gammainc(model.needed, model.values.rate * leak)
            else:
                risk = numbers.chances @ at_least_fast(model.needed, numbers.support[:, None], leak)
            total += chance * float(weights @ risk)
    leak = np.array([model.scale * total / len(nodes) / weights.sum()])
    return float(model.attempt.mean * with_catch(leak, model.given_catch)[0])


def _normal_nodes() -> tuple[Floats, Floats]:
    """Nodes and weights that integrate a smooth function to many digits."""
    score, step = np.linspace(-8.0, 8.0, 401, retstep=True)
    return np.clip(ndtr(score), 1e-15, 1 - 1e-15), np.exp(-(score**2) / 2) * step / np.sqrt(2 * np.pi)


def _equal_nodes() -> tuple[Floats, Floats]:
    """Nodes and weights for a function with a jump, as a gate decided draw by draw makes."""
    return _midpoints(4000), np.full(4000, 1 / 4000)


def _mean_risk(model: QuasiModel, grid: Floats, leak: Floats, chances: Floats) -> Floats:
    """Risk averaged over the number of values; an uncertain rate adds an axis in front."""
    if model.rate_shape is None or model.values.rate is None:
        return np.tensordot(chances, grid, axes=1)
    rates = gammaincinv(model.rate_shape + 0.5, _midpoints(RATE_NODES))
    rates = rates * model.values.rate / model.rate_shape  # Gamma(values + 1/2, documents)
    return np.asarray(gammainc(model.needed, rates[:, None, None] * leak), dtype=float)


def _closed_form(model: DirectModel, levels: tuple[float, ...], bound: Bound) -> Spread | None:
    """One type in which only the recall is uncertain: its own quantiles, as for the benchmark."""
    kind = model.types[0]
    known = kind.weight.is_constant and model.attempt.is_constant and model.recognition.is_constant
    simple = kind.gate is not None and kind.recognition is None and model.given_catch == 0
    if len(model.types) > 1 or not (known and simple):
        return None
    recall = kind.recall.at(1 - np.array(levels), opposite(bound))
    factor = model.attempt.mean * kind.weight.mean(bound) * (model.recognition.mean if kind.gate else 1.0)
    centre = factor * (1 - kind.recall.mean(opposite(bound)))
    return Spread(centre, tuple(float(factor * (1 - value)) for value in recall))


def _sum_of_types(model: DirectModel, recognition: float, bound: Bound) -> tuple[Floats, Floats]:
    """Risk values before the attempt and their masses, all types together."""
    logs = [_minus_log_kept(model, kind, recognition, bound) for kind in model.types]
    if len(logs) == 1:
        return -np.expm1(-logs[0].ravel()), np.full(logs[0].size, 1 / logs[0].size)
    low = sum(float(log.min()) for log in logs)
    width = sum(float(np.ptp(log)) for log in logs)
    if width == 0:
        return np.array([-np.expm1(-low)]), np.ones(1)
    step = width / (CELLS - len(logs) - 1)
    spectrum = np.ones(CELLS // 2 + 1, dtype=complex)
    for log in logs:
        spectrum *= np.fft.rfft(_spread_on_grid(log - log.min(), step))
    mass = np.clip(np.fft.irfft(spectrum, CELLS), 0.0, None)
    return -np.expm1(-(low + step * np.arange(CELLS))), mass


def _spread_on_grid(log: Floats, step: float) -> Floats:
    """Equal masses at `log`, each split between its two neighbours so that the mean stays."""
    place = log.ravel() / step
    cell = place.astype(np.int64)
    part = place - cell
    mass = np.bincount(cell, weights=1 - part, minlength=CELLS)
    mass += np.bincount(cell + 1, weights=part, minlength=CELLS)
    return mass[:CELLS] / place.size


def _minus_log_kept(model: DirectModel, kind: DirectType, recognition: float, bound: Bound) -> Floats:
    """-log(1 - g W (1 - R)) on a grid of equally likely nodes."""
    known = model.recognition.is_constant and kind.recognition is None
    weights, recalls = WEIGHT_AND_RECALL_NODES["known" if known else "uncertain"]
    weight = kind.weight.at(_midpoints(1 if kind.weight.is_constant else weights), bound)
    recall = kind.recall.at(_midpoints(1 if kind.recall.is_constant else recalls), opposite(bound))
    if kind.recognition is not None:
        own = np.array(_nodes(kind.recognition))[:, None, None]
        leak = model.exposure(kind, recall, own) * (1 - recall)
    else:
        leak = model.exposure(kind, recall, recognition) * (1 - recall)
    leak = np.minimum(leak * weight[:, None], 1 - 1e-16)
    return np.asarray(-np.log1p(-leak), dtype=float)


def _mean_leak(model: DirectModel, kind: DirectType, recognition: float, bound: Bound) -> float:
    """E[g W (1 - R)] of one type."""
    if kind.recognition is not None:
        recognition = kind.recognition.mean
    weight = kind.weight.mean(bound)
    if kind.gate is not None:
        g = recognition if kind.gate else 1.0
        return g * weight * (1 - kind.recall.mean(opposite(bound)))
    recall = kind.recall.at(_equal_nodes()[0], opposite(bound))
    return weight * float(np.mean(model.exposure(kind, recall, recognition) * (1 - recall)))


def _nodes(recognition: Uncertain) -> list[float]:
    """Equally likely values of the recognition."""
    points = 1 if recognition.is_constant else RECOGNITION_NODES
    return [float(value) for value in recognition.quantiles(_midpoints(points))]


def _midpoints(number: int) -> Floats:
    return (np.arange(number) + 0.5) / number
