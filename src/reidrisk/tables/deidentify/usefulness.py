"""What the released table is still good for, measured after the search, if somebody asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reidrisk.engine.table import Table
from reidrisk.tables.deidentify.result import Deidentified
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.utility.plan import UtilityPlan


def check_plan(table: Table, plan: UtilityPlan | None) -> None:
    """Refuse before the search what could not be measured after it."""
    if plan is None:
        return
    from reidrisk.engine.queries import check_query
    from reidrisk.tables.utility.data import known_columns

    known_columns(table, plan)
    for name, sql in plan.queries.items():
        check_query(name, sql)


def with_usefulness(
    result: Deidentified, source: Any, hierarchies: Mapping[str, Hierarchy], plan: UtilityPlan | None
) -> Deidentified:
    """The result with its release held against the source: as written, or made once more."""
    if plan is None or result.found is None:
        return result
    from reidrisk.tables.utility.run import table_utility  # loads statistics that few need

    released = result.files["out"] or result.to_arrow()
    found = table_utility(released, source, plan, hierarchies=hierarchies, seed=result.seed)
    return replace(result, usefulness=found)
