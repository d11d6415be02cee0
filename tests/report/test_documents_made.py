from __future__ import annotations

import json
import re
from typing import Any

import pytest

from reidrisk.report.page import page
from reidrisk.report.terminal.layout import WIDTH, width_of
from reidrisk.report.views import draw
from tests.report.documents_made import CASES, result


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> dict[str, Any]:
    return result(request.param)


def test_the_terminal_is_readable(case: dict[str, Any]) -> None:
    text = str(draw(case, "terminal"))
    assert all(width_of(line) <= WIDTH for line in text.splitlines())
    assert "\x1b" not in text
    assert "None" not in text.replace("None of", "")


def test_pages_and_figures_are_drawn_and_say_the_same_after_json(case: dict[str, Any]) -> None:
    written = page([case])
    assert written == page([json.loads(json.dumps(case))])
    assert "<script" not in written
    assert "<b>other" not in written
    assert "<i>ben" not in written
    assert draw(case, "figure").get_size_inches()[0] > 5
    ids = re.findall(r'\bid="([^"]+)"', written)
    assert len(ids) == len(set(ids))


def test_the_answer_stands_first() -> None:
    said = {name: str(draw(result(name), "terminal")) for name in CASES}
    assert "WRITTEN" in said["anonymized"]
    assert "NOT ALL WRITTEN" in said["anonymized: not all"]
    assert "VALUES FOUND" in said["proof: found"]
    assert "NONE FOUND" in said["proof: none"]
    assert "NOTHING REVIEWED YET" in said["review: open"]
    assert "REVIEWERS DIFFER" in said["review: two"]


def test_several_results_of_a_kind_are_compared_in_an_overview() -> None:
    for first, second in (
        ("anonymized", "anonymized: not all"),
        ("proof: found", "proof: none"),
        ("review: two", "review: three"),
    ):
        assert "Overview" in page([result(first), result(second)])
