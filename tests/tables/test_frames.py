"""Frames as pandas and Polars users have them: the same classes as their file, and results as frames."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.engine.opening import open_table
from reidrisk.errors import BadData, InvalidSetting, MissingPackage

pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
pd: Any = pytest.importorskip("pandas")

AGES = (34, 34, 51, 51, 51, 7)
SEXES = ("F", "F", "M", "M", "F", None)
TWO = rr.Threshold.from_cell_size(2, "an example")


def sizes(source: Any, column: str = "a") -> tuple[tuple[int, int], ...]:
    with open_table(source) as table:
        return tuple(table.class_sizes([column]))


PANDAS: dict[str, Callable[[], Any]] = {
    "filtered": lambda: pd.DataFrame({"a": ["x", "y", "y", "z"]}).iloc[1:],
    "two nameless indexes": lambda: pd.DataFrame(
        {"a": ["x", "y", "y"]}, index=pd.MultiIndex.from_tuples([(1, 2), (1, 3), (2, 2)])
    ),
    "dates as index": lambda: pd.DataFrame({"a": [1, 1]}, index=pd.date_range("2020-01-01", periods=2)),
    "mixed": lambda: pd.DataFrame({"a": [1, "y", "y", None, 2.5, True]}),
    "intervals": lambda: pd.DataFrame({"a": pd.cut(pd.Series([21, 35, 36, None]), [20, 30, 40])}),
    "categories": lambda: pd.DataFrame({"a": pd.Categorical(["p", "q", "q"], categories=["p", "q", "r"])}),
    "categories of numbers": lambda: pd.DataFrame({"a": pd.Categorical([1, 2, 2], categories=[1, 2, 3])}),
    "categories of both": lambda: pd.DataFrame({"a": pd.Categorical([1, "q", "q"])}),
    "whole numbers": lambda: pd.DataFrame({"a": pd.array([1, None, 2, 2], dtype="Int64")}),
    "whole numbers as floats": lambda: pd.DataFrame({"a": [1.0, None, 2.0, 2.0]}),
    "truth values": lambda: pd.DataFrame({"a": pd.array([True, None, False], dtype="boolean")}),
    "text": lambda: pd.DataFrame({"a": pd.array(["a", None, "b", "b"], dtype="string")}),
    "dates as objects": lambda: pd.DataFrame({"a": [date(2020, 1, 1), None, date(2020, 1, 2)]}),
    "timestamps": lambda: pd.DataFrame({"a": pd.to_datetime(["2020-01-01", None, "2020-01-02"])}),
    "dates and times": lambda: pd.DataFrame({"a": [datetime(2020, 1, 1), date(2020, 1, 2), "x"]}),  # noqa: DTZ001
    "periods": lambda: pd.DataFrame({"a": pd.period_range("2020-01", periods=3, freq="M")}),
    "durations": lambda: pd.DataFrame({"a": pd.to_timedelta([1, 2, 2], unit="D")}),
    "complex": lambda: pd.DataFrame({"a": [1 + 2j, 2, 2]}),
    "sparse": lambda: pd.DataFrame({"a": pd.arrays.SparseArray([1, 0, 0])}),
    "decimals": lambda: pd.DataFrame({"a": [Decimal("1.5"), None, Decimal("2.25")]}),
    "lists": lambda: pd.DataFrame({"a": [[1], [2], [2]]}),
    "a series": lambda: pd.Series([1, 2, 2], name="a"),
}
POLARS: dict[str, Callable[[], Any]] = {
    "eager": lambda: pl.DataFrame({"a": ["x", "y", "y"]}),
    "lazy": lambda: pl.LazyFrame({"a": ["x", "y", "z"]}).filter(pl.col("a") != "x"),
    "categories": lambda: pl.DataFrame({"a": pl.Series(["x", "y", "y"], dtype=pl.Categorical)}),
    "enum": lambda: pl.DataFrame({"a": pl.Series(["x", "y", "y"], dtype=pl.Enum(["x", "y", "z"]))}),
    "dates": lambda: pl.DataFrame({"a": [date(2020, 1, 1), None, date(2020, 1, 2)]}),
    "durations": lambda: pl.DataFrame({"a": [timedelta(1), None, timedelta(2), timedelta(2)]}),
    "objects": lambda: pl.DataFrame({"a": pl.Series([{"k": 1}, "x", "x"], dtype=pl.Object)}),
}


@pytest.mark.parametrize("name", PANDAS)
def test_a_pandas_frame_has_the_classes_of_its_csv_file(name: str, tmp_path: Path) -> None:
    frame = PANDAS[name]()
    frame.to_csv(tmp_path / "frame.csv", index=False)
    assert sizes(frame) == sizes(tmp_path / "frame.csv")


@pytest.mark.parametrize(
    "name", ["whole numbers", "whole numbers as floats", "text", "categories", "timestamps"]
)
def test_a_pandas_frame_has_the_classes_of_its_parquet_file(name: str, tmp_path: Path) -> None:
    frame = PANDAS[name]()
    frame.to_parquet(tmp_path / "frame.parquet")
    assert sizes(frame) == sizes(tmp_path / "frame.parquet")


@pytest.mark.parametrize("name", POLARS)
def test_a_polars_frame_has_the_classes_of_its_values(name: str) -> None:
    frame = POLARS[name]()
    eager = frame.lazy().collect() if name != "objects" else frame
    values = [str(value) for value in eager["a"]]
    expected = sorted(values.count(value) for value in set(values))
    assert sorted(size for size, number in sizes(frame) for _ in range(number)) == expected


def test_a_named_index_is_a_column_and_a_nameless_one_is_only_noted() -> None:
    named = pd.DataFrame({"a": [1, 1]}, index=pd.Index([5, 6], name="patient"))
    with open_table(named) as table:
        assert (table.columns, table.notes) == (("a", "patient"), ())
    with open_table(named.rename_axis(None)) as table:
        assert table.columns == ("a",)
        assert "index of the frame" in table.notes[0]


@pytest.mark.parametrize(
    "frame",
    [
        lambda: pd.DataFrame([[1, 2]], columns=["a", "a"]),
        lambda: pd.DataFrame({"a": [1]}, index=pd.Index([5], name="a")),
    ],
    ids=["two columns", "column and index"],
)
def test_one_name_for_two_columns_is_refused(frame: Callable[[], Any]) -> None:
    with pytest.raises(BadData, match="more than one column named 'a'"):
        sizes(frame())


def test_a_frame_that_arrow_cannot_hold_is_refused_without_its_values() -> None:
    huge = pd.DataFrame({"a": [2**70, 1]})
    with pytest.raises(BadData, match="Arrow cannot hold") as caught:
        sizes(huge)
    assert str(2**70) not in str(caught.value)
    assert caught.value.__suppress_context__


def frames() -> dict[str, Any]:
    arrow = pa.table({"age": AGES, "sex": SEXES})
    eager = pl.from_arrow(arrow)
    assert isinstance(eager, pl.DataFrame)
    return {"pandas": arrow.to_pandas(), "polars": eager, "lazy": eager.lazy(), "arrow": arrow}


@pytest.mark.parametrize("kind", ["pandas", "polars", "lazy", "arrow"])
def test_the_columns_can_be_given_as_a_list_by_role_or_as_a_schema(kind: str) -> None:
    table = frames()[kind]
    risks = [
        rr.table_risk(table, ["age", "sex"]),
        rr.table_risk(table, quasi=["age", "sex"]),
        rr.table_risk(table, rr.Schema(quasi=("age", "sex"))),
    ]
    assert {risk.to_json() for risk in risks} == {risks[0].to_json()}
    assert risks[0].sizes.counts == ((1, 2), (2, 2))
    if kind != "lazy":
        assert type(risks[0].to_frame()) is type(table)


def test_every_function_of_tables_takes_columns_as_a_list() -> None:
    table = frames()["polars"]
    assert rr.count_classes(table, ["age"]).tuples.counts.tolist() == [1, 2, 3]
    assert rr.risky_classes(table, quasi=["age"], cell_size=2).below == (1, 1)
    assert rr.explain_class(table, ["age"], 1, cell_size=2).below == (1, 1)
    assert rr.attack_table(table, table, ["age", "sex"], sensitive=()).plan.quasi == ("age", "sex")
    assert rr.attack_table(table, table, quasi=["age"], threshold=TWO).plan.threshold == TWO
    assert [one["column"] for one in rr.table_utility(table, table, ["age"]).to_dict()["columns"]] == ["age"]
    assert [
        one["column"] for one in rr.table_utility(table, table, columns=["sex"]).to_dict()["columns"]
    ] == ["sex"]
    assert rr.deidentify(table, quasi=["age", "sex"], threshold=TWO, max_suppression=1).quasi == (
        "age",
        "sex",
    )
    assert rr.Study("dm.csv", ["AGE", "SEX"]).schema == ["AGE", "SEX"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "Which columns could an intruder know"),
        ({"schema": ["age"], "quasi": ["sex"]}, "given twice"),
        ({"schema": rr.Schema(quasi=("age",)), "sensitive": ["sex"]}, "already names the columns"),
        ({"schema": "age"}, "not a single string"),
        ({"quasi": {"age", "sex"}}, "not a set"),
        ({"quasi": 5}, "type int"),
    ],
)
def test_columns_given_in_another_way_are_refused(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidSetting, match=problem):
        rr.table_risk(frames()["arrow"], **given)


def test_numbers_may_name_columns() -> None:
    assert rr.table_risk(pd.DataFrame([[1, 2], [1, 2]]), [0, 1]).sizes.counts == ((2, 1),)  # type: ignore[list-item]


@pytest.fixture(scope="module")
def done() -> rr.Deidentified:
    """With an id, so that rows can be told apart, and whole numbers of which some are missing."""
    people = {
        "age": [34, 34, 51, 51, 51, 70, 70, 70],
        "visits": [1, None, 3, 4, 5, None, 7, 8],
        "seen": [date(2020, 1, day) for day in range(1, 9)],
        "smokes": [True, None, False, True, True, None, False, False],
    }
    return rr.deidentify(
        pd.DataFrame(people).convert_dtypes(), ["age"], sensitive=["visits", "seen", "smokes"], threshold=TWO
    )


def test_released_rows_are_those_of_the_written_file(done: rr.Deidentified, tmp_path: Path) -> None:
    done.write(tmp_path / "out.parquet")
    written = pl.read_parquet(tmp_path / "out.parquet")
    assert done.acceptable
    assert done.to_polars().equals(written)
    assert done.to_pandas().equals(done.to_frame())
    assert pl.from_pandas(done.to_pandas()).rows() == written.rows()
    assert str(done.to_pandas()["visits"].dtype) == "Int64"
    assert str(done.to_pandas()["smokes"].dtype) == "boolean"


def test_a_release_also_has_tables_of_figures(done: rr.Deidentified) -> None:
    sizes_after = done.to_polars("after.class_sizes")
    assert sizes_after.rows() == [(2, 1), (3, 2)]
    assert done.to_pandas("figures")["acceptable"].tolist() == [True]
    with pytest.raises(InvalidSetting, match="is not a table of figures"):
        done.to_frame("after.class_size")


def test_a_refused_release_gives_no_rows() -> None:
    refused = rr.deidentify(frames()["arrow"], ["age", "sex"], threshold=TWO, max_suppression=0)
    with pytest.raises(rr.ReidRiskError, match="no solution"):
        refused.to_pandas()
    assert repr(refused).startswith("<Deidentified: No solution; records: 6;")


def test_figures_of_a_file_are_a_frame_of_an_installed_library(tmp_path: Path) -> None:
    frames()["polars"].write_csv(tmp_path / "people.csv")
    risk = rr.table_risk(tmp_path / "people.csv", ["age", "sex"])
    assert isinstance(risk.to_frame(), pl.DataFrame)
    row = risk.to_polars().row(0, named=True)
    assert (row["records"], row["prosecutor.highest"], row["acceptable"]) == (6, 1.0, False)
    stacked = pd.concat([risk.to_pandas(), rr.table_risk(frames()["pandas"], ["age"]).to_pandas()])
    assert stacked["classes"].tolist() == [4, 3]
    assert "people.csv" not in repr(risk)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    risk = rr.table_risk(frames()["arrow"], ["age"])
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingPackage, match="pip install polars"):
        risk.to_polars()
    assert risk.to_frame().num_rows == 1


WITHOUT_PANDAS = """
import sys
class Missing:
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] in ("pandas", *sys.argv[1:]):
            raise ModuleNotFoundError(f"No module named {name}", name=name)
