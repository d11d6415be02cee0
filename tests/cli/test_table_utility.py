from __future__ import annotations

import json
from pathlib import Path

import pyarrow.csv as pc
import pytest

from tests.cli.running import Run
from tests.tables.utility.trials import coarse, patients

BASE = ("table", "utility", "released.csv", "--against", "original.csv")
QUERY = "mean=SELECT sex, avg(cost) AS c, count(*) AS n FROM data WHERE sex = 'F' GROUP BY sex"


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    original = patients(200)
    pc.write_csv(original, "original.csv")
    pc.write_csv(coarse(original, starred=9), "released.csv")


def test_everything_is_measured_and_nothing_decided_without_a_limit(command: Run) -> None:
    code, out, _ = command(*BASE, "--query", QUERY, "--model", "cost ~ age, sex")
    assert code == 0
    assert "\nMEASURED" in out
    assert "1: cost ~ age, sex" in out
    assert "Query mean: the typical relative difference is 0.0 %" in out


def test_limits_decide(command: Run) -> None:
    code, out, _ = command(
        *(*BASE, "--query", QUERY, "--limit", "query=0.1", "--limit", "propensity=0.01", "--json", "-"),
        *("--html", "page.html", "--columns", "age,sex", "--interaction", "age*sex", "--show-groups"),
        *("--set", "rows=150", "--set", "level=0.9", "--cell-size", 3),
    )
    result = json.loads(out)
    assert (code, result["kind"], result["acceptable"]) == (3, "table_utility", False)
    assert [one["met"] for one in result["limits"]] == [True, False]
    assert result["settings"]["interactions"] == ["age * sex"]
    assert result["queries"][0]["named"][0]["group"] == "F"
    assert "Utility of a released table" in Path("page.html").read_text(encoding="utf-8")
    assert command(*BASE, "--query", QUERY, "--limit", "query=0.1", "--quiet")[0] == 0


def test_a_file_says_it_all(command: Run) -> None:
    Path("want.yaml").write_text(
        "queries:\n  mean: SELECT avg(middle(age)) AS a FROM data\n"
        "models: ['cost ~ age', {target: died, features: [age, sex]}]\n"
        "limits: {query: 0.1}\ninteractions: [[age, sex]]\ncolumns: [age, sex]\nrows: 1000\nseconds: 5\n"
        "propensity: true\nhierarchies: {zip: {kind: prefix, lengths: [2]}}\n",
        encoding="utf-8",
    )
    code, out, _ = command(*BASE, "--config", "want.yaml", "--limit", "model=1", "--json", "-")
    result = json.loads(out)
    assert code == 0
    assert result["settings"]["models"] == ["cost ~ age", "died ~ age, sex"]
    assert result["settings"]["limits"] == {"model": 1.0}
    assert result["settings"]["hierarchies"] == ["zip"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--query", "SELECT 1"), 2, "--query takes NAME=VALUE"),
        (("--query", "x=DROP TABLE data"), 2, "is not one SELECT"),
        (("--model", "cost"), 2, "TARGET ~ FEATURE"),
        (("--limit", "querry=1"), 2, "Did you mean 'query'?"),
        (("--limit", "query=much"), 2, "takes a number"),
        (("--interaction", "age"), 2, "takes two columns"),
        (("--set", "row=5"), 2, "is not a setting of utility"),
        (("--set", "rows=100.5"), 2, "takes a whole number"),
        (("--columns", "aeg"), 1, "Did you mean 'age'?"),
        (("--config", "bad.yaml"), 2, "bad.yaml.queries is not a mapping of names to SQL"),
        (("--html", "original.csv"), 2, "must not be written"),
    ],
)
def test_mistakes_are_named(command: Run, arguments: tuple[str, ...], code: int, said: str) -> None:
    Path("bad.yaml").write_text("queries: [SELECT 1]\n", encoding="utf-8")
    found, _, error = command(*BASE, *arguments)
    assert said in error
    assert found == code


def test_a_deidentification_tells_it_as_well(command: Run) -> None:
    Path("c.yaml").write_text("utility: {models: ['cost ~ age, sex']}\n", encoding="utf-8")
    code, out, _ = command(
        *("table", "deidentify", "original.csv", "--quasi", "sex", "--out", "o.csv", "--config", "c.yaml"),
        *(
            "--other",
            "age=a test",
            "--other",
            "zip=a test",
            "--query",
            QUERY,
            "--limit",
            "model=0.5",
            "--json",
            "-",
        ),
    )
    useful = json.loads(out)["usefulness"]
    assert code == 0
    assert useful["settings"]["models"] == ["cost ~ age, sex"]
    assert useful["queries"][0]["typical_relative"] == 0
    assert useful["acceptable"] is True


def test_two_queries_of_one_name_are_refused(command: Run) -> None:
    code, _, err = command(*BASE, "--query", "a=SELECT 1 AS n", "--query", "a=SELECT 2 AS n")
    assert code == 2
    assert "same name" in err
