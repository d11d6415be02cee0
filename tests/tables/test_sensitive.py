"""What classes tell of secret columns, from a file to the verdict; no value is ever told."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.errors import BadData, InvalidSetting, UnknownColumn
from reidrisk.tables.measure import MeasureSettings, TableMeasure
from reidrisk.tables.risk import measure_table

HIDDEN = "XQZ-hidden"
SCHEMA = rr.Schema(quasi=("ward",), sensitive=("diagnosis",))
THREE = rr.Threshold.from_cell_size(3, "test")


def ward(**classes: list[Any]) -> pa.Table:
    rows = [(name, value) for name, values in classes.items() for value in values]
    return pa.table({"ward": [name for name, _ in rows], "diagnosis": [value for _, value in rows]})


ALIKE = ward(a=[HIDDEN] * 4, b=["x", "y", "z", HIDDEN])


def found(table: Any = ALIKE, schema: rr.Schema = SCHEMA, **limits: Any) -> dict[str, Any]:
    risk = rr.table_risk(table, schema, threshold=THREE, sensitive_limits=rr.SensitiveLimits(**limits))
    result = risk.to_dict()
    assert HIDDEN not in json.dumps(result, allow_nan=False)
    assert HIDDEN not in str(risk)
    assert HIDDEN not in risk._repr_html_()
    (one,) = result["attribute_disclosure"]
    return {**one, "verdict": result["acceptable"], "reasons": result["reasons"]}


def test_a_class_that_is_all_alike_is_told_in_words() -> None:
    one = found()
    assert (one["same_classes"], one["same_records"], one["distinct_l"]) == (1, 4, 1)
    assert "all records have the same diagnosis" in one["reasons"][1]
    assert one["verdict"] is True
    assert one["acceptable"] is None
    assert one["guess"] == pytest.approx(5 / 8)
    assert one["blind_guess"] == pytest.approx(5 / 8)
    # From 5/8 to 1 in the first class is 0.6 times more; from 1/8 to 1/4 in the second is once more.
    assert one["beta"] == pytest.approx(1.0)


def test_a_record_that_is_alone_in_its_class_is_not_like_others() -> None:
    one = found(ward(a=[HIDDEN] * 4, b=["x"], c=["x", "y"]))
    assert (one["classes"], one["same_classes"], one["same_records"]) == (3, 1, 4)


def test_limits_are_part_of_the_verdict() -> None:
    one = found(l=2)
    assert one["verdict"] is False
    assert one["checks"] == [{"criterion": "l", "limit": 2.0, "worst": 1.0, "records": 4, "holds": False}]
    assert "not met in classes with 4 records" in one["reasons"][1]
    assert found(l=1, t=1)["verdict"] is True


def test_numbers_are_far_apart_by_their_order_and_texts_equally() -> None:
    numbers = ward(a=[3, 4, 5], b=[6, 11, 8], c=[7, 9, 10])
    assert found(numbers)["distance"] == "ordered"
    assert found(numbers)["t"] == pytest.approx(0.375)
    assert found(numbers, distance="equal")["t"] == pytest.approx(2 / 3)
    assert found(ALIKE)["distance"] == "equal"


def test_a_hierarchy_says_how_far_values_are_apart() -> None:
    tree = rr.Hierarchy.tree("diagnosis", {"x": {"k1": {"a": None, "b": None}}, "y": {"k2": {"c": None}}})
    table = ward(one=["a", "b", "b"], two=["c", "c", "a"])
    with pytest.raises(InvalidSetting, match="needs a hierarchy"):
        found(table, distance="hierarchical")
    limits = rr.SensitiveLimits(distance="hierarchical", t=0.5)
    risk = rr.table_risk(
        table, SCHEMA, threshold=THREE, sensitive_limits=limits, hierarchies={"diagnosis": tree}
    ).to_dict()
    (one,) = risk["attribute_disclosure"]
    equal = found(table, distance="equal")["t"]
    assert 0 < one["t"] < equal + 1e-12
    assert one["distance"] == "hierarchical"


def test_rows_of_one_unit_have_one_secret_or_a_rule() -> None:
    table = pa.table({"visit": [1, 1, 2], "ward": ["a", "a", "a"], "diagnosis": ["x", "y", "x"]})
    schema = rr.Schema(quasi=("ward",), sensitive=("diagnosis",), unit="visit")
    assert rr.table_risk(table, schema).to_dict()["attribute_disclosure"] == []
    with pytest.raises(BadData, match="varies"):
        rr.table_risk(table, schema, sensitive_limits=rr.SensitiveLimits(l=2))
    reduced = rr.Schema(
        quasi=("ward",), sensitive=("diagnosis",), unit="visit", reduce={"diagnosis": "first"}
    )
    (one,) = rr.table_risk(table, reduced, sensitive_limits=rr.SensitiveLimits(l=2)).to_dict()[
        "attribute_disclosure"
    ]
    assert (one["records"], one["distinct_l"]) == (2, 1)


def test_an_empty_cell_is_a_value() -> None:
    assert found(ward(a=[None, None, "x"]))["values"] == 2


def test_what_was_counted_gives_the_same_result_after_a_rest() -> None:
    settings = MeasureSettings(sensitive_limits=rr.SensitiveLimits(l=2, beta=1.0, likeness="enhanced"))
    measured = measure_table(ALIKE, SCHEMA, settings=settings)
    again = TableMeasure.from_dict(json.loads(json.dumps(measured.to_dict())))
    assert again.risk(THREE).to_dict() == measured.risk(THREE).to_dict()
    assert not again.risk(THREE).acceptable


def test_limits_without_a_column_and_missing_columns_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="need a sensitive column"):
        rr.table_risk(ALIKE, rr.Schema(quasi=("ward",)), sensitive_limits=rr.SensitiveLimits(l=2))
    with pytest.raises(UnknownColumn, match="diagnoses"):
        rr.table_risk(ALIKE, rr.Schema(quasi=("ward",), sensitive=("diagnoses",)))


def test_dates_are_read_where_their_distance_counts() -> None:
    """As texts, 01.12.2019 comes before 02.01.2019, and both before 31.01.2019."""
    days = ["31.01.2019", "01.02.2019", "01.12.2019", "02.01.2019", "03.01.2019", "15.11.2019"]
    texts = ward(a=days[:3], b=days[3:])
    real = [date(int(day[6:]), int(day[3:5]), int(day[:2])) for day in days]
    dates = ward(a=real[:3], b=real[3:])
    for limits in ({"distance": "ordered"}, {"t": 0.9}):
        one, two = found(texts, **limits), found(dates, **limits)
        assert one["distance"] == two["distance"] == "ordered"
        assert one["t"] == pytest.approx(two["t"])
    assert found(texts)["distance"] == "equal"
    assert found(texts, distance="equal", t=0.9)["distance"] == "equal"


def test_dates_are_read_where_their_hierarchy_counts() -> None:
    """Two classes of one year each: as far apart as can be by years, and their months by less."""
    days = ["31.01.2019", "15.02.2019", "28.02.2019", "01.06.2020", "13.06.2020", "30.07.2020"]
    texts = ward(a=days[:3], b=days[3:])
    real = [date(int(day[6:]), int(day[3:5]), int(day[:2])) for day in days]
    levels = {"diagnosis": rr.Hierarchy.dates("diagnosis", ["month", "year"])}
    limits = rr.SensitiveLimits(distance="hierarchical", t=0.9)
    found = []
    for table in (texts, ward(a=real[:3], b=real[3:])):
        settings = MeasureSettings(sensitive_limits=limits, sensitive_hierarchies=levels)
        (one,) = measure_table(table, SCHEMA, settings=settings).risk(THREE).to_dict()["attribute_disclosure"]
        found.append(one["t"])
    # Half of each class belongs to the other year, at the top of the levels day, month, year and any.
    assert found == pytest.approx([0.5, 0.5])
