from __future__ import annotations

from typing import Any

import pytest

from reidrisk.report.page import page
from reidrisk.report.views import draw
from tests.report.drawing import drawn_alike, readable
from tests.report.resynthesis import CASES, result


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> dict[str, Any]:
    return result(request.param)


def test_the_terminal_is_readable(case: dict[str, Any]) -> None:
    readable(case)


def test_pages_and_figures_are_drawn_and_say_the_same_after_json(case: dict[str, Any]) -> None:
    drawn_alike(case)


def test_the_recognition_stands_first_and_is_ready_to_be_used() -> None:
    text = str(draw(result("attack: measured"), "terminal"))
    assert "RECOGNITION 0.2500" in text
    assert "--recognition beta:3.5,9.5" in text
    assert "Only 12 leaks" in text
    assert "RECOGNITION 1.0000" in str(draw(result("attack: redaction"), "terminal"))
    assert "NOTHING TO RECOGNIZE" in str(draw(result("attack: no leak"), "terminal"))


def test_settings_of_surrogates_are_shown_for_surrogates_only() -> None:
    assert "date days 365" in str(draw(result("deidentified: surrogates"), "terminal"))
    assert "date days" not in str(draw(result("deidentified: marks"), "terminal"))


def test_several_results_of_a_kind_are_compared_in_an_overview() -> None:
    for first, second in (
        ("deidentified: surrogates", "deidentified: marks"),
        ("attack: measured", "attack: no leak"),
    ):
        assert "Overview" in page([result(first), result(second)])
