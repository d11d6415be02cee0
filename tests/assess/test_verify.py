from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import reidrisk as rr
from reidrisk.assess.folder import add_files
from reidrisk.assess.inputs import file_hash
from reidrisk.errors import UnreadableFile
from tests.assess.builders import write_data, write_file


@pytest.fixture(scope="module")
def assessed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data and their assessment beside each other, of which every test has a copy."""
    place = tmp_path_factory.mktemp("assessed")
    (place / "data").mkdir()
    write_data(place / "data")
    rr.assess(write_file(place / "data"), out=place / "out")
    return place


@pytest.fixture
def folder(assessed: Path, tmp_path: Path) -> Path:
    shutil.copytree(assessed, tmp_path, dirs_exist_ok=True)
    return tmp_path / "data"


@pytest.fixture
def out(folder: Path) -> Path:
    return folder.parent / "out"


def test_what_was_not_touched_is_verified(out: Path) -> None:
    found = rr.verify(out)
    assert found.holds
    assert found.is_repeated
    assert str(found).startswith("VERIFIED")
    assert not rr.verify(out, quick=True).is_repeated


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("assessment.json", "assessment.json was changed"),
        ("parts/records/class_sizes.csv", "class_sizes.csv was changed"),
        ("remarks.txt", "remarks.txt does not belong"),
    ],
)
def test_a_changed_file_is_named(out: Path, name: str, said: str) -> None:
    with (out / name).open("a", encoding="utf-8") as file:
        file.write("\n")
    found = rr.verify(out)
    assert not found.holds
    assert said in str(found)
    assert not found.is_repeated, "what was changed is not worth another run"


def test_changed_and_missing_inputs_are_named(out: Path, folder: Path) -> None:
    write_data(folder, leaky=0)
    assert rr.verify(out, quick=True).differences == ("The input tool.jsonl of notes has changed.",)
    (folder / "people.csv").unlink()
    (folder / "made.csv").unlink()
    assert set(rr.verify(out).differences) == {
        "The input tool.jsonl of notes has changed.",
        "The input people.csv of state is missing.",
        "The table made.csv of made is missing.",
    }


def test_a_figure_that_does_not_come_out_again_is_found(out: Path) -> None:
    """Somebody who changes a figure and its hash is caught by the second run."""
    path = out / "assessment.json"
    result = json.loads(path.read_text(encoding="utf-8"))
    result["parts"][0]["judged"]["risk"] = 0.001
    path.write_text(json.dumps(result), encoding="utf-8")
    add_files(out, [])
    assert rr.verify(out, quick=True).holds
    assert rr.verify(out).differences == ("assessment.json differs when it is run again, in: parts.",)


def test_reports_join_the_manifest(out: Path) -> None:
    (out / "report.html").write_text("<p>", encoding="utf-8")
    assert not rr.verify(out, quick=True).holds
    add_files(out, ["report.html"])
    assert rr.verify(out).holds


def test_monitoring_does_not_stand_in_the_way(out: Path, folder: Path, tmp_path: Path) -> None:
    rr.assess(folder / "release.yaml", out=tmp_path / "later", previous=out)
    assert rr.verify(tmp_path / "later").holds


def test_what_is_no_assessment(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="contains no assessment"):
        rr.verify(tmp_path)
    (tmp_path / "manifest.json").write_text('{"kind": "manifest"}', encoding="utf-8")
    with pytest.raises(UnreadableFile, match="contains no assessment"):
        add_files(tmp_path, [])


def test_a_table_that_went_out_is_made_again(out: Path, folder: Path) -> None:
    """Somebody who exchanges the table and its hash is caught by the second run."""
    made = folder / "made.csv"
    made.write_text(made.read_text(encoding="utf-8").replace("F", "M", 1), encoding="utf-8")
    path = out / "manifest.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    content["outputs"][0]["sha256"] = file_hash(made)[0]
    path.write_text(json.dumps(content), encoding="utf-8")
    assert rr.verify(out, quick=True).holds
    assert rr.verify(out).differences == ("The table made.csv of made differs when it is written again.",)
    content["outputs"][0]["secret"] = "another"  # noqa: S105 - a fingerprint
    path.write_text(json.dumps(content), encoding="utf-8")
    assert rr.verify(out).differences == ("The table made.csv of made was written with another key.",)


def test_nothing_is_left_beside_the_folder(out: Path) -> None:
    before = sorted(out.parent.iterdir())
    rr.verify(out)
    assert sorted(out.parent.iterdir()) == before
