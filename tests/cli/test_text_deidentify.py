"""`text deidentify` and `text attack` as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reidrisk.demo import clinical_notes, simulate_tool
from reidrisk.text.formats.jsonl import write_jsonl
from tests.cli.running import Run

NOTE = "Dr. Helen Carter saw Mr. John Smith on 03/14/2019. Call (216) 555-0134.\n"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    notes = clinical_notes(documents=60)
    write_jsonl(notes, folder / "gold.jsonl")
    write_jsonl(simulate_tool(notes, recall=0.9), folder / "tool.jsonl")
    (folder / "note.txt").write_text(NOTE, encoding="utf-8")
    return folder


def test_a_note_out_of_the_box(command: Run, data: Path, tmp_path: Path) -> None:
    out, key = tmp_path / "out.txt", tmp_path / "my.key"
    options = ("--out", out, "--key", key, "--model", "none", "--jobs", 1)
    code, shown, _ = command("text", "deidentify", data / "note.txt", *options)
    assert code == 0
    assert "TEXTS WRITTEN" in shown
    text = out.read_text(encoding="utf-8")
    for value in ("Smith", "Carter", "03/14/2019", "555-0134"):
        assert value not in text
        assert value not in shown
    assert text.startswith("Dr. ")
    assert key.exists()


def test_options_are_refused_before_any_work(command: Run, data: Path, tmp_path: Path) -> None:
    for options, problem in (
        (("--show-text",), "--show-text needs --findings"),
        (("--set", "date_days=1"), "date_days cannot be 1"),
        (("--set", "unknown=1"), "replacement option"),
        (("--column", "note"), "is not a table"),
        (("--resume",), "Only runs on a folder"),
        (("--findings", data / "note.txt"), "must not be written"),
    ):
        code, _, shown = command(
            "text", "deidentify", data / "note.txt", "--out", tmp_path / "x.txt", *options
        )
        assert code == 2
        assert problem in shown
        assert not (tmp_path / "x.txt").exists()


def test_from_marks_to_an_attack_to_an_evaluation(command: Run, data: Path, tmp_path: Path) -> None:
    gold, out, attack = data / "gold.jsonl", tmp_path / "out.jsonl", tmp_path / "attack.json"
    made = ("--out", out, "--marks", data / "tool.jsonl", "--key", tmp_path / "k", "--json", "-")
    code, shown, _ = command("text", "deidentify", gold, *made)
    assert code == 0
    result = json.loads(shown)
    assert (result["kind"], result["documents"], result["mode"]) == ("text_deidentification", 60, "surrogate")
    code, shown, _ = command("text", "attack", out, "--gold", gold, "--json", attack)
    assert code == 0
    assert "RECOGNITION" in shown
    measured = json.loads(attack.read_text(encoding="utf-8"))
    assert measured["kind"] == "text_attack"
    evaluated = ("--tool-format", "surrogate", "--set", "survivors=instance", "--recognition", attack)
    code, shown, _ = command("text", "evaluate", gold, out, *evaluated, "--json", "-")
    assert code in (0, 3)
    release = json.loads(shown)["settings"]["release"]
    a, b = (float(part) for part in measured["recognition_option"].removeprefix("beta:").split(","))
    assert release["recognition"] == {"beta": [a, b]}


def test_redaction_is_seen_in_the_texts(command: Run, data: Path, tmp_path: Path) -> None:
    gold, out = data / "gold.jsonl", tmp_path / "out.jsonl"
    command("text", "deidentify", gold, "--out", out, "--marks", data / "tool.jsonl", "--mode", "mask")
    code, shown, _ = command("text", "attack", out, "--gold", gold, "--json", "-")
    assert code == 0
    assert json.loads(shown)["recognition"]["value"] == 1.0
