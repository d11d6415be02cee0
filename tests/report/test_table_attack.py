from __future__ import annotations

from typing import Any

import pytest

from reidrisk.report.page import page
from reidrisk.report.views import draw
from tests.report.attacked import CASES, attacked
from tests.report.drawing import drawn_alike, readable


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> dict[str, Any]:
    return attacked(request.param)


def test_the_terminal_is_readable(case: dict[str, Any]) -> None:
    assert "PREDICTED AND MEASURED" in readable(case)


def test_pages_and_figures_are_drawn_and_say_the_same_after_json(case: dict[str, Any]) -> None:
    written = drawn_alike(case)
    for one in case["criteria"]:
        assert one["question"] in written


def test_a_threshold_makes_a_verdict_and_none_makes_none() -> None:
    assert "\nACCEPTABLE" in str(draw(attacked("safe"), "terminal"))
    assert "\nNOT ACCEPTABLE" in str(draw(attacked("exact"), "terminal"))
    assert "\nATTACKED" in str(draw(attacked("open"), "terminal"))


def test_several_attacks_are_compared_in_an_overview() -> None:
    written = page([attacked("safe"), attacked("unknown")])
    assert "Overview" in written
    assert "What was predicted, and what the attacks achieved." in written
