"""Files that somebody else wrote or changed are replaced only with --overwrite."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reidrisk.core import written_files
from reidrisk.core.written_files import record_path
from tests.cli.running import Run, runner


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(capsys)


@pytest.fixture(autouse=True)
def state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))


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


def test_the_record_has_no_name_and_adds_nothing_to_the_folder(
    command: Run, table: Path, tmp_path: Path
) -> None:
    words = ("table", "risk", table, "--quasi", "sex,age", "--quiet", "--json", tmp_path / "result.json")
    assert command(*words)[0] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["result.json", "t.csv"]
    record = record_path()
    assert [len(line) for line in record.read_text().split()] == [64]
    assert (record.stat().st_mode | record.parent.stat().st_mode) & 0o077 == 0


@pytest.mark.parametrize("content", [None, b"", b"\xff" * 70, b"0" * 64])
def test_without_its_line_in_the_record_a_file_stays(
    command: Run, table: Path, tmp_path: Path, content: bytes | None
) -> None:
    words = ("table", "risk", table, "--quasi", "sex,age", "--quiet", "--json", tmp_path / "result.json")
    assert command(*words)[0] == 0
    record_path().unlink() if content is None else record_path().write_bytes(content)
    assert command(*words)[0] == 1
    assert [command(*words, *more)[0] for more in (("--overwrite",), ())] == [0, 0]


def test_a_torn_line_costs_only_itself(command: Run, table: Path, tmp_path: Path) -> None:
    words = ("table", "risk", table, "--quasi", "sex,age", "--quiet", "--json", tmp_path / "result.json")
    record_path().parent.mkdir(parents=True)
    record_path().write_bytes(b"\n0123")
    assert [command(*words)[0] for _ in range(2)] == [0, 0]


def test_a_moved_copy_is_not_ours(command: Run, table: Path, tmp_path: Path) -> None:
    words = ("table", "risk", table, "--quasi", "sex,age", "--quiet", "--json")
    assert command(*words, tmp_path / "result.json")[0] == 0
    (tmp_path / "kept.json").write_bytes((tmp_path / "result.json").read_bytes())
    assert command(*words, tmp_path / "kept.json")[0] == 1


def test_where_nothing_can_be_recorded_the_command_works(
    command: Run, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("table", "risk", table, "--quasi", "sex,age", "--quiet", "--json", tmp_path / "result.json")
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert [command(*words, *more)[0] for more in ((), (), ("--overwrite",))] == [0, 1, 0]


def test_a_long_record_forgets_its_older_half(
    command: Run, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(written_files, "MOST_BYTES", 66 * 6)
    words = ("table", "risk", table, "--quasi", "sex,age", "--quiet", "--json")
    names = [tmp_path / f"{number}.json" for number in range(8)]
    assert {command(*words, name)[0] for name in names} == {0}
    assert [command(*words, name)[0] for name in (names[0], names[-1])] == [1, 0]


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
