from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.errors import InvalidSetting, UnknownColumn
from reidrisk.report.codebook import codebook_text
from reidrisk.report.page import page
from reidrisk.report.views import draw
from reidrisk.tables.deidentify.config import config_from
from tests.tables.utility.trials import patients

SCHEMA = rr.Schema(quasi=("age", "sex"), direct=("zip",))
HIERARCHIES = {
    "age": rr.Hierarchy.numbers("age", [{"width": 10}, {"width": 20}]),
    "sex": rr.Hierarchy.exact("sex"),
}
PLAN = rr.UtilityPlan(
    queries={
        "age": "SELECT avg(middle(age)) AS a FROM data",
        "zip": "SELECT count(DISTINCT zip) AS z FROM data",
    },
    models=["cost ~ age, sex"],
    limits={"model": 0.5, "query": 0.5},
    propensity=False,
)


def _made(plan: rr.UtilityPlan | None, **others: Any) -> rr.Deidentified:
    options = rr.DeidentifyOptions(utility=plan, method=others.pop("method", "global"))
    return rr.deidentify(patients(), SCHEMA, HIERARCHIES, options=options, **others)


def test_nobody_asks_nothing_is_measured() -> None:
    assert _made(None).to_dict()["usefulness"] is None


@pytest.mark.parametrize("method", ["global", "local", "mondrian"])
def test_the_release_is_held_against_its_source(method: str) -> None:
    found = _made(PLAN, method=method).to_dict()
    useful = found["usefulness"]
    assert useful["kind"] == "table_utility"
    age, dropped = useful["queries"]
    assert age["typical_relative"] < 0.05
    assert "there is no column 'zip'" in dropped["reason"]
    assert useful["models"][0]["before"] > 0.8
    assert useful["models"][0]["loss"] < 0.2
    assert useful["propensity"] is None
    column = next(one for one in useful["columns"] if one["column"] == "age")
    # Where a value is released at several levels, spreading it is a guess.
    assert column["total_variation"] < (0.1 if method == "local" else 0.05)
    assert column["unread"] == 0


def test_what_is_written_is_what_is_measured(tmp_path: Path) -> None:
    made = _made(PLAN).to_dict()["usefulness"]
    written = _made(PLAN, out=tmp_path / "out.csv").to_dict()["usefulness"]
    assert [one["loss"] for one in written["models"]] == pytest.approx(
        [one["loss"] for one in made["models"]]
    )
    assert written["settings"]["released"].endswith("out.csv")


def test_a_limit_that_is_not_met_is_noted_and_refuses_nothing() -> None:
    result = _made(PLAN)
    assert result.acceptable
    note = result.to_dict()["notes"][-1]
    assert note == "less useful than required: the typical relative difference of a query is not known (zip)"
    text = str(draw(result.to_dict(), "terminal"))
    assert "UTILITY LIMITS" in text
    assert "YOUR MODELS, BEFORE AND AFTER" in text
    written = page([result.to_dict()])
    assert "Conclusions, before and after" in written
    assert "How well models predict" in written
    assert "SELECT" not in codebook_text(result.to_dict())


def test_what_cannot_be_measured_is_refused_before_the_search() -> None:
    with pytest.raises(UnknownColumn, match="'aeg'"):
        _made(rr.UtilityPlan(models=["cost ~ aeg"]))
    with pytest.raises(InvalidSetting, match="not one SELECT"):
        _made(rr.UtilityPlan(queries={"x": "DELETE FROM data"}))


def test_a_file_says_what_users_want() -> None:
    content = {"quasi": ["age"], "utility": {"queries": {"n": "SELECT 1"}, "limits": {"propensity": 2}}}
    plan = config_from(content, folder=Path(), place="file").utility
    assert plan is not None
    assert plan.propensity
    assert plan.queries == {"n": "SELECT 1"}
    silent = config_from({"utility": {"models": ["a ~ b"]}}, folder=Path(), place="file").utility
    assert silent is not None
    assert not silent.propensity
    with pytest.raises(InvalidSetting, match=r"file.utility has no setting 'query'"):
        config_from({"utility": {"query": {}}}, folder=Path(), place="file")
    with pytest.raises(InvalidSetting, match=r"file.utility is not a mapping"):
        config_from({"utility": []}, folder=Path(), place="file")
