"""A release file is changed with its comments kept, and nobody's change is lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import yaml

from reidrisk.assess.editing import REMOVED, edit_release, release_sha256, setting_path
from reidrisk.core.trail import read_trail
from reidrisk.core.yaml_file import read_lined_yaml
from reidrisk.errors import ChangedMeanwhile, InvalidSetting, ReidRiskError
from tests.assess.builders import write_file
from tests.cli.running import Run

CHECKLIST = "need_to_know: {answer: yes, evidence: a contract}   # from last year\n"


@pytest.fixture
def release(folder: Path) -> Path:
    path = write_file(folder, "records", "made")
    path.write_text(f"# Ours\n{path.read_text()}# The end\n")
    return path


def changed(path: Path, changes: Any) -> Any:
    after = edit_release(path, changes, expected_sha256=release_sha256(path))
    assert after == release_sha256(path)
    return yaml.safe_load(path.read_text())


def test_settings_by_name_position_and_keys(release: Path) -> None:
    found = changed(
        release,
        {
            "context.controls": "high",
            "parts[0].quasi": ["sex"],
            "parts.made.out": "other.csv",
            ("parts", 1, "direct", "name"): "keep",
            "release.purpose": "12",
            "release.date": REMOVED,
        },
    )
    assert found["context"]["controls"] == "high"
    assert found["parts"][0]["quasi"] == ["sex"]
    assert found["parts"][1]["out"] == "other.csv"
    assert found["parts"][1]["direct"] == {"name": "keep"}
    assert found["release"] == {"name": "A small release", "review_months": 6, "purpose": "12"}
    text = release.read_text()
    assert text.startswith("# Ours\n")
    assert text.endswith("# The end\n")


def test_parts_are_added_and_removed(release: Path) -> None:
    part = {"name": "more", "kind": "table", "table": "rx.csv", "quasi": ["sex"], "direct": ["name"]}
    assert [one["name"] for one in changed(release, {"parts[2]": part})["parts"]] == [
        "records",
        "made",
        "more",
    ]
    found = changed(release, {"parts[0]": REMOVED, "parts.more": REMOVED})
    assert [one["name"] for one in found["parts"]] == ["made"]


def test_what_contradicts_a_new_setting_goes(release: Path) -> None:
    found = changed(release, {"context.checklist.disposal": {"answer": "yes", "evidence": "a contract"}})
    assert "controls" not in found["context"]
    found = changed(release, {"context.controls": "low"})
    assert "checklist" not in found["context"]
    found = changed(release, {"context.controls": REMOVED})
    assert not {"controls", "checklist"} & set(found["context"])


def test_a_checklist_in_a_file_becomes_part_of_the_release(release: Path) -> None:
    sheet = release.parent / "checklist.yaml"
    sheet.write_text(CHECKLIST)
    changed(release, {"context.checklist": "checklist.yaml"})
    changed(release, {"context.checklist.disposal": "no"})
    found = read_lined_yaml(release).content["context"]["checklist"]
    assert found == {"need_to_know": {"answer": "yes", "evidence": "a contract"}, "disposal": "no"}
    assert sheet.read_text() == CHECKLIST


def test_a_file_that_was_changed_meanwhile_is_left_alone(release: Path) -> None:
    seen = release_sha256(release)
    changed(release, {"seed": 8})
    before = release.read_bytes()
    with pytest.raises(ChangedMeanwhile, match="was changed meanwhile"):
        edit_release(release, {"seed": 9}, expected_sha256=seen)
    assert release.read_bytes() == before


def test_of_two_at_the_same_time_one_is_refused(release: Path) -> None:
    seen = release_sha256(release)

    def edit(seed: int) -> bool:
        try:
            edit_release(release, {"seed": seed}, expected_sha256=seen)
        except ChangedMeanwhile:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(edit, range(100, 108))) == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"parts[0].qausi": ["sex"]}, r"parts\[0\] has no setting 'qausi'"),
        ({"parts[0].table": "none.csv"}, "none.csv, which does not exist"),
        ({"parts[0].table": "../rx.csv"}, "outside the folder"),
        ({"parts[7].table": "rx.csv"}, r"parts\[7\] is not a position in a list"),
        ({"parts.other.table": "rx.csv"}, "The name of a part cannot be 'other'"),
        ({"seed.more": 1}, "seed has no setting below it"),
        ({"context.recognition": REMOVED}, "context.recognition is not set"),
        ({"context": REMOVED, "parts": []}, "parts"),
        ({"a..b": 1}, "'a..b' does not name a setting"),
        ({"seed": {1, 2}}, "type set"),
    ],
)
def test_a_result_that_is_no_release_is_refused(release: Path, changes: Any, message: str) -> None:
    before = release.read_bytes()
    with pytest.raises(ReidRiskError, match=message):
        edit_release(release, changes, expected_sha256=release_sha256(release))
    assert release.read_bytes() == before


def test_line_breaks_and_byte_order_mark_stay(release: Path) -> None:
    release.write_bytes(b"\xef\xbb\xbf" + release.read_bytes().replace(b"\n", b"\r\n"))
    changed(release, {"seed": 8})
    after = release.read_bytes()
    assert after.startswith(b"\xef\xbb\xbf# Ours\r\n")
    assert b"seed: 8\r\n" in after
    assert after.count(b"\r\n") == after.count(b"\n")


def test_paths_of_settings() -> None:
    assert setting_path(("parts", 0)) == ("parts", 0)
    assert setting_path("parts[0].columns.age at visit") == ("parts", 0, "columns", "age at visit")
    for wrong in ("", ".a", "a[", "a[x]", 'a["]'):
        with pytest.raises(InvalidSetting):
            setting_path(wrong)


def test_the_command_changes_the_file_and_logs_it(release: Path, command: Run) -> None:
    code, out, _ = command("release", "set", release, "parts[0].confirmed=true", "--remove", "seed")
    assert (code, release_sha256(release) in out) == (0, True)
    found = yaml.safe_load(release.read_text())
    assert found["parts"][0]["confirmed"] is True
    assert "seed" not in found
    last = read_trail(release.parent).entries[-1]
    assert (last["command"], last["options"]) == ("release set", ["--remove"])
    assert last["outputs"][0]["path"] == "release.yaml"
    assert command("release", "set", release, "seed=9", "--expect", "0" * 64)[0] == 1
    assert command("release", "set", release, "seed=x")[0] == 2
    assert command("release", "set", release)[0] == 2
    assert command("release", "set", release, "parts[0].confirmed=true")[1].startswith("Unchanged")
