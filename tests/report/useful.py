"""Results of holding releases against their originals, for tests of their views."""

from __future__ import annotations

from functools import cache
from typing import Any

import reidrisk as rr
from tests.tables.utility.trials import coarse, patients, shuffled

CASES = ("useful", "less", "open", "bare")
QUERIES = {
    "mean cost by sex": "SELECT sex, avg(cost) AS cost, count(*) AS n FROM data GROUP BY sex",
    "mean age": "SELECT avg(middle(age)) AS age FROM data",
}
MODELS = ("cost ~ age, sex, plan", "died ~ age, sex")


@cache
def _result(case: str) -> rr.TableUtility:
    original = patients(400)
    if case == "bare":
        return rr.table_utility(original, original, rr.UtilityPlan(columns=("age",), propensity=False))
    limits = {} if case == "open" else {"query": 0.1, "model": 0.1}
    queries = {**QUERIES, "fails": "SELECT avg(age) AS age FROM data"} if case == "open" else QUERIES
    plan = rr.UtilityPlan(queries=queries, models=MODELS, limits=limits, show_groups=True)
    release = coarse(shuffled(original, "cost") if case == "less" else original, starred=20)
    return rr.table_utility(release, original, plan)


def useful(case: str) -> dict[str, Any]:
    """The dictionary of a case."""
    return _result(case).to_dict()
