"""Paths in a release file stay inside its folder, unless --allow-outside."""

from __future__ import annotations

from pathlib import Path

import pytest

import reidrisk as rr
from reidrisk.errors import InvalidSetting
from tests.cli.running import runner

RELEASE = """reidrisk: 1
release: {{name: A table}}
context: {{preset: ipc, access: public}}
parts:
  - name: table
    kind: table
    table: {table}
    quasi: [sex, age]
    steps: [{{kind: sample, share: 0.5}}]
    out: {out}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "release"
    inside.mkdir()
    for place in (inside, tmp_path):
        (place / "t.csv").write_text("sex,age\n" + "M,30\nF,40\n" * 30, encoding="utf-8")
    (inside / "link.csv").symlink_to(tmp_path / "t.csv")
    (inside / "more").symlink_to(tmp_path)
    (inside / "own.csv").symlink_to(inside / "t.csv")
    return inside


def release(folder: Path, table: object, out: object = "out.csv") -> Path:
    path = folder / "release.yaml"
    path.write_text(RELEASE.format(table=table, out=out), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "table", ["../t.csv", "link.csv", "more/t.csv", "more", "../release/../t.csv", "../*.csv"]
)
def test_what_leads_outside_is_refused(folder: Path, table: str) -> None:
    path = release(folder, table)
    with pytest.raises(InvalidSetting, match=r"outside the folder of the release file(.|\n)*--allow-outside"):
        rr.assess(path)


def test_absolute_paths_and_outputs_outside_are_refused(folder: Path) -> None:
    with pytest.raises(InvalidSetting, match="outside"):
        rr.assess(release(folder, folder.parent / "t.csv"))
    with pytest.raises(InvalidSetting, match=r"out names \.\./out\.csv, which is outside"):
        rr.assess(release(folder, "t.csv", "../out.csv"))
    assert not (folder.parent / "out.csv").exists()


@pytest.mark.parametrize("table", ["t.csv", "own.csv", "./t.csv", "../release/t.csv"])
def test_what_stays_inside_is_read(folder: Path, table: str) -> None:
    assert rr.assess(release(folder, table)).release.parts[0].name == "table"


def test_context_and_temporary_folder(folder: Path) -> None:
    path = release(folder, "t.csv")
    whole = path.read_text(encoding="utf-8")
    (folder.parent / "context.yaml").write_text("{preset: ipc, access: public}", encoding="utf-8")
    for old, new in (
        ("{preset: ipc, access: public}", "../context.yaml"),
        ("preset: ipc", "preset: ../preset.yaml"),
        ("parts:", "limits: {temp: ..}\nparts:"),
    ):
        path.write_text(whole.replace(old, new), encoding="utf-8")
        with pytest.raises(InvalidSetting, match="outside the folder"):
            rr.assess(path)


def test_the_commands_allow_more(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, command = release(folder, "../t.csv"), runner(capsys)
    code, _, err = command("assess", path, "--quiet")
    assert code == 2
    assert "--allow-outside" in err
    assert command("assess", path, "--quiet", "--allow-outside")[0] in (0, 3)
    code, _, err = command("verify", folder / "assessment", "--quiet")
    assert code == 2
    assert "--allow-outside" in err
    assert command("verify", folder / "assessment", "--quiet", "--allow-outside")[0] == 0
