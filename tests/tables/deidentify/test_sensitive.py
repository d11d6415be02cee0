"""Tables de-identified with limits on what their classes tell of secret columns."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.errors import InvalidSetting, UnknownColumn
from reidrisk.tables.deidentify.search import LevelSolution

THREE = rr.Threshold.from_cell_size(3, "test")
ONE = rr.Threshold.from_cell_size(1, "secrets alone")
SCHEMA = rr.Schema(quasi=("age", "region"), sensitive=("drug",))
AGES = rr.Hierarchy.numbers("age", [{"width": 10}, {"width": 50}])
REGIONS = rr.Hierarchy.tree("region", {"north": {"n1": None, "n2": None}, "south": {"s1": None, "s2": None}})
RULES = {"age": AGES, "region": REGIONS}


def people(rows: int = 300, seed: int = 3) -> pa.Table:
    rng = np.random.default_rng(seed)
    region = rng.choice(["n1", "n2", "s1", "s2"], rows)
    drug = np.where(region == "s2", "XQZ-drug", rng.choice(list("ABCD"), rows))
    return pa.table({"age": rng.integers(20, 70, rows), "region": region, "drug": drug})


def options(**limits: Any) -> rr.DeidentifyOptions:
    return rr.DeidentifyOptions(sensitive_limits=rr.SensitiveLimits(**limits))


@pytest.mark.parametrize(
    "limits",
    [
        {"l": 2},
        {"l": 3, "diversity": "entropy"},
        {"l": 2, "diversity": "recursive", "c": 2},
        {"t": 0.4},
        {"beta": 2},
        {"delta": 2},
        {"l": 2, "t": 0.5},
    ],
)
@pytest.mark.parametrize("threshold", [THREE, ONE])
def test_what_is_released_keeps_the_limits(
    limits: dict[str, Any], threshold: rr.Threshold, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    found = rr.deidentify(
        people(), SCHEMA, RULES, threshold=threshold, max_suppression=0.3, options=options(**limits), out=out
    )
    assert found.acceptable
    assert found.after is not None
    assert found.after.acceptable
    again = rr.table_risk(out, SCHEMA, threshold=threshold, sensitive_limits=rr.SensitiveLimits(**limits))
    assert again.acceptable
    assert again.sizes.counts == found.after.sizes.counts
    told = again.to_dict()["attribute_disclosure"][0]
    assert told["distinct_l"] == found.after.disclosure[0].distinct_l
    assert told["t"] == pytest.approx(found.after.disclosure[0].t)
    text = json.dumps(found.to_dict(), allow_nan=False)
    assert "XQZ" not in text + str(found) + found._repr_html_()
    assert "drug" in str(found)


def test_the_answer_costs_no_more_than_any_other_levels(tmp_path: Path) -> None:
    """Every choice of levels, released by hand and measured."""
    limits = rr.SensitiveLimits(l=3)
    found = rr.deidentify(
        people(),
        SCHEMA,
        RULES,
        threshold=THREE,
        max_suppression=0.0,
        options=rr.DeidentifyOptions(sensitive_limits=limits, loss="prec"),
    )
    assert isinstance(found.found, LevelSolution)
    best = found.found.solution.score
    for age, region in product(range(4), range(3)):
        fixed = rr.DeidentifyOptions(
            loss="prec", max_level={"age": age, "region": region}, sensitive_limits=limits
        )
        lower = rr.deidentify(people(), SCHEMA, RULES, threshold=THREE, max_suppression=0.0, options=fixed)
        if isinstance(lower.found, LevelSolution):
            assert lower.found.solution.score >= best - 1e-12


def test_limits_cost_data_and_say_so() -> None:
    plain = rr.deidentify(people(), SCHEMA, RULES, threshold=THREE, max_suppression=0.3)
    strict = rr.deidentify(
        people(), SCHEMA, RULES, threshold=THREE, max_suppression=0.3, options=options(l=2)
    )
    assert plain.found is not None
    assert strict.found is not None
    assert strict.found.solution.score >= plain.found.outcome.solution.score  # type: ignore[union-attr]
    assert any("drug" in reason for reason in strict.to_dict()["reasons"])
    assert strict.to_dict()["settings"]["secrets"]["l"] == 2
    assert strict.to_dict()["before"]["attribute_disclosure"][0]["same_records"] > 0


def test_suppressed_records_that_would_tell_too_much_together_go() -> None:
    table = pa.table(
        {"age": [1] * 6 + [2] * 6, "region": ["n1"] * 12, "drug": ["A"] * 6 + ["A", "B", "C"] * 2}
    )
    exact = {"age": rr.Hierarchy.exact("age"), "region": rr.Hierarchy.exact("region")}
    found = rr.deidentify(table, SCHEMA, exact, threshold=THREE, max_suppression=0.5, options=options(l=2))
    assert found.found is not None
    assert found.found.suppressed.removed == 6
    assert found.to_arrow().num_rows == 6


def test_without_a_solution_the_limits_are_named() -> None:
    found = rr.deidentify(people(), SCHEMA, RULES, threshold=THREE, max_suppression=0.0, options=options(l=9))
    assert not found.acceptable
    assert "limits on attribute disclosure of drug" in found.to_dict()["reasons"][0]
    assert "NO SOLUTION" in str(found).upper()


def test_units_and_layouts_have_their_secrets_too() -> None:
    rows = people(120)
    visits = pa.table(
        {name: [value for value in rows[name].to_pylist() for _ in range(2)] for name in rows.column_names}
        | {"visit": [number for number in range(120) for _ in range(2)]}
    )
    schema = rr.Schema(quasi=("age", "region"), sensitive=("drug",), unit="visit")
    choice = rr.DeidentifyOptions(
        sensitive_limits=rr.SensitiveLimits(l=2),
        layouts=(rr.Layout("age only", ("age",)), rr.Layout("both", ("age", "region"))),
    )
    found = rr.deidentify(visits, schema, RULES, threshold=THREE, max_suppression=0.2, options=choice)
    assert found.acceptable
    assert found.after is not None
    assert found.after.disclosure[0].distinct_l >= 2


def test_limits_that_cannot_be_are_refused() -> None:
    bare = rr.Schema(quasi=("age", "region"))
    with pytest.raises(InvalidSetting, match="need a sensitive column"):
        rr.deidentify(people(), bare, RULES, options=options(l=2))
    with pytest.raises(InvalidSetting, match="counts as a separate value"):
        rr.DeidentifyOptions(sensitive_limits=rr.SensitiveLimits(l=2), reading="wildcard")
    with pytest.raises(InvalidSetting, match="needs a hierarchy"):
        rr.deidentify(people(), SCHEMA, RULES, options=options(t=0.2, distance="hierarchical"))
    with pytest.raises(UnknownColumn, match="drugs"):
        rr.deidentify(people(), rr.Schema(quasi=("age",), sensitive=("drugs",)), RULES, options=options(l=2))


@pytest.mark.parametrize("method", ["local", "mondrian", "microaggregate"])
def test_other_methods_refuse_limits_that_they_would_not_keep(method: Any) -> None:
    with pytest.raises(InvalidSetting, match="limits on sensitive columns"):
        rr.DeidentifyOptions(method=method, sensitive_limits=rr.SensitiveLimits(l=3))
