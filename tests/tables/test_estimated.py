"""A table as a sample: estimates side by side, weights, refusals, and what each view shows."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv

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


@cache
def usual() -> dict[str, Any]:
    """One record of fifty people."""
    return estimate(fraction=0.02)


def test_a_fraction_and_a_population_size_say_the_same() -> None:
    by_share, by_size = usual(), estimate(population_size=40_000)
    assert by_share["population_size"] == 40_000
    assert by_share["models"] == by_size["models"]
    assert (by_share["chosen"], by_share["ordered_columns"]) == ("copula", ["age"])
    names = [one["model"] for one in by_share["models"]]
    assert names == ["copula", "plug_in", "loglinear", "pitman", "pitman_asymptotic", "snb", "zayatz"]
    assert all(one["accuracy"] for one in by_share["models"])
    assert [one["name"] for one in by_share["calibrations"]][:4] == ["c5", "c10", "c_all", "i10"]


def test_the_journalist_risk_is_that_of_the_model_that_decides() -> None:
    found = usual()
    chosen = next(one for one in found["models"] if one["model"] == found["chosen"])
    risk = found["journalist"]
    assert risk["estimated_by"] == "copula"
    assert risk["average"] == chosen["average"] == pytest.approx(found["marketer"]["average"])
    assert found["marketer"]["low"] < risk["average"] < found["marketer"]["high"] == risk["average_limit"]
    assert risk["share_above_threshold"] == chosen["share_above_threshold"]
    assert risk["highest"] <= risk["highest_limit"] <= 1
    assert (1 / risk["highest"]).is_integer()
    assert sum(row["records"] for row in found["record_chances"]) == found["records"]


def test_every_estimate_lies_within_its_limits() -> None:
    found = usual()
    for name in ("unique_in_both", "population_uniques", "average", "records_in_small_classes"):
        figure = found[name]
        assert 0 <= figure["low"] <= figure["value"] <= figure["high"], name
    assert found["unique_in_both"]["high"] <= found["sample_uniques"]
    assert found["population_uniques"]["high"] <= found["population_size"]


def test_weights_are_shown_but_do_not_decide() -> None:
    found = estimate(weights="w")
    assert found["chosen"] == "weights"
    assert found["population_size"] == round(sum(people()["w"].to_pylist()))
    assert found["models"][0]["population_uniques"] is None
    assert found["chance_of_small_class"] is None
    assert 0 < found["journalist"]["highest"] <= found["journalist"]["highest_limit"] == 1
    assert 0 < found["journalist"]["average"] < found["journalist"]["average_limit"]
    sampling = rr.Sampling(weights="w")
    risk = rr.table_risk(people(), QUASI, sampling=sampling, adversary="journalist")
    assert not risk.acceptable
    assert "not validated" in risk.to_dict()["reasons"][0]
    coarse = rr.table_risk(people(), rr.Schema(quasi=("sex",)), sampling=sampling, adversary="journalist")
    assert coarse.identity_acceptable


def test_weights_of_one_are_the_prosecutor_risk() -> None:
    table = people().set_column(3, "w", pa.array([1.0] * 800))
    result = rr.table_risk(table, QUASI, sampling=rr.Sampling(weights="w")).to_dict()
    prosecutor = result["prosecutor"]
    for key, value in prosecutor.items():
        assert result["journalist"][key] == pytest.approx(value)


def test_everybody_sampled_is_the_prosecutor_risk() -> None:
    risk = rr.table_risk(people(), QUASI, sampling=rr.Sampling(fraction=1.0), adversary="journalist")
    result = risk.to_dict()
    assert result["population_estimate"]["chosen"] == "whole"
    for key, value in result["prosecutor"].items():
        assert result["journalist"][key] == pytest.approx(value)
    assert not risk.acceptable


def test_a_known_population_goes_before_an_estimate() -> None:
    given: dict[str, Any] = {"population": people(), "sampling": rr.Sampling(fraction=0.5)}
    risk = rr.table_risk(people(), QUASI, adversary="journalist", **given)
    result = risk.to_dict()
    assert "estimated_by" not in result["journalist"]
    assert result["population_estimate"]["chosen"]
    assert "does not know who is in the table" in result["reasons"][0]


def test_the_average_rule_against_a_known_population() -> None:
    table = pa.table({"sex": ["M"] * 2 + ["F"] * 8})
    everybody = pa.table({"sex": ["M"] * 4 + ["F"] * 40})
    schema = rr.Schema(quasi=("sex",))
    given: dict[str, Any] = {"population": everybody, "adversary": "journalist"}
    assert not rr.table_risk(table, schema, **given).acceptable
    risk = rr.table_risk(table, schema, journalist_rule="strict_average", **given)
    assert risk.acceptable
    assert "on average" in risk.to_dict()["reasons"][0]
    two = pa.table({"sex": ["M"] * 2 + ["F"] * 400})
    given["population"] = two
    three = rr.Threshold.from_cell_size(3, "test")
    assert not rr.table_risk(
        table, schema, threshold=three, journalist_rule="strict_average", **given
    ).acceptable
    assert rr.table_risk(table, schema, threshold=three, journalist_rule="average", **given).acceptable


def people_of_a_town(seed: int = 4) -> tuple[pa.Table, pa.Table, dict[str, int]]:
    """20,000 people, a sample of 400 of them, and how many of these are in small classes of the town."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(size=(20_000, 3))
    latent[:, 1:] = 0.5 * latent[:, :1] + 0.87 * latent[:, 1:]
    age = np.clip(45 + 18 * latent[:, 0], 0, 95).astype(int)
    country = np.searchsorted([0.9, 1.3, 1.6, 1.9, 2.1, 2.3, 2.5, 2.7, 2.9, 3.1], latent[:, 1])
    work = np.searchsorted([-1.0, 0.1, 1.5, 2.4], latent[:, 2])
    columns = {"age": age, "country": [f"c{code}" for code in country], "work": [f"w{code}" for code in work]}
    town = pa.table(columns)
    drawn = np.sort(rng.choice(20_000, 400, replace=False))
    rows = np.stack([age, country, work], axis=1)
    _, place, sizes = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    own = sizes[place.ravel()][drawn]
    return town, town.take(pa.array(drawn)), {"unique": int((own == 1).sum()), "small": int((own < 5).sum())}


