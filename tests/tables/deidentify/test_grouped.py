"""Mondrian and microaggregation from a table to a file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.errors import InvalidSetting
from reidrisk.report.views import draw
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.run import deidentify
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from tests.tables.deidentify.study import read_rows, smallest, write_rows

THREE = Threshold.from_cell_size(3, "test")
QUASI = Schema(quasi=("sex", "age", "day"))
KEPT = {"order of the rows": "test"}
SEX = {"sex": Hierarchy.exact("sex", suppress=True)}
HEADER = ("sex", "age", "day")
ROW = st.tuples(
    st.sampled_from("FM"),
    st.sampled_from([20, 21, 25, 40, 41, 60, None]),
    st.sampled_from(["2020-01-01", "2020-01-05", "2020-03-01"]),
)


@settings(max_examples=10, deadline=None)
@given(
    rows=st.lists(ROW, min_size=3, max_size=40),
    k=st.integers(2, 4),
    method=st.sampled_from(["mondrian", "microaggregate"]),
    aggregate=st.sampled_from(["mean", "median"]),
    suppress=st.sampled_from(["cells", "records"]),
)
def test_no_class_of_the_written_file_is_too_small(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[Any],
    k: int,
    method: Any,
    aggregate: Any,
    suppress: Any,
) -> None:
    folder = tmp_path_factory.mktemp("grouped")
    table, out = write_rows(folder / "t.csv", HEADER, rows), folder / "out.csv"
    options = DeidentifyOptions(method=method, aggregate=aggregate, suppress=suppress)
    threshold = Threshold.from_cell_size(k, "test")
    result = deidentify(table, QUASI, SEX, threshold=threshold, max_suppression=1, options=options, out=out)
    if len(rows) < k:
        assert not result.acceptable
        return
    assert smallest(out, HEADER) >= k
    assert len(read_rows(out)[1]) == len(rows)
    part = result.to_dict()["solution"]
    assert 0 <= part["utility"]["granularity"] <= 1
    assert draw(result.to_dict(), "terminal")


def table_of(tmp_path: Path, ages: list[int]) -> Path:
    return write_rows(tmp_path / "t.csv", ("sex", "age"), [("F", age) for age in ages])


def test_means_keep_the_mean_and_are_those_of_groups(tmp_path: Path) -> None:
    ages = [20, 21, 22, 50, 51, 55, 80, 80, 80]
    out = tmp_path / "out.csv"
    options = DeidentifyOptions(method="microaggregate", order="keep")
    table, schema = table_of(tmp_path, ages), Schema(quasi=("sex", "age"), other=KEPT)
    result = deidentify(table, schema, threshold=THREE, max_suppression=0, options=options, out=out)
    released = [float(row[1]) for row in read_rows(out)[1]]
    assert released == [21.0] * 3 + [52.0] * 3 + [80.0] * 3
    assert sum(released) == pytest.approx(sum(ages))
    found = result.to_dict()["solution"]
    assert found["level_shares"]["age"] == {"exact": pytest.approx(1 / 3), "group mean": pytest.approx(2 / 3)}
    assert 0 < found["utility"]["variance_lost"]["age"] < 0.01
    assert result.to_dict()["codebook"][1]["type_after"] == "number"


def test_medians_are_values_that_occur(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    options = DeidentifyOptions(method="microaggregate", aggregate="median", order="keep")
    table = table_of(tmp_path, [20, 21, 30, 50, 51, 59])
    deidentify(table, Schema(quasi=("age",), other=KEPT), threshold=THREE, options=options, out=out)
    assert [row[1] for row in read_rows(out)[1]] == ["21", "21", "21", "51", "51", "51"]


def test_mondrian_releases_ranges_of_numbers_without_levels(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    options = DeidentifyOptions(method="mondrian", order="keep")
    table = table_of(tmp_path, [20, 21, 30, 50, 51, 59])
    result = deidentify(
        table, Schema(quasi=("sex", "age"), other=KEPT), threshold=THREE, options=options, out=out
    )
    assert [row[1] for row in read_rows(out)[1]] == ["20-30"] * 3 + ["50-59"] * 3
    assert result.levels == {"sex": "exact", "age": "range"}


def test_the_mean_of_dates_is_a_date(tmp_path: Path) -> None:
    rows = [("2020-01-01",), ("2020-01-02",), ("2020-01-06",)]
    table, out = write_rows(tmp_path / "t.csv", ("day",), rows), tmp_path / "out.csv"
    options = DeidentifyOptions(method="microaggregate")
    deidentify(table, Schema(quasi=("day",), other=KEPT), threshold=THREE, options=options, out=out)
    assert Counter(row[0] for row in read_rows(out)[1]) == {"2020-01-03": 3}


def test_an_average_asks_for_larger_groups(tmp_path: Path) -> None:
    table = table_of(tmp_path, list(range(20, 80)))
    options = DeidentifyOptions(method="microaggregate", average=0.1)
    result = deidentify(table, Schema(quasi=("age",)), threshold=THREE, options=options)
    assert result.to_dict()["after"]["prosecutor"]["average"] <= 0.1


def test_refusals(tmp_path: Path) -> None:
    table = table_of(tmp_path, [20, 21, 30])
    options = DeidentifyOptions(method="microaggregate")
    with pytest.raises(InvalidSetting, match="is a number or a date"):
        deidentify(table, Schema(quasi=("sex",)), threshold=THREE, options=options)
    limited = DeidentifyOptions(method="microaggregate", max_level={"age": 0})
    with pytest.raises(InvalidSetting, match="has no level"):
        deidentify(table, Schema(quasi=("age",)), threshold=THREE, options=limited)
    with pytest.raises(InvalidSetting, match="aggregate"):
        DeidentifyOptions(aggregate="mode")  # type: ignore[arg-type]
