"""The log of a release folder: chained, appended by every command that writes, without values."""

from __future__ import annotations

import errno
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from reidrisk.core.files import whole_path, write_text
from reidrisk.core.trail import (
    LOG_PATH,
    MOST_FILES,
    Recorder,
    append,
    check_trail,
    read_trail,
    recorded,
    release_folder_of,
)
from reidrisk.errors import InvalidSetting, UnreadableFile

ENTRY: dict[str, Any] = {
    "time": "2026-11-01T12:00:00+00:00",
    "user": "ann",
    "name": None,
    "command": "assess",
    "options": ["--out"],
    "versions": {},
    "inputs": [],
    "outputs": [{"path": "x", "sha256": "0" * 64, "bytes": 1}],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "release.yaml").write_text("reidrisk: 1\n")
    return tmp_path


def log(folder: Path) -> Path:
    return folder / LOG_PATH


def test_what_a_command_writes_is_logged_where_it_belongs(folder: Path) -> None:
    inner = folder / "assessment"
    (inner / ".reidrisk").mkdir(parents=True)
    given = folder / "given.csv"
    given.write_text("a\n")
    with recorded(Recorder("table deidentify", ["--out"], inputs=[given])):
        write_text(folder / "deep.csv", "one\n")
        write_text(inner / "report.html", "two\n")
    (outer,), (own,) = read_trail(folder).entries, read_trail(inner).entries
    assert [line["path"] for line in outer["outputs"]] == ["deep.csv"]
    assert [line["path"] for line in own["outputs"]] == ["report.html"]
    assert (outer["inputs"][0]["path"], own["inputs"][0]["path"]) == ("given.csv", "../given.csv")
    assert (outer["command"], outer["options"], outer["exit_code"]) == ("table deidentify", ["--out"], 0)
    assert outer["versions"]["reidrisk"]
    assert outer["user"]


def test_nothing_is_logged_outside_of_release_folders_or_for_what_is_gone(tmp_path: Path) -> None:
    assert release_folder_of(tmp_path / "x") is None
    with recorded(Recorder("x")):
        write_text(tmp_path / "x", "1")
        (tmp_path / "release.yaml").write_text("x")
        write_text(tmp_path / "gone", "1")
        (tmp_path / "gone").unlink()
        (tmp_path / "x").unlink()
    assert not log(tmp_path).exists()


def test_a_file_in_a_work_folder_that_is_still_there_is_no_output(folder: Path) -> None:
    work = folder / ".reidrisk-0123456789ab.work"
    work.mkdir()
    with recorded(Recorder("verify")):
        write_text(work / "again.csv", "1\n")
        write_text(folder / "out.json", "{}\n")
    (entry,) = read_trail(folder).entries
    assert (work / "again.csv").exists()
    assert [line["path"] for line in entry["outputs"]] == ["out.json"]


def test_a_command_that_failed_is_logged_with_its_exit_code(folder: Path) -> None:
    def fail() -> None:
        with recorded(Recorder("x")):
            write_text(folder / "half", "1")
            raise InvalidSetting("no", hint="no")

    with pytest.raises(InvalidSetting):
        fail()
    assert read_trail(folder).entries[0]["exit_code"] == 2


def test_commands_inside_of_others_log_what_they_write_themselves(folder: Path) -> None:
    with recorded(Recorder("demo")):
        write_text(folder / "a", "1")
        with recorded(Recorder("assess")):
            write_text(folder / "b", "1")
    entries = read_trail(folder).entries
    assert [(one["command"], one["outputs"][0]["path"]) for one in entries] == [
        ("assess", "b"),
        ("demo", "a"),
    ]


def test_a_folder_and_many_files_are_one_line(folder: Path) -> None:
    with recorded(Recorder("x")):
        with whole_path(folder / "made", folder=True) as part:
            (part / "a.txt").write_text("a")
            (part / "b.txt").write_text("b")
        (folder / "many").mkdir()
        for number in range(MOST_FILES + 1):
            write_text(folder / "many" / f"{number}.txt", "x")
    made, many = read_trail(folder).entries[0]["outputs"]
    assert (made["path"], made["files"], made["bytes"]) == ("made/", 2, 2)
    assert (many["path"], many["files"]) == ("many/", MOST_FILES + 1)


def test_of_a_key_only_the_name_is_logged(folder: Path) -> None:
    from reidrisk.core.key import make_key, new_key

    with recorded(Recorder("key new")):
        make_key(folder / "p.key")
        new_key(folder / "s.key", "signing")
    lines = {line["path"]: line["sha256"] for line in read_trail(folder).entries[0]["outputs"]}
    assert (lines["p.key"], lines["s.key"]) == (None, None)
    assert lines["s.key.pub"]


def test_a_folder_is_an_input_unless_the_command_wrote_into_it(folder: Path) -> None:
    for name in ("read", "changed"):
        (folder / name).mkdir()
        (folder / name / "a.txt").write_text("a")
    with recorded(Recorder("x", inputs=[folder / "read", folder / "changed"])):
        write_text(folder / "changed" / "b.txt", "b")
    assert [line["path"] for line in read_trail(folder).entries[0]["inputs"]] == ["read/"]


