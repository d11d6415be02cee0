"""The state of a release is read from its folder, and nothing is measured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from reidrisk.assess.editing import edit_release, release_sha256
from reidrisk.assess.run import assess
from reidrisk.assess.run_lock import only_run
from reidrisk.assess.state import list_releases, release_state
from reidrisk.core.key import new_key
from reidrisk.errors import UnreadableFile
from reidrisk.report.assessment_folder import sign
from tests.assess.builders import write_data, write_file
from tests.cli.running import Run


@pytest.fixture
def release(folder: Path) -> Path:
    return write_file(folder, "records", "state")


def test_before_and_after_a_run(release: Path) -> None:
    before = release_state(release.parent)
    assert (before.title, before.verdict, before.made, before.holds) == ("A small release", None, None, False)
    assert [(one.name, one.kind, one.verdict) for one in before.parts] == [
        ("records", "table", None),
        ("state", "population", None),
    ]
    done = assess(release, out=release.parent / "assessment").to_dict()
    after = release_state(release.parent)
    assert after.verdict == ("acceptable" if done["acceptable"] else "not_acceptable")
    assert after.sentence == done["verdict"]["sentence"]
    assert [one.risk for one in after.parts] == [one["judged"]["overall"] for one in done["parts"]]
    assert after.next_review == done["release"]["review"]["due"] == "2027-05-01"
    assert after.holds
    assert after.made is not None
    assert json.loads(json.dumps(after.to_dict()))["parts"][0]["name"] == "records"


def test_changes_of_release_file_and_inputs_make_it_stale(release: Path) -> None:
    place = release.parent
    assess(release, out=place / "assessment")
    os.utime(place / "rx.csv")
    assert release_state(place).stale == ()
    write_data(place, extra=1)
    assert release_state(place).stale == ("rx.csv has changed.",)
    write_data(place)
    assert release_state(place).stale == ()
    seen = release_sha256(release)
    edit_release(release, {"seed": 8}, expected_sha256=seen)
    (place / "people.csv").unlink()
    assert release_state(place).stale == ("release.yaml has changed.", "people.csv is missing.")


def test_a_context_in_a_file_that_is_newer_makes_it_stale(folder: Path) -> None:
    (folder / "context.yaml").write_text("preset: hospital\naccess: public\n")
    release = write_file(folder, "records", context="context.yaml")
    assess(release, out=folder / "assessment")
    assert release_state(folder).stale == ()
    written = (folder / "assessment" / "manifest.json").stat().st_mtime
    os.utime(folder / "context.yaml", (written + 5, written + 5))
    assert release_state(folder).stale == ("context.yaml may have changed.",)


def test_a_part_that_failed_is_no_refusal(release: Path) -> None:
    (release.parent / "rx.csv").write_text("name,sex\nx,F\n")
    assess(release, out=release.parent / "assessment")
    state = release_state(release.parent)
    assert (state.verdict, state.parts[0].verdict) == ("failed", "failed")
    assert "records: could not be judged" in str(state)


def test_signatures_and_whether_they_cover_the_assessment(release: Path) -> None:
    place = release.parent
    assess(release, out=place / "assessment")
    new_key(place / "ann.key", "signing", name="Ann Smith")
    sign(place / "assessment", name="Ann Smith", role="approver", meaning="I approve", key=place / "ann.key")
    [one] = release_state(place).signed
    assert (one.name, one.role, one.meaning, one.covers) == ("Ann Smith", "approver", "I approve", True)
    manifest = place / "assessment" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"seed": 7', '"seed": 8'))
    assert not release_state(place).signed[0].covers


def test_a_run_that_is_alive(release: Path) -> None:
    assert not release_state(release.parent).running
    with only_run(release):
        assert release_state(release.parent).running
    assert not release_state(release.parent).running


def test_broken_files_are_named_and_the_rest_is_shown(release: Path) -> None:
    place = release.parent
    assess(release, out=place / "assessment")
    (place / "assessment" / "assessment.json").write_text("{}")
    release.write_text("release: {name: [\n")
    state = release_state(place)
    assert (state.verdict, state.title) == (None, "data")
    assert [one.problem.partition(place.name)[2] for one in state.problems] == [
        "/release.yaml, line 2 is not plain YAML.",
        "/assessment/assessment.json cannot be read.",
    ]
    with pytest.raises(UnreadableFile, match="does not exist"):
        release_state(place / "assessment" / "parts")


def test_releases_of_a_folder(release: Path, command: Run) -> None:
    top = release.parent.parent
    assess(release, out=release.parent / "assessment")
    (top / "empty").mkdir()
    assert [one.title for one in list_releases(top)] == ["A small release"]
    assert len(list_releases(release.parent)) == 1  # the copy in the assessment is none
    code, out, _ = command("release", "list", top, "--json", "-")
    [found] = json.loads(out)["releases"]
    assert (code, found["title"], found["next_review"]) == (0, "A small release", "2027-05-01")
    assert "next review 2027-05-01" in command("release", "list", top)[1]
    assert "There is no release" in command("release", "list", top / "empty")[1]
    assert command("release", "list", top / "none")[0] == 1


def test_it_needs_no_packages_for_numbers() -> None:
    code = (
        "import sys, reidrisk.assess.state; sys.exit(bool({'numpy', 'duckdb', 'scipy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
