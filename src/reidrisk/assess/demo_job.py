"""Make the release of `reidrisk demo` in a folder, by that command in a process of its own.

As with assessments (`jobs.py`), everything about it is in files, and it is alive as long as it holds its
lock:

    .reidrisk/demo/job.json  cancel  done.json  lock  log  made/

The release is made in `made` and moved to the folder when it is complete.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from reidrisk.assess.job_process import (
    BEGUN,
    CANCEL,
    DONE,
    JOB,
    LOCK,
    LOG,
    life_of,
    read_state,
    start_process,
    unused_path,
    work_to_end,
    write_state,
)
from reidrisk.core.kernel_lock import take_lock
from reidrisk.core.trail import FOLDER
from reidrisk.errors import AlreadyRunning, Cancelled, FailedCheck

PLACE, MADE, DEMO = "demo", "made", "demo"
PROGRAM = "from reidrisk.cli.main import run; run()"
"""The command line, which is above this room."""
STEPS = 7
"""Jobs that the demo announces."""
_ANNOUNCED = "== "
_OFTEN, _PATIENCE = 0.2, 5.0
"""Seconds between two looks at the request to stop, and until a process that was told to end is killed."""
DemoStatus = Literal["starting", "running", "done", "cancelled", "failed", "lost"]


@dataclass(frozen=True, slots=True)
class DemoState:
    """How far the demo is."""

    status: DemoStatus
    step: str | None = None
    """What it does now."""
    done: int = 0
    total: int = STEPS
    release: str | None = None
    """The name of the finished release in the folder."""
    problem: str | None = None
    hint: str | None = None

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended yet."""
        return self.status in ("starting", "running")


def start_demo(folder: str | Path, *, by: str | None = None) -> None:
    """Begin to make the demo's release; AlreadyRunning if it is being made."""
    place = Path(folder).resolve() / FOLDER / PLACE
    place.mkdir(parents=True, mode=0o700, exist_ok=True)
    gate = take_lock(place / "start.lock")
    state = demo_state(folder)
    if gate is None or (state is not None and state.is_alive):
        if gate is not None:
            gate.release()
        raise AlreadyRunning("The demo is being made.", hint="Wait until it has finished, or cancel it.")
    try:
        for name in (BEGUN, CANCEL, DONE, LOCK):
            (place / name).unlink(missing_ok=True)
        write_state(place / JOB, {"kind": "demo_job", "started": datetime.now(UTC).isoformat(), "by": by})
        start_process(__name__, place, folder=Path(folder))
    finally:
        gate.release()


def cancel_demo(folder: str | Path) -> None:
    """Ask it to stop; what it made so far is removed."""
    place = Path(folder) / FOLDER / PLACE
    state = demo_state(folder)
    if state is not None and state.is_alive:
        write_state(place / CANCEL, {"stop": "cancel"})


def demo_state(folder: str | Path) -> DemoState | None:
    """How far the demo of a folder is; None if it was never begun."""
    place = Path(folder) / FOLDER / PLACE
    if read_state(place / JOB) is None:
        return None
    ended, life = life_of(place)
    if ended is not None:
        told: dict[str, Any] = {name: ended.get(name) for name in ("release", "problem", "hint")}
        return DemoState(ended["status"], **told)
    steps = _announced(place / LOG) if life == "running" else []
    return DemoState(life, steps[-1] if steps else None, max(0, len(steps) - 1))


def _announced(log: Path) -> list[str]:
    """The jobs that the demo has begun so far, in its own words."""
    with suppress(OSError):
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        return [line.removeprefix(_ANNOUNCED) for line in lines if line.startswith(_ANNOUNCED)]
    return []


def run_demo(place: Path) -> int:
    """Make the demo to its end, or until it is asked to stop."""

    def make() -> dict[str, Any]:
        try:
            return {"release": _made(place)}
        finally:  # before the end is told
            shutil.rmtree(place / MADE, ignore_errors=True)

    return work_to_end(place, make)


def _made(place: Path) -> str:
    shutil.rmtree(place / MADE, ignore_errors=True)
    (place / MADE).mkdir(mode=0o700)
    command = [sys.executable, "-P", "-u", "-c", PROGRAM, "demo", DEMO]
    with subprocess.Popen(command, cwd=place / MADE, stdin=subprocess.DEVNULL) as process:  # noqa: S603
        try:
            _wait(place, process)
        finally:
            process.kill()
    if process.returncode:
        raise FailedCheck(
            "The demo could not be made.",
            hint="Run: reidrisk demo. It says what is missing, such as a package.",
        )
    target = unused_path(place.parents[1], DEMO)
    (place / MADE / DEMO).rename(target)
    return target.name


def _wait(place: Path, process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a process, or end it if somebody asks for that."""
    while process.poll() is None:
        if (place / CANCEL).exists():
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_PATIENCE)
            raise Cancelled("The demo was cancelled.", hint="Start it again.")
        time.sleep(_OFTEN)


if __name__ == "__main__":
    sys.exit(run_demo(Path(sys.argv[1])))
