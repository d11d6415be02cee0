"""Release plans by hand, and what they should do in plain Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import Any

import numpy as np

from reidrisk.core.schema import Treatment
from reidrisk.engine.duckdb.collapse import collapse
from reidrisk.engine.duckdb.release import released
from reidrisk.engine.duckdb.table import DuckTable
from reidrisk.engine.duckdb.tuples import distinct_tuples
from reidrisk.engine.plans import Blanks, Recode, ReleasePlan

KEY = b"a key of more than sixteen bytes"
Masks = Mapping[tuple[int, ...], Sequence[tuple[int, int]]]
"""By generalized tuple: pairs of a mask and the number of records that have it."""


def identity(values: Sized) -> Recode:
    return Recode(np.arange(len(values), dtype=np.int32), None)


def labelled(labels: Sequence[Any]) -> Recode:
    """A code for each different label, in order of appearance."""
    codes = {label: code for code, label in enumerate(dict.fromkeys(labels))}
    array = np.empty(len(labels), dtype=np.object_)
    array[:] = labels
    return Recode(np.array([codes[label] for label in labels], dtype=np.int32), array)


def blanks(masks: Masks, width: int) -> Blanks:
    rows = [(codes, mask, number) for codes, pairs in masks.items() for mask, number in pairs]
    return Blanks(
        np.array([row[0] for row in rows], dtype=np.int32).reshape(-1, width),
        np.array([row[1] for row in rows], dtype=np.int64),
        np.array([row[2] for row in rows], dtype=np.int64),
    )


def rows_out(
    table: DuckTable,
    quasi: Sequence[str],
    *,
    labels: Mapping[str, Any] | None = None,
    masks: Masks | None = None,
    treatments: Mapping[str, Treatment] | None = None,
    unit: str | None = None,
) -> list[tuple[Any, ...]]:
    """The rows that go out; `labels` says for some columns what becomes of a value."""
    records = collapse(table, unit, quasi) if unit is not None else table
    tuples = distinct_tuples(records, quasi, recodable=True)
    recodes = tuple(
        labelled([labels[name](value) for value in values]) if labels and name in labels else identity(values)
        for name, values in zip(quasi, tuples.values, strict=True)
    )
    plan = ReleasePlan(
        tuples=tuples,
        recodes=recodes,
        blanks=blanks(masks or {}, len(quasi)),
        treatments=treatments or {},
        unit=unit,
        key=KEY,
    )
    relation = released(table, records, plan)
    return relation.fetchall()
