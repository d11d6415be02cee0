from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from reidrisk.errors import InvalidSetting, NothingToMeasure, UnknownColumn
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.utility.plan import UtilityModel, UtilityPlan
from reidrisk.tables.utility.run import TableUtility, table_utility
from tests.tables.utility.trials import coarse, patients, shuffled

ORIGINAL = patients()


def _column(result: TableUtility, name: str) -> dict[str, object]:
    return next(one for one in result.to_dict()["columns"] if one["column"] == name)


def test_the_original_itself_loses_nothing() -> None:
    plan = UtilityPlan(
        queries={"cost": "SELECT sex, avg(cost) FROM data GROUP BY sex"},
        models=("cost ~ age, sex", "plan ~ age"),
        limits=dict.fromkeys(
            ("distribution", "association", "propensity", "query", "query_largest", "model"), 0.001
        ),
    )
    result = table_utility(ORIGINAL, ORIGINAL, plan)
    assert result.acceptable
    found = result.to_dict()
    for one in found["columns"]:
        assert one["total_variation"] == pytest.approx(0)
        assert one["missing_before"] == one["missing_after"]
    assert found["propensity"]["ratio"] == pytest.approx(0, abs=1e-6)
    assert all(one["change"] == 0 for one in found["associations"])
    for model in found["models"]:
        assert model["before"] == model["after"]
        assert model["overlap"] == pytest.approx(1)
        assert model["changed"] == 0


def test_generalized_values_are_compared_at_the_released_level() -> None:
    result = table_utility(coarse(ORIGINAL), ORIGINAL)
    for name in ("age", "zip", "sex"):
        assert _column(result, name)["total_variation"] == pytest.approx(0, abs=1e-12)
    assert _column(result, "age")["values_after"] == 7
    assert result.to_dict()["propensity"]["ratio"] < 1


def test_suppressed_cells_are_missing_values() -> None:
    column = _column(table_utility(coarse(ORIGINAL, starred=10), ORIGINAL), "age")
    assert column["missing_before"] == 0
    assert column["missing_after"] == pytest.approx(0.1)


def test_mixed_levels_are_compared_as_well() -> None:
    ages = [
        str(age) if age < 50 else f"{age // 10 * 10}-{age // 10 * 10 + 9}"
        for age in ORIGINAL["age"].to_pylist()
    ]
    mixed = ORIGINAL.set_column(0, "age", pa.array(ages))
    column = _column(table_utility(mixed, ORIGINAL), "age")
    assert column["total_variation"] == pytest.approx(0, abs=1e-12)
    assert column["wasserstein"] == pytest.approx(0, abs=1e-12)


def test_hierarchies_tell_what_labels_stand_for() -> None:
    young = ["child" if age < 50 else "adult" for age in ORIGINAL["age"].to_pylist()]
    release = ORIGINAL.set_column(0, "age", pa.array(young))
    alone = table_utility(release, ORIGINAL)
    assert "give its hierarchy" in str(_column(alone, "age")["reason"])
    tree = {"child": [str(age) for age in range(20, 50)], "adult": [str(age) for age in range(50, 90)]}
    hierarchy = Hierarchy.tree("age", tree)
    told = table_utility(release, ORIGINAL, hierarchies={"age": hierarchy})
    assert _column(told, "age")["total_variation"] == pytest.approx(0, abs=1e-12)


def test_records_that_are_left_out_move_the_shares() -> None:
    kept = ORIGINAL.filter(pc.equal(ORIGINAL["sex"], "F"))
    column = _column(table_utility(kept, ORIGINAL), "sex")
    men = 1 - len(kept) / len(ORIGINAL)
    assert column["total_variation"] == pytest.approx(men)
    assert column["hellinger"] == pytest.approx(np.sqrt(1 - np.sqrt(1 - men)))


def test_changed_numbers_are_compared_as_numbers() -> None:
    more = ORIGINAL.set_column(4, "cost", pc.add(ORIGINAL["cost"], 10.0))
    column = _column(table_utility(more, ORIGINAL), "cost")
    cost = ORIGINAL["cost"].to_numpy()
    assert column["wasserstein"] == pytest.approx(10 / np.ptp(cost))
    assert 0 < float(str(column["kolmogorov_smirnov"])) < 1