sys.meta_path.insert(0, Missing)
import pyarrow as pa
import reidrisk as rr
table = pa.table({"age": [34, 34, 51, 51], "sex": ["F", "F", "M", "M"]})
risk = rr.table_risk(table, ["age", "sex"])
assert risk.sizes.counts == ((2, 2),)
done = rr.deidentify(table, ["age", "sex"], threshold=rr.Threshold.from_cell_size(2, "test"))
assert done.to_frame().num_rows == 4
repr(done), str(done)
if "polars" not in sys.argv:
    import polars as pl
    eager = pl.from_arrow(table)
    assert rr.table_risk(eager.lazy(), quasi=["age"]).sizes.counts == ((2, 2),)
    assert done.to_polars().height == 4
try:
    risk.to_pandas()
except rr.ReidRiskError as error:
    print(error)
"""


@pytest.mark.parametrize("others", [(), ("polars",)], ids=["polars", "arrow"])
def test_pandas_is_not_required(others: tuple[str, ...]) -> None:
    program = [sys.executable, "-c", WITHOUT_PANDAS, *others]
    printed = subprocess.run(program, check=True, capture_output=True, text=True).stdout
    assert "pip install pandas" in printed


def test_the_user_is_not_warned(tmp_path: Path) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rr.table_risk(PANDAS["sparse"](), ["a"]).to_pandas("class_sizes")
    assert not caught
