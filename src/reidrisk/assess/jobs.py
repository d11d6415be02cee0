"""Run an assessment in a process of its own, follow it, and stop it.

Everything about a job is in files next to the release file: any process can ask, also after a restart.

    .reidrisk/jobs/lock         held by the run of the release that is alive
    .reidrisk/jobs/ID/job.json  what was asked for, by whom and when
                      pid.json  the process
                      progress.json  the part, the step and how much is done
                      done.json how it ended; without it and without the lock, the job was lost
                      cancel    asks to stop
                      lock, log

A process is alive as long as it holds its lock: the system forgets the lock when the process ends, however
it ends. A number of a process proves nothing, because it may belong to another one by now.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from reidrisk.assess.run_lock import is_running, jobs_folder, lock_path
from reidrisk.core.kernel_lock import is_locked, take_lock
from reidrisk.core.stopping import StopRequest
from reidrisk.core.trail import RELEASE_FILE, system_user
from reidrisk.core.wording import one_line, path_text
from reidrisk.errors import AlreadyRunning, InvalidSetting, UnreadableFile

JOB, PID, PROGRESS, DONE, CANCEL, LOCK, LOG = (
    "job.json",
    "pid.json",
    "progress.json",
    "done.json",
    "cancel",
    "lock",
    "log",
)
WORKER = "reidrisk.report.assess_job"
"""The module that a job runs; it needs the reports, which are above this room."""
STARTING = 20.0
"""Seconds that a new process may take until it holds its lock."""
SILENT = 15.0
"""Seconds without news after which a job does not respond."""
TERMINATED, KILLED = 10.0, 20.0
"""Seconds after a request to cancel, after which the process is asked, and then made to end."""
ID = re.compile(r"[0-9]{8}T[0-9]{6}-[0-9a-f]{8}")

JobStatus = Literal["starting", "running", "stopping", "done", "cancelled", "failed", "lost"]
"""`done` says nothing about the verdict; `lost`: the process ended without a word."""
ENDED: tuple[JobStatus, ...] = ("done", "cancelled", "failed", "lost")


@dataclass(frozen=True, slots=True)
class JobState:
    """What is known about a job now."""

    id: str
    status: JobStatus
    started: str
    ended: str | None = None
    by: str | None = None
    """Who started it."""
    part: str | None = None
    step: str | None = None
    done: int = 0
    total: int = 0
    """0 if it is not known."""
    parts_done: int = 0
    parts: int = 0
    is_silent: bool = False
    """Whether a job that is alive has not said anything for a while."""
    stop: StopRequest | None = None
    """What was asked for."""
    problem: str | None = None
    hint: str | None = None
    """Why it failed."""
    acceptable: bool | None = None
    """The verdict, once it is done."""

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended yet."""
        return self.status not in ENDED

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {"kind": "job_state", **asdict(self)}

    def __str__(self) -> str:
        amount = f" {self.done:,} of {self.total:,}" if self.total else ""
        doing = f" {self.part or ''}: {self.step}{amount}" if self.is_alive and self.step else ""
        why = f" ({self.problem})" if self.problem else ""
        return one_line(f"{self.id}  {self.status}{doing}{why}")


def start_job(
    folder: str | Path,
    *,
    file: str = RELEASE_FILE,
    by: str | None = None,
    previous: str | Path | None = None,
    allow_outside: bool = False,
) -> str:
    """Assess the release in a folder in a process of its own; returns the id of the job.

    AlreadyRunning if the release is being assessed, by a job or by a command. The process goes on if this one
    ends. `by` is the name of the person who asked.
    """
    release = Path(folder).resolve() / file
    if not release.is_file():
        raise UnreadableFile(f"{path_text(release)} does not exist.", hint="Check the folder.")
    place = jobs_folder(release)
    place.mkdir(parents=True, mode=0o700, exist_ok=True)
    gate = take_lock(place / "start.lock")  # two requests at the same time start one job
    if gate is None:
        raise _running(release)
    try:
        if is_running(release) or any(one.is_alive for one in list_jobs(folder, file=file)):
            raise _running(release)
        return _started(release, place, by, {"previous": previous, "allow_outside": allow_outside})
    finally:
        gate.release()


def _running(release: Path) -> AlreadyRunning:
    return AlreadyRunning(
        f"An assessment of {path_text(release.name)} is already running.",
        hint="Wait until it has finished, or stop it.",
    )


