from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.running import Run


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "rx.csv"
    rows = ["visit;sex;age", *(f"{visit};{'MF'[visit % 2]};{30 + visit % 3}" for visit in range(24))]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_risk_says_yes_and_no_by_exit_code(command: Run, table: Path) -> None:
    code, out, _ = command("table", "risk", table, "--quasi", "sex,age", "--cell-size", 4)
    assert code == 0
    assert "ACCEPTABLE" in out
    code, out, _ = command("table", "risk", table, "--quasi", "sex,age")
    assert code == 3
    assert "NOT ACCEPTABLE" in out
    assert "in a class of 4" in out


def test_json_and_page(command: Run, table: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    code, out, _ = command(
        *("table", "risk", table, "--quasi", "sex, age", "--unit", "visit", "--population", table),
        *("--json", "-", "--html", page, "--threshold", "0.3"),
    )
    result = json.loads(out)
    assert (code, result["kind"], result["records"]) == (0, "table_risk", 24)
    assert result["threshold"]["cell_size"] == 4
    assert result["journalist"]["highest"] == 0.25
    assert "Re-identification risk of a table" in page.read_text(encoding="utf-8")


def test_risk_without_its_drivers(command: Run, table: Path, tmp_path: Path) -> None:
    asked = ("table", "risk", table, "--quasi", "sex,age", "--html", tmp_path / "page.html")
    _, out, _ = command(*asked)
    assert "WHAT EACH COLUMN ADDS" in out
    assert "What each column adds" in (tmp_path / "page.html").read_text(encoding="utf-8")
    code, out, _ = command(*asked, "--no-drivers", "--json", tmp_path / "risk.json")
    assert code == 3
    assert "in a class of 4" in out
    assert "WHAT EACH COLUMN ADDS" not in out
    assert "COLUMNS THAT SINGLE OUT" not in out
    assert "What each column adds" not in (tmp_path / "page.html").read_text(encoding="utf-8")
    result = json.loads((tmp_path / "risk.json").read_text(encoding="utf-8"))
    assert (result["without_column"], result["singling_out"], result["classes"]) == ([], [], 6)


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--quasi", "sex,agge"), 1, "Did you mean 'age'"),
        (("--quasi", ","), 2, "needs at least one column"),
        (("--quasi", "sex,sex"), 2, "has two"),
        (("--quasi", "sex", "--unit", "person"), 1, "person"),
        (("--quasi", "sex", "--reduce", "sex"), 2, "NAME=VALUE"),
        (("--quasi", "sex", "--reduce", "sex=most"), 2, "first, min, max, set"),
        (("--quasi", "sex", "--population", "gone.csv"), 1, "gone.csv"),
        (("--quasi", "sex", "--cell-size", "0"), 2, "0 is not in the range x>=1"),
        (("--quasi", "sex", "--sampling-fraction", "2"), 2, "2.0 is not in the range 0<x<=1"),
        (("--quasi", "sex", "--population-size", "3"), 2, "smaller than the 24 records"),
        (("--quasi", "sex", "--weights", "sex"), 1, "no numbers"),
        (("--quasi", "sex", "--weights", "age", "--population-size", "99"), 2, "exactly one of: a fraction"),
        (("--quasi", "sex", "--adversary", "journalist"), 2, "needs a population"),
        (("--quasi", "sex", "--special", "0"), 2, "0 is not in the range"),
        (("--quasi", "sex", "--events", "age"), 2, "which rows belong to one person"),
        (
            ("--quasi", "sex", "--unit", "visit", "--events", "age", "--known", "6"),
            2,
            "6 is not in the range",
        ),
        (("--quasi", "sex", "--unit", "visit", "--events", "ege"), 1, "Did you mean 'age'"),
        (("--quasi", "sex", "--unit", "visit", "--events", "sex"), 2, "and something else"),
        (("--quasi", "sex", "--unit", "visit", "--known", "2"), 2, "columns that form an event"),
        (("--quasi", "sex", "--l", "2"), 2, "need a sensitive column"),
        (("--quasi", "sex", "--sensitive", "age", "--l", "0"), 2, "'--l': 0.0 is not in the range x>=1"),
        (("--quasi", "sex", "--sensitive", "sex"), 2, "has two"),
        (("--quasi", "sex", "--sensitive", "age", "--distance", "hierarchical"), 2, "needs a hierarchy"),
        ((), 2, "--quasi"),
    ],
)
def test_wrong_usage_is_one_clear_message(
    command: Run,
    table: Path,
    options: tuple[str, ...],
    code: int,
    said: str,
) -> None:
    found, out, err = command("table", "risk", table, *options)
    assert (found, out) == (code, "")
    assert said in err
    assert "defect" not in err


def test_a_sample_of_a_population(command: Run, table: Path) -> None:
    given = ("table", "risk", table, "--quasi", "sex,age", "--sampling-fraction", "0.01", "--json", "-")
    code, out, _ = command(*given)
    result = json.loads(out)
    assert (code, result["population_estimate"]["population_size"]) == (3, 2400)
    assert 0 < result["population_estimate"]["chance_of_small_class"] <= 0.05
    code, out, _ = command(*given, "--adversary", "journalist")
    assert code == 0
    assert json.loads(out)["journalist"]["estimated_by"] == result["population_estimate"]["chosen"]
    code, _, err = command(*given, "--journalist-rule", "average")
    assert (code, "only against a journalist" in err) == (2, True)
    average = ("--adversary", "journalist", "--journalist-rule", "average", "--ordinal", "sex")
    code, out, _ = command(*given, *average)
    assert code == 0
    assert json.loads(out)["population_estimate"]["ordered_columns"] == ["sex"]


def test_what_is_told_of_a_secret(command: Run, table: Path) -> None:
    given = ("table", "risk", table, "--quasi", "sex", "--sensitive", "age")
    code, out, _ = command(*given)
    assert code == 0
    assert "SENSITIVE COLUMNS" in out
    code, out, _ = command(*given, "--l", 4, "--json", "-")
    assert code == 3
    (found,) = json.loads(out)["attribute_disclosure"]
    assert (found["distinct_l"], found["acceptable"]) == (3, False)


def test_a_table_that_is_not_there(command: Run, tmp_path: Path) -> None:
    code, _, err = command("table", "risk", tmp_path / "gone.csv", "--quasi", "a")
    assert code == 1
    assert "Hint:" in err


def test_a_file_name_that_is_not_utf_8_is_refused(command: Run, table: Path, tmp_path: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path / "rx") + b"\xff.csv"))
    odd.write_bytes(table.read_bytes())
    code, _, err = command("table", "risk", odd, "--quasi", "sex", "--json", tmp_path / "out.json")
    assert code == 1
    assert "name that is not UTF-8" in err
    assert "Rename the file" in err
    assert not (tmp_path / "out.json").exists()


def test_the_table_is_never_overwritten(command: Run, table: Path) -> None:
    before = table.read_bytes()
    code, _, err = command("table", "risk", table, "--quasi", "sex", "--json", table)
    assert code == 2
    assert "must not be written" in err
    assert table.read_bytes() == before