def test_each_line_has_the_hash_of_the_line_before(folder: Path) -> None:
    for _ in range(3):
        append(folder, ENTRY)
    trail = read_trail(folder)
    assert trail.holds
    assert [one["number"] for one in trail.entries] == [1, 2, 3]
    assert trail.entries[0]["previous"] is None
    assert [one["previous"] for one in trail.entries[1:]] == list(trail.hashes[:2])
    assert trail.head == trail.hashes[-1]


@pytest.mark.parametrize(
    ("number", "line", "said"),
    [
        (1, lambda line: line.replace(b"ann", b"bob"), "Line 3 does not follow from the line before"),
        (0, lambda _: None, "Line 1 has the number 2"),
        (1, lambda _: b"garbage", "Line 2 is not an entry of a log."),
        (1, lambda line: line + b"\n" + line, "Line 3 has the number 2"),
        (1, lambda _: b"[1]", "Line 2 is not an entry of a log."),
        (1, lambda line: line.replace(b'["--out"]', b"5"), "Line 2 is not an entry of a log."),
    ],
)
def test_a_changed_removed_or_added_line_is_found(folder: Path, number: int, line: object, said: str) -> None:
    for _ in range(3):
        append(folder, ENTRY)
    lines = log(folder).read_bytes().splitlines()
    new = line(lines[number])  # type: ignore[operator]
    lines[number : number + 1] = [] if new is None else [new]
    log(folder).write_bytes(b"\n".join(lines) + b"\n")
    trail = read_trail(folder)
    assert not trail.holds
    assert any(said in text for text in trail.problems)


def test_a_torn_last_line_is_told_and_the_log_goes_on(folder: Path) -> None:
    for _ in range(2):
        append(folder, ENTRY)
    whole = log(folder).read_bytes()
    log(folder).write_bytes(whole[:-40])
    torn = read_trail(folder)
    assert torn.holds
    assert torn.notes == ("Line 2 is incomplete: a command was stopped while it wrote it.",)
    append(folder, ENTRY)
    after = read_trail(folder)
    assert after.holds
    assert after.notes == torn.notes
    assert [one["number"] for one in after.entries] == [1, 3]
    log(folder).write_bytes(log(folder).read_bytes().replace(whole.splitlines()[1][:20], b"x" * 20))
    assert not read_trail(folder).holds, "a line in the middle that was torn later"


def test_an_empty_log_holds() -> None:
    assert check_trail(b"", "x").holds
    assert check_trail(b"", "x").head is None


def test_threads_append_one_after_the_other(folder: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: append(folder, ENTRY), range(24)))
    trail = read_trail(folder)
    assert trail.holds
    assert len(trail.entries) == 24


def test_a_full_disk_leaves_the_log_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append(folder, ENTRY)
    before, write = log(folder).read_bytes(), os.write
    calls: list[int] = []

    def half_then_full(descriptor: int, content: bytes) -> int:
        calls.append(len(content))
        if len(calls) > 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(descriptor, content[: len(content) // 2])

    monkeypatch.setattr("os.write", half_then_full)
    with pytest.raises(UnreadableFile, match=r"The log of .* cannot be written: No space left"):
        append(folder, ENTRY)
    monkeypatch.undo()
    assert len(calls) == 2
    assert log(folder).read_bytes() == before


def test_an_error_of_the_command_is_not_hidden_by_one_of_the_log(folder: Path) -> None:
    (folder / ".reidrisk").write_text("no folder")

    def fail(error: BaseException) -> None:
        with recorded(Recorder("x")):
            write_text(folder / "made", "1")
            raise error

    with pytest.raises(InvalidSetting, match="the real reason"):
        fail(InvalidSetting("the real reason", hint="x"))
    with pytest.raises(UnreadableFile, match="The log of"):
        fail(SystemExit(0))


def test_links_and_pipes_are_refused(folder: Path) -> None:
    (folder / ".reidrisk").mkdir()
    os.mkfifo(log(folder))
    with pytest.raises(UnreadableFile):
        append(folder, ENTRY)
    log(folder).unlink()
    (folder / "elsewhere").write_text("")
    log(folder).symlink_to(folder / "elsewhere")
    with pytest.raises(UnreadableFile, match="The log of"):
        append(folder, ENTRY)
    assert (folder / "elsewhere").read_text() == ""
    (folder / ".reidrisk").rename(folder / "real")
    (folder / ".reidrisk").symlink_to(folder / "real")
    with pytest.raises(UnreadableFile, match="is a link"):
        append(folder, ENTRY)


def test_what_has_no_log(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="has no log"):
        read_trail(tmp_path)


def test_the_json_of_the_log(folder: Path) -> None:
    append(folder, ENTRY)
    shown = read_trail(folder).to_dict()
    assert json.loads(json.dumps(shown))["entries"][0]["user"] == "ann"
    assert "ann: assess --out -> x" in str(read_trail(folder))
