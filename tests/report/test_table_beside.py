"""Charts of what a table risk tells beside its classes."""

from __future__ import annotations

from typing import Any

import pytest

import reidrisk as rr
from reidrisk.report.charts.svg import svg
from reidrisk.report.kinds.table_risk import risk_charts, size_chart
from tests.tables.test_estimated import QUASI, people
from tests.tables.test_sensitive import ALIKE, SCHEMA, THREE
from tests.tables.test_special import SCHEMA as FEW
from tests.tables.test_special import TABLE


def drawn(result: dict[str, Any]) -> dict[str, str]:
    return {one.name: svg(one, prefix="a") for one in risk_charts(result)}


@pytest.fixture(scope="module")
def sampled() -> dict[str, Any]:
    return rr.table_risk(people(), QUASI, sampling=rr.Sampling(fraction=0.02), drivers=False).to_dict()


def test_every_model_with_an_answer_has_a_dot_and_one_decides(sampled: dict[str, Any]) -> None:
    picture = drawn(sampled)["population"]
    assert picture.count("(decides)") == 2
    assert "Zayatz" in picture
    assert "log-linear model" in picture
    chosen = next(one for one in risk_charts(sampled) if one.name == "population")
    assert "The one that decides: calibrated copula" in chosen.description


def test_a_model_without_an_answer_is_left_out(sampled: dict[str, Any]) -> None:
    estimate = sampled["population_estimate"]
    models = [
        one if one["model"] == estimate["chosen"] else {**one, "average": None, "unique_in_both": None}
        for one in estimate["models"]
    ]
    picture = drawn({**sampled, "population_estimate": {**estimate, "models": models}})["population"]
    assert "Zayatz" not in picture


def test_secrets_are_drawn_with_every_limit() -> None:
    limits = rr.SensitiveLimits(l=2, t=0.3, beta=1.0, delta=2.0)
    result = rr.table_risk(ALIKE, SCHEMA, threshold=THREE, sensitive_limits=limits).to_dict()
    column = result["attribute_disclosure"][0]["column"]
    picture = drawn(result)["secrets"]
    for said in ("one value", "l 2", "t 0.3", "beta 1", "delta 2"):
        assert f"{column}: {said}" in picture


def test_special_uniques_are_drawn_by_column() -> None:
    picture = drawn(rr.table_risk(TABLE, FEW, special=2).to_dict())["special"]
    assert all(name in picture for name in FEW.quasi)
    assert "XQZ" not in picture


def test_what_was_not_asked_is_not_drawn() -> None:
    assert [one.name for one in risk_charts(rr.table_risk(TABLE, FEW).to_dict())] == ["classes", "columns"]


def test_bars_of_class_sizes_show_shares_of_records() -> None:
    """Not of classes: classes of 1, 2 and 7 records are 10, 20 and 70 % of them."""
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"one": list("abbccccccc"), "two": ["x"] * 10})
    chart = size_chart(rr.table_risk(table, rr.Schema(quasi=("one", "two"))).to_dict())
    assert chart.draw is not None
    rows = chart.draw.keywords["bars"].rows  # type: ignore[attr-defined]
    assert {label: share for label, share, _ in rows if share} == pytest.approx(
        {"1": 0.1, "2": 0.2, "5–9": 0.7}
    )
