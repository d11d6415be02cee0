from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from reidrisk.assess import demo_job
from reidrisk.assess.demo_job import STEPS, DemoState, cancel_demo, demo_state, run_demo, start_demo
from reidrisk.assess.state import list_releases
from reidrisk.errors import AlreadyRunning


def until(folder: Path, found: Callable[[DemoState], bool]) -> DemoState:
    """Wait for a state of the demo."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        state = demo_state(folder)
        if state is not None and found(state):
            return state
        time.sleep(0.05)
    pytest.fail(f"this state never came: {demo_state(folder)}")


def place_of(folder: Path) -> Path:
    place = folder / ".reidrisk" / "demo"
    place.mkdir(parents=True, exist_ok=True)
    (place / "job.json").write_text('{"started": "2020-01-01T00:00:00+00:00"}', encoding="utf-8")
    return place


def finished(source: Path) -> str:
    """A program that has made the demo at once."""
    return f"import shutil; print('== Job 1'); shutil.copytree({str(source)!r}, 'demo')"


def test_it_starts_tells_its_step_and_is_cancelled(tmp_path: Path) -> None:
    assert demo_state(tmp_path) is None
    start_demo(tmp_path, by="pia")
    with pytest.raises(AlreadyRunning):
        start_demo(tmp_path)
    running = until(tmp_path, lambda one: one.step is not None)
    assert (running.status, running.done, running.total) == ("running", 0, STEPS)
    assert str(running.step).startswith("Job 1, text")
    cancel_demo(tmp_path)
    assert until(tmp_path, lambda one: not one.is_alive).status == "cancelled"
    assert not (tmp_path / ".reidrisk" / "demo" / "made").exists()
    assert [one.name for one in tmp_path.iterdir()] == [".reidrisk"]


def test_the_finished_demo_is_a_release_of_the_folder(
    tmp_path: Path, demo_folder: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = demo_folder()
    monkeypatch.setattr(demo_job, "PROGRAM", finished(made / "demo-output"))
    names = []
    for _ in range(2):  # the second does not replace the first
        assert run_demo(place_of(tmp_path)) == 0
        state = demo_state(tmp_path)
        assert state is not None
        assert state.status == "done"
        names.append(state.release)
    assert names == ["demo", "demo-2"]
    assert [one.holds for one in list_releases(tmp_path)] == [True, True]
    steps = [one for one in (made / "output.txt").read_text().splitlines() if one.startswith("== ")]
    assert len(steps) == STEPS


def test_a_demo_that_cannot_be_made_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo_job, "PROGRAM", "raise SystemExit(2)")
    assert run_demo(place_of(tmp_path)) == 1
    state = demo_state(tmp_path)
    assert state is not None
    assert (state.status, state.problem) == ("failed", "The demo could not be made.")


def test_a_process_that_ended_without_a_word_is_lost(tmp_path: Path) -> None:
    place_of(tmp_path)
    assert demo_state(tmp_path) == DemoState("lost")
