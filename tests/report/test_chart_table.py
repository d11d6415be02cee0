"""Every chart has a table with the same data."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

import reidrisk as rr
import reidrisk.report.charts
from reidrisk.report.chart_table import BUILDERS, chart_table, shows_more
from reidrisk.report.charts.against_limits import LimitRow, draw_against
from reidrisk.report.charts.bars import Bars, LimitedShare, draw_bars, draw_limited
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.lines import Line, draw_lines
from reidrisk.report.charts.waterfall import draw_waterfall, waterfall_steps
from reidrisk.report.kind import ChartGroup
from reidrisk.report.views import kind_of
from tests.report.kinds import KINDS

HELPERS = {"draw_legend", "draw_missing", "draw_once"}
"""They draw no data of their own."""


def test_every_way_of_drawing_has_a_table() -> None:
    folder = Path(str(reidrisk.report.charts.__file__)).parent
    found = {
        node.name
        for path in folder.glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("draw_")
    }
    assert found - HELPERS == set(BUILDERS)


def test_the_charts_of_every_kind_are_tables_too(of_any_kind: dict[str, Any]) -> None:
    result = of_any_kind
    kind = kind_of(result)
    groups = [block for show in kind.shows for block in show.in_page(result) if isinstance(block, ChartGroup)]
    charts: list[Chart] = [*kind.charts(result), *(chart for group in groups for chart in group.charts)]
    for chart in charts:
        table = chart_table(chart)
        assert (table is None) == (chart.draw is None), chart.name
        if table is not None:
            assert table.rows
            assert {len(row) for row in table.rows} == {len(table.columns)}
            assert all(isinstance(cell, str) for row in table.rows for cell in row)


def test_bars_are_shares() -> None:
    result = KINDS["table_suggestion"]()
    (chart,) = kind_of(result).charts(result)
    table = chart_table(chart)
    assert table is not None
    assert all(row[1].endswith(" %") for row in table.rows)
    assert [column.is_number for column in table.columns] == [False, True]


def test_the_longer_the_bar_the_more_a_column_adds() -> None:
    """Region tells nothing: it follows from sex and age, so that it adds nobody."""
    rows = [("FM"[place % 2], 20 + place % 7, "NS"[place % 2]) for place in range(140)]
    rows += [("F", 90 + place, "N") for place in range(6)]
    columns = dict(zip(("sex", "age", "region"), map(list, zip(*rows, strict=True)), strict=True))
    schema, five = rr.Schema(quasi=("sex", "age", "region")), rr.Threshold.from_cell_size(5, "test")
    result = rr.table_risk(pa.table(columns), schema, threshold=five).to_dict()
    chart = next(one for one in kind_of(result).charts(result) if one.name == "columns")
    table = chart_table(chart)
    assert table is not None
    assert [row[0] for row in table.rows] == ["all columns together", "age", "sex", "region"]
    assert [row[1] for row in table.rows] == ["4.1 %", "4.1 %", "0 %", "0 %"]
    assert shows_more(chart)


def test_a_chart_that_shows_no_more_than_its_sentence_is_known() -> None:
    def chart(draw: Any, **given: Any) -> Chart:
        return Chart("c", "t", "c", "d", 1.0, partial(draw, **given))

    one = LimitRow("notes", 1.2, None, None, "0.24 of 0.2", is_within=False)
    assert not shows_more(chart(draw_against, rows=[one]))
    assert shows_more(chart(draw_against, rows=[one, replace(one, times=0.5)]))
    points = ((1, 0.1), (2, 0.2), (3, 0.4))
    for number, more in ((1, False), (2, False), (3, True)):
        lines = [Line("share", points[:number])]
        assert shows_more(chart(draw_lines, lines=lines, scale="plain", label="known")) is more
    flat = [Line("share", tuple((number, 0.0) for number in range(1, 6)))]
    assert not shows_more(chart(draw_lines, lines=flat, scale="plain", label="known"))
    none = [LimitedShare("any variable", 0.0, 0.05), LimitedShare("age", 0.0, None)]
    assert not shows_more(chart(draw_limited, rows=none, title="suppressed"))
    assert shows_more(chart(draw_limited, rows=[*none, LimitedShare("sex", 0.1, None)], title="suppressed"))
    bars = Bars((("a", 0.0, True), ("b", 0.0, False)), "share")
    assert not shows_more(chart(draw_bars, bars=bars)), "nothing differs"
    assert not shows_more(Chart("c", "t", "Nothing to draw.", "d", 1.0, None))
    steps = waterfall_steps([("table", 0.1), ("notes", 0.25)], "together")
    assert not shows_more(chart(draw_waterfall, steps=steps, title="people"))
    longer = waterfall_steps([("table", 0.1), ("notes", 0.25), ("report", 0.3)], "together")
    assert shows_more(chart(draw_waterfall, steps=longer, title="people"))
