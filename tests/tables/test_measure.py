from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import reidrisk as rr

SCHEMA = rr.Schema(quasi=("sex", "region"))


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