def test_a_broken_association_is_found() -> None:
    result = table_utility(shuffled(ORIGINAL, "cost"), ORIGINAL)
    worst = result.to_dict()["associations"][0]
    assert set(worst["columns"]) == {"age", "cost"}
    assert worst["before"] > 0.8
    assert abs(worst["after"]) < 0.15
    assert _column(result, "cost")["total_variation"] == pytest.approx(0)


def test_a_conclusion_that_changes_is_told() -> None:
    plan = UtilityPlan(models=("cost ~ age, sex",), limits={"model": 0.05})
    result = table_utility(shuffled(ORIGINAL, "cost"), ORIGINAL, plan)
    (model,) = result.to_dict()["models"]
    assert model["before"] > 0.8
    assert model["after"] < 0.1
    assert {one["term"]: one["changes"] for one in model["terms"]} == {"age": True, "sex = M": True}
    assert model["terms"][0]["overlap"] == 0
    assert not result.acceptable
    assert "2 of 2 conclusions change." in str(result.to_dict()["reasons"])


def test_coefficients_are_those_of_one_unit() -> None:
    plan = UtilityPlan(models=("cost ~ age, sex", "died ~ age"))
    cost, died = table_utility(coarse(ORIGINAL), ORIGINAL, plan).to_dict()["models"]
    design = np.column_stack(
        [np.ones(600), ORIGINAL["age"].to_numpy(), [sex == "M" for sex in ORIGINAL["sex"].to_pylist()]]
    )
    expected = np.linalg.lstsq(design.astype(float), ORIGINAL["cost"].to_numpy())[0]
    base = -1 if cost["terms"][1]["term"] == "sex = F" else 1
    assert cost["terms"][0]["before"] == pytest.approx(expected[1])
    assert cost["terms"][1]["before"] == pytest.approx(base * expected[2])
    assert cost["terms"][0]["after"] == pytest.approx(expected[1], rel=0.1)
    assert died["score"] == "AUC"
    assert died["before"] > died["after"] > 0.8
    assert died["terms"][0]["outcome"] in ("died = 1", "died = 0")


def test_a_column_that_the_release_lacks_is_told() -> None:
    plan = UtilityPlan(models=("cost ~ age, plan",), limits={"model": 0.1})
    result = table_utility(ORIGINAL.drop_columns(["plan"]), ORIGINAL, plan)
    assert result.to_dict()["models"][0]["reason"] == "plan cannot be used: the release does not have it."
    assert not result.acceptable


def test_queries_are_compared_group_by_group() -> None:
    more = ORIGINAL.set_column(4, "cost", pc.multiply(ORIGINAL["cost"], 1.1))
    plan = UtilityPlan(queries={"mean": "SELECT sex, avg(cost) AS c, count(*) AS n FROM data GROUP BY sex"})
    (query,) = table_utility(more, ORIGINAL, plan).to_dict()["queries"]
    cost, number = query["figures"]
    assert (cost["typical_relative"], cost["largest_relative"]) == pytest.approx((0.1, 0.1))
    assert number["largest_absolute"] == 0
    assert query["typical_relative"] == pytest.approx(0.1)
    assert (query["groups_before"], query["lost"], query["new"]) == (2, 0, 0)


def test_numbers_that_come_first_are_groups() -> None:
    plan = UtilityPlan(queries={"ages": "SELECT age, count(*) AS n FROM data GROUP BY age"})
    some = ORIGINAL.filter(pc.less(ORIGINAL["age"], 80))
    (query,) = table_utility(some, ORIGINAL, plan).to_dict()["queries"]
    assert query["lost"] == 10
    assert query["figures"][0]["largest_relative"] == 1
    assert query["figures"][0]["largest_absolute"] == 0


def test_the_middle_makes_a_query_fit_both_tables() -> None:
    queries = {
        "fails": "SELECT avg(age) AS a FROM data",
        "works": "SELECT avg(middle(age)) AS a FROM data",
        "rows": "SELECT plan, cost FROM data",
    }
    plan = UtilityPlan(queries=queries, limits={"query": 0.1})
    result = table_utility(coarse(ORIGINAL), ORIGINAL, plan)
    fails, works, rows = result.to_dict()["queries"]
    assert fails["reason"].startswith(
        "Failed on the release: a function or comparison does not take the type"
    )
    assert "middle(x)" in fails["hint"]
    assert works["typical_relative"] < 0.02
    assert "cannot be matched" in rows["reason"]
    assert not result.acceptable


