"""What all jobs share: a process of its own that is followed by the files in its folder.

    job.json   what was asked for, by whom and when
    begun      the process holds its lock, or has held it
    done.json  how it ended; without it and without the lock, the job was lost
    cancel     asks to stop
    lock, log

A process is alive as long as it holds its lock: the system forgets the lock when the process ends, however
it ends. A number of a process proves nothing, because it may belong to another one by now.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from reidrisk.core.kernel_lock import is_locked, take_lock
from reidrisk.errors import Cancelled, InvalidSetting, ReidRiskError

JOB, BEGUN, DONE, CANCEL, LOCK, LOG = "job.json", "begun", "done.json", "cancel", "lock", "log"
STARTING = 20.0
"""Seconds that a new process may take until it holds its lock."""
DEFECT = {"status": "failed", "problem": "This is a defect in reidrisk.", "hint": "Report it."}


def start_process(module: str, job: Path, *, folder: Path) -> int:
    """Run a module on the folder of a job, in a process that goes on if this one ends; returns its number."""
    with (job / LOG).open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 - our own program
            # -P: a module in the folder of the release is data, and never imported
            [sys.executable, "-P", "-m", module, str(job)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=folder,
            start_new_session=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
    _CHILDREN[process.pid] = process
    return process.pid


_CHILDREN: dict[int, subprocess.Popen[bytes]] = {}
"""Processes that this one started, to be collected when they have ended."""


@atexit.register
def _leave_children() -> None:
    """Jobs go on without us: Python must not complain about processes that it knows of."""
    for process in _CHILDREN.values():
        if process.poll() is None:
            process.returncode = 0


def life_of(job: Path) -> tuple[dict[str, Any] | None, Literal["running", "starting", "lost"]]:
    """How a job ended, as it wrote it down; and while it has not, whether it is alive."""
    for process in list(_CHILDREN.values()):
        if process.poll() is not None:
            _CHILDREN.pop(process.pid, None)
    has_begun = (job / BEGUN).exists()  # asked before the lock: a lock file is there before it is locked
    is_alive = is_locked(job / LOCK)
    ended = read_state(job / DONE)  # read after the lock: a job writes it before it lets the lock go
    if is_alive:
        return ended, "running"
    started = (read_state(job / JOB) or {})["started"]
    age = time.time() - datetime.fromisoformat(started).timestamp()
    return ended, "starting" if age < STARTING and not has_begun else "lost"


def work_to_end(job: Path, work: Callable[[], Mapping[str, Any]]) -> int:
    """Do the work of a job while its lock is held, and write down how it ended; returns the exit code."""
    held = take_lock(job / LOCK)
    if held is None:
        return 1
    (job / BEGUN).touch()
    end: dict[str, Any] = dict(DEFECT)
    try:
        end = _ending_of(work)
    finally:
        write_state(job / DONE, {**end, "ended": datetime.now(UTC).isoformat(timespec="seconds")})
        held.release()
    return 0 if end["status"] == "done" else 1


def _ending_of(work: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """How the work ended, in words, never with a value."""
    try:
        return {"status": "done", **work()}
    except (Cancelled, KeyboardInterrupt):
        return {"status": "cancelled"}
    except ReidRiskError as error:
        return {"status": "failed", "problem": error.problem, "hint": error.hint}
    except MemoryError:
        return {
            "status": "failed",
            "problem": "There is not enough memory.",
            "hint": "Close other programs, or set limits: memory in the release file.",
        }
    except OSError as error:
        problem = f"A file cannot be read or written: {error.strerror or 'refused'}."
        return {"status": "failed", "problem": problem, "hint": "Check permissions and the free disk space."}
    except Exception as error:  # noqa: BLE001 - its text may quote data
        return {**DEFECT, "problem": f"This is a defect in reidrisk: {type(error).__name__}."}


def unused_path(folder: Path, name: str, suffix: str = "") -> Path:
    """A name that nothing has yet: a job overwrites nothing, and journals stay with their findings."""
    for number in range(1, 10_000):
        found = folder / f"{name}{'' if number == 1 else f'-{number}'}{suffix}"
        if not found.exists():
            return found
    raise InvalidSetting("There are too many earlier results.", hint="Remove some of them.")


def write_state(path: Path, content: Mapping[str, Any]) -> None:
    """Replace a small file as a whole. It is news, not a result: it is not synced and not logged."""
    part = path.with_name(f".{path.name}.{os.getpid()}.new")
    part.write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)


def read_state(path: Path) -> dict[str, Any] | None:
    """What such a file says; None if it is missing or damaged."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
