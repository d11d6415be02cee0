"""The risk of documents in every view."""

from __future__ import annotations

from typing import Any

import pytest

from reidrisk.report.page import page
from reidrisk.report.views import draw
from tests.report.documents_risk import CASES


@pytest.fixture(params=CASES)
def result(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Every scenario."""
    return CASES[str(request.param)]()


def test_every_scenario_shows_its_verdict_and_both_stages(result: dict[str, Any]) -> None:
    text = draw(result, "terminal")
    assert ("NOT ACCEPTABLE" in text) is not result["acceptable"]
    for said in ("as they are published", "BEFORE AND AFTER", "SINGLING OUT"):
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
