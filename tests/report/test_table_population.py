"""The estimates of a population in every view."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.report.blocks.sample import blocks
from reidrisk.report.kinds.table_risk import KIND
from reidrisk.report.parts import Table
from reidrisk.tables.measure import MeasureSettings
from reidrisk.tables.risk import measure_table
from tests.tables.test_estimated import QUASI, people


@pytest.fixture(scope="module")
def result() -> dict[str, Any]:
    return rr.table_risk(people(), QUASI, sampling=rr.Sampling(fraction=0.02)).to_dict()


def test_the_terminal_shows_the_estimates_side_by_side() -> None:
    text = str(rr.table_risk(people(), QUASI, sampling=rr.Sampling(fraction=0.02), adversary="journalist"))
    for said in (
        "THE POPULATION",
        "RISK IN THE POPULATION",
        "calibrated copula (decides)",
        "Pitman",
        "MODELS BEHIND THE LIMITS",
        "RECORDS BY THEIR CHANCE OF BEING UNIQUE",
        "Zayatz",
        "slide negative binomial",
        "LOG-LINEAR MODELS",
    ):
        assert said in text
    assert max(len(line) for line in text.splitlines()) <= 100


def test_page_and_document_say_how_accurate_each_model_is(result: dict[str, Any]) -> None:
    found = [block for block in blocks(result) if isinstance(block, Table)]
    assert found[0].title == "Risk in the population"
    models = found[1]
    assert "typical error a factor of 1.3" in " ".join(cell for row in models.rows for cell in row)
    assert models.marked == (0,)
    page = rr.table_risk(people(), QUASI, sampling=rr.Sampling(fraction=0.02))._repr_html_()
    assert "Estimates of the population" in page
    assert set(found) <= set(KIND.chapter("final", result))


def test_without_a_sample_there_is_nothing_to_show(result: dict[str, Any]) -> None:
    assert blocks({**result, "population_estimate": None}) == ()
    assert blocks({key: value for key, value in result.items() if key != "population_estimate"}) == ()


def test_a_model_that_could_not_be_fitted_is_shown_as_such() -> None:
    found = measure_table(people(), QUASI, settings=MeasureSettings(sampling=rr.Sampling(fraction=0.02)))
    assert found.sampled is not None
    failed = replace(found, sampled=replace(found.sampled, copula=None))
    risk = replace(failed.risk(rr.Threshold.from_cell_size(5, "test")), adversary="journalist")
    assert not risk.acceptable
    text = str(risk)
    assert "nothing was estimated" in text
    assert "was not estimated" in text
    assert "(decides)" not in text
    assert risk.to_dict()["journalist"]["highest"] is None
    assert [one.name for one in KIND.charts(risk.to_dict()) if one.name == "population"] == []


def test_a_column_of_rare_values_is_named() -> None:
    codes = [f"c{place}" for place in range(60)] + ["common"] * 340
    table = pa.table({"sex": ["M", "F"] * 200, "code": codes})
    schema = rr.Schema(quasi=("sex", "code"))
    result = rr.table_risk(table, schema, sampling=rr.Sampling(fraction=0.02))
    assert result.to_dict()["population_estimate"]["rare_columns"] == ["code"]
    assert "Most unique records have a value in code" in " ".join(str(result).split())
    assert "Most unique records" not in str(
        rr.table_risk(people(), QUASI, sampling=rr.Sampling(fraction=0.02))
    )


def test_the_rule_that_decides_is_among_the_settings() -> None:
    risk = rr.table_risk(
        people(),
        QUASI,
        sampling=rr.Sampling(fraction=0.02),
        adversary="journalist",
        journalist_rule="average",
    )
    assert "what decides the average risk alone" in " ".join(str(risk).split())