def _started(release: Path, place: Path, by: str | None, options: Mapping[str, Any]) -> str:
    now = datetime.now(UTC)
    name = f"{now:%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
    job = place / name
    job.mkdir(mode=0o700)
    asked = {
        "kind": "job",
        "id": name,
        "release": release.name,
        "started": now.isoformat(timespec="milliseconds"),
        "by": by,
        "user": system_user(),
        "previous": None if options["previous"] is None else str(Path(options["previous"]).resolve()),
        "allow_outside": options["allow_outside"],
    }
    write_state(job / JOB, asked)
    with (job / LOG).open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 - our own program
            # -P: a module in the folder of the release is data, and never imported
            [sys.executable, "-P", "-m", WORKER, str(job)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=release.parent,
            start_new_session=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
    write_state(job / PID, {"pid": process.pid})
    _CHILDREN[process.pid] = process
    return name


_CHILDREN: dict[int, subprocess.Popen[bytes]] = {}
"""Processes that this one started, to be collected when they have ended."""


@atexit.register
def _leave_children() -> None:
    """Jobs go on without us: Python must not complain about processes that it knows of."""
    for process in _CHILDREN.values():
        if process.poll() is None:
            process.returncode = 0


def job_state(folder: str | Path, job: str, *, file: str = RELEASE_FILE) -> JobState:
    """What is known about a job."""
    place = _place(folder, job, file)
    for process in list(_CHILDREN.values()):
        if process.poll() is not None:
            _CHILDREN.pop(process.pid, None)
    asked = _read(place / JOB)
    if asked is None:
        raise UnreadableFile(f"There is no job {job}.", hint="List the jobs of the release.")
    is_alive = is_locked(place / LOCK)
    done = _read(place / DONE)  # read after the lock: a job writes it before it lets the lock go
    news = _read(place / PROGRESS) or {}
    told: dict[str, Any] = {
        name: news[name] for name in ("part", "step", "done", "total", "parts_done", "parts") if name in news
    }
    stop = requested(place)
    common: dict[str, Any] = {
        "id": job,
        "started": asked["started"],
        "by": asked.get("by"),
        "stop": stop,
        **told,
    }
    if done is not None:
        ended: dict[str, Any] = {name: done.get(name) for name in ("ended", "problem", "hint", "acceptable")}
        return JobState(status=done["status"], **common, **ended)
    if not is_alive:
        age = time.time() - datetime.fromisoformat(asked["started"]).timestamp()
        is_new = age < STARTING and not (place / LOCK).exists()
        return JobState(status="starting" if is_new else "lost", **common)
    return JobState(
        status="running" if stop is None else "stopping",
        is_silent=_age(place / PROGRESS, place / LOCK) > SILENT,
        **common,
    )


def list_jobs(folder: str | Path, *, file: str = RELEASE_FILE) -> tuple[JobState, ...]:
    """All jobs of a release, the latest first."""
    place = jobs_folder(Path(folder) / file)
    names = [one.name for one in place.iterdir() if ID.fullmatch(one.name)] if place.is_dir() else []
    found = [(name, _read(place / name / JOB)) for name in sorted(names, reverse=True)]
    return tuple(
        job_state(folder, name, file=file) for name, asked in found if asked and asked.get("release") == file
    )


def cancel_job(
    folder: str | Path, job: str, *, take_best: bool = False, file: str = RELEASE_FILE
) -> JobState:
    """Ask a job to stop: without a result, or with `take_best` with the best solution so far.

    It returns at once. Call it again while the job is still alive: ten seconds after the first request the
    process is told to end, ten seconds later it is killed.
    """
    place = _place(folder, job, file)
    if job_state(folder, job, file=file).status not in ENDED:
        _request(place, "best" if take_best else "cancel")
        if not take_best:
            _insist(place)
    return job_state(folder, job, file=file)


def stop_job(folder: str | Path, job: str, *, take_best: bool = False, file: str = RELEASE_FILE) -> JobState:
    """Stop a job and wait: for its end, or with `take_best` until it goes on with the best so far."""
    while (state := cancel_job(folder, job, take_best=take_best, file=file)).is_alive and not take_best:
        time.sleep(0.1)
    return state


def _request(place: Path, wanted: StopRequest) -> None:
    """Write down the request; cancelling replaces an earlier wish for the best so far."""
    if requested(place) != wanted and requested(place) != "cancel":
        write_state(place / CANCEL, {"stop": wanted})


def requested(job: Path) -> StopRequest | None:
    """What a job was asked to do."""
    found = (_read(job / CANCEL) or {}).get("stop")
    return found if found in ("best", "cancel") else None


def _insist(place: Path) -> None:
    """End a process that does not react, only while its lock proves that it is the same one."""
    age, process = _age(place / CANCEL), _read(place / PID)
    if age < TERMINATED or process is None or not is_locked(place / LOCK):
        return
    number = signal.SIGTERM if age < KILLED or not hasattr(signal, "SIGKILL") else signal.SIGKILL
    with suppress(ProcessLookupError, PermissionError):
        os.kill(int(process["pid"]), number)


def _age(*paths: Path) -> float:
    """Seconds since the first of these files that is there was written."""
    for path in paths:
        with suppress(OSError):
            return time.time() - path.stat().st_mtime
    return 0.0


def _place(folder: str | Path, job: str, file: str) -> Path:
    if not ID.fullmatch(job):
        raise InvalidSetting("This is not the id of a job.", hint="Use an id that start_job returned.")
    return jobs_folder(Path(folder) / file) / job


def release_of(job: Path) -> Path:
    """The release file that a job is about."""
    asked = _read(job / JOB)
    if asked is None:
        raise UnreadableFile("The job cannot be read.", hint="Start it again.")
    return job.parent.parent.parent / str(asked["release"])


def run_lock_of(job: Path) -> Path:
    """The lock of the release that a job is about."""
    return lock_path(release_of(job))


def write_state(path: Path, content: Mapping[str, Any]) -> None:
    """Replace a small file as a whole. It is news, not a result: it is not synced and not logged."""
    part = path.with_name(f".{path.name}.{os.getpid()}.new")
    part.write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def read_job(job: Path) -> dict[str, Any]:
    """What was asked for."""
    return _read(job / JOB) or {}
