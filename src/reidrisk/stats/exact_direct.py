"""Equation 20 without simulation: the types' distributions on grids, convolved by FFT, times the attempt.

Accuracy: 1e-3 of the 97.5 % limit or better, also where few documents hold a type; the same
digits each time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from reidrisk.stats.arrays import Floats
from reidrisk.stats.leak import any_of
from reidrisk.stats.models import DirectModel, DirectType, Spread, opposite, with_catch
from reidrisk.stats.nodes import equal_nodes, midpoints, normal_nodes, recognition_nodes
from reidrisk.stats.proportion import Bound
from reidrisk.stats.scaled import ScaledRisk

CELLS = 2**12
WEIGHT_NODES, RECALL_NODES = 61, 800
"""The weight's nodes reach far: its tail matters where few documents hold a type."""
FEWER_WEIGHT_NODES, FEWER_RECALL_NODES, OWN_NODES = 31, 200, 41
"""For types whose recognition is uncertain too, which adds an axis."""


@lru_cache(maxsize=256)  # the same model is judged again under every choice that leaves it as it is
def exact_direct(model: DirectModel, levels: tuple[float, ...], *, bound: Bound = "high") -> Spread:
    """Mean and quantiles of equation 20."""
    closed = _closed_form(model, levels, bound)
    if closed is not None:
        return closed
    nodes = recognition_nodes(model.recognition)
    whole = _Convolution(model, nodes, bound)
    parts = [whole.at(recognition) for recognition in nodes]
    leak = with_catch(np.concatenate([values for values, _ in parts]), model.given_catch)
    risk = ScaledRisk(leak, np.concatenate([masses for _, masses in parts]), model.attempt)
    return Spread(exact_direct_mean(model), risk.quantiles(levels))


def exact_direct_mean(model: DirectModel) -> float:
    """Mean of equation 20: the types are independent given the recognition they share."""
    given = [
        any_of(np.array([_mean_leak(model, kind, recognition) for kind in model.types]))
        for recognition in recognition_nodes(model.recognition)
    ]
    return model.attempt.mean * float(with_catch(np.mean(given, keepdims=True), model.given_catch)[0])


def _closed_form(model: DirectModel, levels: tuple[float, ...], bound: Bound) -> Spread | None:
    """One type in which only the recall is uncertain: its own quantiles, as for the benchmark."""
    kind = model.types[0]
    known = kind.weight.is_constant and model.attempt.is_constant and model.recognition.is_constant
    simple = kind.gate is not None and kind.recognition is None and model.given_catch == 0
    if len(model.types) > 1 or not (known and simple):
        return None
    recall = kind.recall.at(1 - np.array(levels), opposite(bound))
    factor = model.attempt.mean * kind.weight.mean * (model.recognition.mean if kind.gate else 1.0)
    return Spread(exact_direct_mean(model), tuple(float(factor * (1 - value)) for value in recall))


@dataclass(frozen=True, slots=True)
class _Grid:
    """-log(1 - g W (1 - R)) of one type at nodes, and their masses."""

    logs: Floats
    masses: Floats

    def spread(self, low: float, step: float, cells: int) -> Floats:
        """The masses on a uniform grid, each split between its two neighbours so that the mean stays."""
        place = (self.logs - low) / step
        cell = place.astype(np.int64)
        part = place - cell
        mass = np.bincount(cell, weights=(1 - part) * self.masses, minlength=cells + 1)
        mass += np.bincount(cell + 1, weights=part * self.masses, minlength=cells + 1)
        return np.asarray(mass[:cells], dtype=float)


class _Convolution:
    """The distribution of the sum over types; what does not depend on the shared recognition is kept."""

    def __init__(self, model: DirectModel, nodes: list[float], bound: Bound) -> None:
        self._model = model
        self._bound = bound
        self._shared = [kind for kind in model.types if kind.recognition is None and kind.gate is not False]
        self._few = len(nodes) > 1
        own = [kind for kind in model.types if kind not in self._shared]
        self._fixed = [_type_grid(model, kind, 1.0, bound, few=kind.recognition is not None) for kind in own]
        ends = [self._grids(recognition) for recognition in (nodes[0], nodes[-1])]
        self._lows = [float(min(one.logs.min(), two.logs.min())) for one, two in zip(*ends, strict=True)]
        tops = [float(max(one.logs.max(), two.logs.max())) for one, two in zip(*ends, strict=True)]
        self._cells = max(CELLS, 2 ** (32 * len(model.types)).bit_length())
        self._step = (sum(tops) - sum(self._lows)) / (self._cells - len(model.types) - 1)

    def _grids(self, recognition: float) -> list[_Grid]:
        shared = [
            _type_grid(self._model, kind, recognition, self._bound, few=self._few) for kind in self._shared
        ]
        return self._fixed + shared

    def at(self, recognition: float) -> tuple[Floats, Floats]:
        """Risk values before the attempt and their masses, given the shared recognition."""
        grids = self._grids(recognition)
        if len(grids) == 1:
            return -np.expm1(-grids[0].logs), grids[0].masses
        if self._step == 0:
            return np.array([-np.expm1(-sum(self._lows))]), np.ones(1)
        spectrum = np.ones(self._cells // 2 + 1, dtype=complex)
        for grid, low in zip(grids, self._lows, strict=True):
            spectrum *= np.fft.rfft(grid.spread(low, self._step, self._cells))
        mass = np.clip(np.fft.irfft(spectrum, self._cells), 0.0, None)
        return -np.expm1(-(sum(self._lows) + self._step * np.arange(self._cells))), mass


def _type_grid(model: DirectModel, kind: DirectType, recognition: float, bound: Bound, *, few: bool) -> _Grid:
    """One type on a grid of weights and recalls, and of its own recognition if that is uncertain."""
    weight_nodes, recall_nodes = (
        (FEWER_WEIGHT_NODES, FEWER_RECALL_NODES) if few else (WEIGHT_NODES, RECALL_NODES)
    )
    if kind.recall.is_constant or len(model.types) == 1:
        weight_nodes = 401  # nothing else smooths the weight
    u, weight_masses = normal_nodes(weight_nodes, reach=4.0)
    if kind.weight.is_constant:
        u, weight_masses = np.array([0.5]), np.ones(1)
    weight = kind.weight.at(u, bound)
    recall = kind.recall.at(midpoints(1 if kind.recall.is_constant else recall_nodes), opposite(bound))
    own = np.array([recognition])
    if kind.recognition is not None:
        own = kind.recognition.quantiles(midpoints(1 if kind.recognition.is_constant else OWN_NODES))
    leak = model.exposure(kind, recall, own[:, None, None]) * (1 - recall) * weight[:, None]
    masses = np.broadcast_to(weight_masses[:, None] / (own.size * recall.size), leak.shape)
    return _Grid(-np.log1p(-np.minimum(leak.ravel(), 1 - 1e-16)), masses.ravel())


def _mean_leak(model: DirectModel, kind: DirectType, recognition: float) -> float:
    """E[g W (1 - R)] of one type."""
    if kind.recognition is not None:
        recognition = kind.recognition.mean
    if kind.gate is not None:
        return (recognition if kind.gate else 1.0) * kind.weight.mean * (1 - kind.recall.mean)
    recall = kind.recall.at(equal_nodes(4000)[0], "centre")
    return kind.weight.mean * float(np.mean(model.exposure(kind, recall, recognition) * (1 - recall)))
