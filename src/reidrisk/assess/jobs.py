"""Run an assessment, a trial or a verification in a process of its own, follow it, and stop it.

Everything about a job is in files next to the release file: any process can ask, also after a restart.
`job_process.py` has what other jobs have, too.

    .reidrisk/jobs/lock         held by the run of the release that is alive
    .reidrisk/jobs/ID/job.json  what was asked for, by whom and when
                      pid.json  the process
                      progress.json  the part, the step and how much is done
                      done.json how it ended; without it and without the lock, the job was lost
                      result.json  of a trial or a verification, which write nothing else
                      cancel    asks to stop
                      lock, log
"""

from __future__ import annotations

import os
import re
import secrets
import signal
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from reidrisk.assess.job_process import CANCEL, JOB, LOCK, life_of, read_state, start_process, write_state
from reidrisk.assess.run_lock import is_running, jobs_folder, lock_path
from reidrisk.core.kernel_lock import is_locked, take_lock
from reidrisk.core.stopping import StopRequest
from reidrisk.core.trail import RELEASE_FILE, system_user
from reidrisk.core.wording import one_line, path_text
from reidrisk.errors import AlreadyRunning, InvalidSetting, UnreadableFile

PID, PROGRESS, JOB_RESULT, TRUSTED = "pid.json", "progress.json", "result.json", "trusted.pub"
WORKER = "reidrisk.report.assess_job"
"""The module that a job runs; it needs the reports, which are above this room."""
SILENT = 15.0
"""Seconds without news after which a job does not respond."""
TERMINATED, KILLED = 10.0, 20.0
"""Seconds after a request to cancel, after which the process is asked, and then made to end."""
ID = re.compile(r"[0-9]{8}T[0-9]{6}-[0-9a-f]{8}")

JobTask = Literal["assess", "try", "verify"]
"""`try` assesses the release with changes, and `verify` runs it again: both leave everything as it is."""
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
    """The verdict, once it is done; of a verification, whether the assessment holds."""
    task: JobTask = "assess"
    remedy: int | None = None
    """Of a trial: the number of the remedy that is tried."""

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
        task = "" if self.task == "assess" else f" ({self.task})"
        return one_line(f"{self.id}{task}  {self.status}{doing}{why}")


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
    asked = {"task": "assess", "previous": None if previous is None else str(Path(previous).resolve())}
    return _start(folder, file, by, {**asked, "allow_outside": allow_outside})


def start_trial(
    folder: str | Path,
    changes: Mapping[str, Any],
    *,
    by: str | None = None,
    remedy: int | None = None,
    allow_outside: bool = False,
) -> str:
    """Assess the release with changes, as `assess(changes=...)` does: nothing of the release is written.

    `job_result` has the assessment, compared with the last one. `remedy` is the number of the remedy that the
    changes come from.
    """
    if not changes:
        raise InvalidSetting("There is nothing to try.", hint="Name a setting and its value.")
    asked = {"task": "try", "changes": dict(changes), "remedy": remedy, "allow_outside": allow_outside}
    return _start(folder, RELEASE_FILE, by, asked)


def start_verification(
    folder: str | Path,
    *,
    by: str | None = None,
    trusted: str | None = None,
    root: str | None = None,
    quick: bool = False,
    allow_outside: bool = False,
) -> str:
    """Verify the assessment of the release in a folder, as `verify` does; `job_result` has what was found.

    `trusted` is the text of the public keys that you trust, and `root` a root hash that you wrote down.
    """
    asked = {"task": "verify", "root": root, "quick": quick, "allow_outside": allow_outside}
    return _start(folder, RELEASE_FILE, by, asked, trusted=trusted)


def job_result(folder: str | Path, job: str, *, file: str = RELEASE_FILE) -> dict[str, Any] | None:
    """What a trial or a verification found; None if it has not ended, or ended without a result."""
    return read_state(_place(folder, job, file) / JOB_RESULT)


