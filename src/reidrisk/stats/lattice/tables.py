"""The arrays of the compiled kernels; scalars and arrays only, so that they compile."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.lattice.inputs import Codes

LINEAR, ENTROPY, DISCERNIBILITY = 0, 1, 2


class LossMeasure(NamedTuple):
    """A loss as numbers: per attribute `base[level]` plus what suppressed records add; then combined."""

    kind: int
    geometric: bool
    floored: bool
    weights: Floats
    base: Floats
    """By attribute and level: the part that needs no classes, a lower bound of the whole."""
    gain: Floats
    """By position of (attribute, level, code): what one suppressed record of this code adds."""
    least_gain: Floats
    """By attribute and level: the least gain of any code."""


class SearchLimits(NamedTuple):
    """The acceptance limits."""

    records: int
    smallest: int
    suppressed: int
    average: float


class LatticeProblem(NamedTuple):
    """The constant part of a search. Attributes are in search order."""

    low: Ints
    high: Ints
    start: Ints
    """Levels below this are skipped, but still count in bounds."""
    offset: Ints
    """By attribute and level: the position of its code 0 in `step` and in `LossMeasure.gain`."""
    place: Ints
    """By attribute: the position of its code 0 in the rows of `LatticeState.gone`."""
    step: Codes
    """By position: the code at the next level. Codes keep their order from level to level."""
    parent: Codes
    """By attribute a and rank of a tuple of attributes a, a + 1, ...: the rank without a."""
    code: Codes
    """By attribute a and rank, as in `parent`: the code of attribute a at its lowest level."""
    limits: SearchLimits
    measure: LossMeasure
    minimal: bool
    """Collect minimal nodes instead of the best one."""


class LatticeState(NamedTuple):
    """State of a search. Row a of a table: attributes before a are fixed, later ones at their lowest."""

    group: Codes
    """By entry: number of its class over the fixed attributes (and over the tops of the others)."""
    rest: Codes
    """By entry: rank of the tuple of attributes after a."""
    value: Codes
    """By entry: code of attribute a at its present level."""
    counts: Ints
    size: Ints
    above: Codes
    """By group: its group one attribute earlier."""
    last: Codes
    """By group: its code of the attribute fixed last."""
    weight: Ints
    groups: Ints
    level: Ints
    bound: Floats
    """By depth: lower bound of each attribute's loss given the fixed levels."""
    sure: Ints
    """By depth: records suppressed whatever the levels of later attributes."""
    lost: Ints
    gone: Ints
    """By depth: records suppressed so far, by code: fixed attributes at their levels, a at its present one.
    """
    stamp: Codes
    number: Codes
    joined: Codes
    entries: Ints
    identity: Codes
    spare: Codes
    order: Codes
    tally: Ints
    mark: Ints
    """Depth (-1: finished), nodes evaluated, nodes found."""
    best: Floats
    found_levels: Ints
    found_figures: Ints
    """Suppressed records, kept classes, smallest class kept."""
    found_score: Floats


FOUND = 1024
"""Minimal nodes that fit before the list must grow."""


def new_state(entries: int, attributes: int, places: int) -> LatticeState:
    """Space for tables with this many entries; memory is allocated only when it is written to."""
    shape = (attributes, entries)

    def codes(*size: int) -> Codes:
        return np.empty(size, dtype=np.int32)

    def ints(*size: int) -> Ints:
        return np.zeros(size, dtype=np.int64)

    return LatticeState(
        group=codes(*shape),
        rest=codes(*shape),
        value=codes(*shape),
        counts=np.empty(shape, dtype=np.int64),
        size=ints(attributes),
        above=codes(*shape),
        last=codes(*shape),
        weight=np.empty(shape, dtype=np.int64),
        groups=ints(attributes),
        level=ints(attributes),
        bound=np.zeros((attributes + 1, attributes)),
        sure=ints(attributes),
        lost=ints(entries),
        gone=ints(attributes + 1, places),
        stamp=codes(places),
        number=codes(places),
        joined=codes(entries),
        entries=ints(entries),
        identity=np.arange(entries, dtype=np.int32),
        spare=codes(entries),
        order=codes(entries),
        tally=ints(entries + places + 2),
        mark=ints(3),
        best=np.full(1, np.inf),
        found_levels=ints(FOUND, attributes),
        found_figures=ints(FOUND, 3),
        found_score=np.zeros(FOUND),
    )
