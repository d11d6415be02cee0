from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.errors import BadData, InvalidSetting, UnknownColumn

TWO = rr.Threshold.from_cell_size(2, "test")


def groups(
    rows: list[tuple[Any, ...]], *, threshold: rr.Threshold = TWO, **options: Any
) -> list[dict[str, Any]]:
    table = pa.table({"sex": [row[0] for row in rows], "ward": [row[1] for row in rows]})
    schema = rr.Schema(quasi=("sex",))
    found: list[dict[str, Any]] = rr.table_risk(
        table, schema, threshold=threshold, by=["ward"], **options
    ).to_dict()["subgroups"]
    return found


def test_classes_are_of_the_whole_table() -> None:
    """The one man of ward b is not unique: there is another in ward a."""
    found = groups([("M", "a"), ("F", "a"), ("F", "a"), ("M", "b"), ("X", "b")])
    assert found[0] == {
        "column": "ward",
        "label": "a",
        "groups": 1,
        "records": 3,
        "smallest_class": 2,
        "highest": 0.5,
        "average": 0.5,
        "share_above_threshold": 0.0,
        "unique_records": 0,
    }
    assert found[1]["average"] == pytest.approx((1 / 2 + 1) / 2)
    assert (found[1]["unique_records"], found[1]["share_above_threshold"]) == (1, 0.5)


def test_groups_below_the_cell_size_are_not_named() -> None:
    rows = [("M", "large")] * 5 + [("M", "tiny ward")] * 2 + [("F", "other ward")]
    found = groups(rows, threshold=rr.Threshold.from_cell_size(3, "test"))
    assert [(row["label"], row["groups"], row["records"]) for row in found] == [("large", 1, 5), (None, 2, 3)]
    assert found[1]["smallest_class"] == 1
    table = pa.table({"sex": [row[0] for row in rows], "ward": [row[1] for row in rows]})
    risk = rr.table_risk(table, rr.Schema(quasi=("sex",)), by=["ward"])
    assert "smaller groups (2)" in str(risk)
    assert "tiny ward" not in str(risk) + risk.to_json() + risk._repr_html_()


def test_at_most_fifty_groups() -> None:
    rows = [("M", f"w{number:02}") for number in range(60) for _ in range(2)]
    found = groups(rows)
    assert len(found) == 51
    assert (found[-1]["label"], found[-1]["groups"], found[-1]["records"]) == (None, 10, 20)


def test_an_empty_cell_is_a_group() -> None:
    assert [row["label"] for row in groups([("M", None), ("M", None)])] == ["(no value)"]


def test_the_column_may_be_a_quasi_identifier_and_there_may_be_several() -> None:
    table = pa.table({"sex": ["M", "M", "F", "F"], "age": [1, 2, 3, 3]})
    risk = rr.table_risk(table, rr.Schema(quasi=("sex", "age")), threshold=TWO, by=["sex", "age"])
    found = [(row["column"], row["label"], row["records"]) for row in risk.to_dict()["subgroups"]]
    assert found == [("sex", "F", 2), ("sex", "M", 2), ("age", "3", 2), ("age", None, 2)]


def test_groups_of_units() -> None:
    table = pa.table({"visit": [1, 1, 2, 2], "sex": ["M", "M", "M", "M"], "ward": ["a", "a", "a", "a"]})
    schema = rr.Schema(quasi=("sex",), unit="visit")
    found = rr.table_risk(table, schema, threshold=TWO, by=["ward"]).to_dict()["subgroups"]
    assert [row["records"] for row in found] == [2]
    varies = pa.table({"visit": [1, 1], "sex": ["M", "M"], "ward": ["a", "b"]})
    with pytest.raises(BadData, match="'ward' varies"):
        rr.table_risk(varies, schema, by=["ward"])


def test_what_is_refused() -> None:
    table = pa.table({"sex": ["M"], "ward": ["a"]})
    with pytest.raises(UnknownColumn, match="Did you mean 'ward'"):
        rr.table_risk(table, rr.Schema(quasi=("sex",)), by=["wards"])
    with pytest.raises(InvalidSetting, match="several column names"):
        rr.table_risk(table, rr.Schema(quasi=("sex",)), by="ward")


rows_of = st.lists(st.tuples(st.sampled_from("MFX"), st.sampled_from("abc")), min_size=1, max_size=40)


@given(rows_of)
@settings(max_examples=10)
def test_any_groups_against_a_count_in_python(rows: list[tuple[str, str]]) -> None:
    sizes = Counter(sex for sex, _ in rows)
    found = groups(rows)
    assert sum(row["records"] for row in found) == len(rows)
    for row in found:
        if row["label"] is not None:
            own = [sizes[sex] for sex, ward in rows if ward == row["label"]]
            assert row["records"] == len(own) >= 2
            assert row["smallest_class"] == min(own)
            assert row["average"] == pytest.approx(sum(1 / size for size in own) / len(own))
            assert row["unique_records"] == own.count(1)
