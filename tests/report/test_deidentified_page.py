"""A de-identified table as page, charts, figure and codebook."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import pytest

from reidrisk.report.blocks.deidentified_cost import distributions
from reidrisk.report.charts.bars import MOST_LABELS, changes
from reidrisk.report.charts.risk_curve import BINS, Curve, Limit, axis_end, bars
from reidrisk.report.charts.svg import svg
from reidrisk.report.codebook import codebook_text, escape_markdown
from reidrisk.report.kinds.table_deidentified import INTERRUPTED, charts
from reidrisk.report.page import page
from reidrisk.report.views import draw
from tests.report.deidentified import CASES
from tests.report.deidentified_study import AFTER, CONDITIONS, second_rung
from tests.report.test_page import Reader

FIVE = Limit("threshold 1/5", 0.2, decides=True)


@pytest.fixture(params=CASES)
def result(request: pytest.FixtureRequest) -> dict[str, Any]:
    return CASES[request.param]()


@cache
def page_of(make: Callable[[], dict[str, Any]]) -> str:
    """The page of a case, drawn once for the tests that only read it."""
    return page([make()])


def test_pages_are_well_formed_and_load_nothing(result: dict[str, Any]) -> None:
    read = Reader(page([result, result]))
    assert read.open == []
    assert [name for name, times in Counter(read.ids).items() if times > 1] == []
    assert set(read.uses) <= set(read.ids)
    assert read.loads == []
    assert read.tags["script"] == 0


def test_the_same_result_gives_the_same_page() -> None:
    assert page_of(second_rung) == page([second_rung()])


def test_the_page_answers_in_the_order_of_the_questions() -> None:
    text = page_of(second_rung)
    places = [
        text.index(part)
        for part in (
            "Acceptable at a threshold of 1/3, under conditions</p>",
            CONDITIONS[0],
            ">Risk of the records</h3>",
            ">Thresholds tried</h3>",
            ">Released record layout</h3>",
            ">Solutions compared</h3>",
            ">Risk before and after</h3>",
            ">Suppression</h3>",
            ">Two interpretations of a suppressed cell</h3>",
            ">Information loss</h3>",
            ">Values before and after</h3>",
            ">Associations before and after</h3>",
            ">All candidates</h3>",
            ">Codebook</h3>",
            ">Proof of the best solution</h3>",
            ">Settings</h3>",
        )
    ]
    assert places == sorted(places)


def test_names_are_escaped_on_the_page_and_in_a_notebook() -> None:
    result = CASES["many long names"]()
    for text in (page([result]), draw(result, "html")):
        assert "<script" not in text
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
        assert "*R&amp;D* $x$" in text


def test_the_chosen_row_is_marked() -> None:
    text = page_of(second_rung)
    marked = re.findall(r'<tr class="rr-marked">(.*?)</tr>', text, re.DOTALL)
    assert sum("7. Length of stay (chosen)" in row for row in marked) == 1
    assert sum("optimum, chosen" in row for row in marked) == 1


def test_an_interrupted_search_stands_beside_the_verdict() -> None:
    text = page([CASES["interrupted"]()])
    alarm = text.index(INTERRUPTED)
    assert text.index('class="rr-word"') < alarm < text.index("<svg")
    assert 'class="rr-alarm"' in text
    assert 'class="rr-alarm"' not in page_of(second_rung)
    assert 'class="rr-alarm"' in draw(CASES["interrupted"](), "html")


def test_without_a_solution_nothing_is_shown_of_one() -> None:
    text = page([CASES["no solution"]()])
    assert "No solution</p>" in text
    for title in ("Information loss", "All candidates", "Codebook", "Values before and after"):
        assert f">{title}</h3>" not in text


def test_several_results_begin_with_an_overview() -> None:
    text = page([second_rung(), CASES["no solution"]()])
    overview = text[text.index('id="overview"') : text.index('id="r1"')]
    assert "rx.parquet, result 1" in overview
    assert "14.9 %" in overview
    assert "No solution" in overview


# Charts.


def test_charts_are_well_formed_described_and_recoloured(result: dict[str, Any]) -> None:
    for chart in charts(result) + distributions(result):
        drawn = svg(chart, prefix="x")
        root = ElementTree.fromstring(drawn)  # noqa: S314
        assert root.findtext("{http://www.w3.org/2000/svg}desc") == chart.description
        bare = re.sub(r"var\(--rr-\w+, #\w{6}\)", "", drawn)
        assert re.findall(r"#[0-9a-f]{6}\b", re.sub(r">[^<]*<", "><", bare)) == []


def test_the_risk_chart_says_the_shares_at_each_threshold() -> None:
    risk = charts(second_rung())[0]
    assert "After: 94.9 % at or below 1/5, 100 % at or below 1/3." in risk.caption
    assert "Before: 0 % at or below 1/5, 2.2 % at or below 1/3." in risk.description


def test_without_a_solution_only_the_risk_before_is_drawn() -> None:
    (risk,) = charts(CASES["no solution"]())
    assert "After" not in risk.caption
    assert distributions(CASES["no solution"]()) == ()


def test_a_curve_rises_to_all_records() -> None:
    curve = Curve("after", AFTER, is_strong=True)
    risks, shares = curve.steps()
    assert (risks[0], shares[0], shares[-1]) == (0.0, 0.0, 1.0)
    assert risks == sorted(risks)
    assert shares == sorted(shares)
    assert curve.highest == risks[-1] == pytest.approx(1 / 3)
    assert curve.share_within(3) == 1.0


def test_bars_lose_no_record_and_the_axis_shows_small_thresholds() -> None:
    curve = Curve("before", ((1, 50), (100, 1)), is_strong=False)
    small = Limit("threshold 1/20", 0.05, decides=True)
    assert axis_end([curve], [small]) == pytest.approx(0.25 * 1.01)
    assert axis_end([curve], [FIVE]) == pytest.approx(1.01)
    for end in (0.25, 1.01):
        found = bars(curve, end)
        assert sum(found) == pytest.approx(1)
        assert len(found) == BINS
        assert found[-1] == pytest.approx(1 / 3)


def test_a_small_threshold_is_explained() -> None:
    result = second_rung()
    result["threshold"] = {"probability": 0.05, "reason": "strict", "cell_size": 20}
    result["threshold_ladder"] = []
    assert "The last bar includes" in charts(result)[0].caption
    assert svg(charts(result)[0], prefix="x").count("<svg") == 1


def test_the_suppression_chart_names_the_worst_variable() -> None:
    assert "suppressed most often is age, in 11.4 %" in charts(second_rung())[1].description


def test_rare_values_share_a_bar() -> None:
    rows = [{"label": number, "before": number / 100, "after": number / 200} for number in range(20)]
    found = changes([*rows, {"label": None, "before": 0.3, "after": 0.1}], other_labels=5)
    assert [change.label for change in found] == [
        *(str(number) for number in range(13, 20)),
        "18 other values",
    ]
    assert len(found) == MOST_LABELS + 1
    assert sum(change.before for change in found) == pytest.approx(0.3 + 1.9)
    assert (
        changes([{"label": None, "before": 1.0, "after": None}], other_labels=1)[0].label == "1 other value"
    )


def test_each_variable_has_a_chart_that_says_what_moved() -> None:
    found = distributions(second_rung())
    assert [chart.title for chart in found] == list(second_rung()["settings"]["quasi"])
    assert found[3].caption == "Level: week. Largest change: 4 other values, from 5.0 % to 1.0 %."


@pytest.mark.filterwarnings("ignore:Glyph")
def test_the_figure_can_be_saved(result: dict[str, Any]) -> None:
    file = BytesIO()
    draw(result, "figure").savefig(file, format="png", dpi=40)
    assert file.getvalue().startswith(b"\x89PNG")


# The codebook.


def test_the_codebook_says_what_was_done() -> None:
    text = codebook_text(second_rung())
    for part in (
        "# Codebook of rx.parquet",
        "**Acceptable at a threshold of 1/3, under conditions**",
        "Largest acceptable risk per record: 1/3 (agreed with the privacy office).",
        f"- {CONDITIONS[0]}",
        "| name | direct identifier | left out | VARCHAR | – | n/a |",
        "| age | week | 1 of 3 | month | n/a | n/a | 1,176 | 11.3 % | users need quarters \\& regions |",
        "- age: day → week → month → year. Released as: week.",
        "CANNOT be distinguished in the file",
        "- **max_suppression**: 0.15",
    ):
        assert part in text
    assert "data/rx" not in text
    assert "out/rx" not in text


def test_codebooks_are_texts_whatever_the_result(result: dict[str, Any]) -> None:
    text = codebook_text(result)
    assert text.endswith("\n")
    assert all(line.isprintable() for line in text.splitlines())
    heads = [line for line in text.splitlines() if line.startswith("## ")]
    assert len(heads) == len(set(heads)) >= 4
    assert ("## Suppressed and missing values" in heads) == (result["solution"] is not None)


def test_the_codebook_is_loud_about_an_interrupted_search() -> None:
    assert INTERRUPTED in codebook_text(CASES["interrupted"]())


def test_codebook_tables_keep_their_columns_whatever_names_hold() -> None:
    text = codebook_text(CASES["many long names"]())
    rows = [line for line in text.splitlines() if line.startswith("| \\<script")]
    columns = {len(re.findall(r"(?<!\\)\|", row)) - 1 for row in rows}
    assert columns == {6, 9}
    assert "<script" not in text.replace("\\<script", "")


def test_markup_is_escaped_and_words_stay_readable() -> None:
    assert escape_markdown("length_of_stay") == "length_of_stay"
    assert escape_markdown("**b** [x](y) a|b _i_ \\") == r"\*\*b\*\* \[x\](y) a\|b \_i\_ \\"
    assert escape_markdown("a\nb") == "a?b"


def test_terminal_and_codebook_need_no_optional_package(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("matplotlib", "jinja2"):
        monkeypatch.setitem(sys.modules, package, None)
    assert draw(second_rung(), "terminal").startswith("De-identification of rx.parquet")
    assert codebook_text(second_rung()).startswith("# Codebook")
