"""Assessments in processes of their own: followed, stopped, lost, and never two at a time."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from reidrisk.assess import jobs
from reidrisk.assess.jobs import JobState, cancel_job, job_state, list_jobs, start_job, stop_job
from reidrisk.assess.run_lock import only_run
from reidrisk.assess.state import release_state
from reidrisk.core.trail import read_trail
from reidrisk.errors import AlreadyRunning, InvalidSetting, UnreadableFile
from tests.assess.builders import HIDDEN, write_file
from tests.cli.running import Run


@pytest.fixture
def release(folder: Path) -> Path:
    return write_file(folder, "records", "made")


def waited(folder: Path, job: str, wanted: Callable[[JobState], bool]) -> JobState:
    for _ in range(3000):
        state = job_state(folder, job)
        if wanted(state):
            return state
        time.sleep(0.05)
    pytest.fail(f"the job is still {state.status}")


def test_a_job_does_what_the_command_does(release: Path, command: Run) -> None:
    place = release.parent
    assert "No assessment" in command("release", "jobs", place)[1]
    assert command("release", "stop", place)[0] == 2
    job = start_job(place, by="Ann Smith")
    with pytest.raises(AlreadyRunning, match="already running"):
        start_job(place)
    state = waited(place, job, lambda one: not one.is_alive)
    assert (state.status, state.acceptable, state.problem) == ("done", True, None)
    assert (state.parts_done, state.parts, state.by) == (2, 2, "Ann Smith")
    assert {"report.html", "report.pdf"} <= {one.name for one in (place / "assessment").iterdir()}
    assert (place / "made.csv").is_file()
    assert release_state(place).verdict == "acceptable"
    assert not release_state(place).running
    by_job = (place / "assessment" / "assessment.json").read_bytes()
    assert command("assess", release, "--out", place / "again")[0] == 0
    assert (place / "again" / "assessment.json").read_bytes() == by_job
    assert read_trail(place).entries[0]["name"] == "Ann Smith"
    log = (place / ".reidrisk" / "jobs" / job / "log").read_text()
    assert "records" in log
    assert HIDDEN not in log
    assert [one.id for one in list_jobs(place)] == [job]
    assert "done" in command("release", "jobs", place)[1]


def test_a_command_and_a_job_are_not_run_together(release: Path, command: Run) -> None:
    with only_run(release):
        code, _, err = command("assess", release)
        assert code == 1
        assert "already running" in err
        with pytest.raises(AlreadyRunning):
            start_job(release.parent)
        assert (
            command("assess", release, "--set", "context.controls=high")[0] == 0
        )  # a what-if writes nothing
    assert command("assess", release)[0] == 0


def slow(release: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A job that waits in its first part, as a long query does."""
    held = release.parent / "hold"
    held.mkdir()
    (held / "sitecustomize.py").write_text(
        "import os\nif os.environ.get('REIDRISK_HOLD'):\n"
        "    import time\n    from reidrisk.assess.kinds import table\n"
        "    table.measure_table = lambda *given, **named: time.sleep(600)\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(held), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("REIDRISK_HOLD", "1")
    job = start_job(release.parent)
    waited(release.parent, job, lambda one: one.step == "classes")
    return job


def test_a_job_is_cancelled_wherever_it_is(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = release.parent
    job = slow(release, monkeypatch)
    assert release_state(place).running
    assert job_state(place, job).part == "records"
    assert cancel_job(place, job).stop == "cancel"
    state = waited(place, job, lambda one: not one.is_alive)
    assert state.status == "cancelled"
    assert not (place / "assessment" / "manifest.json").exists()
    assert stop_job(place, job).status == "cancelled"  # a second time changes nothing


def test_a_killed_job_is_lost_and_another_one_starts(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = release.parent
    job = slow(release, monkeypatch)
    os.kill(json.loads((place / ".reidrisk" / "jobs" / job / "pid.json").read_text())["pid"], signal.SIGKILL)
    assert waited(place, job, lambda one: not one.is_alive).status == "lost"
    assert not release_state(place).running
    monkeypatch.delenv("REIDRISK_HOLD")
    assert waited(place, start_job(place), lambda one: not one.is_alive).status == "done"
    assert [one.status for one in list_jobs(place)] == ["done", "lost"]


def test_a_job_that_does_not_react_is_ended(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = release.parent
    job = slow(release, monkeypatch)
    process = json.loads((place / ".reidrisk" / "jobs" / job / "pid.json").read_text())["pid"]
    os.kill(process, signal.SIGSTOP)
    cancel_job(place, job)
    assert job_state(place, job).status == "stopping"
    asked = place / ".reidrisk" / "jobs" / job / "cancel"
    long_ago = time.time() - jobs.KILLED - 1
    os.utime(asked, (long_ago, long_ago))
    assert stop_job(place, job).status == "lost"


def test_failures_are_told_without_values(release: Path, command: Run) -> None:
    place = release.parent
    (place / "made.csv").write_text("mine\n")
    code, out, _ = command("release", "start", place, "--json", "-")
    assert code == 0
    state = waited(place, json.loads(out)["id"], lambda one: not one.is_alive)
    assert state.status == "failed"
    assert "made.csv exists, and reidrisk did not write it" in str(state.problem)
    release.write_text("reidrisk: 1\n")
    state = waited(place, start_job(place), lambda one: not one.is_alive)
    assert (state.status, state.hint is not None) == ("failed", True)


def test_ids_are_not_paths(release: Path) -> None:
    for wrong in ("..", "../../x", "", "20261101T101010-00000000/.."):
        with pytest.raises(InvalidSetting):
            job_state(release.parent, wrong)
    with pytest.raises(UnreadableFile, match="There is no job"):
        job_state(release.parent, "20261101T101010-00000000")
    with pytest.raises(UnreadableFile, match="does not exist"):
        start_job(release.parent / "none")
