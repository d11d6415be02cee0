"""Detect and anonymize the documents of a part in a process of its own, and follow it.

Everything about a job is in files, as with all jobs (`job_process.py`):

    .reidrisk/documents/PART/ID/job.json  progress.json  result.json  done.json  lock  log
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from reidrisk.assess.job_process import (
    JOB,
    life_of,
    read_state,
    start_process,
    unused_path,
    work_to_end,
    write_state,
)
from reidrisk.assess.jobs import PROGRESS
from reidrisk.core.kernel_lock import take_lock
from reidrisk.core.trail import FOLDER, RELEASE_FILE, Recorder, recorded, system_user
from reidrisk.errors import AlreadyRunning, InvalidSetting

if TYPE_CHECKING:
    from reidrisk.assess.kinds.documents import DocumentsPart
    from reidrisk.documents.study.study import Study

DocumentTask = Literal["detect", "redact", "replace"]
TASKS: tuple[DocumentTask, ...] = get_args(DocumentTask)
DocumentJobStatus = Literal["starting", "running", "done", "failed", "lost"]
RESULT, PUBLISHED = "result.json", "published"
OFTEN = 0.2
"""Seconds between two writes of the progress."""
_ID = re.compile(r"[0-9]{8}T[0-9]{6}-[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class DocumentJobState:
    """What is known about a job now."""

    id: str
    task: DocumentTask
    status: DocumentJobStatus
    started: str
    by: str | None = None
    document: str | None = None
    """The document that is worked on."""
    done: int = 0
    total: int = 0
    """Pages; 0 if they are not known yet."""
    out: str | None = None
    """What was written, relative to the release folder."""
    problem: str | None = None
    hint: str | None = None
    result: dict[str, Any] | None = field(default=None, repr=False)
    """As `--json` of the command gives it."""

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended yet."""
        return self.status in ("starting", "running")


def documents_part(folder: str | Path, part: str) -> DocumentsPart:
    """The documents part of a release."""
    from reidrisk.assess.kinds.documents import DocumentsPart
    from reidrisk.assess.release_file import read_release

    release = read_release(Path(folder) / RELEASE_FILE)
    found = next((one for one in release.parts if one.name == part), None)
    if not isinstance(found, DocumentsPart):
        raise InvalidSetting("The release has no such documents part.", hint="Check the release file.")
    return found


def findings_of(part: DocumentsPart) -> Path | None:
    """The file with the findings that reviewers work on; None if nothing was detected yet."""
    return _findings(part.folder, part.given, part.study)


def _findings(folder: Path, given: Mapping[str, Any], study: Study) -> Path | None:
    named = given.get("review") or given.get("findings") or study.review
    return None if named is None else folder / str(named)


@dataclass(frozen=True, slots=True)
class DocumentFiles:
    """Where the files of a documents part are."""

    findings: Path | None
    """The findings that reviewers work on; None if nothing was detected yet."""
    documents: tuple[Path, ...]
    """In the order of the study."""


def document_files(folder: str | Path, part: str) -> DocumentFiles:
    """The files of a documents part. Only its lines and its study are read, so that pages appear at once."""
    from reidrisk.core.yaml_file import read_yaml
    from reidrisk.documents.study.read import read_study

    content = read_yaml(Path(folder) / RELEASE_FILE)
    listed = content.get("parts") if isinstance(content, Mapping) else None
    parts = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    given = next((one for one in parts if (one.get("name"), one.get("kind")) == (part, "documents")), None)
    if given is None or not isinstance(given.get("study"), str):
        raise InvalidSetting("The release has no such documents part.", hint="Check the release file.")
    study = read_study(Path(folder) / given["study"])
    return DocumentFiles(_findings(Path(folder), given, study), study.document_paths())


def start_document_job(folder: str | Path, part: str, task: DocumentTask, *, by: str | None = None) -> str:
    """Detect, redact or replace in a process of its own; returns the id of the job."""
    if task not in TASKS:
        raise InvalidSetting.among("A task", str(task), TASKS)
    place = _place(Path(folder), part)
    place.mkdir(parents=True, mode=0o700, exist_ok=True)
    gate = take_lock(place / "start.lock")
    last = last_document_job(folder, part)
    if gate is None or (last is not None and last.is_alive):
        if gate is not None:
            gate.release()
        raise AlreadyRunning("These documents are being worked on.", hint="Wait until that has finished.")
    try:
        return _started(Path(folder).resolve(), place, {"part": part, "task": task, "by": by})
    finally:
        gate.release()


def _started(folder: Path, place: Path, asked: Mapping[str, Any]) -> str:
    now = datetime.now(UTC)
    name = f"{now:%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
    job = place / name
    job.mkdir(mode=0o700)
    began = now.isoformat(timespec="milliseconds")
    write_state(job / JOB, {**asked, "kind": "document_job", "started": began, "user": system_user()})
    start_process(__name__, job, folder=folder)
    return name


