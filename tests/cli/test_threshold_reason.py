"""The printed reason of a threshold is true, and a rounded probability says what it means."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reidrisk.demo import case_study_tool, clinical_notes
from reidrisk.text.formats.jsonl import write_jsonl
from tests.cli.running import Run

DEFAULT = "cell size of five, the default"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    path.write_text("sex,age\n" + "F,30\n" * 3 + "M,30\n" * 3, encoding="utf-8")
    return path


def reason(command: Run, *words: object) -> str:
    _, out, _ = command(*words, "--json", "-")
    return str(json.loads(out)["threshold"]["reason"])


def test_of_a_table(command: Run, table: Path) -> None:
    asked = ("table", "risk", table, "--quasi", "sex,age")
    assert reason(command, *asked) == DEFAULT
    assert reason(command, *asked, "--cell-size", 5) == "cell size 5, command line"
    assert reason(command, *asked, "--threshold", 0.2) == "probability 0.2, command line"


def test_a_third_that_was_rounded_means_four(command: Run, table: Path) -> None:
    code, out, _ = command("table", "risk", table, "--quasi", "sex,age", "--threshold", 0.33)
    said = " ".join(out.split())
    assert code == 3
    assert "it means a cell size of 4; for 1/3, use --cell-size 3" in said
    assert command("table", "risk", table, "--quasi", "sex,age", "--cell-size", 3)[0] == 0
    attack = ("table", "attack", table, "--against", table, "--quasi", "sex,age")
    assert "use --cell-size 11" in reason(command, *attack, "--threshold", 0.09)


def test_of_a_search(command: Run, table: Path, tmp_path: Path) -> None:
    asked = ("table", "deidentify", table, "--quasi", "sex,age", "--out", tmp_path / "out.csv")
    assert reason(command, *asked) == DEFAULT
    assert reason(command, *asked, "--cell-size", 3) == "cell size 3, command line"
    config = tmp_path / "config.yaml"
    config.write_text("cell_size: 3\n", encoding="utf-8")
    assert reason(command, *asked, "--config", config).startswith("cell size 3, configuration")
    assert reason(command, *asked, "--config", config, "--cell-size", 2) == "cell size 2, command line"


def test_of_texts(command: Run, tmp_path: Path) -> None:
    notes = clinical_notes(seed=7)
    write_jsonl(notes, tmp_path / "gold.jsonl")
    write_jsonl(case_study_tool(notes, seed=7), tmp_path / "tool.jsonl")
    files = (tmp_path / "gold.jsonl", tmp_path / "tool.jsonl")
    asked = ("text", "evaluate", *files, "--set", "crosscheck=false")
    assert reason(command, *asked) == DEFAULT
    assert reason(command, *asked, "--cell-size", 11) == "cell size 11, command line"
    assert "it means a cell size of 4; for 1/3, use --cell-size 3" in reason(
        command, *asked, "--threshold", 0.33
    )
