"""The process of a job (`assess/jobs.py`): assess, try or verify a release, tell how far it is, stop.

Its log has one line for each step and no value of the data.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reidrisk.assess.job_process import CANCEL, work_to_end, write_state
from reidrisk.assess.jobs import JOB_RESULT, PROGRESS, TRUSTED, read_job, release_of, requested
from reidrisk.assess.manifest import MANIFEST
from reidrisk.assess.measurement import BEGUN, FINISHED
from reidrisk.assess.run import assess
from reidrisk.assess.run_lock import take_run
from reidrisk.assess.state import ASSESSMENT_FOLDER
from reidrisk.core.stopping import StopRequest, stoppable
from reidrisk.core.trail import Recorder, recorded
from reidrisk.core.written_files import recording_written, refuse_foreign
from reidrisk.report.assessment_folder import assess_and_report, verify, written_tables

OFTEN = 0.2
"""Seconds between two writes of the progress, and between two looks for a request."""


@dataclass
class News:
    """Writes how far the job is, at most five times a second, and sees whether it is to stop."""

    job: Path
    content: dict[str, Any] = field(default_factory=lambda: {"part": None, "parts_done": 0, "parts": 0})
    written: float = 0.0
    looked: float = 0.0
    wanted: StopRequest | None = None
    lines: set[tuple[str, str]] = field(default_factory=set)

    def progress(self, part: str, step: str, done: int, total: int) -> None:
        """Called by the assessment, perhaps from several threads."""
        if step == FINISHED:
            self.content |= {"parts_done": done, "parts": total}
            self._forget_best()
        else:
            self.content |= {"part": part or None, "step": step, "done": done, "total": total}
        if (part, step) not in self.lines:
            self.lines.add((part, step))
            self._log(f"{part} {step}".strip())
        is_milestone = step in (BEGUN, FINISHED)
        if is_milestone or time.monotonic() - self.written >= OFTEN:
            self.written = time.monotonic()
            with suppress(OSError):  # a full disk is told by what is written next
                write_state(self.job / PROGRESS, self.content)

    def stop(self) -> StopRequest | None:
        """What somebody asked for; also the sign of life of a long step."""
        now = time.monotonic()
        if now - self.looked >= OFTEN:
            self.looked = now
            self.wanted = requested(self.job)
        if now - self.written >= 2.0:
            self.written = now
            with suppress(OSError):
                write_state(self.job / PROGRESS, self.content)
        return self.wanted

    def _forget_best(self) -> None:
        """The best so far was taken: the next part is searched as usual."""
        if requested(self.job) == "best":
            (self.job / CANCEL).unlink(missing_ok=True)
        self.looked = 0.0

    def _log(self, text: str) -> None:
        sys.stdout.write(f"{_now()} {text}\n")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def run_job(job: Path) -> int:
    """Run a job to its end; what went wrong is told in its folder, never with a value."""
    return work_to_end(job, lambda: {"acceptable": _done(job)})


def _done(job: Path) -> bool | None:
    """Do what was asked for, while no other process runs the release; its verdict."""
    release, asked, news = release_of(job), read_job(job), News(job)
    running = take_run(release)
    try:
        return TASKS[asked.get("task", "assess")](job, release, asked, news)
    finally:
        if running is not None:
            running.release()


def _assessed(_job: Path, release: Path, asked: dict[str, Any], news: News) -> bool | None:
    outside = bool(asked.get("allow_outside"))
    tables = [path.resolve() for path in written_tables(release, allow_outside=outside)]
    refuse_foreign(tables, hint="Move the file, or name another one with `out` in the release file.")
    recorder = Recorder("assess", options=["--job"], name=asked.get("by"), inputs=(release,))
    with recorded(recorder), recording_written(tables):
        made = assess_and_report(
            release,
            release.parent / ASSESSMENT_FOLDER,
            previous=asked.get("previous"),
            progress=news.progress,
            stop=news.stop,
            allow_outside=outside,
        )
    return None if made.assessment.failed else made.assessment.acceptable


def _tried(job: Path, release: Path, asked: dict[str, Any], news: News) -> bool | None:
    """A what-if: only its own result is written, next to the job."""
    folder = release.parent / ASSESSMENT_FOLDER
    made = assess(
        release,
        out=folder,
        changes=asked["changes"],
        previous=folder if (folder / MANIFEST).exists() else None,
        progress=news.progress,
        stop=news.stop,
        allow_outside=bool(asked.get("allow_outside")),
    )
    write_state(job / JOB_RESULT, made.to_dict())
    return None if made.failed else made.acceptable


def _verified(job: Path, release: Path, asked: dict[str, Any], news: News) -> bool:
    with stoppable(news.stop):
        found = verify(
            release.parent / ASSESSMENT_FOLDER,
            trusted=job / TRUSTED if (job / TRUSTED).exists() else None,
            root=asked.get("root"),
            quick=bool(asked.get("quick")),
            progress=news.progress,
            allow_outside=bool(asked.get("allow_outside")),
        )
    write_state(job / JOB_RESULT, {**found.to_dict(), "folder": ASSESSMENT_FOLDER})
    return found.holds


TASKS = {"assess": _assessed, "try": _tried, "verify": _verified}


def _listen() -> None:
    """End like Ctrl-C when another program asks to: what is temporary is removed."""
    import signal
    from types import FrameType

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)


if __name__ == "__main__":
    _listen()
    sys.exit(run_job(Path(sys.argv[1])))
