"""The draft of a release as data: what files were recognized as, and why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

import reidrisk as rr
from reidrisk.assess import drafting
from reidrisk.assess.drafting import draft_parts
from reidrisk.errors import UnreadableFile
from tests.assess.builders import HIDDEN
from tests.cli.running import Run


def test_parts_and_columns_have_reasons(folder: Path) -> None:
    (folder / "csr.pdf").write_bytes(b"%PDF-1.7")
    found = draft_parts(folder)
    assert [(one.name, one.kind, one.files) for one in found.parts] == [
        ("notes", "text", ("gold.jsonl", "tool.jsonl")),
        ("people", "population", ("people.csv",)),
        ("rx", "table", ("rx.csv",)),
    ]
    assert all(one.reason for one in found.parts)
    columns = {one.name: one for one in found.parts[2].columns}
    assert {name: one.role for name, one in columns.items()} == {
        "name": "direct",
        "sex": "quasi",
        "age": "quasi",
    }
    assert all(one.reason and one.confidence for one in columns.values())
    [unknown] = found.unknown
    assert unknown.file == "csr.pdf"
    assert "study.yaml" in unknown.hint
    assert HIDDEN not in json.dumps(found.to_dict())


def test_the_text_of_init_is_made_from_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    found = draft_parts(folder, ["gold.jsonl", "tool.jsonl", "rx.csv"])
    text = rr.draft_release(["gold.jsonl", "tool.jsonl", "rx.csv"])
    assert found.text == text
    assert [one.settings for one in found.parts] == yaml.safe_load(text)["parts"]


def test_a_file_is_not_read_twice(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [folder / "people.csv", folder / "rx.csv"]
    first = draft_parts(folder, files)
    monkeypatch.setattr(drafting, "sketch_file", lambda *_: pytest.fail("it was read again"))
    assert draft_parts(folder, files) == first
    assert HIDDEN not in "".join(one.read_text() for one in (folder / ".reidrisk" / "drafts").iterdir())
    monkeypatch.undo()
    (folder / "rx.csv").write_text("code,visits\n" + "x,1\n" * 30)
    assert [one.name for one in draft_parts(folder, files).parts[1].columns] == ["code", "visits"]


def test_uploads_come_first_and_outputs_are_no_inputs(folder: Path, command: Run) -> None:
    (folder / "uploads").mkdir()
    (folder / "rx.csv").rename(folder / "uploads" / "rx.csv")
    [part] = draft_parts(folder).parts
    assert part.files == ("uploads/rx.csv",)
    assert command("init", folder / "people.csv", "--out", folder / "other.yaml")[0] == 0
    (folder / "uploads" / "rx.csv").unlink()
    (folder / "uploads").rmdir()
    assert "other.yaml" not in [one.file for one in draft_parts(folder).unknown]
    with pytest.raises(UnreadableFile, match="not a folder"):
        draft_parts(folder / "none")


def test_init_writes_the_same_as_json(folder: Path, command: Run) -> None:
    code, out, _ = command("init", folder / "rx.csv", "--json", "-")
    found = json.loads(out)
    assert (code, found["kind"], found["parts"][0]["columns"][0]["role"]) == (0, "release_draft", "direct")
    made = (folder / "release.yaml", folder / "draft.json")
    assert command("init", folder / "rx.csv", "--out", made[0], "--json", made[1])[0] == 0
    assert (
        yaml.safe_load(made[0].read_text())["parts"][0]
        == json.loads(made[1].read_text())["parts"][0]["settings"]
    )
