from __future__ import annotations

import re
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from reidrisk.report.charts.canvas import PALETTE, WIDTH, drawing, new_figure
from reidrisk.report.charts.intervals import Interval, axis_for, draw_intervals, height
from reidrisk.report.charts.leaks import classes
from reidrisk.report.charts.linked_tables import TableArrow, TableBox, draw_linked
from reidrisk.report.charts.linked_tables import height as linked_height
from reidrisk.report.charts.svg import svg
from reidrisk.report.kinds.text_risk import charts
from reidrisk.report.views import draw

SVG = "{http://www.w3.org/2000/svg}"


def test_charts_are_well_formed_and_described(any_result: dict[str, Any]) -> None:
    for chart in charts(any_result):
        drawn = svg(chart, prefix="x")
        if chart.draw is None:
            assert drawn == ""
            continue
        root = ElementTree.fromstring(drawn)  # noqa: S314
        assert root.get("role") == "img"
        assert root.findtext(f"{SVG}title") == chart.title
        assert root.findtext(f"{SVG}desc") == chart.description


def test_charts_have_no_colour_that_a_dark_page_cannot_change(of_case: Any) -> None:
    for chart in charts(of_case("resynthesis")):
        bare = re.sub(r"var\(--rr-\w+, #\w{6}\)", "", svg(chart, prefix="x"))
        assert re.findall(r"#[0-9a-f]{6}\b", bare) == []


def test_the_same_result_gives_the_same_bytes(of_case: Any) -> None:
    for chart in charts(of_case("resynthesis")):
        assert svg(chart, prefix="x") == svg(chart, prefix="x")


def test_the_users_own_style_neither_shows_nor_changes(of_case: Any) -> None:
    chart = charts(of_case("resynthesis"))[2]
    plain = svg(chart, prefix="x")
    with mpl.rc_context({"font.size": 30, "axes.grid": True, "text.usetex": False}):
        before = dict(mpl.rcParams)
        assert svg(chart, prefix="x") == plain
        draw(of_case("resynthesis"), "figure")
        assert dict(mpl.rcParams) == before


def test_the_figure_can_be_saved_and_belongs_to_no_window(any_result: dict[str, Any]) -> None:
    from matplotlib import _pylab_helpers

    file = BytesIO()
    with pytest.warns(UserWarning, match="Glyph") if "市" in str(any_result) else _quiet():
        draw(any_result, "figure").savefig(file, format="png", dpi=40)
    assert file.getvalue().startswith(b"\x89PNG")
    assert not _pylab_helpers.Gcf.figs


def _quiet() -> Any:
    from contextlib import nullcontext

    return nullcontext()


def test_an_empty_part_is_explained(of_case: Any) -> None:
    direct, quasi, recall, leaks = charts(of_case("no direct"))
    assert direct.draw is None
    assert "no direct identifier" in direct.caption
    assert quasi.draw
    assert recall.draw
    assert "Direct" not in leaks.description


def test_tiny_risks_get_a_logarithmic_axis() -> None:
    tiny = Interval("tool", 0.0004, 0.0, 0.0006, decides=True)
    axis = axis_for([tiny], 0.2)
    assert axis.is_log
    assert axis.start <= tiny.value
    assert axis.end > 0.2
    assert axis.clip(0.0) == axis.start
    assert not axis_for([Interval("tool", 0.1, 0.05, 0.15, decides=True)], 0.2).is_log


def test_a_risk_of_zero_can_be_drawn() -> None:
    axis = axis_for([Interval("tool", 0.0, 0.0, 0.0, decides=True)], 0.2)
    assert (axis.is_log, axis.start) == (False, 0.0)


def test_counts_are_binned_without_losing_a_document() -> None:
    rows = [{"leaks": leaks, "documents": 1} for leaks in (0, 1, 4, 5, 9, 10, 37, 250)]
    bars = classes(rows)
    assert sum(bar.documents for bar in bars) == len(rows)
    assert bars[-1].label == "100+"
    assert [bar.label for bar in classes([{"leaks": 0, "documents": 3}])] == ["0", "1", "2"]


def test_charts_use_every_colour_of_the_pages_style() -> None:
    from importlib.resources import files

    style = files("reidrisk.report").joinpath("templates/style.css").read_text(encoding="utf-8")
    assert all(f"--rr-{colour}:" in style for colour in PALETTE)


@pytest.mark.parametrize("limit", [0.01, 0.05, 0.0877, 0.1, 0.12, 0.13, 0.17, 0.2])
def test_the_name_of_the_limit_does_not_run_into_other_words(limit: float) -> None:
    with drawing():
        figure = Figure(figsize=(WIDTH, height(1)))
        row = Interval("tool", 0.14, 0.08, 0.2171, decides=False)
        draw_intervals(figure, [row], limit=limit, limit_name="upper limit of the benchmark")
        found = [one for one in figure.axes[0].get_children() if isinstance(one, Annotation)]
        named = {one.get_text(): one.get_window_extent() for one in found}
    limits = next(box for text, box in named.items() if text.startswith("upper"))
    assert limits.x0 >= 0
    assert limits.x1 <= figure.bbox.x1
    assert "not acceptable" not in named or limits.x1 < named["not acceptable"].x0


KEYS = {"person": 0, "visit_occurrence": 1, "condition_occurrence": 1, "drug": 1}


def test_arrows_of_linked_tables_run_behind_the_boxes_and_names_fit() -> None:
    """Between tables of one column they go around the boxes; none strikes a name through."""
    boxes = [TableBox(name, "5 rows", layer) for name, layer in KEYS.items()]
    arrows = [TableArrow("drug", "visit_occurrence", "visit_id"), TableArrow("drug", "person", "person_id")]
    with drawing():
        figure = new_figure(WIDTH, linked_height(boxes))
        draw_linked(figure, boxes, arrows)
        figure.canvas.draw()
        (axes,) = figure.axes
        drawn = [one for one in axes.texts if isinstance(one, Annotation)]
        names = [one for one in axes.texts if one.get_text() in KEYS]
        assert len(names) == len(KEYS), "no name is shortened"
        assert max(one.get_zorder() for one in drawn) < min(one.get_zorder() for one in axes.patches)
        sides = [one.get_window_extent() for one in axes.patches]
        arrow = drawn[0].arrow_patch
        assert arrow is not None
        assert arrow.get_window_extent().x0 < max(side.x0 for side in sides) - 10
        for name in names:
            room = name.get_window_extent()
            assert any(side.x0 <= room.x0 and room.x1 <= side.x1 for side in sides)
