"""Risks of a population in the terminal, on pages, in charts and figures."""

from __future__ import annotations

import json
import re
from collections import Counter
from io import BytesIO
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from reidrisk.report.blocks.population import labeled_areas
from reidrisk.report.charts.boxes import Box
from reidrisk.report.charts.dots import Dot, outermost
from reidrisk.report.charts.ranks import AreaRanks, apart, areas_to_label, movers
from reidrisk.report.charts.svg import svg
from reidrisk.report.kinds import population_comparison, population_explorer, population_risk
from reidrisk.report.page import page
from reidrisk.report.plain_text import WIDTH, width_of
from reidrisk.report.views import draw, kind_of
from tests.report.population import MAKERS, result
from tests.report.test_page import Reader

AREAS = [case for case in MAKERS if "county" in case or "counties" in case or "two" in case]


@pytest.fixture(params=MAKERS)
def shown(request: pytest.FixtureRequest) -> dict[str, Any]:
    return result(request.param)


def charts(found: dict[str, Any]) -> Any:
    return kind_of(found).charts(found)


# Whatever the result.


def test_pages_are_well_formed_and_load_nothing(shown: dict[str, Any]) -> None:
    read = Reader(page([shown, shown]))
    assert read.open == []
    assert [name for name, times in Counter(read.ids).items() if times > 1] == []
    assert set(read.uses) <= set(read.ids)
    assert read.loads == []
    assert set(read.links) == {"https://doi.org/10.1136/jamia.2009.000026"}
    assert read.tags["script"] == 0


@pytest.mark.parametrize("how", ["terminal", "html"])
def test_a_result_read_back_from_json_looks_the_same(shown: dict[str, Any], how: Any) -> None:
    before = json.dumps(shown)
    assert draw(json.loads(before), how) == draw(shown, how)
    assert json.dumps(shown) == before


def test_the_terminal_keeps_to_its_width(shown: dict[str, Any]) -> None:
    for line in draw(shown, "terminal").splitlines():
        assert width_of(line) <= WIDTH or line.startswith("  reidrisk "), "only a command to copy is longer"
        assert line.isprintable()
        assert line == line.rstrip()


def test_charts_are_well_formed_described_and_recoloured(shown: dict[str, Any]) -> None:
    found = charts(shown)
    assert len({chart.name for chart in found}) == len(found) > 0
    for chart in found:
        drawn = svg(chart, prefix="x")
        if chart.draw is None:
            assert drawn == ""
            continue
        root = ElementTree.fromstring(drawn)  # noqa: S314
        assert root.findtext("{http://www.w3.org/2000/svg}desc") == chart.description != ""
        bare = re.sub(r"var\(--rr-\w+, #\w{6}\)", "", drawn)
        assert re.findall(r"#[0-9a-f]{6}\b", re.sub(r">[^<]*<", "><", bare)) == []


@pytest.mark.filterwarnings("ignore:Glyph")
def test_the_figure_can_be_saved(shown: dict[str, Any]) -> None:
    file = BytesIO()
    draw(shown, "figure").savefig(file, format="png", dpi=40)
    assert file.getvalue().startswith(b"\x89PNG")


def test_names_from_the_data_are_escaped() -> None:
    for case in ("risk: hostile names", "comparison: hostile names"):
        for text in (page([result(case)]), draw(result(case), "html")):
            assert "<script" not in text
            assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
            assert "\x1b" not in re.sub(r">[^<]*<", "><", text)


def test_the_words_of_policy_makers_are_explained() -> None:
    text = page([result("comparison: two")])
    for term in ("GENERAL", "VOTER", "g-distinct", "Total risk", "Trust differential", "Modeled population"):
        assert f"<dt>{term}</dt>" in text
    assert "<dt>Frontier</dt>" in page([result("explorer: target")])


# One policy.


def test_only_limits_speak_for_or_against() -> None:
    """What merely tells is no reason against a release."""
    found = result("risk: above a limit")
    text = page([found])
    limits = len(found["settings"]["max_share"])
    assert text.count('<li class="rr-fails">') + text.count('<li class="rr-holds">') == limits
    grade = 1  # the weakest evidence, which is told below the reasons
    assert text.count('<li class="rr-tells">') == len(found["reasons"]) - limits + grade


