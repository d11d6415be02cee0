"""Files that somebody else wrote or changed are replaced only with --overwrite."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import Run, runner


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(capsys)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    path.write_text("sex,age\n" + "M,30\nF,40\n" * 10, encoding="utf-8")
    return path


def test_a_file_of_somebody_else_stays(command: Run, table: Path, tmp_path: Path) -> None:
    target = tmp_path / "result.json"
    target.write_text("mine", encoding="utf-8")
    words = ("table", "risk", table, "--quasi", "sex,age", "--quiet", "--json", target)
    code, _, err = command(*words)
    assert code == 1
    assert "result.json" in err
    assert "--overwrite" in err
    assert target.read_text(encoding="utf-8") == "mine"
    assert command(*words, "--overwrite")[0] == 0
    assert json.loads(target.read_text(encoding="utf-8"))["kind"] == "table_risk"


def test_our_own_file_is_replaced_until_somebody_changes_it(
    command: Run, table: Path, tmp_path: Path
) -> None:
    target = tmp_path / "result.json"
    words = ("table", "risk", table, "--quasi", "sex,age", "--quiet", "--json", target)
    assert [command(*words)[0] for _ in range(2)] == [0, 0]
    with target.open("a", encoding="utf-8") as file:
        file.write(" ")
    assert command(*words)[0] == 1


def test_a_damaged_record_forgets_and_protects(command: Run, table: Path, tmp_path: Path) -> None:
    target, record = tmp_path / "result.json", tmp_path / ".reidrisk" / "written.json"
    words = ("table", "risk", table, "--quasi", "sex,age", "--quiet", "--json", target)
    assert command(*words)[0] == 0
    known = json.loads(record.read_text(encoding="utf-8"))
    assert list(known["files"]) == ["result.json"]
    for content in ("[", "[]", '{"files": 3}', '{"files": {"result.json": 7}}'):
        record.write_text(content, encoding="utf-8")
        assert command(*words)[0] == 1
    record.unlink()
    assert command(*words)[0] == 1


def test_a_converted_corpus_and_a_draft(command: Run, table: Path, tmp_path: Path) -> None:
    gold, out = tmp_path / "gold.jsonl", tmp_path / "out.jsonl"
    gold.write_text('{"doc_id": "1", "text": "Ann", "entities": []}\n', encoding="utf-8")
    out.write_text("mine", encoding="utf-8")
    assert command("text", "convert", gold, "--to", "jsonl", "--out", out)[0] == 1
    assert out.read_text(encoding="utf-8") == "mine"
    assert command("text", "convert", gold, "--to", "jsonl", "--out", out, "--overwrite", "--quiet")[0] == 0
    draft = tmp_path / "release.yaml"
    assert command("init", table, "--out", draft)[0] == 0
    assert command("init", table, "--out", draft)[0] == 0
    draft.write_text(draft.read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")
    assert command("init", table, "--out", draft)[0] == 1
    assert "# mine" in draft.read_text(encoding="utf-8")
