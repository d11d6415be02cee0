from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import reidrisk as rr
from reidrisk.assess.kinds.text import TextSketch
from reidrisk.assess.release_file import read_release
from reidrisk.errors import InvalidSetting, UnreadableFile
from tests.assess.builders import HIDDEN


@pytest.fixture
def draft(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(folder)
    return rr.draft_release(["rx.csv", "tool.jsonl", "gold.jsonl", "people.csv"])


def test_files_become_parts_by_what_is_in_them(draft: str) -> None:
    parts = {part["name"]: part for part in yaml.safe_load(draft)["parts"]}
    assert [part["kind"] for part in parts.values()] == ["text", "table", "population"]
    assert (parts["notes"]["gold"], parts["notes"]["tool"]) == ("gold.jsonl", "tool.jsonl")
    assert parts["rx"]["quasi"] == ["sex", "age"]
    assert parts["rx"]["direct"] == {"name": "drop"}
    assert parts["people"]["population"] == "people.csv"


def test_it_can_be_assessed_as_it_is_and_says_what_it_means(draft: str, folder: Path) -> None:
    (folder / "release.yaml").write_text(draft, encoding="utf-8")
    assert len(read_release(folder / "release.yaml").parts) == 3
    keys = [line for line in draft.splitlines() if ": " in line and not line.lstrip().startswith(("#", "-"))]
    assert sum("#" in line for line in keys) > len(keys) / 2
    assert HIDDEN not in draft


def test_a_missing_side_is_left_for_a_person(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / "release.yaml").write_text(rr.draft_release(["gold.jsonl"]), encoding="utf-8")
    with pytest.raises(InvalidSetting, match=r"line \d+: parts\[0\].tool names TO-BE-NAMED"):
        read_release(folder / "release.yaml")


@pytest.mark.parametrize(
    ("names", "pairs"),
    [
        (["a.jsonl", "b.jsonl"], [("a.jsonl", "b.jsonl")]),
        (["pred/", "gold/"], [("gold/", "pred/")]),
        (["gold", "tool1", "tool2"], [("gold", "tool1"), ("gold", "tool2")]),
        (["tool", "x"], [("x", "tool")]),
        (["tool"], [("tool", None)]),
        ([], []),
    ],
)
def test_sides_by_their_names(names: list[str], pairs: list[tuple[str, str | None]]) -> None:
    found = TextSketch.pair([TextSketch(name) for name in names])
    assert [(one.path, one.tool) for one in found] == pairs


def test_strange_names_stay_readable(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    odd = folder / "rx, of: 2026 #1.csv"
    odd.write_text(
        (folder / "rx.csv").read_text(encoding="utf-8").replace("sex", "sex: m/f #"), encoding="utf-8"
    )
    found = yaml.safe_load(rr.draft_release([odd.name, odd.name]))
    assert [part["table"] for part in found["parts"]] == [odd.name, odd.name]
    assert len({part["name"] for part in found["parts"]}) == 2


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match="No file"):
        rr.draft_release([])
    with pytest.raises(UnreadableFile, match="does not exist"):
        rr.draft_release([tmp_path / "none.csv"])
