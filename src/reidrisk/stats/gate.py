"""Whether recognition may be counted: only where recall is high enough (the paper's strict recall)."""

from __future__ import annotations

from math import isnan
from typing import get_args

from reidrisk.errors import InvalidSetting
from reidrisk.stats.choices import GateRule, Method
from reidrisk.stats.proportion import lower_bound

GATE_RULES: tuple[GateRule, ...] = get_args(GateRule)


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
