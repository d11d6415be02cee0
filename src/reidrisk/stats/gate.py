"""Whether recognition may be counted: only where recall is high enough (the paper's strict recall)."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan
from typing import get_args

from reidrisk.errors import InvalidSetting
from reidrisk.stats.choices import GateRule, Method
from reidrisk.stats.proportion import lower_bound

GATE_RULES: tuple[GateRule, ...] = get_args(GateRule)
SEVERAL = 0.2
"""The part of the error of the limit that several gates may add to it, all together."""


def gate_open(
    recall: float,
    support: float,
    *,
    cutoff: float,
    rule: GateRule,
    method: Method = "wilson",
    level: float = 0.95,
) -> bool:
    """Whether a recall observed on `support` documents opens the gate.

    `observed` compares the recall itself, `significant` its one-sided lower bound. `draw` leaves the decision
    to every draw of a simulation; a point estimate is then decided as for `observed`.

    >>> gate_open(1.0, 24, cutoff=0.9, rule="significant"), gate_open(1.0, 25, cutoff=0.9, rule="significant")
    (False, True)
    """
    if rule not in GATE_RULES:
        raise InvalidSetting.among("The rule of the gate", rule, GATE_RULES)
    if rule == "never" or support == 0 or isnan(recall):
        return False
    if rule == "always":
        return True
    if rule == "significant":
        return lower_bound(recall * support, support, method=method, level=level) >= cutoff
    return recall >= cutoff


def shared_level(chances: Iterable[float], level: float) -> float:
    """The level at which several gates are tested together (Holm 1979, Scand J Stat 6:65).

    `chances` are the levels up to which each gate would open alone; `level` is that of the limit of the risk.
    One gate is tested at that level: where it opens by mistake, the limit is mostly too low anyway. Several
    gates err in other corpora than the limit does. The chance that any of them opens by mistake is therefore
    at most a fifth of the error of the limit, however many they are and however they depend on each other.
    A gate is open exactly if its chance reaches the level that is returned.

    >>> shared_level([0.98], 0.975), shared_level([0.98, 0.9], 0.975), shared_level([0.998, 0.996], 0.975)
    (0.975, 0.9975, 0.995)
    """
    ordered = sorted(chances, reverse=True)
    if len(ordered) <= 1:
        return level
    error, left = SEVERAL * (1 - level), len(ordered)
    for chance in ordered:
        if chance < 1 - error / left:
            break
        left -= 1
    return 1 - error / max(left, 1)