def test_groups_are_named_only_if_asked_and_large() -> None:
    few = pa.table({"place": ["Zanzibar"] * 3 + ["Ohio"] * 50, "x": range(53)})
    counted = "SELECT place, sum(x) AS s, count(*) AS n FROM data GROUP BY place"
    uncounted = "SELECT place, sum(x) AS s FROM data GROUP BY place"
    for shown in (True, False):
        plan = UtilityPlan(queries={"a": counted, "b": uncounted}, show_groups=shown, propensity=False)
        found = table_utility(few, few, plan).to_dict()["queries"]
        assert [one["group"] for one in found[0]["named"]] == (["Ohio"] if shown else [])
        assert found[1]["named"] == []
        assert "Zanzibar" not in json.dumps(found)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name, x AS n FROM data",
        "SELECT place, max(name) AS m, count(*) AS n FROM data GROUP BY place",
    ],
)
def test_no_group_names_a_person(sql: str) -> None:
    table = pa.table({"name": [f"Zoe {at}" for at in range(60)], "place": ["Ohio"] * 60, "x": range(10, 70)})
    plan = UtilityPlan(queries={"a": sql}, show_groups=True, propensity=False)
    [found] = table_utility(table, table, plan).to_dict()["queries"]
    assert found["reason"] is None
    assert found["named"] == []


def test_answers_of_other_columns_are_not_compared() -> None:
    plan = UtilityPlan(queries={"all": "SELECT * FROM data"}, limits={"query": 0.1}, propensity=False)
    result = table_utility(ORIGINAL.drop(["zip"]), ORIGINAL, plan)
    [found] = result.to_dict()["queries"]
    assert "do not have the same columns" in found["reason"]
    assert not result.acceptable


@pytest.mark.parametrize(("before", "after"), [(5e-324, 1e300), (-1.7e308, 1.7e308)])
def test_differences_beyond_all_numbers_are_numbers(before: float, after: float) -> None:
    plan = UtilityPlan(queries={"all": "SELECT sum(x) AS x FROM data"}, propensity=False, columns=("y",))
    old, new = (pa.table({"x": [value], "y": ["a"]}) for value in (before, after))
    [found] = table_utility(new, old, plan).to_dict()["queries"]
    assert json.dumps(found, allow_nan=False)
    assert found["largest_relative"] >= 2


def test_rare_categories_are_joined_and_never_named() -> None:
    rng = np.random.default_rng(1)
    table = pa.table(
        {"place": ["Zanzibar"] * 3 + ["Ohio"] * 100 + ["Iowa"] * 97, "cost": rng.normal(size=200)}
    )
    plan = UtilityPlan(models=("cost ~ place", "place ~ cost"))
    text = table_utility(table, table, plan).to_json()
    assert "Zanzibar" not in text
    assert "place = (other)" in text


@pytest.mark.parametrize("number", [1, 4, 5])
def test_coefficients_of_few_people_are_not_told(number: int) -> None:
    rng = np.random.default_rng(2)
    rare = np.arange(200) < number
    table = pa.table(
        {
            "place": np.where(rare, "Zanzibar", "Ohio"),
            "ill": rare.astype(np.int64),
            "weight": pa.array([None if one else 50.0 + at % 30 for at, one in enumerate(rare.tolist())]),
            "cost": rng.normal(size=200),
        }
    )
    models = ("cost ~ place", "cost ~ ill", "cost ~ weight")
    found = table_utility(table, table, UtilityPlan(models=models, propensity=False)).to_dict()["models"]
    for model in found:
        told = model["terms"][-1]
        assert (told["before"] is None) == (number < 5)
        assert ("fewer than 5 records" in str(told["reason"])) == (number < 5)


def test_coefficients_of_an_outcome_that_few_have_are_not_told() -> None:
    released = pa.table({"ill": [0] * 90 + [1] * 10, "age": range(100)})
    original = pa.table({"ill": [0] * 97 + [1] * 3, "age": range(100)})
    plan = UtilityPlan(models=("ill ~ age",), propensity=False)
    [model] = table_utility(released, original, plan).to_dict()["models"]
    assert "fewer than 5 records" in model["terms"][0]["reason"]


