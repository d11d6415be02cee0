"""A table of events with coarser events, and without those that are left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import quoted
from reidrisk.engine.duckdb.recode import texts
from reidrisk.engine.duckdb.session import Session
from reidrisk.engine.duckdb.tuples import kept_codes
from reidrisk.engine.duckdb.types import TYPES, at_place
from reidrisk.engine.plans import EventPlan, Recode

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from reidrisk.engine.duckdb.table import DuckTable


def with_events(table: DuckTable, plan: EventPlan) -> DuckTable:
    """The rows that stay, with their new events.

    A unit all of whose rows go keeps one without an event, unless it is left out.
    """
    session, (unit, *columns) = table.session, plan.tuples.columns
    listed = kept_codes(session, plan.tuples)
    with without_values(table.source):
        renamed = [f"{quoted(name)} AS r{place}" for place, name in enumerate(table.columns)]
        rows = table.with_numbers(renamed, "i")
        for place, name in enumerate((unit, *columns)):
            value = f"r{table.columns.index(name)}"
            rows = rows.join(
                at_place(listed[place], place), f"{value} IS NOT DISTINCT FROM v{place}"
            ).project(f"* EXCLUDE (v{place})")
        rows = session.kept(_marked(session, rows, plan))
        stays = rows.filter("NOT gone").union(_alone(session, rows, plan)).order("i")
        for place, recode in enumerate(plan.recodes, start=1):
            stays = _labelled(session, stays, place, recode)
        empty = " AND ".join(f"r{table.columns.index(name)} IS NULL" for name in columns)
        stays = stays.project(f"*, gone OR ({empty}) AS blank")
        shown = [_shown(name, columns, plan.recodes, place) for place, name in enumerate(table.columns)]
        kept = session.kept(stays.order("i").project(", ".join(shown)))
    return table.derived(kept, note="events were made coarser or left out")


def _marked(session: Session, rows: DuckDBPyRelation, plan: EventPlan) -> DuckDBPyRelation:
    """Each row with whether it goes."""
    width = len(plan.tuples.columns)
    gone = plan.tuples.codes[plan.dropped]
    if not len(gone):
        return rows.project("*, false AS gone")
    arrays = {f"d{place}": gone[:, place].astype(np.int64) for place in range(width)}
    same = " AND ".join(f"k{place} = d{place}" for place in range(width))
    return rows.join(session.from_arrays(arrays), same, how="left").project(
        f"* EXCLUDE ({', '.join(arrays)}), d0 IS NOT NULL AS gone"
    )


def _alone(session: Session, rows: DuckDBPyRelation, plan: EventPlan) -> DuckDBPyRelation:
    """The first row of each unit that would have none and is not left out."""
    units = rows.aggregate("k0 AS u, min(i) AS f, bool_and(gone) AS every", "k0").filter("every")
    if len(plan.left):
        units = units.join(session.from_arrays({"w": plan.left}), "u = w", how="anti")
    return rows.join(session.kept(units), "k0 = u AND i = f").project("* EXCLUDE (u, f, every)")


def _labelled(session: Session, rows: DuckDBPyRelation, place: int, recode: Recode) -> DuckDBPyRelation:
    """The rows with the label of one column."""
    if recode.labels is None:
        return rows
    labels = session.from_arrays(
        {f"j{place}": np.arange(len(recode.labels), dtype=np.int64), f"x{place}": texts(recode.labels)}
    )
    kind = TYPES[recode.kind]
    return rows.join(labels, f"k{place} = j{place}").project(
        f"* EXCLUDE (j{place}, x{place}), CAST(x{place} AS {kind}) AS l{place}"
    )


def _shown(name: str, columns: Sequence[str], recodes: Sequence[Recode], place: int) -> str:
    if name not in columns:
        return f"r{place} AS {quoted(name)}"
    at = list(columns).index(name) + 1
    value = f"r{place}" if recodes[at - 1].labels is None else f"l{at}"
    return f"CASE WHEN NOT blank THEN {value} END AS {quoted(name)}"
