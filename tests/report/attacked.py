"""Results of attacks on tables, for tests of their views."""

from __future__ import annotations

from functools import cache
from typing import Any

import reidrisk as rr
from tests.tables.attack.people import generalized, people

QUASI = ("age", "sex", "zip")
CASES = ("safe", "exact", "unknown", "open")


@cache
def _result(case: str) -> rr.TableAttack:
    original = people(400, 1)
    if case == "open":
        return rr.attack_table(original, original, rr.AttackPlan(quasi=("age",), guesses=50))
    limit = rr.Threshold.from_cell_size(5, "policy")
    plan = rr.AttackPlan(quasi=QUASI, secret=("diagnosis",), guesses=100, threshold=limit)
    release = generalized(original) if case == "safe" else original
    if case == "unknown":
        release = original.slice(0, 300)
    return rr.attack_table(release, original, plan, control=people(200, 2))


def attacked(case: str) -> dict[str, Any]:
    """The dictionary of a case."""
    return _result(case).to_dict()