TOWN = rr.Schema(quasi=("age", "country", "work"))


def test_a_sample_with_unique_people_is_refused() -> None:
    """Mean risks of records hid them: 0.13 was called acceptable where 33 of 302 records were unique."""
    town, table, truth = people_of_a_town()
    assert truth["unique"] >= 5
    risk = rr.table_risk(table, TOWN, sampling=rr.Sampling(fraction=0.02), adversary="journalist")
    result = risk.to_dict()
    assert (risk.acceptable, result["journalist"]["highest"]) == (False, 1.0)
    first, helps = result["reasons"][:2]
    chance = "Chance that some record is in a population class smaller than 5: over 99 % (limit 5 %)"
    assert first.startswith(f"{chance}: not acceptable. About ")
    assert "are unique in the population" in first
    assert "A match is right with a probability of" in first
    assert "a table of the population" in helps
    assert "fewer quasi-identifiers" in helps
    found = result["population_estimate"]
    for name, number in (("unique_in_both", truth["unique"]), ("records_in_small_classes", truth["small"])):
        assert found[name]["low"] <= number <= found[name]["high"]
        assert 0.5 < found[name]["value"] / number < 2
    known = rr.table_risk(table, TOWN, population=town).to_dict()["journalist"]
    assert found["average"]["low"] < known["average"] < found["average"]["high"]


def test_a_sample_of_large_classes_is_accepted() -> None:
    rng = np.random.default_rng(2)
    table = pa.table({"sex": rng.choice(list("MF"), 600), "region": rng.choice(list("NSEW"), 600)})
    schema = rr.Schema(quasi=("sex", "region"))
    risk = rr.table_risk(table, schema, sampling=rr.Sampling(fraction=0.1), adversary="journalist")
    assert risk.acceptable
    lone = pa.concat_tables([table, pa.table({"sex": ["F"] * 4, "region": ["X"] * 4})])
    risk = rr.table_risk(lone, schema, sampling=rr.Sampling(fraction=0.02), adversary="journalist")
    chance = risk.to_dict()["population_estimate"]["chance_of_small_class"]
    assert 0 < chance <= 0.05
    assert risk.acceptable
    assert not rr.table_risk(lone, schema, sampling=rr.Sampling(fraction=0.02)).acceptable


def test_the_average_rule_passes_unique_people_and_says_so() -> None:
    _, table, _ = people_of_a_town()
    given: dict[str, Any] = {"sampling": rr.Sampling(fraction=0.02), "adversary": "journalist"}
    given["threshold"] = rr.Threshold(0.9, "a test")
    risk = rr.table_risk(table, TOWN, journalist_rule="average", **given)
    assert risk.acceptable
    assert "people are unique nevertheless" in risk.to_dict()["reasons"][0]
    strict = rr.table_risk(table, TOWN, journalist_rule="strict_average", **given)
    assert not strict.acceptable
    assert "smaller than 3: over 99 %" in strict.to_dict()["reasons"][0]
    assert strict.to_dict()["journalist_rule"] == "strict_average"
    limit = risk.to_dict()["journalist"]["average_limit"]
    given["threshold"] = rr.Threshold(0.99 * limit, "just below the limit")
    assert not rr.table_risk(table, TOWN, journalist_rule="average", **given).acceptable


def test_if_no_two_records_are_alike_nothing_is_ruled_out() -> None:
    table = pa.table({"sex": ["M"] * 30 + ["F"] * 30, "age": list(range(30)) * 2, "region": ["N"] * 60})
    found = estimate(table, fraction=0.1)
    assert found["population_uniques"]["high"] == found["population_size"] == 600
    assert found["average"]["high"] == found["chance_of_small_class"] == 1
    for rule in ("maximum", "strict_average", "average"):
        given: dict[str, Any] = {"adversary": "journalist", "journalist_rule": rule}
        assert not rr.table_risk(table, QUASI, sampling=rr.Sampling(fraction=0.1), **given).acceptable


