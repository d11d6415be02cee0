from __future__ import annotations

import json
from pathlib import Path

import pyarrow.csv as pc
import pytest

from tests.cli.running import Run
from tests.tables.attack.people import generalized, people

BASE = ("--against", "original.csv", "--quasi", "age,sex,zip")


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    original = people(600, 1)
    for name, table in (
        ("original", original),
        ("released", generalized(original)),
        ("control", people(300, 2)),
    ):
        pc.write_csv(table, f"{name}.csv")


def test_the_three_questions_are_answered_beside_the_prediction(command: Run) -> None:
    code, out, _ = command(
        *("table", "attack", "released.csv", *BASE, "--control", "control.csv"),
        *("--secret", "diagnosis", "--guesses", 200),
    )
    assert code == 0
    assert "PREDICTED AND MEASURED" in out
    assert "Can a person be singled out? No" in out
    assert "by the order of rows" in out
    assert "delimiter" not in out


def test_json_page_and_threshold(command: Run) -> None:
    code, out, _ = command(
        *("table", "attack", "original.csv", *BASE, "--id", "person", "--cell-size", 5, "--known", "age,zip"),
        *("--secret", "income", "--sets", "age;zip,sex", "--json", "-", "--html", "page.html", "--seed", 3),
        *("--set", "together=2", "--set", "level=0.9", "--set", "neighbours=3", "--unit", "person"),
        *("--set", "present=0.8"),
    )
    result = json.loads(out)
    assert result["settings"]["present"] == result["probabilistic_linkage"]["present"] == 0.8
    assert (code, result["kind"], result["acceptable"]) == (3, "table_attack", False)
    assert result["settings"]["sets"] == [["age"], ["zip", "sex"]]
    assert result["singling_out"][1]["attack"] == "singling out by 2 columns together"
    assert result["linkage"]["exact"]["main"]["level"] == 0.9
    assert result["inference"][0]["columns"] == ["age", "zip"]
    assert (result["settings"]["neighbours"], result["settings"]["unit"]) == (3, "person")
    assert {one["level"] for one in result["probabilistic_linkage"]["levels"]} == {"agrees", "near", "far"}
    assert "Attack on a released table" in Path("page.html").read_text(encoding="utf-8")


def test_hierarchies_tell_what_values_stand_for(command: Run) -> None:
    Path("h.yaml").write_text("zip: {kind: prefix, lengths: [3]}\n", encoding="utf-8")
    code, out, _ = command(
        *(
            "table",
            "attack",
            "released.csv",
            *BASE,
            "--hierarchies",
            "h.yaml",
            "--json",
            "-",
            "--threshold",
            0.2,
        ),
    )
    assert json.loads(out)["settings"]["hierarchies"] == ["zip"]
    assert code in (0, 3)


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--against", "original.csv"), 2, "--quasi"),
        (("--quasi", "age"), 2, "--against"),
        ((*BASE, "--id", "who"), 1, "no column 'who'"),
        ((*BASE, "--sets", "age"), 2, "two sets"),
        ((*BASE, "--set", "together=1.5"), 2, "whole number"),
        ((*BASE, "--set", "neighbours=1.5"), 2, "whole number"),
        ((*BASE, "--set", "neighbours=0"), 2, "1 to 100"),
        ((*BASE, "--set", "confidence=0"), 2, "The setting confidence cannot be 0."),
        ((*BASE, "--unit", "who"), 1, "no column 'who'"),
        ((*BASE, "--unit", "age"), 2, "cannot be used"),
        ((*BASE, "--set", "folds=3"), 2, "together"),
        ((*BASE, "--set", "level=high"), 2, "takes a number"),
        ((*BASE, "--control", "gone.csv"), 1, "gone.csv"),
        ((*BASE, "--html", "original.csv"), 2, "must not be written"),
        ((*BASE, "--secret", ","), 2, "needs at least one column"),
    ],
)
def test_wrong_usage_is_one_clear_message(
    command: Run, options: tuple[str, ...], code: int, said: str
) -> None:
    found, _, error = command("table", "attack", "released.csv", *options)
    assert found == code
    assert said in error
    assert "Traceback" not in error
