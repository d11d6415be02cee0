"""A remedy is tried: the verdict it would lead to, and nothing is written."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from reidrisk.assess.jobs import JobState, job_result, job_state, start_trial, start_verification
from reidrisk.assess.run import assess
from reidrisk.assess.state import release_state
from reidrisk.assess.trial import start_remedy_trial, trial_changes, try_remedy
from reidrisk.core.key import new_key
from reidrisk.errors import InvalidSetting
from reidrisk.report.assessment_folder import assess_and_report, sign, verify
from tests.assess.builders import write_data, write_file
from tests.cli.running import Run


@pytest.fixture
def refused(folder: Path) -> Path:
    """A release that is refused for its table."""
    write_data(folder, extra=3)
    release = write_file(folder, "records")
    assess(release, out=folder / "assessment")
    return folder


def ended(folder: Path, job: str) -> JobState:
    for _ in range(2400):
        if not (state := job_state(folder, job)).is_alive:
            return state
        time.sleep(0.05)
    pytest.fail("the job does not end")


def remedies(folder: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((folder / "assessment" / "assessment.json").read_text())[
        "remedies"
    ]
    return found


def test_a_trial_is_the_what_if_of_the_command_and_writes_nothing(refused: Path, command: Run) -> None:
    listed = remedies(refused)
    rank = next(one["rank"] for one in listed if one["trial"])
    assert isinstance(rank, int)
    before = {one: one.read_bytes() for one in refused.rglob("*") if one.is_file()}
    tried = try_remedy(refused, rank).to_dict()
    assert {one: one.read_bytes() for one in refused.rglob("*") if one.is_file()} == before
    changes = trial_changes(refused, rank)
    what_if = assess(refused / "release.yaml", changes=changes).to_dict()
    assert tried["parts"] == what_if["parts"]
    assert tried["monitoring"] is not None
    code, out, _ = command("release", "try", refused, rank)
    assert code == 0
    assert "IF YOU MAKE THIS CHANGE" in out
    job = start_remedy_trial(refused, rank, by="Ann Smith")
    state = ended(refused, job)
    assert (state.status, state.task, state.remedy) == ("done", "try", rank)
    found = job_result(refused, job)
    assert found is not None
    assert found["parts"] == json.loads(json.dumps(tried["parts"]))
    assert release_state(refused).stale == ()


def test_what_is_no_setting_is_not_tried(refused: Path) -> None:
    listed = remedies(refused)
    for one in listed:
        if not one["trial"]:
            with pytest.raises(InvalidSetting, match="not a setting"):
                trial_changes(refused, int(str(one["rank"])))
    with pytest.raises(InvalidSetting, match="suggests"):
        trial_changes(refused, len(listed) + 1)
    with pytest.raises(InvalidSetting, match="nothing to try"):
        start_trial(refused, {})


def test_a_verification_in_a_job_finds_what_the_command_finds(folder: Path) -> None:
    release = write_file(folder, "records")
    assert release_state(folder).unsignable == "There is no assessment yet. Run one first."
    assess_and_report(release, folder / "assessment")
    assert release_state(folder).unsignable is None
    public = new_key(folder.parent / "ann.key", "signing", name="Ann Smith")
    assert public is not None
    private = (folder.parent / "ann.key").read_bytes()
    signed = {"name": "Ann Smith", "role": "preparer", "meaning": "I prepared this"}
    sign(folder / "assessment", **signed, key=private)
    job = start_verification(folder, trusted=public.read_text())
    state = ended(folder, job)
    assert (state.status, state.acceptable, state.task) == ("done", True, "verify")
    by_command = verify(folder / "assessment", trusted=public).to_dict()
    assert job_result(folder, job) == {**by_command, "folder": "assessment"}
    assert by_command["state"] == "verified"
    with pytest.raises(InvalidSetting, match="There is no key"):
        sign(folder / "assessment", **signed, key=b"")
    with pytest.raises(InvalidSetting, match="the file that you chose is a public key"):
        sign(folder / "assessment", **signed, key=public.read_bytes())
    release.write_text(release.read_text().replace("A small release", "Another"))
    assert "release.yaml has changed" in str(release_state(folder).unsignable)
