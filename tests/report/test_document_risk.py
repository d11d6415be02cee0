"""The risk of documents in every view."""

from __future__ import annotations

from typing import Any

import pytest

from reidrisk.report.document import Bullets, Formula
from reidrisk.report.page import page
from reidrisk.report.parts import Facts, Table
from reidrisk.report.views import draw
from reidrisk.report.writing import document_of
from tests.report.documents_risk import CASES
from tests.report.test_documents import chapters


@pytest.fixture(params=CASES)
def result(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Every scenario."""
    return CASES[str(request.param)]()


def test_every_scenario_shows_its_verdict_and_both_stages(result: dict[str, Any]) -> None:
    text = draw(result, "terminal")
    assert ("NOT ACCEPTABLE" in text) is not result["acceptable"]
    for said in ("as published", "BEFORE AND AFTER", "SINGLING OUT"):
        assert said in text
    assert max(len(line) for line in text.splitlines()) <= 112


def test_pages_hold_all_that_was_measured(result: dict[str, Any]) -> None:
    text = page([result])
    for reason in result["reasons"]:
        assert reason.split(";")[0].replace("'", "&#39;") in text
    assert ("Leak and catch" in text) is (result["scenario"] != "qualitative")
    assert ("Recall of the detection" in text) is (result["scenario"] in ("redacted", "replaced"))


def test_scenarios_are_compared_on_one_page() -> None:
    text = page([CASES[name]() for name in ("redacted", "ipd", "qualitative")])
    assert "CT1, redacted" in text
    assert "moderate" in text


def test_figures_are_drawn(result: dict[str, Any]) -> None:
    assert bool(draw(result, "figure").axes) is (result["scenario"] != "qualitative")


def test_rows_of_participants_are_shown_where_they_were_asked_for() -> None:
    assert "rows" in draw(CASES["ipd_mentioned"](), "terminal").split("CLASSES")[1].split("SINGLING")[0]
    assert "rows" not in draw(CASES["ipd"](), "terminal").split("CLASSES")[1].split("SINGLING")[0]


@pytest.mark.parametrize("template", ["ema", "general"])
def test_reports_tell_sections_measures_and_both_risks(template: str) -> None:
    document = document_of([CASES["redacted"](), CASES["ipd_mentioned"]()], template=template)
    told = [block for chapter in chapters(document) for block in chapter.blocks]
    titles = {block.title for block in told if isinstance(block, Table | Facts)}
    assert titles >= {"Sections of the report", "Leak and catch", "Recall of the detection"}
    assert titles & {"Before and after", "Initial and final risk"}
    assert any(
        "16.2: left out" in item for block in told if isinstance(block, Bullets) for item in block.items
    )


def test_the_formula_of_both_risks_is_in_the_methods() -> None:
    document = document_of(CASES["replaced"](), template="ema")
    formulas = {
        block.title
        for chapter in chapters(document)
        for block in chapter.blocks
        if isinstance(block, Formula)
    }
    assert "Documents, leak and catch together" in formulas
