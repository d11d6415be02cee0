"""Whether a job is alive, at the moments at which that is easily mistaken."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reidrisk.assess.job_process import BEGUN, JOB, LOCK, STARTING, life_of, write_state
from reidrisk.core.kernel_lock import is_locked, take_lock


def asked(job: Path, *, seconds_ago: float = 0.0) -> Path:
    write_state(job / JOB, {"started": (datetime.now(UTC) - timedelta(seconds=seconds_ago)).isoformat()})
    return job


def test_a_process_that_has_not_locked_its_file_yet_is_starting(tmp_path: Path) -> None:
    (asked(tmp_path) / LOCK).touch()
    assert life_of(tmp_path) == (None, "starting")
    asked(tmp_path, seconds_ago=STARTING + 1)
    assert life_of(tmp_path) == (None, "lost")


def test_a_process_that_let_go_of_its_lock_is_lost(tmp_path: Path) -> None:
    held = take_lock(asked(tmp_path) / LOCK)
    assert held is not None
    (tmp_path / BEGUN).touch()
    assert life_of(tmp_path) == (None, "running")
    held.release()
    assert life_of(tmp_path) == (None, "lost")


def test_a_job_that_takes_its_lock_just_after_the_look_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked_just_after(path: Path) -> bool:
        was_locked = is_locked(path)
        assert take_lock(path) is not None
        (path.parent / BEGUN).touch()
        return was_locked

    monkeypatch.setattr("reidrisk.assess.job_process.is_locked", locked_just_after)
    assert life_of(asked(tmp_path)) == (None, "starting")
    monkeypatch.undo()
    assert life_of(tmp_path) == (None, "running")