def test_large_tables_are_drawn_and_said_so() -> None:
    plan = UtilityPlan(rows=200, models=("cost ~ age",))
    result = table_utility(coarse(ORIGINAL), ORIGINAL, plan)
    sampled = result.to_dict()["sampled"]
    assert (sampled["what"], sampled["drawn"], sampled["of"]["before"]) == ("rows", 200, ORIGINAL.num_rows)
    assert sampled["note"] in result.to_dict()["warnings"]
    assert "about 200 rows" in sampled["note"]
    assert result.to_dict()["models"][0]["records"][0] < 300
    assert result.to_dict() == table_utility(coarse(ORIGINAL), ORIGINAL, plan).to_dict()


def test_names_of_records_are_not_compared() -> None:
    named = ORIGINAL.append_column("id", pa.array([f"p{at}" for at in range(600)]))
    assert "600 distinct texts" in str(_column(table_utility(named, named), "id")["reason"])


def test_interactions_are_in_the_model() -> None:
    plain = table_utility(ORIGINAL, ORIGINAL).to_dict()["propensity"]
    more = table_utility(ORIGINAL, ORIGINAL, UtilityPlan(interactions=(("age", "sex"),))).to_dict()[
        "propensity"
    ]
    assert more["parameters"] == plain["parameters"] + 1
    other = UtilityPlan(columns=("age",), interactions=(("age", "sex"),))
    assert "cannot be used" in table_utility(ORIGINAL, ORIGINAL, other).to_dict()["propensity"]["reason"]


def test_separated_outcomes_are_told() -> None:
    rows = pa.table({"x": ["a", "b"] * 50, "y": [0, 1] * 50})
    (model,) = table_utility(rows, rows, UtilityPlan(models=("y ~ x",))).to_dict()["models"]
    assert model["before"] == 1
    assert "all its records have the same outcome" in model["terms"][0]["reason"]


def test_targets_of_one_value_and_few_records_are_refused_in_words() -> None:
    rows = pa.table({"x": range(30), "y": [1.0] * 30, "z": ["a"] * 30})
    plan = UtilityPlan(models=("y ~ x", "z ~ x"))
    reasons = [one["reason"] for one in table_utility(rows, rows, plan).to_dict()["models"]]
    assert reasons == ["The target has a single value in the original."] * 2
    (few,) = table_utility(rows[:8], rows[:8], UtilityPlan(models=("x ~ y",))).to_dict()["models"]
    assert "too few records" in few["reason"]


def test_bad_settings_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="TARGET ~ FEATURE"):
        UtilityModel.of("cost")
    with pytest.raises(InvalidSetting, match="each column once"):
        UtilityModel.of("cost ~ age, age")
    with pytest.raises(InvalidSetting, match="is not a limit of utility"):
        UtilityPlan(limits={"querry": 0.1})
    with pytest.raises(InvalidSetting, match="not 0 or more"):
        UtilityPlan(limits={"query": -1})
    with pytest.raises(InvalidSetting, match=r"(?s)The setting rows cannot be 3\..*100 or more"):
        UtilityPlan(rows=3)
    with pytest.raises(InvalidSetting, match=r"(?s)The setting level cannot be 1.*up to 0\.9999"):
        UtilityPlan(level=0.9999999999999999)
    with pytest.raises(InvalidSetting, match="up to 86400"):
        UtilityPlan(seconds=1e12)
    with pytest.raises(InvalidSetting, match="has no name"):
        UtilityPlan(queries={" ": "SELECT 1"})
    with pytest.raises(UnknownColumn, match="'aeg'"):
        table_utility(ORIGINAL, ORIGINAL, UtilityPlan(columns=("aeg",)))
    with pytest.raises(UnknownColumn, match="'aeg'"):
        table_utility(ORIGINAL, ORIGINAL, UtilityPlan(models=("cost ~ aeg",)))
    with pytest.raises(NothingToMeasure, match="no column in common"):
        table_utility(pa.table({"x": [1]}), ORIGINAL)
    with pytest.raises(NothingToMeasure, match="no records"):
        table_utility(ORIGINAL[:0], ORIGINAL)
    with pytest.raises(InvalidSetting, match="not one SELECT"):
        table_utility(ORIGINAL, ORIGINAL, UtilityPlan(queries={"x": "DROP TABLE data"}))


def test_a_target_that_is_suppressed_is_told_as_such() -> None:
    gone = ORIGINAL.set_column(1, "sex", pa.array(["*"] * len(ORIGINAL)))
    plan = UtilityPlan(models=("sex ~ age",), propensity=False)
    [model] = table_utility(gone, ORIGINAL, plan).to_dict()["models"]
    assert model["reason"] == "The release has no category of the target in enough records."
