from __future__ import annotations

import re
from typing import Any

import pytest

from reidrisk.report.blocks import text_improvements
from reidrisk.report.kinds import text_risk as text_risk_kind
from reidrisk.report.page import page
from reidrisk.report.views import draw
from tests.report.drawing import drawn_alike, readable
from tests.report.gold import CASES, result
from tests.report.tiny import result as text_risk


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> dict[str, Any]:
    return result(request.param)


def test_the_terminal_is_readable(case: dict[str, Any]) -> None:
    readable(case)


def test_pages_and_figures_are_drawn_and_say_the_same_after_json(case: dict[str, Any]) -> None:
    written = drawn_alike(case)
    assert "Jane" not in written
    assert written.count("<svg") >= 1


def test_several_results_of_a_kind_are_compared_in_an_overview() -> None:
    for first, second in (
        ("comparison: two", "comparison: no direct"),
        ("sample: drawn", "sample: too few"),
        ("agreement: two", "agreement: perfect"),
    ):
        assert "Overview" in page([result(first), result(second)])


def test_a_comparison_has_every_tool_below_it() -> None:
    written = page([result("comparison: two")])
    assert "Tools side by side" in written
    assert written.count('class="rr-result"') == 3
    assert "What would make the risk acceptable" in written
    assert "By group of documents" in written


def test_the_least_risk_comes_first_and_differences_name_the_lower() -> None:
    text = str(draw(result("comparison: two"), "terminal"))
    assert "TOO FEW DOCUMENTS TO DECIDE ON" in text
    assert re.search(r"ours - <script>\S*\s+-0\.\d{4}", text)


def test_a_sample_says_whether_it_is_enough() -> None:
    assert "SAMPLE DRAWN" in draw(result("sample: drawn"), "terminal")
    few = str(draw(result("sample: too few"), "terminal"))
    assert "TOO FEW DOCUMENTS" in few
    assert "contributed only one document" in few
    assert "over-represented" in few


def test_agreement_tells_open_from_settled() -> None:
    assert "SOME CONFLICTS ARE OPEN" in draw(result("agreement: two"), "terminal")
    assert "NO CONFLICTS" in draw(result("agreement: perfect"), "terminal")
    assert "PAIRS OF ANNOTATORS" in draw(result("agreement: four"), "terminal")


def test_improvements_in_words() -> None:
    leaking = text_risk(leaky=20)
    direct, quasi = text_improvements.sentences(leaking)
    assert "even without any leak, the upper limit would be too high" in direct
    assert "raise the recall of CITY from 0 % to 100 % or DATE from 50.0 % to 100 %" in quasi
    assert "More documents would not help" in quasi
    assert text_improvements.needed_recalls(leaking) is not None
    perfect = text_risk(leaky=0)
    words = text_improvements.needed_recalls(perfect)
    assert words is not None
    assert "too few documents" in words.rows[0][1]
    assert "this narrows the interval" in words.rows[0][1]


def test_results_of_older_versions_without_these_parts_are_shown(of_case: Any) -> None:
    older = {name: part for name, part in of_case("redaction").items() if name != "improvements"}
    for name in ("document_groups", "decision", "documents_needed", "clusters", "likely_clusters", "strata"):
        older.pop(name)
    assert text_improvements.sentences(older) == ()
    assert text_risk_kind.groups(older) is None
    assert "NOT ACCEPTABLE" in draw(older, "terminal")
    assert page([older])
