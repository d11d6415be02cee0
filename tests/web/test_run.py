"""Runs: started, followed, cancelled, lost, refused; the server does not matter to them."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from reidrisk.assess.jobs import list_jobs
from reidrisk.assess.run_lock import only_run
from reidrisk.assess.state import release_state
from tests.web.serving import client_of
from tests.web.small_release import NAME, ended, hold_jobs, small_release, words

RUN = f"/r/{NAME}/run"


def test_a_run_is_started_and_followed_to_its_verdict(tmp_path: Path) -> None:
    folder = small_release(tmp_path, is_assessed=False)
    client = client_of(tmp_path, "Ann Smith")
    assert "Not run yet" in words(client.get(RUN).text)
    answer = client.post(f"{RUN}/start")
    assert (answer.status_code, answer.headers["location"]) == (303, RUN)
    assert client.post(f"{RUN}/start").status_code == 409
    assert 'hx-trigger="every 500ms"' in client.get(f"{RUN}/status").text
    state = ended(folder)
    assert (state.status, state.by) == ("done", "Ann Smith")
    answer = client_of(tmp_path).get(f"{RUN}/status")  # another server knows it, too
    assert answer.headers["hx-refresh"] == "true"  # the steps and the parts are shown as they are now
    page = answer.text
    assert "The run is done" in page
    assert "hx-trigger" not in page
    assert str(release_state(folder).sentence) in words(page)


def test_a_run_is_cancelled_and_nothing_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = small_release(tmp_path)
    hold_jobs(folder, monkeypatch)
    client = client_of(tmp_path)
    root = release_state(folder).root
    (folder / "rx.csv").write_text((folder / "rx.csv").read_text() + "\n")  # so that it is measured again
    client.post(f"{RUN}/start")
    job = ended(folder, lambda one: one.step == "classes").id
    assert "records: classes" in words(client.get(f"{RUN}/status").text)
    assert client.post(f"{RUN}/cancel/{job}").status_code == 303
    assert ended(folder).status == "cancelled"
    assert "The run was cancelled" in words(client.get(RUN).text)
    assert release_state(folder).root == root
    for wrong in ("..", "20261101T101010-00000000", "x" * 300):
        assert client.post(f"{RUN}/cancel/{wrong}").status_code in (404, 405, 422)


def test_a_killed_worker_is_lost_and_can_be_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_release(tmp_path, is_assessed=False)
    hold_jobs(folder, monkeypatch)
    client = client_of(tmp_path)
    client.post(f"{RUN}/start")
    job = ended(folder, lambda one: one.step == "classes").id
    pid = json.loads((folder / ".reidrisk" / "jobs" / job / "pid.json").read_text())["pid"]
    os.kill(pid, signal.SIGKILL)
    assert ended(folder).status == "lost"
    text = words(client.get(f"{RUN}/status").text)
    assert "The run was lost" in text
    assert "Its process ended without a word" in text
    assert client.post(f"{RUN}/start").status_code == 303
    client.post(f"{RUN}/cancel/{list_jobs(folder)[0].id}")
    ended(folder)
    assert [one.status for one in list_jobs(folder)] == ["cancelled", "lost"]


def test_what_is_wrong_is_told_before_a_run(tmp_path: Path) -> None:
    folder = small_release(tmp_path, is_assessed=False)
    text = (folder / "release.yaml").read_text()
    (folder / "release.yaml").write_text(text.replace("kind: table", "kind: tabel"))
    page = client_of(tmp_path).get(RUN).text
    assert "This must be corrected before a run" in words(page)
    assert " disabled>" in page


def test_a_run_of_a_command_counts_as_running(tmp_path: Path) -> None:
    folder = small_release(tmp_path)
    client = client_of(tmp_path)
    with only_run(folder / "release.yaml"):
        assert client.post(f"{RUN}/start").status_code == 409
        assert "being assessed" in words(client.get(f"/r/{NAME}/sign").text)


def test_only_a_preparer_runs(tmp_path: Path) -> None:
    folder = small_release(tmp_path, is_assessed=False)
    for role in ("reviewer", "approver"):
        client = client_of(tmp_path, "Ann", (role,))
        assert client.post(f"{RUN}/start").status_code == 403
        assert "Only a preparer may start a run" in words(client.get(RUN).text)
    assert list_jobs(folder) == ()
