"""Whatever goes wrong with texts, no message, result or left-over file says what stands in them."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reidrisk.demo import clinical_notes
from reidrisk.text.formats.jsonl import write_jsonl
from tests.cli.running import Run, runner

CANARIES = ("Qanarybird", "QANARYBIRD", "55443322")
NOTE = "Mr. Zeb Qanarybird, MRN 55443322, was seen on 03/14/2019."
GOOD = json.dumps({"id": "a", "text": NOTE})
TELLS = """
import sys
line = sys.stdin.readline()
print(line, file=sys.stderr)
print({answer}, flush=True)
raise SystemExit(line)
"""


def say_nothing(shown: str, folder: Path, *inputs: Path) -> None:
    """Neither what was printed nor any file but the inputs holds a canary."""
    left = b"".join(
        path.name.encode() + path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path not in inputs
    )
    for canary in CANARIES:
        assert canary not in shown
        assert canary.encode() not in left


def text_file(folder: Path) -> Path:
    path = folder / "note.txt"
    path.write_bytes(NOTE.encode() + b"\n\xff\xfe Qanarybird\x80")
    return path


def binary_file(folder: Path) -> Path:
    path = folder / "note.txt"
    path.write_bytes(NOTE.encode() + b"\0 Qanarybird")
    return path


def folder_of_texts(folder: Path) -> Path:
    path = folder / "notes"
    path.mkdir()
    (path / "a.txt").write_text(NOTE)
    (path / "b.txt").write_bytes(b"Qanarybird \xe9\xe8 55443322")
    return path


def lines(*bad: str) -> Callable[[Path], Path]:
    def made(folder: Path) -> Path:
        path = folder / "notes.jsonl"
        path.write_text("\n".join([GOOD, *bad, GOOD]) + "\n", encoding="utf-8")
        return path

    return made


def table(*rows: str) -> Callable[[Path], Path]:
    def made(folder: Path) -> Path:
        path = folder / "notes.csv"
        path.write_text("\n".join(["id,text", f'1,"{NOTE}"', *rows]) + "\n")
        return path

    return made


@pytest.mark.parametrize(
    "make",
    [
        text_file,
        binary_file,
        folder_of_texts,
        lines('{"id": "b", "text": "Qanarybird'),
        lines('{"id": "b", "text": ["Qanarybird"]}'),
        lines('{"id": "b", "text": {"Qanarybird": 55443322}}'),
        lines('["Qanarybird"]'),
        lines('{"id": "b", "note": "Qanarybird"}'),
        lines("Qanarybird 55443322"),
        table("2,Qanarybird,55443322"),
        table('2,"Qanarybird" 55443322"'),
        table('2,"Qanarybird'),
    ],
)
def test_texts_that_cannot_be_read(command: Run, tmp_path: Path, make: Callable[[Path], Path]) -> None:
    source, out = make(tmp_path), tmp_path / "out"
    inputs = [path for path in tmp_path.rglob("*") if path.is_file()]
    column = ("--column", "text") if source.suffix == ".csv" else ()
    options = ("--out", out, "--model", "none", "--jobs", 1, "--findings", tmp_path / "f.jsonl", *column)
    code, shown, said = command("text", "deidentify", source, *options)
    assert code != 0
    say_nothing(shown + said, tmp_path, *inputs)


@pytest.mark.parametrize("answer", ["line", "'no json'", "''", '\'{"id": "1", "findings": [{}]}\''])
def test_a_plug_in_that_repeats_what_it_gets(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, answer: str
) -> None:
    source, program = tmp_path / "notes.jsonl", tmp_path / "tool.py"
    source.write_text(GOOD + "\n")
    program.write_text(TELLS.format(answer=answer))
    plugin = f"plugin=command:{shlex.quote(sys.executable)} {shlex.quote(str(program))}"
    options = ("--out", tmp_path / "out.jsonl", "--model", "none", "--jobs", 1, "--set", plugin)
    code, shown, said = runner(capfd)("text", "deidentify", source, *options)
    assert code != 0
    assert "by hand" in said
    say_nothing(shown + said + "".join(capfd.readouterr()), tmp_path, source)


@pytest.mark.parametrize("mode", ["redact", "label", "mask", "surrogate"])
def test_results_and_findings_hold_no_text_unless_asked(command: Run, tmp_path: Path, mode: str) -> None:
    source, found = tmp_path / "notes.jsonl", tmp_path / "found.jsonl"
    source.write_text(GOOD + "\n")
    outputs = ("--findings", found, "--json", "-", "--html", tmp_path / "page.html", "--key", tmp_path / "k")
    settings = ("--mode", mode, "--model", "none", "--jobs", 1)
    code, shown, said = command(
        "text", "deidentify", source, "--out", tmp_path / "out.jsonl", *settings, *outputs
    )
    assert code == 0
    assert json.loads(shown)["documents"] == 1
    assert found.stat().st_size > 0
    say_nothing(shown + said, tmp_path, source)
    told = ("--findings", tmp_path / "told.jsonl", "--show-text")
    command("text", "deidentify", source, "--out", tmp_path / "again.jsonl", *settings, *told)
    assert "Qanarybird" in (tmp_path / "told.jsonl").read_text()


def marked(**changed: object) -> str:
    at = NOTE.index("Zeb")
    span = {"start": at, "end": at + 14, "label": "NAME"}
    return json.dumps({"doc_id": "a", "text": NOTE, "spans": [span]} | changed)


BAD_GOLD = [
    marked(spans=[{"start": 4, "end": 9999, "label": "NAME"}]),
    marked(spans=[{"start": 4, "end": 8, "label": "NAME", "text": "Qanarybird"}]),
    marked(spans=[{"start": "Qanarybird", "end": 8, "label": "NAME"}]),
    marked()[:-30],
    marked(text=None),
    marked() + "\n" + marked(text="Qanarybird 55443322 and no more"),
]


@pytest.mark.parametrize("gold", BAD_GOLD)
def test_a_corpus_that_cannot_be_learnt_from(command: Run, tmp_path: Path, gold: str) -> None:
    corpus = tmp_path / "gold.jsonl"
    corpus.write_text(gold + "\n")
    code, shown, said = command("text", "train", corpus, "--out", tmp_path / "own.model")
    assert code != 0
    say_nothing(shown + said, tmp_path, corpus)


@pytest.mark.parametrize("gold", [*BAD_GOLD, marked(doc_id="another")])
def test_a_gold_standard_that_does_not_fit(command: Run, tmp_path: Path, gold: str) -> None:
    corpus, released = tmp_path / "gold.jsonl", tmp_path / "released.jsonl"
    corpus.write_text(gold + "\n")
    released.write_text(json.dumps({"doc_id": "a", "text": "Qanarybird " + NOTE[9:]}) + "\n")
    outputs = ("--json", tmp_path / "attack.json", "--html", tmp_path / "attack.html")
    code, shown, said = command("text", "attack", released, "--gold", corpus, *outputs)
    assert code != 0
    say_nothing(shown + said, tmp_path, corpus, released)


def test_an_attack_does_not_say_what_it_recognised(command: Run, tmp_path: Path) -> None:
    corpus, released = tmp_path / "gold.jsonl", tmp_path / "released.jsonl"
    corpus.write_text(marked() + "\n")
    released.write_text(json.dumps({"doc_id": "a", "text": NOTE.replace("Zeb ", "Abe ")}) + "\n")
    outputs = ("--json", tmp_path / "attack.json", "--html", tmp_path / "attack.html")
    code, shown, said = command("text", "attack", released, "--gold", corpus, *outputs)
    assert code == 0
    say_nothing(shown + said, tmp_path, corpus, released)


def test_a_model_and_its_report_hold_no_word_of_one_document(command: Run, tmp_path: Path) -> None:
    corpus = tmp_path / "gold.jsonl"
    write_jsonl(clinical_notes(documents=16, seed=4), corpus)
    with corpus.open("a") as file:
        file.write(marked(doc_id="canary") + "\n")
    outputs = ("--json", tmp_path / "report.json", "--html", tmp_path / "report.html")
    settings = ("--folds", 2, "--set", "iterations=5")
    code, shown, said = command("text", "train", corpus, "--out", tmp_path / "own.model", *settings, *outputs)
    assert code == 0, said
    say_nothing(shown + said, tmp_path, corpus)
