"""Tuples that become others: types, missing values, keys that do not fit into one number."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pytest

from reidrisk.engine.duckdb.release import released
from reidrisk.engine.duckdb.table import DuckTable, open_embedded
from reidrisk.engine.duckdb.tuples import distinct_tuples
from reidrisk.engine.plans import REMOVED, ReleasePlan, TupleRecode, kind_of
from tests.engine.releases import blanks


def objects(*values: Any) -> np.ndarray[Any, np.dtype[np.object_]]:
    found = np.empty(len(values), dtype=np.object_)
    found[:] = values
    return found


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        ((1, None, 3), "whole number"),
        ((1, 2.5), "number"),
        ((date(2020, 1, 2), None), "date"),
        ((1, "20-29"), "text"),
        ((True, False), "text"),
    ],
)
def test_the_narrowest_type_that_holds_all_labels(labels: tuple[Any, ...], kind: str) -> None:
    assert kind_of(objects(*labels)) == kind


def plan(table: DuckTable, columns: tuple[str, ...], recode: TupleRecode) -> ReleasePlan:
    tuples = distinct_tuples(table, columns, recodable=True)
    return ReleasePlan(tuples, (), blanks({}, len(columns)), {}, by_tuple=recode)


def test_each_tuple_has_values_of_its_own() -> None:
    pa = pytest.importorskip("pyarrow")
    frame = pa.table({"sex": ["F", "F", "M", "M", None], "age": [20, 30, 20, 30, 20], "x": [1, 2, 3, 4, 5]})
    with open_embedded(frame) as table:
        # Sorted tuples: (F, 20), (F, 30), (M, 20), (M, 30), (None, 20).
        recode = TupleRecode(
            (None, objects(20, 30, "20-39", None)),
            np.array([[0, 0], [0, 2], [0, 2], [0, 1], [0, 3]], dtype=np.int32),
            np.array([0, 0, 1, 0, REMOVED]),
        )
        rows = released(table, table, plan(table, ("sex", "age"), recode))
        assert rows.fetchall() == [("F", "20", 1), ("F", "20-39", 2), (None, "20-39", 3), ("M", "30", 4)]


def test_truth_and_zero_are_spelled_as_the_database_does() -> None:
    pa = pytest.importorskip("pyarrow")
    with open_embedded(pa.table({"dead": [True, False], "x": [-0.0, 1.5]})) as table:
        # Sorted tuples: (False, 1.5), (True, 0.0).
        recode = TupleRecode(
            (objects(False, True, "*"), objects(-0.0, "1-2")),
            np.array([[0, 1], [1, 0]], dtype=np.int32),
            np.zeros(2, dtype=np.int64),
        )
        rows = released(table, table, plan(table, ("dead", "x"), recode))
        assert rows.fetchall() == [("true", "0.0"), ("false", "1-2")]


def test_codes_that_do_not_fit_into_one_number() -> None:
    pa = pytest.importorskip("pyarrow")
    columns = {f"c{place}": list(range(100)) for place in range(10)}
    names = tuple(columns)
    with open_embedded(pa.table(columns)) as table:
        halves = objects(*range(50))
        codes = np.repeat(np.arange(100, dtype=np.int32)[:, None] // 2, 10, axis=1)
        recode = TupleRecode((halves,) * 10, codes, np.zeros(100, dtype=np.int64))
        rows = released(table, table, plan(table, names, recode))
        assert rows.fetchall() == [(place // 2,) * 10 for place in range(100)]
        assert {str(kind) for kind in rows.types} == {"BIGINT"}
