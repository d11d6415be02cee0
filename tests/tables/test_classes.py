"""The riskiest classes: which they are, why, and that no value is shown unless it is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.errors import InvalidSetting, UnknownColumn
from tests.cli.running import Run

ROWS = [("F", 30, "K1")] * 4 + [("F", 30, "K2")] * 2 + [("F", 31, "K1")] + [("M", 40, "K3")] * 3
QUASI = rr.Schema(quasi=("sex", "age", "area"))


def people() -> pa.Table:
    sex, age, area = zip(*ROWS, strict=True)
    return pa.table({"sex": sex, "age": age, "area": area})


def test_the_waterfall_counts_what_still_matches() -> None:
    result = rr.risky_classes(people(), QUASI, cell_size=3).to_dict()
    assert (result["kind"], result["records"], result["acceptable"]) == ("table_classes", 10, None)
    assert (result["classes_below"], result["records_below"]) == (2, 3)
    first, second = result["classes"][:2]
    assert [(step["column"], step["records"]) for step in first["steps"]] == [
        ("sex", 7),
        ("age", 1),
        ("area", 1),
    ]
    assert (first["number"], first["records"], first["risk"]) == (1, 1, 1.0)
    assert [step["records"] for step in second["steps"]] == [7, 6, 2]
    assert [one["records"] for one in result["classes"]] == [1, 2, 3, 4]


def test_values_only_if_asked_for() -> None:
    plain = rr.risky_classes(people(), QUASI)
    assert "K1" not in json.dumps(plain.to_dict())
    assert "K1" not in str(plain)
    assert "K1" not in repr(plain)
    shown = rr.explain_class(people(), QUASI, 1, values=True).to_dict()
    assert [step["value"] for step in shown["classes"][0]["steps"]] == ["F", "31", "K1"]
    assert len(shown["classes"]) == 1


def test_classes_after_generalization() -> None:
    rules = {"age": rr.Hierarchy.numbers("age", [10]), "area": rr.Hierarchy.prefixes("area", [1])}
    counted = rr.count_classes(people(), QUASI, rules)
    result = counted.riskiest(levels={"age": 1, "area": 1}, values=True).to_dict()
    assert [one["records"] for one in result["classes"]] == [3, 7]
    assert [step["value"] for step in result["classes"][0]["steps"]] == ["M", "40-49", "K"]
    assert [one.records for one in counted.riskiest(columns=("sex",)).classes] == [3, 7]
    for wrong in ({"age": 7}, {"note": 1}):
        with pytest.raises(InvalidSetting):
            counted.riskiest(levels=wrong)


def test_one_record_per_unit() -> None:
    table = people().append_column("id", pa.array([f"p{at // 2}" for at in range(10)]))
    schema = rr.Schema(quasi=("sex",), unit="id", reduce={"sex": "first"})
    assert rr.risky_classes(table, schema).to_dict()["records"] == 5


def test_what_is_refused() -> None:
    for wrong in ({"cell_size": 0}, {"most": 0}, {"most": 2000}):
        with pytest.raises(InvalidSetting):
            rr.risky_classes(people(), QUASI, **wrong)  # type: ignore[arg-type]
    for number in (0, 5):
        with pytest.raises(InvalidSetting):
            rr.explain_class(people(), QUASI, number)
    with pytest.raises(UnknownColumn):
        rr.risky_classes(people(), rr.Schema(quasi=("town",)))


def test_the_command_line(tmp_path: Path, command: Run) -> None:
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["sex,age,area", *(",".join(map(str, row)) for row in ROWS)]), encoding="utf-8")
    code, out, _ = command(
        "table", "classes", path, "--quasi", "sex,age,area", "--most", "2", "--cell-size", "3"
    )
    assert code == 0
    assert "sex 7 → +age 1 → +area 1" in out
    assert "K1" not in out
    code, out, _ = command(
        "table", "classes", path, "--quasi", "sex,age,area", "--class", "1", "--show-values"
    )
    assert "K1" in out
    assert "WHY CLASS 1 IS SMALL" in out
    html, data = tmp_path / "c.html", tmp_path / "c.json"
    code, _, _ = command(
        "table", "classes", path, "--quasi", "sex,age", "--html", html, "--json", data, "--quiet"
    )
    assert code == 0
    assert json.loads(data.read_text(encoding="utf-8"))["kind"] == "table_classes"
    assert "Riskiest classes" in html.read_text(encoding="utf-8")
