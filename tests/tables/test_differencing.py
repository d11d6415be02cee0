"""Two releases of the same data, subtracted."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.errors import BadData, UnknownColumn
from reidrisk.report.blocks.table_risk_options import blocks
from reidrisk.tables.measure import MeasureSettings, TableMeasure
from reidrisk.tables.risk import measure_table

SEX = rr.Schema(quasi=("sex", "age"))
THREE = rr.Threshold.from_cell_size(3, "test")


def table(rows: list[tuple[str, int]]) -> pa.Table:
    return pa.table(
        {
            "sex": pa.array([sex for sex, _ in rows], pa.string()),
            "age": pa.array([age for _, age in rows], pa.int64()),
        }
    )


def found(here: list[tuple[str, int]], there: list[tuple[str, int]]) -> dict[str, Any]:
    risk = rr.table_risk(table(here), SEX, threshold=THREE, previous=table(there)).to_dict()
    result: dict[str, Any] = {
        **risk["differencing"],
        "verdict": risk["acceptable"],
        "reasons": risk["reasons"],
    }
    return result


def test_a_person_who_left_is_given_away() -> None:
    rows = [("M", 1)] * 5 + [("F", 2)] * 6
    same = found(rows, rows)
    assert (same["changed"], same["acceptable"], same["verdict"]) == (0, True, True)
    less = found(rows, rows[1:])
    assert (less["changed"], less["small"], less["records"], less["verdict"]) == (1, 1, 1, False)
    assert "1 class differs from the other release by fewer than 3 records" in less["reasons"][-1]
    many = found(rows, rows[3:])
    assert (many["changed"], many["small"], many["verdict"]) == (1, 0, True)


ROWS = st.lists(st.tuples(st.sampled_from("MF"), st.integers(0, 2)), min_size=1, max_size=30)


@given(ROWS, ROWS)
@settings(max_examples=10, deadline=None)
def test_differences_against_a_count_in_python(
    here: list[tuple[str, int]], there: list[tuple[str, int]]
) -> None:
    one, two = Counter(here), Counter(there)
    apart = {key: abs(one[key] - two[key]) for key in {*one, *two}}
    result = found(here, there)
    assert result["classes"] == len(apart)
    assert result["changed"] == sum(number > 0 for number in apart.values())
    assert result["records"] == sum(number for number in apart.values() if number < 3)


def test_empty_cells_are_a_value_and_views_show_the_other_release() -> None:
    rows = pa.table({"sex": [None, "M", "M"], "age": [1, 1, 1]})
    risk = rr.table_risk(rows, SEX, threshold=rr.Threshold.from_cell_size(1, "test"), previous=rows)
    assert risk.acceptable
    assert "TWO RELEASES OF THE SAME DATA" in str(risk)
    assert len(blocks(risk.to_dict())) == 1
    measured = measure_table(rows, SEX, settings=MeasureSettings(previous=rows))
    again = TableMeasure.from_dict(json.loads(json.dumps(measured.to_dict())))
    assert again.risk(THREE).to_dict() == measured.risk(THREE).to_dict()


def test_rows_of_one_unit_are_one_record_in_both() -> None:
    visits = pa.table({"visit": [1, 1, 2, 3], "sex": ["M"] * 4, "age": [1] * 4})
    schema = rr.Schema(quasi=("sex", "age"), unit="visit")
    fewer = visits.slice(1)
    risk = rr.table_risk(visits, schema, threshold=THREE, previous=fewer)
    assert risk.acceptable
    with pytest.raises(UnknownColumn, match="visit"):
        rr.table_risk(visits, schema, previous=visits.drop_columns(["visit"]))


def test_tables_that_cannot_be_compared_are_refused() -> None:
    rows = table([("M", 1)] * 5)
    with pytest.raises(UnknownColumn, match="age"):
        rr.table_risk(rows, SEX, previous=rows.drop_columns(["age"]))
    texts = pa.table({"sex": ["M"], "age": ["old"]})
    with pytest.raises(BadData, match="same type"):
        rr.table_risk(rows, SEX, previous=texts)