def _start(
    folder: str | Path, file: str, by: str | None, asked: Mapping[str, Any], *, trusted: str | None = None
) -> str:
    """Start a process, unless one of the release is alive."""
    release = Path(folder).resolve() / file
    if not release.is_file():
        raise UnreadableFile.missing(release)
    place = jobs_folder(release)
    place.mkdir(parents=True, mode=0o700, exist_ok=True)
    gate = take_lock(place / "start.lock")  # two requests at the same time start one job
    if gate is None:
        raise _running(release)
    try:
        if is_running(release) or any(one.is_alive for one in list_jobs(folder, file=file)):
            raise _running(release)
        return _started(release, place, {"by": by, **asked}, trusted)
    finally:
        gate.release()


def _running(release: Path) -> AlreadyRunning:
    return AlreadyRunning(
        f"An assessment of {path_text(release.name)} is already running.",
        hint="Wait until it has finished, or stop it.",
    )


def _started(release: Path, place: Path, options: Mapping[str, Any], trusted: str | None) -> str:
    now = datetime.now(UTC)
    name = f"{now:%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
    job = place / name
    job.mkdir(mode=0o700)
    asked = {
        "kind": "job",
        "id": name,
        "release": release.name,
        "started": now.isoformat(timespec="milliseconds"),
        "user": system_user(),
        **options,
    }
    if trusted is not None:
        (job / TRUSTED).write_text(trusted, encoding="utf-8")
    write_state(job / JOB, asked)
    number = start_process(WORKER, job, folder=release.parent)
    write_state(job / PID, {"pid": number})
    return name


def job_state(folder: str | Path, job: str, *, file: str = RELEASE_FILE) -> JobState:
    """What is known about a job."""
    place = _place(folder, job, file)
    asked = read_state(place / JOB)
    if asked is None:
        raise UnreadableFile(f"There is no job {job}.", hint="List the jobs of the release.")
    done, life = life_of(place)
    news = read_state(place / PROGRESS) or {}
    told: dict[str, Any] = {
        name: news[name] for name in ("part", "step", "done", "total", "parts_done", "parts") if name in news
    }
    stop = requested(place)
    common: dict[str, Any] = {
        "id": job,
        "started": asked["started"],
        "by": asked.get("by"),
        "task": asked.get("task", "assess"),
        "remedy": asked.get("remedy"),
        "stop": stop,
        **told,
    }
    if done is not None:
        ended: dict[str, Any] = {name: done.get(name) for name in ("ended", "problem", "hint", "acceptable")}
        return JobState(status=done["status"], **common, **ended)
    if life != "running":
        return JobState(status=life, **common)
    return JobState(
        status="running" if stop is None else "stopping",
        is_silent=_age(place / PROGRESS, place / LOCK) > SILENT,
        **common,
    )


def list_jobs(folder: str | Path, *, file: str = RELEASE_FILE) -> tuple[JobState, ...]:
    """All jobs of a release, the latest first."""
    place = jobs_folder(Path(folder) / file)
    names = [one.name for one in place.iterdir() if ID.fullmatch(one.name)] if place.is_dir() else []
    found = [(name, read_state(place / name / JOB)) for name in sorted(names, reverse=True)]
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
    found = (read_state(job / CANCEL) or {}).get("stop")
    return found if found in ("best", "cancel") else None


def _insist(place: Path) -> None:
    """End a process that does not react, only while its lock proves that it is the same one."""
    age, process = _age(place / CANCEL), read_state(place / PID)
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
    asked = read_state(job / JOB)
    if asked is None:
        raise UnreadableFile("The job cannot be read.", hint="Start it again.")
    return job.parent.parent.parent / str(asked["release"])


def run_lock_of(job: Path) -> Path:
    """The lock of the release that a job is about."""
    return lock_path(release_of(job))


def read_job(job: Path) -> dict[str, Any]:
    """What was asked for."""
    return read_state(job / JOB) or {}
