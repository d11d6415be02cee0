"""Leak lists, groups, samples and annotators on the command line."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from reidrisk.demo import case_study_tool, clinical_notes
from reidrisk.text.formats.jsonl import write_jsonl
from tests.cli.running import Run


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    notes = clinical_notes(seed=7)
    write_jsonl(notes, folder / "gold.jsonl")
    write_jsonl(case_study_tool(notes, seed=7), folder / "tool.jsonl")
    write_jsonl([replace(note, annotations=note.annotations[1:]) for note in notes], folder / "ann.jsonl")
    (folder / "texts").mkdir()
    for note in notes:
        (folder / "texts" / f"{note.id}.txt").write_text(note.text or "", encoding="utf-8")
    return folder


def test_leaks_of_several_tools_are_one_list(command: Run, data: Path, tmp_path: Path) -> None:
    leaks = tmp_path / "leaks.csv"
    files = (data / "gold.jsonl", data / "tool.jsonl", data / "gold.jsonl")
    code, out, _ = command("text", "evaluate", *files, "--leaks", leaks)
    with leaks.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert code == 3
    assert "TOOLS SIDE BY SIDE" in out
    assert {row["tool"] for row in rows} == {"tool"}, "the gold standard itself leaks nothing"
    assert len(rows) == 164
    assert "text" not in rows[0]


def test_annotations_that_do_not_fit(command: Run, data: Path, tmp_path: Path) -> None:
    """One gold annotation beyond its text: refused, or a leak that is listed."""
    lines = (data / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    record = json.loads(lines[0])
    record["entities"][0]["start"] += 10**6
    record["entities"][0]["end"] += 10**6
    gold = tmp_path / "gold.jsonl"
    gold.write_text("\n".join([json.dumps(record), *lines[1:]]), encoding="utf-8")
    code, _, err = command("text", "evaluate", gold, data / "gold.jsonl")
    assert (code, "--misaligned skip" in err) == (1, True)
    words = ("--misaligned", "search", "--json", tmp_path / "a.json", "--html", tmp_path / "a.html")
    code, out, _ = command(
        "text", "evaluate", gold, data / "gold.jsonl", *words, "--leaks", tmp_path / "l.csv"
    )
    found = json.loads((tmp_path / "a.json").read_text())
    assert found["misaligned"]["gold_skipped"] == 1
    assert sum(kind["leaked_instances"] for kind in found["by_type"]) == 1
    assert "ANNOTATIONS THAT DO NOT FIT THEIR TEXT" in out
    assert "Annotations that do not fit their text" in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert len((tmp_path / "l.csv").read_text().splitlines()) == 2


def test_text_is_shown_only_in_the_list_and_only_on_request(command: Run, data: Path, tmp_path: Path) -> None:
    files = (data / "gold.jsonl", data / "tool.jsonl")
    leaks = tmp_path / "leaks.csv"
    assert command("text", "evaluate", *files, "--leaks", leaks, "--show-text", "--quiet")[0] == 3
    with leaks.open(encoding="utf-8", newline="") as file:
        assert all(row["text"] for row in csv.DictReader(file))
    code, _, err = command("text", "evaluate", *files, "--show-text")
    assert (code, "needs --leaks" in err) == (2, True)


def test_groups_and_improvements_are_printed(command: Run, data: Path) -> None:
    files = (data / "gold.jsonl", data / "tool.jsonl")
    code, out, _ = command("text", "evaluate", *files, "--by", "^([a-z-]+)-")
    assert code == 3
    assert "BY GROUP OF DOCUMENTS" in out
    assert "social-work" in out
    assert "WHAT WOULD MAKE THE RISK ACCEPTABLE" in out
    assert command("text", "evaluate", *files, "--by", "colour")[0] == 2


def test_a_list_of_leaks_never_overwrites_what_is_read(command: Run, data: Path) -> None:
    before = (data / "gold.jsonl").read_bytes()
    files = (data / "gold.jsonl", data / "tool.jsonl")
    assert command("text", "evaluate", *files, "--leaks", data / "gold.jsonl")[0] == 2
    assert (data / "gold.jsonl").read_bytes() == before


def test_a_sample_is_drawn(command: Run, data: Path, tmp_path: Path) -> None:
    options = ("--documents", 20, "--strata", "^([a-z-]+)-", "--out", tmp_path / "out", "--json", "-")
    code, out, _ = command("text", "sample", data / "texts", *options)
    result = json.loads(out)
    assert code == 0
    assert (result["kind"], result["sampled"], len(result["strata"])) == ("text_sample", 20, 4)
    assert len(list((tmp_path / "out").glob("*.txt"))) == 20


def test_how_many_documents_are_needed_is_told_without_writing(
    command: Run, data: Path, tmp_path: Path
) -> None:
    options = ("--recall", 0.97, "--upper", 0.08, "--html", tmp_path / "page.html")
    code, out, _ = command("text", "sample", data / "texts", *options)
    assert code == 0
    assert "TOO FEW DOCUMENTS" in out
    assert "177" in out
    assert (tmp_path / "page.html").exists()
    assert command("text", "sample", data / "texts", "--upper", 0.08)[0] == 2
    assert command("text", "sample", data / "texts")[0] == 2


def test_annotators_are_compared_and_merged(command: Run, data: Path, tmp_path: Path) -> None:
    files = (data / "gold.jsonl", data / "ann.jsonl")
    gold, conflicts = tmp_path / "merged.jsonl", tmp_path / "conflicts.csv"
    code, out, _ = command("text", "agree", *files, "--out", gold, "--conflicts", conflicts)
    assert code == 0
    assert "SOME CONFLICTS ARE OPEN" in out
    assert gold.exists()
    decided = conflicts.read_text(encoding="utf-8").replace(",\n", ",gold\n")
    (tmp_path / "decided.csv").write_text(decided, encoding="utf-8")
    options = ("--decisions", tmp_path / "decided.csv", "--out", gold, "--json", "-")
    result = json.loads(command("text", "agree", *files, *options)[1])
    assert (result["kind"], result["acceptable"]) == ("text_agreement", True)
    assert gold.read_text(encoding="utf-8") == (data / "gold.jsonl").read_text(encoding="utf-8")


def test_agree_refuses_what_makes_no_sense(command: Run, data: Path, tmp_path: Path) -> None:
    assert command("text", "agree", data / "gold.jsonl")[0] == 2
    files = (data / "gold.jsonl", data / "ann.jsonl")
    assert command("text", "agree", *files, "--rule", "loudest")[0] == 2
    assert command("text", "agree", *files, "--out", data / "ann.jsonl")[0] == 2
    same = tmp_path / "same"
    assert command("text", "agree", *files, "--out", same, "--conflicts", same)[0] == 2
