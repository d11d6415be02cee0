"""Local recoding from a table to a file: classes, levels, limits, and what is told of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.errors import InvalidSetting
from reidrisk.report.codebook import codebook_text
from reidrisk.report.views import draw
from reidrisk.tables.deidentify.options import DeidentifyOptions, Layout
from reidrisk.tables.deidentify.result import Deidentified
from reidrisk.tables.deidentify.run import deidentify
from reidrisk.tables.hierarchy.hierarchy import Hierarchy, read_hierarchies
from tests.tables.deidentify.study import ROWS, hierarchies, read_rows, smallest, write_rows

TWO = Threshold.from_cell_size(2, "test")
THREE = Threshold.from_cell_size(3, "test")
FIVE = Threshold.from_cell_size(5, "test")
BOTH = Schema(quasi=("sex", "age"), other={"order of the rows": "test"})
LOCAL = DeidentifyOptions(method="local", order="keep")
ABOVE = {
    "26": ["25-26", "21-30", "*"], "28": ["27-28", "21-30", "*"], "29": ["29-30", "21-30", "*"],
    "30": ["29-30", "21-30", "*"], "31": ["31-32", "31-40", "*"], "32": ["31-32", "31-40", "*"],
    "F": ["*"], "M": ["*"], "": ["*"],
}  # fmt: skip
"""What each value of the published table may become."""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "trial.csv", ("sex", "age"), ROWS)


def test_records_that_need_nothing_keep_their_values(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    result = deidentify(table, BOTH, hierarchies(), threshold=TWO, max_suppression=0, options=LOCAL, out=out)
    rows = read_rows(out)[1]
    assert smallest(out, ["sex", "age"]) >= 2
    assert rows[1] == rows[4] == ["F", "28"]
    assert rows[3] == rows[6] == ["M", "29"]
    found = result.to_dict()
    assert found["method"] == found["settings"]["method"] == "local"
    part = found["solution"]
    assert part["levels"]["age"] == "local"
    assert sum(part["level_shares"]["age"].values()) == pytest.approx(1)
    assert (part["suppressed_cells"], part["suppressed_records"], found["candidates"]) == (0, 0, [])
    assert found["after"]["smallest_class"] >= 2
    assert found["codebook"][1]["type_after"] == "text"


def test_more_is_kept_than_with_one_level_for_all(table: Path) -> None:
    kept = [
        deidentify(table, BOTH, hierarchies(), threshold=THREE, options=options).to_dict()["solution"][
            "utility"
        ]["granularity"]
        for options in (DeidentifyOptions(), LOCAL)
    ]
    assert kept[1] >= kept[0]


ROW = st.tuples(st.sampled_from("FM"), st.sampled_from([26, 28, 29, 30, 31, 32, None]))


@settings(max_examples=10, deadline=None)
@given(
    rows=st.lists(ROW, min_size=4, max_size=40),
    k=st.integers(2, 4),
    limit=st.sampled_from([0.0, 0.5, 1.0]),
    suppress=st.sampled_from(["cells", "records"]),
    highest=st.sampled_from([{}, {"age": 2}, {"sex": 0, "age": 1}]),
)
def test_every_cell_is_its_value_or_above_it_and_no_class_is_too_small(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[Any],
    k: int,
    limit: float,
    suppress: Any,
    highest: dict[str, str | int],
) -> None:
    folder = tmp_path_factory.mktemp("local")
    table, out = write_rows(folder / "t.csv", ("sex", "age"), rows), folder / "out.csv"
    options = DeidentifyOptions(method="local", order="keep", suppress=suppress, max_level=highest)
    threshold = Threshold.from_cell_size(k, "test")
    result = deidentify(
        table, BOTH, hierarchies(), threshold=threshold, max_suppression=limit, options=options, out=out
    )
    if not result.acceptable:
        assert not out.exists()
        return
    part = result.to_dict()["solution"]
    released = read_rows(out)[1]
    assert smallest(out, ["sex", "age"]) >= k
    assert len(released) == len(rows) - part["removed_records"]
    assert part["suppressed_share"] <= limit + 1e-12
    if len(released) == len(rows):
        for before, after in zip(rows, released, strict=True):
            for column, value, shown in zip(("sex", "age"), before, after, strict=True):
                text = "" if value is None else str(value)
                allowed = [text, *ABOVE[text]][: int(highest.get(column, 9)) + 1]
                assert shown in (*allowed, "") if part["by_column"][column] else shown in allowed


def test_without_hierarchies_cells_are_suppressed_within_the_limit(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    result = deidentify(table, BOTH, threshold=TWO, max_suppression=1, options=LOCAL, out=out)
    part = result.to_dict()["solution"]
    assert part["suppressed_records"] > 0
    assert smallest(out, ["sex", "age"]) >= 2
    refused = deidentify(table, BOTH, threshold=TWO, max_suppression=0.1, options=LOCAL)
    assert not refused.acceptable
    assert "would have suppressed cells" in refused.to_dict()["reasons"][0]


def test_a_limit_for_each_variable_holds(table: Path) -> None:
    options = DeidentifyOptions(method="local", max_cell_suppression=0.0)
    result = deidentify(table, BOTH, threshold=TWO, max_suppression=1, options=options)
    assert not result.acceptable
    assert "of one variable" in result.to_dict()["reasons"][0]


def test_the_ladder_and_layouts_are_tried_in_turn(table: Path) -> None:
    options = DeidentifyOptions(
        method="local",
        ladder=(FIVE, TWO),
        max_level={"age": 2},
        layouts=(Layout("both", ("sex", "age")), Layout("age", ("age",))),
    )
    result = deidentify(table, BOTH, hierarchies(), threshold=FIVE, max_suppression=0, options=options)
    found = result.to_dict()
    assert (found["threshold"]["cell_size"], found["layout"]) == (2, "both")
    assert [rung["outcome"] for rung in found["threshold_ladder"]] == ["no solution", "solution"]


def test_a_unit_of_many_rows_is_treated_alike(tmp_path: Path) -> None:
    rows = [(f"p{n // 2}", "FM"[n // 2 % 2], 26 + n // 2 % 5, n) for n in range(40)]
    table = write_rows(tmp_path / "visits.csv", ("patient", "sex", "age", "drug"), rows)
    out = tmp_path / "out.csv"
    ages = {"age": Hierarchy.numbers("age", [{"width": 2}, {"width": 10}])}
    options = DeidentifyOptions(method="local", treatments={"patient": "number"})
    schema = Schema(quasi=("sex", "age"), unit="patient")
    result = deidentify(table, schema, ages, threshold=THREE, max_suppression=0, options=options, out=out)
    assert result.acceptable
    units = {tuple(row[:3]) for row in read_rows(out)[1]}
    assert len(units) == 20
    sizes = [sum(other[1:] == unit[1:] for other in units) for unit in units]
    assert min(sizes) >= 3


def test_an_average_risk_asks_for_larger_classes(tmp_path: Path) -> None:
    rows = [("FM"[place % 2], 20 + place % 30) for place in range(300)]
    table = write_rows(tmp_path / "t.csv", ("sex", "age"), rows)
    ages = {"age": Hierarchy.numbers("age", [{"width": 5}, {"width": 10}])}
    options = DeidentifyOptions(method="local", average=0.05)
    plain = deidentify(table, BOTH, ages, threshold=THREE, options=LOCAL).to_dict()
    strict = deidentify(table, BOTH, ages, threshold=THREE, options=options).to_dict()
    assert strict["after"]["prosecutor"]["average"] <= 0.05 < plain["after"]["prosecutor"]["average"]


def test_the_same_once_more_and_in_memory(table: Path, tmp_path: Path) -> None:
    result = deidentify(table, BOTH, hierarchies(), threshold=TWO, options=LOCAL, out=tmp_path / "a.csv")
    result.write(tmp_path / "b.csv")
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    rows = [list(row) for row in zip(*result.to_arrow().to_pydict().values(), strict=True)]
    assert rows == read_rows(tmp_path / "a.csv")[1]


def local(table: Path) -> Deidentified:
    return deidentify(table, BOTH, hierarchies(), threshold=TWO, options=LOCAL)


def test_every_view_says_how_exact_the_records_are(table: Path) -> None:
    result = local(table).to_dict()
    text = " ".join(draw(result, "terminal").split())
    assert "LEVELS BY SHARE OF RECORDS" in text
    assert "ACCEPTABLE AT A THRESHOLD OF 1/2 [ok]" in text
    assert "Found by a heuristic" in text
    assert "candidates" not in text
    page = draw(result, "html")
    assert "Levels by share of records" in page
    assert "All candidates" not in page
    assert "generalized per record as far as its class requires" in codebook_text(result)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "best"}, "method"),
        ({"method": "local", "reading": "wildcard"}, "as a separate value"),
        ({"method": "local", "loss": "dm"}, "granularity"),
    ],
)
def test_refusals(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidSetting, match=words):
        DeidentifyOptions(**options)


def test_adult_keeps_more_granularity_than_the_peer(shared: Path) -> None:
    quasi = "sex,age,race,marital-status,education,native-country,workclass,occupation,salary-class"
    result = deidentify(
        shared / "adult" / "adult.csv",
        Schema(quasi=tuple(quasi.split(","))),
        read_hierarchies(shared / "adult"),
        threshold=FIVE,
        options=LOCAL,
    )
    found = result.to_dict()
    assert found["solution"]["utility"]["granularity"] > 0.932
    assert found["after"]["smallest_class"] >= 5
    assert found["solution"]["suppressed_cells"] == 0


@settings(max_examples=10, deadline=None)
@given(rows=st.lists(ROW, min_size=4, max_size=30), k=st.integers(2, 4))
def test_no_more_records_lose_a_cell_than_must(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any], k: int
) -> None:
    """Those in small classes at the most general levels, and no others, if the limit is as strict as that."""
    table = write_rows(tmp_path_factory.mktemp("least") / "t.csv", ("sex", "age"), rows)
    threshold = Threshold.from_cell_size(k, "test")
    options = DeidentifyOptions(method="local", max_level={"sex": 0, "age": 2})
    strict = deidentify(table, BOTH, hierarchies(), threshold=threshold, max_suppression=0, options=options)
    needed = strict.to_dict()["threshold_ladder"][0]["suppressed_share"]
    if needed < 1:
        found = deidentify(
            table, BOTH, hierarchies(), threshold=threshold, max_suppression=needed, options=options
        )
        assert found.acceptable
        assert found.to_dict()["solution"]["suppressed_share"] <= needed + 1e-12
