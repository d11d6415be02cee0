"""The release files that we hand out make sense."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from reidrisk.assess.release_file import read_release
from reidrisk.demo.hospital import FILES as HOSPITAL
from reidrisk.demo.prescriptions import CONFIG, LAYOUT
from reidrisk.demo.release import RELEASE, write_release
from reidrisk.demo.study import DATA as STUDY
from reidrisk.demo.study import MASKED, REPORTS, STRICT

EXAMPLE = Path(__file__).parents[2] / "examples" / "release.yaml"
DATA = (
    "gold.jsonl",
    "tool.jsonl",
    "table/prescriptions.csv",
    "population/state.csv",
    "study/study.key",
    "hospital/hospital.key",
    *(f"hospital/tables/{name}" for name in HOSPITAL),
    "study/findings.json",
    "study/findings.reviewed.json",
    *(f"study/{name}" for name in (*STUDY, *REPORTS)),
)


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """The files of the demonstration, empty: a release file is checked before any of them is read."""
    folder = tmp_path / "demo-output"
    for name in DATA:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    (folder / "types.yaml").write_text("labels: {PERSON: NAME, LOCATION: [CITY, ZIP]}\n", encoding="utf-8")
    (folder / "table" / "demo.key").write_text("x" * 32, encoding="utf-8")
    (folder / "table" / "demo.key").chmod(0o600)
    for rules in (CONFIG, LAYOUT):
        shutil.copy(rules, folder / "table")
    for study in (STRICT, MASKED):
        shutil.copy(study, folder / "study")
    return folder


def test_the_example_is_read(demo: Path, tmp_path: Path) -> None:
    shutil.copy(EXAMPLE, tmp_path)
    found = read_release(tmp_path / "release.yaml")
    assert [part.kind for part in found.parts] == ["text", "table", "population", "documents"]
    assert (found.score.rule, found.score.statistic) == ("overall", "strict_average")


def test_the_release_of_the_demo_lacks_two_practices(demo: Path) -> None:
    write_release(demo / "release.yaml", seed=8)
    found = read_release(demo / "release.yaml")
    assert found.seed == 8
    higher = found.score.to_dict()["next_threshold"]
    assert (higher["cell_size"], higher["missing_count"]) == (3, 2)
    assert RELEASE.read_text(encoding="utf-8").count("\nseed: 7\n") == 1
