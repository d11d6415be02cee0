from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.tables.measure import MeasureSettings, TableMeasure
from reidrisk.tables.risk import measure_table

SCHEMA = rr.Schema(quasi=("sex", "region"))
SIDES = {"X": None, "far": {"N": None, "S": None}, "near": {"E": None, "W": None}}
REGION = rr.Hierarchy.tree("region", SIDES)


def small(rows: int = 40) -> pa.Table:
    rng = np.random.default_rng(3)
    return pa.table({"sex": rng.choice(list("MF"), rows), "region": rng.choice(list("NSEWX"), rows)})


def test_an_estimated_marketer_expects_the_average_risk_of_every_record() -> None:
    found = rr.table_risk(small(), SCHEMA, sampling=rr.Sampling(fraction=0.25)).to_dict()
    average = found["journalist"]["average"]
    assert 0 < average < 1
    assert found["marketer"]["expected_matches"] == pytest.approx(40 * average)
    assert found["marketer"]["average"] == pytest.approx(average)


def test_without_a_sample_a_marketer_gets_one_record_of_each_class_right() -> None:
    found = rr.table_risk(small(), SCHEMA).to_dict()
    classes = len(set(zip(*small().to_pydict().values(), strict=True)))
    assert found["journalist"]["average"] is None
    assert found["marketer"]["expected_matches"] == classes


def test_with_a_population_records_count_by_their_class_there() -> None:
    table = pa.table({"sex": ["M", "M", "F"], "region": ["N", "N", "S"]})
    everybody = pa.table({"sex": ["M"] * 5 + ["F"] * 2, "region": ["N"] * 5 + ["S"] * 2})
    found = rr.table_risk(table, SCHEMA, population=everybody).to_dict()
    assert found["marketer"]["expected_matches"] == pytest.approx(2 / 5 + 1 / 2)
    assert found["journalist"]["highest"] == 0.5
    assert found["journalist"]["average"] == pytest.approx(max(2 / 7, (2 / 5 + 1 / 2) / 3))


def test_all_that_was_counted_gives_the_same_result_after_a_rest() -> None:
    """A sample, a population, an earlier release, special uniques and hierarchies in one measurement."""
    settings = MeasureSettings(
        population=small(400), previous=small(40), special=2, hierarchies={"region": REGION},
    )  # fmt: skip
    for chosen in (settings, MeasureSettings(sampling=rr.Sampling(fraction=0.25), special=1)):
        measured = measure_table(small(), SCHEMA, settings=chosen)
        stored = json.loads(json.dumps(measured.to_dict()))
        again = TableMeasure.from_dict(stored)
        assert again.to_dict() == measured.to_dict()
        threshold = rr.Threshold.from_cell_size(5, "test")
        assert again.risk(threshold).to_dict() == measured.risk(threshold).to_dict()


def test_which_tuples_and_columns_are_needed() -> None:
    schema = rr.Schema(quasi=("sex",), sensitive=("region",))
    by_person = rr.Schema(quasi=("sex",), sensitive=("region",), unit="id")
    weighted = MeasureSettings(sampling=rr.Sampling(weights="w"))
    limited = MeasureSettings(sensitive_limits=rr.SensitiveLimits(l=2))
    assert MeasureSettings().columns(schema) == ("region",)
    assert MeasureSettings().columns(by_person) == ()
    assert limited.columns(by_person) == ("region",)
    assert weighted.columns(schema) == ("w", "region")
    assert weighted.column_use.weights == "w"
    assert MeasureSettings().column_use.weights is None
    assert MeasureSettings().column_use.events == ()
    asked = [MeasureSettings(), weighted, MeasureSettings(special=1), MeasureSettings(drivers=False)]
    assert [one.needs_tuples for one in asked] == [False, True, True, False]


def test_each_level_of_a_hierarchy_is_tried_alone() -> None:
    measured = measure_table(small(), SCHEMA, settings=MeasureSettings(hierarchies={"region": REGION}))
    rows = list(zip(*small().to_pydict().values(), strict=True))
    joined = {"N": "far", "S": "far", "E": "near", "W": "near", "X": "X"}
    by_side, by_sex = Counter((sex, joined[where]) for sex, where in rows), Counter(sex for sex, _ in rows)
    expected = [tuple(sorted(Counter(classes.values()).items())) for classes in (by_side, by_sex)]
    assert [one.column for one in measured.steps] == ["region", "region"]
    assert [one.sizes.counts for one in measured.steps] == expected
