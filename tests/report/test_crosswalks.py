"""Crosswalks: every figure is that of the JSON field it names, and what nothing answers is not covered."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from reidrisk.core.audience import SHARED
from reidrisk.report.case import case_of
from reidrisk.report.crosswalks import NAMES, crosswalks, crosswalks_json, framework
from reidrisk.report.writing import document_of
from tests.report.assessed import accepted, assessment
from tests.report.test_documents import chapter, texts

STEP = re.compile(r"([a-z_0-9]+)((?:\[[^\]]+\])?)")


def at(path: str, content: Any) -> Any:
    for name, place in STEP.findall(path):
        content = content[name]
        if place[1:-1].isdecimal():
            content = content[int(place[1:-1])]
        elif place:
            key, _, value = place[1:-1].partition("=")
            content = [one for one in content if str(one[key]) == value]
    return content


@pytest.mark.parametrize("given", [accepted, assessment])
def test_a_figure_is_that_of_its_field(given: Any) -> None:
    case = case_of(given())
    rows = [row for one in crosswalks(case)["frameworks"] for row in one["rows"]]
    figures = [figure for row in rows for figure in row["figures"]]
    assert len(figures) > 40
    for figure in figures:
        value = at(figure["field"], case)
        assert figure["value"] == (len(value) if isinstance(value, list) else value)
        assert value != []
    for row in rows:
        assert (row["status"] == "covered") is bool(row["figures"])


def test_what_nobody_tested_is_not_covered() -> None:
    frameworks = crosswalks(case_of(accepted()))["frameworks"]
    rows = {row["clause"]: row for one in frameworks for row in one["rows"]}
    assert rows["8.2.3 Adversarial testing"]["status"] == "not covered"
    assert rows['What is the "motivated intruder" test?']["status"] == "not covered"
    attacked = accepted()
    attacked["parts"][0]["result"]["linkage"] = {"main": {"value": 0.25}}
    frameworks = crosswalks(case_of(attacked))["frameworks"]
    rows = {row["clause"]: row for one in frameworks for row in one["rows"]}
    assert rows["8.2.3 Adversarial testing"]["figures"][0]["value"] == 0.25


def test_the_file_is_the_same_each_time_and_has_every_framework() -> None:
    first = crosswalks_json(assessment())
    assert first == crosswalks_json(assessment())
    assert [one["name"] for one in json.loads(first)["frameworks"]] == list(NAMES)
    assert all(framework(name).source for name in NAMES)


def test_a_shared_crosswalk_has_only_what_may_be_passed_on() -> None:
    shared = json.loads(crosswalks_json(assessment(), audience=SHARED))
    assert shared["audience"] == "shared"
    fields = [f["field"] for one in shared["frameworks"] for row in one["rows"] for f in row["figures"]]
    assert not any(field.startswith("remedies") for field in fields)


@pytest.mark.parametrize("template", ["ema", "hipaa"])
def test_the_annex_shows_the_crosswalks(template: str) -> None:
    annex = document_of(assessment(), template=template).annex
    assert annex is not None
    said = texts(chapter(annex, "crosswalks"))
    assert "not covered" in said
    assert "[context.threshold.cell_size]" in said