def test_without_a_limit_nothing_is_decided() -> None:
    verdict = population_risk.verdict(result("risk: by county"))
    assert verdict.acceptable is None
    assert verdict.word == "39.0 % are expected to be re-identified"
    text = page([result("risk: by county")])
    assert 'class="rr-verdict rr-open"' in text
    assert "✓" not in text
    assert "✕" not in text
    assert "[no]" not in draw(result("risk: by county"), "terminal")


def test_a_limit_decides_and_each_speaks_for_itself() -> None:
    above, within = result("risk: above a limit"), result("risk: within a limit")
    assert population_risk.verdict(above).word == "Not acceptable"
    assert [reason.holds for reason in population_risk.verdict(above).reasons] == [None, None, False, True]
    assert population_risk.verdict(within).word == "Acceptable"
    assert "rr-bad" in page([above])
    assert "rr-good" in page([within])


def test_unknown_is_said_and_never_zero() -> None:
    found = result("risk: unknown")
    assert population_risk.verdict(found).word == "Risk unknown"
    for table in (population_risk.distinct(found), population_risk.areas(found)):
        assert table is not None
        cells = {cell for row in table.rows for cell in row}
        assert "unknown" in cells
        assert not any(cell.startswith("0") and cell.endswith("%") for cell in cells)
    assert "total risk unknown" in draw(found, "terminal")
    assert all(chart.draw is None for chart in charts(found))
    assert population_comparison.verdict(result("comparison: unknown")).word == "Risk unknown"
    assert population_explorer.verdict(result("explorer: unknown")).word == "Risk unknown"


@pytest.mark.parametrize("case", ["risk: by county", "comparison: two", "explorer: target"])
def test_a_modelled_population_is_marked(case: str) -> None:
    """On every page that uses it."""
    found = json.loads(json.dumps(result(case)))
    assert "The counts are modeled" not in draw(found, "terminal")
    found["population"]["modelled"] = "fitted to three margins"
    for text in (draw(found, "terminal"), page([found])):
        assert "The counts are modeled" in text
        assert "fitted to three margins" in text


@pytest.mark.parametrize("case", ["risk: by county", "comparison: two", "explorer: target"])
def test_no_note_is_kept_from_the_reader(case: str) -> None:
    """What the reader of a population found odd, such as rows that occur twice."""
    found = json.loads(json.dumps(result(case)))
    found["notes"].append("rows of the same group and age were added up: 5")
    for text in (draw(found, "terminal"), page([found])):
        assert "Rows of the same group and age were added up: 5." in text


def test_the_figure_of_the_paper() -> None:
    """One man of 1953 is unique; of the five records three are expected to be matched rightly."""
    found = result("risk: figure 1")
    rows = population_risk.distinct(found).rows
    assert rows[0] == ("1-distinct", "unique", "20.0 %", "1")
    assert rows[1] == ("2-distinct", "shared with at most 1 other", "100 %", "5")
    assert population_risk.total(found).facts[0].value == "60.0 %, 3 people"
    assert "5 records of a data set" in population_risk.about(found)


def test_a_list_has_a_price_and_a_coverage() -> None:
    found = result("risk: bought list")
    assert "of 70.0 % of the people" in population_risk.attack(found).facts[1].value
    assert population_risk.total(found).facts[1].value not in ("unknown", "n/a")
    table = population_risk.areas(found)
    assert table is not None
    assert table.columns[-1].name == "cost per re-identification"


def test_areas_come_by_risk_and_long_tables_scroll() -> None:
    table = population_risk.areas(result("risk: by county"))
    assert table is not None
    assert [row[0] for row in table.rows][:2] == ["Basin", "High Plains"]
    assert [row[1] for row in table.rows] == [str(place) for place in range(1, 13)]
    many = result("risk: many counties")
    assert "rr-long" in page([many]).split("</style>")[1]
    assert "229 more are on the page" in draw(many, "terminal")
    assert page([many]).count("<tr>") > 254


def test_a_long_run_of_g_is_shown_in_steps() -> None:
    rows = population_risk.distinct(result("risk: long run of g")).rows
    assert [row[0] for row in rows][-2:] == ["10,000-distinct", "20,000-distinct"]
    assert len(rows) < 20


def test_states_by_number_get_their_names_only_if_they_can_be_nothing_else() -> None:
    from reidrisk.population.census import POSTAL

    rows = [{"area": code} for code in POSTAL]
    assert {"area": "Ohio"} in labeled_areas({"by_area": rows})
    assert labeled_areas({"by_area": rows[:10]}) == rows[:10]
    assert labeled_areas({"by_area": [*rows, {"area": "99"}]})[0] == rows[0]