def test_one_value_in_all_columns() -> None:
    table = pa.table({"sex": ["M"] * 40, "age": [3] * 40, "region": ["N"] * 40})
    risk = rr.table_risk(table, QUASI, sampling=rr.Sampling(fraction=0.1), adversary="journalist")
    assert risk.acceptable
    assert risk.to_dict()["journalist"]["highest_limit"] <= 1 / 40


def test_columns_that_are_declared_as_ordered() -> None:
    found = estimate(fraction=0.02, ordinal=("region",))
    assert found["ordered_columns"] == ["age", "region"]
    assert found["sampling"]["ordinal"] == ["region"]
    with pytest.raises(InvalidSetting, match="not a quasi-identifier"):
        estimate(fraction=0.02, ordinal=("w",))


def test_the_adversary_who_decides() -> None:
    table = people()
    with pytest.raises(InvalidSetting, match="needs a population"):
        rr.table_risk(table, QUASI, adversary="journalist")
    with pytest.raises(InvalidSetting, match="adversary"):
        rr.table_risk(table, QUASI, adversary="neighbour")  # type: ignore[arg-type]
    with pytest.raises(InvalidSetting, match="only against a journalist"):
        rr.table_risk(table, QUASI, journalist_rule="average")


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
    ("given", "weighted", "number"),
    [
        ({"fraction": 0.03}, None, 100),
        ({"fraction": 1.0}, None, 3),
        ({"population_size": 3}, None, 3),
        ({"population_size": 1_234}, None, 1_234),
        ({"weights": "w"}, 56.7, 57),
    ],
)
def test_the_people_that_three_records_stand_for(
    given: dict[str, Any], weighted: float | None, number: int
) -> None:
    assert rr.Sampling(**given).people(3, weighted) == number


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


def test_each_records_chance_in_a_file(tmp_path: Path) -> None:
    _, table, _ = people_of_a_town()
    path = tmp_path / "chances.csv"
    sampling = rr.Sampling(fraction=0.02)
    result = rr.table_risk(table, TOWN, sampling=sampling, record_chances=path).to_dict()
    rows = csv.read_csv(path).to_pydict()
    assert list(rows) == ["row", "class_size", "chance_unique", "chance_of_right_match"]
    assert rows["row"] == list(range(1, 401))
    values = list(zip(*(table[name].to_pylist() for name in TOWN.quasi), strict=True))
    assert rows["class_size"] == [values.count(value) for value in values]
    assert sum(rows["chance_of_right_match"]) / 400 == pytest.approx(result["journalist"]["average"])
    histogram = np.histogram(
        rows["chance_unique"],
        bins=[row["from"] for row in result["population_estimate"]["record_chances"]] + [1.0],
    )[0]
    assert histogram.tolist() == [row["records"] for row in result["population_estimate"]["record_chances"]]


def test_chances_of_records_need_a_sample_and_one_row_per_record(tmp_path: Path) -> None:
    path = tmp_path / "chances.csv"
    with pytest.raises(InvalidSetting, match="how the table was sampled"):
        rr.table_risk(people(), QUASI, record_chances=path)
    schema = rr.Schema(quasi=("sex",), unit="age")
    with pytest.raises(InvalidSetting, match="combined by a unit"):
        rr.table_risk(people(), schema, sampling=rr.Sampling(fraction=0.1), record_chances=path)
    assert not path.exists()
    rr.table_risk(people(), QUASI, sampling=rr.Sampling(fraction=1.0), record_chances=path)
    rows = csv.read_csv(path).to_pydict()
    assert [
        chance for chance, size in zip(rows["chance_unique"], rows["class_size"], strict=True) if size == 1
    ]
    assert all(
        chance == (size == 1) for chance, size in zip(rows["chance_unique"], rows["class_size"], strict=True)
    )


def test_a_sample_of_classes_is_named_in_every_view(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("reidrisk.tables.estimated.MOST_TUPLES", 100)
    sampling = rr.Sampling(fraction=0.02)
    whole = people(3000)
    measured = measure_table(whole, QUASI, settings=MeasureSettings(sampling=sampling))
    again = TableMeasure.from_dict(json.loads(json.dumps(measured.to_dict())))
    assert again.sampled == measured.sampled
    result = rr.table_risk(whole, QUASI, sampling=sampling)
    found = result.to_dict()["population_estimate"]["sampled"]
    classes = result.to_dict()["population_estimate"]
    assert found["what"] == "classes"
    assert found["drawn"] < found["of"]
    assert found["note"] in " ".join(result.to_dict()["reasons"])
    assert found["note"] in " ".join(str(result).split())
    assert "a sample of classes" in result._repr_html_()
    assert classes["unique_in_both"]["low"] <= classes["unique_in_both"]["value"]
    # The chance of every record needs every class.
    path = tmp_path / "chances.parquet"
    every = measure_table(whole, QUASI, settings=MeasureSettings(sampling=sampling, record_chances=path))
    assert every.sampled is not None
    assert every.sampled.copula is not None
    assert every.sampled.copula.drawn is None