def _place(folder: Path, part: str) -> Path:
    """Where the jobs of a part are."""
    plain = re.sub(r"[^A-Za-z0-9_-]", "-", part)[:40]
    return folder / FOLDER / "documents" / f"{plain}-{hashlib.sha256(part.encode()).hexdigest()[:8]}"


def document_jobs(folder: str | Path, part: str) -> tuple[DocumentJobState, ...]:
    """The jobs of a part, the latest first."""
    place = _place(Path(folder), part)
    names = (
        sorted((one.name for one in place.iterdir() if _ID.fullmatch(one.name)), reverse=True)
        if (place.is_dir())
        else []
    )
    found = (_state(place / name) for name in names)
    return tuple(one for one in found if one is not None)


def last_document_job(folder: str | Path, part: str, *tasks: DocumentTask) -> DocumentJobState | None:
    """The latest job of a part, of any task or of these."""
    return next((one for one in document_jobs(folder, part) if not tasks or one.task in tasks), None)


def _state(job: Path) -> DocumentJobState | None:
    asked = read_state(job / JOB)
    if asked is None:
        return None
    done, life = life_of(job)
    common: dict[str, Any] = {"id": job.name, "task": asked["task"], "started": asked["started"]}
    common["by"] = asked.get("by")
    if done is not None:
        told: dict[str, Any] = {name: done.get(name) for name in ("out", "problem", "hint")}
        return DocumentJobState(status=done["status"], **common, **told, result=read_state(job / RESULT))
    news = read_state(job / PROGRESS) or {}
    common |= {name: news[name] for name in ("document", "done", "total") if name in news}
    return DocumentJobState(status=life, **common)


def run_document_job(job: Path) -> int:
    """Run a job to its end; what went wrong is told in its folder, never with a value."""
    return work_to_end(job, lambda: {"out": _done(job)})


def _done(job: Path) -> str:
    asked = read_state(job / JOB) or {}
    folder = job.parents[3]
    part = documents_part(folder, str(asked["part"]))
    news = _News(job)
    work, command = (_detected, "detect") if asked["task"] == "detect" else (_anonymized, "anonymize")
    with recorded(Recorder(f"document {command}", options=["--job"], name=asked.get("by"))):
        return work(job, folder, part, news, str(asked["task"]))


@dataclass
class _News:
    """Writes how far the job is, at most five times a second."""

    job: Path
    written: float = 0.0

    def __call__(self, document: str, done: int, total: int) -> None:
        if time.monotonic() - self.written >= OFTEN:
            self.written = time.monotonic()
            with suppress(OSError):
                write_state(self.job / PROGRESS, {"document": document, "done": done, "total": total})


def _detected(job: Path, folder: Path, part: DocumentsPart, news: _News, _task: str) -> str:
    """Detect, and let the release file name the new findings."""
    from reidrisk.assess.editing import REMOVED, edit_release, release_sha256
    from reidrisk.detect.settings import DetectSettings
    from reidrisk.documents.detection.run import detect_documents

    result = detect_documents((), study=part.study, settings=DetectSettings(), progress=news)
    target = unused_path(part.study_file.parent, "findings", ".json")
    result.write(target)
    write_state(job / RESULT, result.to_dict())
    name = os.path.relpath(target, folder)
    changes: dict[Any, Any] = {f"parts.{part.name}.findings": name}
    if part.given.get("review"):
        changes[f"parts.{part.name}.review"] = REMOVED
    release = folder / RELEASE_FILE
    edit_release(release, changes, expected_sha256=release_sha256(release))
    return name


def _anonymized(job: Path, folder: Path, part: DocumentsPart, news: _News, task: str) -> str:
    """Redact or replace what the findings and the reviewers say, and prove it."""
    from reidrisk.documents.anonymize.run import anonymize_documents
    from reidrisk.documents.anonymize.settings import Mode, anonymize_settings

    mode: Mode = "replace" if task == "replace" else "redact"
    findings = findings_of(part)
    if findings is None:
        raise InvalidSetting("Nothing was detected yet.", hint="Detect first.")
    (folder / PUBLISHED).mkdir(exist_ok=True)
    out = unused_path(folder / PUBLISHED, f"{part.name}-{task}")
    result = anonymize_documents(
        (), out, study=part.study, findings=findings, settings=anonymize_settings(mode, {}), progress=news
    )
    write_state(job / RESULT, result.to_dict())
    return os.path.relpath(out, folder)


if __name__ == "__main__":
    sys.exit(run_document_job(Path(sys.argv[1])))
