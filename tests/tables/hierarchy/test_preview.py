from __future__ import annotations

import json
from pathlib import Path

import pytest

from reidrisk.errors import BadData, InvalidSetting, UnknownColumn
from reidrisk.report.page import page
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.preview import preview_hierarchies
from tests.cli.running import Run


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rows = [f"2007-0{1 + at % 3}-0{1 + at % 9},{at % 2}" for at in range(36)] + [
        "2008-12-24,",
        "2008-12-25,7",
    ]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["day,score", *rows]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def hierarchies() -> dict[str, Hierarchy]:
    dates = Hierarchy.dates("day", ["day", "month", "year"]).limited(
        "month", min_level="month", reason="seasons"
    )
    return {"day": dates, "score": Hierarchy.exact("score")}


def test_what_each_level_leaves(table: Path, hierarchies: dict[str, Hierarchy]) -> None:
    result = preview_hierarchies(table, hierarchies).to_dict()
    assert (result["kind"], result["rows"], result["acceptable"]) == ("table_hierarchies", 38, None)
    day, score = result["columns"]
    assert (day["column"], day["max_level"], day["min_level"], day["reason"]) == (
        "day",
        "month",
        "month",
        "seasons",
    )
    assert [level["values"] for level in day["levels"]] == [11, 4, 2, 1]
    assert [level["smallest_group"] for level in day["levels"]] == [1, 2, 2, 38]
    assert [level["share_below_cell_size"] for level in day["levels"]] == pytest.approx(
        [1, 2 / 38, 2 / 38, 0]
    )
    assert [level["allowed"] for level in day["levels"]] == [False, True, False, False]
    assert day["levels"][1]["examples"] == ["2007-01", "2007-02", "2007-03"]
    assert score["levels"][0]["values"] == 4
    json.dumps(result, allow_nan=False)


def test_rare_labels_are_never_shown(table: Path, hierarchies: dict[str, Hierarchy]) -> None:
    for cell_size, shown in ((3, False), (1, True)):
        result = preview_hierarchies(table, hierarchies, cell_size=cell_size)
        everything = result.to_json() + str(result) + result._repr_html_()
        assert ("2008-12" in everything) is shown
    assert preview_hierarchies(table, hierarchies).to_dict()["columns"][0]["levels"][0]["examples"] == []


def test_a_preview_never_speaks_for_a_release(table: Path, hierarchies: dict[str, Hierarchy]) -> None:
    result = preview_hierarchies(table, hierarchies)
    assert not result.acceptable
    assert "does not decide" in str(result)
    assert "Not acceptable" not in result._repr_html_()
    assert "HIERARCHY OF DAY" in str(result)
    assert "Maximum acceptable generalization: month. Reason: seasons" in str(result)
    assert max(len(line) for line in str(result).splitlines()) <= 100
    assert result.plot() is not None
    assert "result 2" in page([result.to_dict(), result.to_dict()])


def test_refusals(table: Path, hierarchies: dict[str, Hierarchy]) -> None:
    with pytest.raises(UnknownColumn, match="Did you mean 'day'"):
        preview_hierarchies(table, {"dya": Hierarchy.exact("dya")})
    with pytest.raises(InvalidSetting, match="cell size must be 1 or more"):
        preview_hierarchies(table, hierarchies, cell_size=0)
    with pytest.raises(InvalidSetting, match="no hierarchy"):
        preview_hierarchies(table, {})
    with pytest.raises(BadData, match="'score' has 1 value \\(1 row\\) without a row") as caught:
        preview_hierarchies(table, {"score": Hierarchy.tree("score", {"low": [0], "high": [1]})})
    assert "7" not in str(caught.value).replace(str(table.parent), "")


def test_the_command(table: Path, tmp_path: Path, command: Run) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("day: [day, month, year]\n", encoding="utf-8")
    asked = ("table", "preview", table, "--hierarchies", rules)
    code, out, _ = command(*asked, "--json", "-", "--cell-size", 3)
    assert (code, json.loads(out)["settings"]["cell_size"]) == (0, 3)
    code, out, _ = command(*asked, "--html", tmp_path / "p.html")
    assert code == 0
    assert "HIERARCHY OF DAY" in out
    assert "day: rare values by level" in (tmp_path / "p.html").read_text(encoding="utf-8")
    code, _, err = command(*asked, "--json", rules)
    assert code == 2
    assert "must not be written" in err
