from __future__ import annotations

from typing import Any

import pytest

from reidrisk.report.page import page
from reidrisk.report.views import draw
from tests.report.drawing import drawn_alike, readable
from tests.report.useful import CASES, useful


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> dict[str, Any]:
    return useful(request.param)


def test_the_terminal_is_readable(case: dict[str, Any]) -> None:
    assert "DISTRIBUTIONS BY COLUMN" in readable(case)


def test_pages_and_figures_are_drawn_and_say_the_same_after_json(case: dict[str, Any]) -> None:
    written = drawn_alike(case)
    for one in case["columns"]:
        assert one["column"] in written


def test_limits_make_a_verdict_and_none_makes_none() -> None:
    assert "\nUSEFUL ENOUGH" in str(draw(useful("useful"), "terminal"))
    assert "\nNOT USEFUL ENOUGH" in str(draw(useful("less"), "terminal"))
    assert "\nMEASURED" in str(draw(useful("open"), "terminal"))


def test_a_query_that_fails_is_explained() -> None:
    written = page([useful("open")])
    assert "middle(x) takes 20-29 as 24.5" in written


def test_several_releases_are_compared_in_an_overview() -> None:
    written = page([useful("useful"), useful("less"), useful("bare")])
    assert "Overview" in written
    assert "The utility of each release." in written
