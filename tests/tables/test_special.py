"""Special uniques of a table: counted by columns and by sets, never told one by one."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.errors import InvalidSetting
from reidrisk.report.blocks.table_risk_options import blocks
from reidrisk.tables.measure import MeasureSettings, TableMeasure
from reidrisk.tables.risk import measure_table

TABLE = pa.table({"sex": ["M", "M", "M", "F"], "age": [1, 1, 2, 2], "ward": ["a", "XQZ", "a", "XQZ"]})
SCHEMA = rr.Schema(quasi=("sex", "age", "ward"))


def test_records_are_counted_by_their_smallest_set() -> None:
    risk = rr.table_risk(TABLE, SCHEMA, special=2)
    found = risk.to_dict()["special_uniques"]
    assert found["by_size"] == [{"columns": 1, "records": 1}, {"columns": 2, "records": 3}]
    assert {tuple(one["columns"]): one["records"] for one in found["by_set"]}["sex",] == 1
    assert (found["records"], found["of"]) == (4, 4)
    assert "1 of them by 1 column alone" in risk.to_dict()["reasons"][-1]
    text = str(risk)
    assert "SPECIAL UNIQUES" in text
    assert "XQZ" not in text + json.dumps(risk.to_dict()) + risk._repr_html_()


def test_they_are_told_only_if_asked_and_never_decide() -> None:
    assert rr.table_risk(TABLE, SCHEMA).to_dict()["special_uniques"] is None
    one = rr.Threshold.from_cell_size(1, "test")
    assert rr.table_risk(TABLE, SCHEMA, threshold=one, special=3).acceptable
    with pytest.raises(InvalidSetting, match="0 columns"):
        rr.table_risk(TABLE, SCHEMA, special=0)


def test_nobody_is_singled_out() -> None:
    table = pa.concat_tables([TABLE] * 3)
    risk = rr.table_risk(table, SCHEMA, special=2)
    assert "No record is singled out by 2 columns or fewer" in risk.to_dict()["reasons"][-1]
    assert len(blocks(risk.to_dict())) == 1


def test_what_was_counted_gives_the_same_result_after_a_rest() -> None:
    measured = measure_table(TABLE, SCHEMA, settings=MeasureSettings(special=2))
    again = TableMeasure.from_dict(json.loads(json.dumps(measured.to_dict())))
    five = rr.Threshold.from_cell_size(5, "test")
    assert again.risk(five).to_dict() == measured.risk(five).to_dict()


def test_how_likely_a_match_is_right_is_told_of_a_sample() -> None:
    half = rr.Sampling(fraction=0.5)
    risk = rr.table_risk(TABLE, SCHEMA, special=3, sampling=half)
    found = risk.to_dict()
    assert found["population_estimate"]["right_unique_match"] == 1.0
    assert found["special_uniques"]["intrusion"]["right"] == 1.0
    doubled = pa.concat_tables([TABLE, TABLE.slice(0, 1)])
    told = rr.table_risk(doubled, SCHEMA, special=3, sampling=half)
    intrusion = told.to_dict()["special_uniques"]["intrusion"]
    assert intrusion["right"] == pytest.approx(0.5 * 3 / (0.5 * 3 + 2 * 0.5))
    assert intrusion["highest"] > intrusion["right"]
    assert [one["records"] for one in intrusion["above"]] == [3, 3, 3, 3, 3]
    text = str(told)
    assert "RECORDS BY THE PROBABILITY THAT A MATCH IS CORRECT" in text
    assert "a unique match is correct" in text
    assert "XQZ" not in text
    again = TableMeasure.from_dict(
        json.loads(
            json.dumps(
                measure_table(doubled, SCHEMA, settings=MeasureSettings(special=3, sampling=half)).to_dict()
            )
        )
    )
    assert again.risk(risk.threshold).to_dict()["special_uniques"]["intrusion"] == intrusion


def test_without_a_sample_or_uniques_no_match_is_judged() -> None:
    assert rr.table_risk(TABLE, SCHEMA, special=2).to_dict()["special_uniques"]["intrusion"] is None
    twice = pa.concat_tables([TABLE, TABLE])
    found = rr.table_risk(twice, SCHEMA, special=2, sampling=rr.Sampling(fraction=0.5)).to_dict()
    assert found["special_uniques"]["intrusion"] is None
    assert found["population_estimate"]["right_unique_match"] is None
