"""A table as a sample: estimates side by side, weights, refusals, and what each view shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.errors import BadData, InvalidSetting, UnknownColumn
from reidrisk.tables.measure import MeasureSettings, TableMeasure
from reidrisk.tables.risk import measure_table

QUASI = rr.Schema(quasi=("sex", "age", "region"))


def people(rows: int = 800, seed: int = 5) -> pa.Table:
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "sex": rng.choice(list("MF"), rows),
            "age": rng.integers(20, 80, rows),
            "region": rng.choice(list("NSEW"), rows, p=[0.5, 0.3, 0.15, 0.05]),
            "w": rng.uniform(20, 60, rows).round(1),
        }
    )


def estimate(table: Any = None, **given: Any) -> dict[str, Any]:
    result = rr.table_risk(table or people(), QUASI, sampling=rr.Sampling(**given)).to_dict()
    json.dumps(result, allow_nan=False)
    found: dict[str, Any] = {**result["population_estimate"], "journalist": result["journalist"]}
    return {**found, "marketer": result["marketer"], "records": result["records"]}


def test_a_fraction_and_a_population_size_say_the_same() -> None:
    by_share, by_size = estimate(fraction=0.02), estimate(population_size=40_000)
    assert by_share["population_size"] == 40_000
    assert by_share["models"] == by_size["models"]
    assert by_share["chosen"] == "pitman"
    names = [one["model"] for one in by_share["models"]]
    assert names == ["pitman", "pitman_asymptotic", "zayatz", "snb", "loglinear"]
    assert all(one["accuracy"] for one in by_share["models"])


def test_the_journalist_risk_is_that_of_the_model_that_decides() -> None:
    found = estimate(fraction=0.02)
    chosen = next(one for one in found["models"] if one["model"] == found["chosen"])
    assert found["journalist"] == {**chosen["journalist"], "estimated_by": "pitman"}
    assert found["marketer"]["average"] == pytest.approx(chosen["journalist"]["average"])
    assert 0 < found["journalist"]["average"] < found["journalist"]["highest"] < 1


def test_weights_decide_where_there_are_any() -> None:
    found = estimate(weights="w")
    assert found["chosen"] == "weights"
    assert found["population_size"] == round(sum(people()["w"].to_pylist()))
    assert found["models"][0]["population_uniques"] is None
    assert 0 < found["journalist"]["highest"] < 0.2


def test_weights_of_one_are_the_prosecutor_risk() -> None:
    table = people().set_column(3, "w", pa.array([1.0] * 800))
    result = rr.table_risk(table, QUASI, sampling=rr.Sampling(weights="w")).to_dict()
    prosecutor = result["prosecutor"]
    for key, value in prosecutor.items():
        assert result["journalist"][key] == pytest.approx(value)


def test_a_known_population_goes_before_an_estimate() -> None:
    risk = rr.table_risk(people(), QUASI, population=people(), sampling=rr.Sampling(fraction=0.5))
    result = risk.to_dict()
    assert "estimated_by" not in result["journalist"]
    assert result["population_estimate"]["chosen"]


def test_the_adversary_who_decides() -> None:
    sampling = rr.Sampling(fraction=0.001)
    table = people()
    assert not rr.table_risk(table, QUASI, sampling=sampling).acceptable
    risk = rr.table_risk(table, QUASI, sampling=sampling, adversary="journalist")
    assert risk.acceptable
    assert "does not know who is in the table" in risk.to_dict()["reasons"][0]
    with pytest.raises(InvalidSetting, match="needs a population"):
        rr.table_risk(table, QUASI, adversary="journalist")
    with pytest.raises(InvalidSetting, match="adversary"):
        rr.table_risk(table, QUASI, adversary="neighbour")  # type: ignore[arg-type]


def test_dependent_columns_are_told() -> None:
    rng = np.random.default_rng(1)

    def column(size: int) -> Any:
        return rng.choice(size, 5000, p=rng.dirichlet(np.full(size, 0.7)))

    age = column(60)
    region = np.where(rng.random(5000) < 0.8, age * 7 % 41, column(41))
    table = pa.table({"sex": column(9), "age": age, "region": region})
    found = estimate(table, fraction=0.05)["loglinear"]
    assert found["note"] is None
    assert ["age", "region"] in found["models"][-1]["terms"]


def test_too_many_combinations_leave_the_simplest_model() -> None:
    rng = np.random.default_rng(1)
    table = pa.table({name: rng.integers(0, 120, 3000) for name in QUASI.quasi})
    found = estimate(table, fraction=0.05)["loglinear"]
    assert "independent columns" in found["note"]
    (only,) = found["models"]
    assert (only["terms"], only["underfits"]) == ([], None)


def test_what_was_counted_gives_the_same_risk_after_a_rest() -> None:
    settings = MeasureSettings(sampling=rr.Sampling(weights="w"))
    measured = measure_table(people(), QUASI, settings=settings)
    again = TableMeasure.from_dict(json.loads(json.dumps(measured.to_dict())))
    five = rr.Threshold.from_cell_size(5, "test")
    assert again.risk(five).to_dict() == measured.risk(five).to_dict()


def test_records_of_one_unit_have_one_weight() -> None:
    rows = {"visit": [1, 1, 2], "sex": ["M", "M", "F"], "age": [3, 3, 4], "region": ["N", "N", "N"]}
    schema = rr.Schema(quasi=QUASI.quasi, unit="visit")
    good = rr.table_risk(pa.table({**rows, "w": [5.0, 5.0, 7.0]}), schema, sampling=rr.Sampling(weights="w"))
    assert good.to_dict()["population_estimate"]["population_size"] == 12
    with pytest.raises(BadData, match="varies"):
        rr.table_risk(pa.table({**rows, "w": [5.0, 6.0, 7.0]}), schema, sampling=rr.Sampling(weights="w"))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "exactly one of: a fraction"),
        ({"fraction": 0.1, "population_size": 10}, "exactly one of: a fraction"),
        ({"fraction": 0.0}, "above 0"),
        ({"fraction": 1.5}, "The setting sampling_fraction cannot be 1.5"),
        ({"fraction": float("nan")}, "above 0"),
        ({"population_size": 0}, "The setting population_size cannot be 0"),
        ({"population_size": 799}, "is smaller than"),
    ],
)
def test_a_sample_that_cannot_be_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidSetting, match=said):
        rr.table_risk(people(), QUASI, sampling=rr.Sampling(**given))


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([None, *[2.0] * 799], "1 record without a weight"),
        ([0.0, -1.0, *[2.0] * 798], "2 records without a weight"),
        ([float("inf"), *[2.0] * 799], "1 record without"),
        (["x"] * 800, "no numbers"),
    ],
)
def test_odd_weights_are_refused_by_their_number(weights: list[Any], said: str) -> None:
    with pytest.raises(BadData, match=said):
        rr.table_risk(
            people().set_column(3, "w", pa.array(weights)), QUASI, sampling=rr.Sampling(weights="w")
        )


def test_weights_below_the_records_and_missing_columns_are_refused() -> None:
    light = people().set_column(3, "w", pa.array([0.5] * 800))
    with pytest.raises(InvalidSetting, match="fewer than the 800 records"):
        rr.table_risk(light, QUASI, sampling=rr.Sampling(weights="w"))
    with pytest.raises(UnknownColumn, match="weight"):
        rr.table_risk(people(), QUASI, sampling=rr.Sampling(weights="weight"))


def test_arx_figures_of_adult_by_the_whole_way(shared: Path) -> None:
    """Zayatz and asymptotic Pitman of ARX, from the file to the result."""
    reference = json.loads((shared / "arx_reference.json").read_text())["risk"]["adult9"]
    quasi = tuple(reference["qis"].strip("[]").split(", "))
    case = reference["population"][0]
    size = case["population_size"]
    result = rr.table_risk(
        shared / "adult" / "adult.csv",
        rr.Schema(quasi=quasi),
        sampling=rr.Sampling(population_size=size),
        drivers=False,
    ).to_dict()
    found = {one["model"]: one for one in result["population_estimate"]["models"]}
    theirs = case["frac_unique"]
    assert found["zayatz"]["population_uniques"] / size == pytest.approx(theirs["zayatz"], rel=1e-9)
    assert found["pitman_asymptotic"]["population_uniques"] / size == pytest.approx(
        theirs["pitman"], rel=1e-6
    )
