"""The chapter on people over all parts, the waterfall, and the graph of linked tables."""

from __future__ import annotations

from typing import Any

import pytest

from reidrisk.report.blocks.relational import graph, tables_and_columns, treatments
from reidrisk.report.chart_table import chart_table
from reidrisk.report.charts.svg import svg
from reidrisk.report.document import Pictures, SectionHeading
from reidrisk.report.documents.outline import OutlineEntry
from reidrisk.report.documents.people import PEOPLE, people, with_people
from reidrisk.report.kinds import joint_risk, relational_risk
from reidrisk.report.numbers import percent
from reidrisk.report.parts import Table
from tests.relational.test_joint import shown
from tests.report.kinds import linked, relational


@pytest.fixture(scope="module")
def release() -> dict[str, Any]:
    return relational("release")


def part(name: str, kind: str, result: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "kind": kind, "task": "risk", "status": "measured", "error": None, "result": result}


def test_the_chapter_has_waterfall_graph_inventory_and_treatments(release: dict[str, Any]) -> None:
    joint = shown().to_dict()
    case = {
        "parts": [
            part("together", "joint", joint),
            part("db", "relational", {**linked(), "release": release}),
        ]
    }
    blocks = people(case)
    names = [one.charts[0].name for one in blocks if isinstance(one, Pictures)]
    assert names == ["parts", "linked"]
    titles = [one.title for one in blocks if isinstance(one, Table)]
    assert titles == ["What each part adds", tables_and_columns(release).title, treatments(release).title]
    assert sum(isinstance(one, SectionHeading) for one in blocks) == 2
    outline = [OutlineEntry("final", "Final", people), OutlineEntry("end", "End", people)]
    assert with_people(outline, case, after="final")[1] is PEOPLE
    assert with_people(outline, {"parts": []}, after="final") == outline


def test_every_variable_has_a_row(release: dict[str, Any]) -> None:
    table = treatments(release)
    assert [row[:2] for row in table.rows] == [
        (one["table"], one["variable"]) for one in release["variables"]
    ]
    assert "none" not in {row[2] for row in table.rows}, "a role in words"
    labelled = [{**one, "label": "Age at visit"} for one in release["variables"]]
    columns = [one.name for one in treatments({**release, "variables": labelled}).columns]
    assert columns == ["dataset", "variable", "label", "role", "treatment", "loss", "reason or source"]
    risk = {**linked(), "release": release}
    assert treatments(release) in list(relational_risk.released(risk))
    assert not list(relational_risk.released(linked()))


def test_the_waterfall_ends_where_all_parts_do() -> None:
    result = shown().to_dict()
    (chart,) = joint_risk.charts(result)
    table = chart_table(chart)
    assert table is not None
    assert [row[0] for row in table.rows] == [*(one["part"] for one in result["parts"]), "all together"]
    assert table.rows[-1][2] == percent(result["share_above_threshold"])
    assert "all together" in svg(chart, prefix="x")


def test_the_graph_has_a_box_for_each_table_and_an_arrow_for_each_key(release: dict[str, Any]) -> None:
    chart = graph(release)
    table = chart_table(chart)
    assert table is not None
    keys = {(one["child"].rpartition(".")[0], one["parent"].rpartition(".")[0]) for one in release["keys"]}
    assert keys <= {(row[0], row[2]) for row in table.rows}
    drawn = svg(chart, prefix="x")
    for one in release["tables"]:
        assert one["table"] in drawn
