from __future__ import annotations

from typing import Any

import pytest

from reidrisk.report.page import page
from reidrisk.report.views import draw
from tests.report.documents_made import CASES, result
from tests.report.drawing import drawn_alike, readable


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> dict[str, Any]:
    return result(request.param)


def test_the_terminal_is_readable(case: dict[str, Any]) -> None:
    readable(case)


def test_pages_and_figures_are_drawn_and_say_the_same_after_json(case: dict[str, Any]) -> None:
    written = drawn_alike(case)
    assert "<b>other" not in written
    assert "<i>ben" not in written


def test_the_answer_stands_first() -> None:
    said = {name: str(draw(result(name), "terminal")) for name in CASES}
    assert "ALL DOCUMENTS WRITTEN" in said["anonymized"]
    assert "SOME DOCUMENTS WERE NOT WRITTEN" in said["anonymized: not all"]
    assert "\nVALUES FOUND\n" in said["proof: found"]
    assert "NO VALUES FOUND" in said["proof: none"]
    assert "NOT FULLY SEARCHED" in said["proof: not all"]
    assert "embedded file 1" in said["proof: not all"]
    assert "NOTHING REVIEWED YET" in said["review: open"]
    assert "REVIEWERS DISAGREE" in said["review: two"]


def test_several_results_of_a_kind_are_compared_in_an_overview() -> None:
    for first, second in (
        ("anonymized", "anonymized: not all"),
        ("proof: found", "proof: none"),
        ("review: two", "review: three"),
    ):
        assert "Overview" in page([result(first), result(second)])


def test_every_reason_says_whether_it_holds(case: dict[str, Any]) -> None:
    if case["kind"] != "document_proof":  # its `holds` is the answer of the whole search
        assert len(case["holds"]) == len(case["reasons"])
