from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.errors import BadData, InvalidSetting, NothingToMeasure, UnknownColumn

KNIOLA = list(zip("MFFMFMMFMF", (26, 28, 31, 29, 28, 30, 29, 32, 29, 31), strict=True))
BOTH = rr.Schema(quasi=("sex", "age"))


def written(path: Path, header: tuple[str, ...], rows: Any) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)
    return path


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return written(tmp_path / "study.csv", ("sex", "age"), KNIOLA)


def test_the_published_study_population(study: Path) -> None:
    risk = rr.table_risk(study, BOTH, threshold=rr.Threshold(0.09, "printed"))
    result = risk.to_dict()
    assert result["prosecutor"] == {"highest": 1.0, "average": 0.6, "share_above_threshold": 1.0}
    assert result["unique_share"] == pytest.approx(0.3)
    assert (result["records"], result["classes"], result["smallest_class"]) == (10, 6, 1)
    assert result["marketer"]["expected_matches"] == 6
    assert result["journalist"]["highest"] is None
    assert "No population" in result["journalist"]["reason"]
    assert not risk.acceptable
    json.dumps(result, allow_nan=False)


def test_against_the_population_of_similar_trials(study: Path, tmp_path: Path) -> None:
    sizes = {
        ("M", 26): 12,
        ("F", 28): 32,
        ("F", 31): 27,
        ("M", 29): 11,
        ("M", 30): 15,
        ("F", 32): 4,
        ("F", 90): 9,
    }
    people = [row for row, times in sizes.items() for _ in range(times)]
    population = written(tmp_path / "trials.csv", ("sex", "age"), people)
    result = rr.table_risk(
        study, BOTH, threshold=rr.Threshold(0.09, "printed"), population=population
    ).to_dict()
    assert result["journalist"]["highest"] == 0.25
    assert result["journalist"]["average"] == pytest.approx(0.08093013468013469)
    assert result["journalist"]["share_above_threshold"] == pytest.approx(0.4)
    assert result["marketer"]["expected_matches"] == pytest.approx(10 * 0.08093013468013469)


def test_what_each_column_adds_and_what_singles_out(study: Path) -> None:
    result = rr.table_risk(study, BOTH, threshold=rr.Threshold.from_cell_size(3, "test")).to_dict()
    without = {tuple(row["columns"]): row for row in result["without_column"]}
    assert without["sex",]["unique_share"] == 0
    assert without["age",]["unique_share"] == pytest.approx(3 / 10)
    assert [row["columns"] for row in result["singling_out"]] == [["age"]]


def test_rows_of_one_unit_are_one_record(tmp_path: Path) -> None:
    rows = [(visit, sex, age) for visit, (sex, age) in enumerate(KNIOLA) for _ in range(1 + visit % 3)]
    table = written(tmp_path / "rx.csv", ("visit", "sex", "age"), rows)
    result = rr.table_risk(table, rr.Schema(quasi=("sex", "age"), unit="visit")).to_dict()
    assert (result["rows"], result["records"]) == (len(rows), 10)
    assert result["prosecutor"]["average"] == pytest.approx(0.6)


def test_what_varies_within_a_unit_is_refused_or_reduced(tmp_path: Path) -> None:
    table = written(tmp_path / "rx.csv", ("visit", "age"), [(1, 30), (1, 31), (2, 40), (2, 40)])
    with pytest.raises(BadData, match="age") as caught:
        rr.table_risk(table, rr.Schema(quasi=("age",), unit="visit"))
    assert "30" not in str(caught.value).replace(str(tmp_path), "")
    reduced = rr.Schema(quasi=("age",), unit="visit", reduce={"age": "max"})
    assert rr.table_risk(table, reduced).sizes.counts == ((1, 2),)


def test_empty_cells_are_a_value_of_their_own(tmp_path: Path) -> None:
    table = written(tmp_path / "t.csv", ("sex", "age"), [("M", 1), ("", 1), ("", 1), ("M", 1)])
    assert rr.table_risk(table, BOTH).sizes.counts == ((2, 2),)


def test_an_acceptable_table(tmp_path: Path) -> None:
    table = written(tmp_path / "t.csv", ("sex", "age"), [("M", 1)] * 5 + [("F", 2)] * 6)
    risk = rr.table_risk(table, BOTH)
    assert risk.acceptable
    assert risk.to_dict()["singling_out"] == []
    assert "acceptable" in str(risk)
    assert "ACCEPTABLE" in str(risk)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"quasi": ()}, "at least one"),
        ({"quasi": "sex"}, "a list of column names"),
        ({"quasi": ("sex",), "direct": ("sex",)}, "has two"),
        ({"quasi": ("sex",), "reduce": {"age": "max"}}, "cannot be 'age'"),
        ({"quasi": ("sex",), "reduce": {"sex": "most"}}, "first, min, max, set"),
    ],
)
def test_a_schema_refuses_nonsense(schema: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidSetting, match=said):
        rr.Schema(**schema)


def test_a_missing_column_is_named_with_its_nearest(study: Path) -> None:
    with pytest.raises(UnknownColumn, match="Did you mean 'age'"):
        rr.table_risk(study, rr.Schema(quasi=("sex", "agge")))
    with pytest.raises(UnknownColumn, match="visit"):
        rr.table_risk(study, rr.Schema(quasi=("sex",), unit="visit"))


def test_a_table_without_rows_measures_nothing(tmp_path: Path) -> None:
    table = written(tmp_path / "t.csv", ("sex", "age"), [])
    with pytest.raises((NothingToMeasure, BadData), match=r"no records|empty|no rows"):
        rr.table_risk(table, BOTH)


rows_of = st.lists(st.tuples(st.sampled_from("MF"), st.integers(0, 4)), min_size=1, max_size=60)


@given(rows_of)
@settings(max_examples=12)
def test_any_table_against_a_count_in_python(tmp_path_factory: Any, rows: list[tuple[str, int]]) -> None:
    import pyarrow as pa

    frame = pa.table({"sex": [sex for sex, _ in rows], "age": [age for _, age in rows]})
    result = rr.table_risk(frame, BOTH, threshold=rr.Threshold.from_cell_size(3, "test")).to_dict()
    sizes = Counter(rows)
    assert result["prosecutor"]["highest"] == 1 / min(sizes.values())
    assert result["prosecutor"]["average"] == pytest.approx(len(sizes) / len(rows))
    small = sum(number for number in sizes.values() if number < 3)
    assert result["prosecutor"]["share_above_threshold"] == pytest.approx(small / len(rows))


def test_adult_as_the_reference_has_it(shared: Path) -> None:
    """Prosecutor figures of ARX on the nine quasi-identifiers."""
    reference = json.loads((shared / "arx_reference.json").read_text())["risk"]["adult9"]
    quasi = tuple(reference["qis"].strip("[]").split(", "))
    result = rr.table_risk(shared / "adult" / "adult.csv", rr.Schema(quasi=quasi)).to_dict()
    assert result["records"] == reference["rows"]
    assert result["prosecutor"]["highest"] == reference["prosecutor"]["highest"]
    assert result["prosecutor"]["average"] == pytest.approx(reference["avg_risk"], abs=1e-12)
    assert result["prosecutor"]["share_above_threshold"] == pytest.approx(
        reference["prosecutor"]["at_risk"], abs=1e-12
    )
    assert result["unique_share"] == pytest.approx(reference["sample_unique_frac"], abs=1e-12)
    histogram = {str(row["size"]): row["classes"] for row in result["class_sizes"]}
    assert histogram == reference["class_size_histogram"]
