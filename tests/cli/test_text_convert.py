"""`reidrisk text convert`."""

from __future__ import annotations

from pathlib import Path

from reidrisk.text.read import read_documents
from tests.cli.running import Run

MARK = '{"start": 0, "end": 4, "type": "NAME", "id_type": "DIRECT"}'
LINE = f'{{"doc_id": "d1", "text": "Anna", "entities": [{MARK}]}}\n'


def test_a_conversion_says_what_was_left_out(tmp_path: Path, command: Run) -> None:
    (tmp_path / "a.jsonl").write_text(LINE)
    words = ("--to", "i2b2-2014", "--out", tmp_path / "x")
    code, out, _ = command("text", "convert", tmp_path / "a.jsonl", *words)
    assert code == 0
    assert "1 document with 1 annotation as i2b2-2014" in out
    assert "Note: left out, because i2b2-2014 cannot hold them: 1 role" in out
    assert [document.id for document in read_documents(tmp_path / "x")] == ["d1"]


def test_annotations_that_do_not_fit_are_listed(tmp_path: Path, command: Run) -> None:
    (tmp_path / "a.jsonl").write_text(LINE.replace("4", "9"))
    words = ("--to", "brat", "--out", tmp_path / "x", "--misaligned", "skip")
    code, out, _ = command("text", "convert", tmp_path / "a.jsonl", *words)
    assert code == 0
    assert "document 1, NAME at 0-9: skipped" in out
    assert command("text", "convert", tmp_path / "a.jsonl", *words[:-1], "skipp")[0] == 2


def test_quiet_and_a_named_format(tmp_path: Path, command: Run) -> None:
    (tmp_path / "a.jsonl").write_text(LINE)
    words = ("--from", "jsonl", "--to", "brat", "--out", tmp_path / "x", "--quiet")
    assert command("text", "convert", tmp_path / "a.jsonl", *words) == (0, "", "")


def test_a_refusal_is_a_failure_and_a_wrong_name_wrong_usage(tmp_path: Path, command: Run) -> None:
    (tmp_path / "a.jsonl").write_text(LINE.replace("4", "9"))
    words = ("text", "convert", tmp_path / "a.jsonl", "--out", tmp_path / "x")
    assert command(*words, "--to", "brat")[0] == 1
    assert command(*words, "--to", "bratt")[0] == 2
    assert not (tmp_path / "x").exists()
