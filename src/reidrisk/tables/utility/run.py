"""Hold a release against its original, as its users would."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reidrisk.engine.queries import check_query
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.utility.data import both_tables
from reidrisk.tables.utility.distributions import distances
from reidrisk.tables.utility.limits import Measured
from reidrisk.tables.utility.models import model_changes
from reidrisk.tables.utility.pairs import pair_changes
from reidrisk.tables.utility.plan import UtilityPlan
from reidrisk.tables.utility.queries import query_changes
from reidrisk.tables.utility.result import TableUtility
from reidrisk.tables.utility.telling import told_apart


def table_utility(
    released: Any,
    original: Any,
    plan: UtilityPlan | None = None,
    *,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    seed: int = 7,
) -> TableUtility:
    """Distributions, associations, a propensity score, your queries and your models, before and after.

    Generalized values are compared at the released level: by their hierarchy, if there is one, and otherwise
    by the way they are written (20-29, 531**, 2019-Q1, {a, b}, *). Tables are files, folders, database
    tables or data frames.
    """
    plan = plan or UtilityPlan()
    for name, sql in plan.queries.items():
        check_query(name, sql)
    with both_tables(released, original, plan, hierarchies or {}, seed=seed) as both:
        found = Measured(
            distances(both),
            pair_changes(both),
            told_apart(both, plan) if plan.propensity else None,
            query_changes(both, plan),
            model_changes(both, plan, seed=seed),
        )
        tables = both.released, both.original
        return TableUtility(
            plan=plan,
            records=both.rows,
            found=found,
            inputs=(
                ("released", both.released.source),
                ("against", both.original.source),
                ("hierarchies", sorted(hierarchies) if hierarchies else None),
            ),
            seed=seed,
            is_drawn=both.is_drawn,
            notes=tuple(f"{table.source}: {note}" for table in tables for note in table.notes),
        )