# Several policies.


def test_policies_stand_side_by_side_with_their_ratio() -> None:
    found = result("comparison: two")
    table = population_comparison.side_by_side(found)
    names = [column.name for column in table.columns]
    assert names == ["measure", "Limited Dataset", "Safe Harbor", "differential"]
    total = next(row for row in table.rows if row[0] == "total risk")
    assert total[1:] == ("39.0 %", "0.081 %", "481")
    assert population_comparison.pairs(found) is None
    assert (
        population_comparison.verdict(found).word
        == "Limited Dataset exposes 481 times as many people as Safe Harbor"
    )


def test_every_two_of_many_policies_are_compared() -> None:
    found = result("comparison: six")
    table = population_comparison.pairs(found)
    assert table is not None
    assert len(table.rows) == 15
    small = charts(found)[0]
    assert svg(small, prefix="x").count("<path") > 5


def test_the_ratio_goes_on_where_one_curve_has_ended() -> None:
    """Beyond its end everybody is distinct under the finer policy; the ratio falls to 1."""
    chart = next(chart for chart in charts(result("comparison: two")) if chart.name == "differential")
    assert chart.description.startswith("From 1 to 8,847 times for g = 1 to ")


def test_several_results_begin_with_an_overview() -> None:
    for case in ("risk: by county", "comparison: two", "explorer: target"):
        text = page([result(case), result(case)])
        assert "result 1</a>" in text[text.index('id="overview"') : text.index('id="r1"')]


# The explorer.


def test_the_most_detailed_policy_under_the_target_is_named() -> None:
    word = population_explorer.verdict(result("explorer: target")).word
    assert word == "Most detail under 1.0 %: year of birth, county, sex, race"
    table = population_explorer.possible(result("explorer: target"))
    assert table is not None
    assert table.rows[0][0] == "year of birth, county, sex, race"
    assert "Safe Harbor" in [row[0] for row in table.rows]
    assert population_explorer.verdict(result("explorer: out of reach")).word.startswith("No policy is under")
    assert population_explorer.possible(result("explorer: out of reach")) is None


def test_without_a_target_safe_harbor_is_the_measure() -> None:
    found = result("explorer: no target")
    assert (
        population_explorer.verdict(found).word == "Most detail at the risk of Safe Harbor: county, sex, race"
    )
    remarks = [row[-1] for row in population_explorer.everything(found).rows]
    assert "frontier, no more risk" in remarks


def test_the_frontier_rises() -> None:
    shares = [one for one in result("explorer: target")["policies"] if one["on_frontier"]]
    assert [one["risk"] for one in shares] == sorted(one["risk"] for one in shares)
    assert len(population_explorer.frontier(result("explorer: target")).rows) == len(shares)


# Parts of charts.


def test_boxes_have_the_quartiles_and_know_what_is_far() -> None:
    box = Box("x", tuple((str(value), value / 10) for value in (1, 2, 3, 4, 100)))
    assert [box.quarter(number) for number in range(5)] == pytest.approx([0.1, 0.2, 0.3, 0.4, 10])
    assert box.fences() == (0.1, 0.4)


def test_labels_keep_their_order_and_distance() -> None:
    found = apart([3, 1, 1, 2, 50], 2)
    assert sorted(range(5), key=lambda at: found[at])[-1] == 4
    ordered = sorted(found)
    assert all(after - before >= 2 - 1e-9 for before, after in pairwise(ordered))


def test_of_many_areas_the_ends_and_the_restless_are_named() -> None:
    rows = [AreaRanks(f"{place:03}", (place, place)) for place in range(1, 201)]
    rows[99] = AreaRanks("restless", (100, 3))
    assert [row.area for row in movers(rows)] == ["restless"]
    assert [row.area for row in areas_to_label(rows)] == ["001", "002", "199", "200", "restless"]
    assert len(areas_to_label(rows[:12])) == 12


def test_the_outermost_areas_are_named_once() -> None:
    dots = [Dot("small", 10, 0.9), Dot("middle", 100, 0.5), Dot("large", 1000, 0.1), Dot("none", 5, 0.0)]
    assert [dot.area for dot in outermost(dots)] == ["small", "large"]


@pytest.mark.parametrize("case", AREAS)
def test_charts_of_areas_are_there(case: str) -> None:
    names = {chart.name.rstrip("12") for chart in charts(result(case))}
    assert {"small", "all", "places"} <= names
    assert names & {"spread", "order"}
