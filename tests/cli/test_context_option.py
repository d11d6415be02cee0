"""One context for every job: `--context` on the commands that measure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reidrisk.demo import case_study_tool, clinical_notes
from reidrisk.text.formats.jsonl import write_jsonl
from tests.cli.running import Run

STATED = "preset: hospital\naccess: non_public\ncontrols: medium\nmotives: low\n"
WHOLE = (
    "preset: hospital\naccess: non_public\nmotives: low\n"
    "checklist:\n  others: {answer: yes, evidence: seen}\n"
)
OVERALL = "preset: ipc\naccess: semi_public\ninvasion: low\n"


@pytest.fixture
def context(tmp_path: Path) -> Path:
    path = tmp_path / "context.yaml"
    path.write_text(STATED, encoding="utf-8")
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Five women, and three men who differ in nothing but their sex."""
    path = tmp_path / "t.csv"
    path.write_text("sex,age\n" + "F,30\n" * 5 + "M,30\n" * 3, encoding="utf-8")
    return path


def test_texts_take_attempt_and_threshold_from_it(command: Run, tmp_path: Path, context: Path) -> None:
    notes = clinical_notes(seed=7)
    write_jsonl(notes, tmp_path / "gold.jsonl")
    write_jsonl(case_study_tool(notes, seed=7), tmp_path / "tool.jsonl")
    files = (tmp_path / "gold.jsonl", tmp_path / "tool.jsonl")
    asked = ("text", "evaluate", *files, "--recognition", "0.1", "--json", "-")
    _, by_context, _ = command(*asked, "--context", context)
    _, by_hand, _ = command(*asked, "--attempt", "0.1,0.2,0.3")
    ours, theirs = json.loads(by_context), json.loads(by_hand)
    assert ours["direct"]["high"] == theirs["direct"]["high"]
    assert ours["settings"]["release"] == theirs["settings"]["release"]
    assert "hospital study" in ours["threshold"]["reason"]


def test_a_table_is_held_against_its_threshold(
    command: Run, table: Path, context: Path, tmp_path: Path
) -> None:
    asked = ("table", "risk", table, "--quasi", "sex,age", "--json", "-")
    code, out, _ = command(*asked, "--context", context)
    assert (code, json.loads(out)["threshold"]["cell_size"]) == (3, 5)
    context.write_text(OVERALL, encoding="utf-8")
    code, out, _ = command(*asked, "--context", context)
    assert json.loads(out)["threshold"]["probability"] == pytest.approx(0.1 / 0.6)


def test_the_ladder_asks_the_checklist(command: Run, table: Path, context: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    asked = ("table", "deidentify", table, "--quasi", "sex,age", "--out", out, "--max-suppression", 0)
    code, said, _ = command(*asked, "--context", context, "--json", "-")
    assert code == 1
    assert not out.exists()
    rungs = json.loads(said)["threshold_ladder"]
    assert [(rung["cell_size"], rung["outcome"]) for rung in rungs] == [
        (5, "no solution"),
        (3, "not allowed"),
    ]
    assert "checklist" in rungs[1]["requires"]
    assert json.loads(said)["before"]["threshold"]["cell_size"] == 5
    assert "context.yaml" in json.loads(said)["threshold"]["reason"]
    context.write_text(WHOLE, encoding="utf-8")
    code, said, _ = command(*asked, "--context", context, "--json", "-")
    assert code == 0
    assert out.exists()
    assert json.loads(said)["threshold_ladder"][1]["outcome"] == "solution"
    assert any("context.yaml" in condition for condition in json.loads(said)["conditions"])


def test_a_population_is_held_against_the_rule_of_the_context(
    command: Run, tmp_path: Path, context: Path
) -> None:
    people = tmp_path / "pop.csv"
    people.write_text("state,sex,age_lo,age_hi,n\n39,F,30,30,5\n39,M,30,30,5\n", encoding="utf-8")
    asked = ("population", "risk", people, "--policy", "state,year_of_birth,sex", "--json", "-")
    code, out, _ = command(*asked, "--context", context)
    found = json.loads(out)
    assert (code, found["smallest_group"], found["rule"]["attempt"]) == (0, 5, 1.0)
    assert "highest risk of a person must be at most 1/5" in " ".join(found["reasons"])
    context.write_text(OVERALL, encoding="utf-8")
    code, out, _ = command(*asked, "--context", context)
    assert (code, json.loads(out)["rule"]["attempt"]) == (3, 0.6)


def test_people_who_are_all_alone_are_refused(command: Run, tmp_path: Path, context: Path) -> None:
    """The threshold of 1/5 was divided by the attempt of 0.2, and 100 % of 41 people passed."""
    people = tmp_path / "pop.csv"
    rows = "".join(f"39,F,{age},{age},1\n" for age in range(41))
    people.write_text(f"state,sex,age_lo,age_hi,n\n{rows}", encoding="utf-8")
    asked = ("population", "risk", people, "--policy", "state,year_of_birth,sex")
    code, out, _ = command(*asked, "--context", context)
    assert code == 3
    assert "NOT ACCEPTABLE" in out
    assert "whatever the chance of an attempt" in " ".join(out.split())


def test_a_comparison_judges_each_policy(command: Run, tmp_path: Path, context: Path) -> None:
    people = tmp_path / "pop.csv"
    rows = "".join(f"39,F,{age},{age},1\n" for age in range(41))
    people.write_text(f"state,sex,age_lo,age_hi,n\n{rows}", encoding="utf-8")
    policies = ("--policy", "state,year_of_birth,sex", "--policy", "state,sex")
    code, out, _ = command("population", "compare", people, *policies, "--context", context, "--json", "-")
    found = json.loads(out)
    assert (code, [one["acceptable"] for one in found["risks"]]) == (3, [False, True])
    assert found["reasons"][0].startswith("Rule: the highest risk of a person")
    code, out, _ = command("population", "compare", people, *policies, "--json", "-")
    assert (code, json.loads(out)["acceptable"]) == (0, None)


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("table", "risk", "t.csv", "--quasi", "sex", "--cell-size", "3"), "--cell-size"),
        (("population", "risk", "t.csv", "--policy", "safe", "--max-share", "5=1"), "--max-share"),
    ],
)
def test_what_the_context_says_is_not_said_twice(
    command: Run, table: Path, context: Path, words: tuple[str, ...], option: str
) -> None:
    placed = [str(table) if word == "t.csv" else word for word in words]
    code, out, err = command(*placed, "--context", context)
    assert (code, out) == (2, "")
    assert f"{option} and --context set the same thing" in err


def test_an_average_needs_an_assessment(command: Run, table: Path, context: Path) -> None:
    text = "preset: ipc\naccess: non_public\ncontrols: medium\nmotives: low\ninvasion: low\n"
    context.write_text(text, encoding="utf-8")
    code, _, err = command("table", "risk", table, "--quasi", "sex,age", "--context", context)
    assert code == 2
    assert "reidrisk assess" in err
