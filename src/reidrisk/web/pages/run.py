"""Run the assessment: start it, follow it, stop it. It goes on without this server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from reidrisk.core.trail import RELEASE_FILE
from reidrisk.errors import ReidRiskError
from reidrisk.web.page import (
    NotFound,
    ReleaseFolder,
    confined,
    go_to,
    is_htmx,
    need_role,
    render,
    user_name,
)

if TYPE_CHECKING:
    from reidrisk.assess.jobs import JobState

router = APIRouter()
MOST_RUNS = 10
MOST_LOG = 20_000


@router.get("/r/{release}/run")
def show(request: Request, folder: ReleaseFolder) -> Response:
    """The latest run, and the button that starts one."""
    return render(request, "run.html", folder=folder, step="run", **_known(folder))


@router.get("/r/{release}/run/status")
def status(request: Request, folder: ReleaseFolder) -> Response:
    """The latest run as it is now; it asks for itself again while the run is alive."""
    from reidrisk.assess.jobs import cancel_job

    latest = _latest(folder)
    if latest is not None and latest.status == "stopping" and latest.stop == "cancel":
        cancel_job(folder, latest.id)  # asks again, and after a while insists
    known = _known(folder)
    shown = render(request, "run_status.html", folder=folder, **known)
    if known["latest"] is None or not known["latest"].is_alive:
        shown.headers["HX-Refresh"] = "true"  # the steps and the list of parts have changed, too
    return shown


@router.post("/r/{release}/run/start")
def start(request: Request, folder: ReleaseFolder) -> Response:
    """Start a run in a process of its own."""
    from reidrisk.assess.jobs import start_job

    need_role(request, "preparer")
    start_job(folder, by=user_name(request))
    return _shown(request, folder)


@router.post("/r/{release}/run/stop/{job}")
def stop(request: Request, folder: ReleaseFolder, job: str) -> Response:
    """Take the best solution so far, and go on with it."""
    return _stopped(request, folder, job, take_best=True)


@router.post("/r/{release}/run/cancel/{job}")
def cancel(request: Request, folder: ReleaseFolder, job: str) -> Response:
    """End the run; the last assessment stays as it is."""
    return _stopped(request, folder, job, take_best=False)


def _stopped(request: Request, folder: Path, job: str, *, take_best: bool) -> Response:
    from reidrisk.assess.jobs import cancel_job

    need_role(request, "preparer")
    try:
        cancel_job(folder, job, take_best=take_best)
    except ReidRiskError:
        raise NotFound from None
    return _shown(request, folder)


def _shown(request: Request, folder: Path) -> Response:
    if is_htmx(request):
        return render(request, "run_status.html", folder=folder, **_known(folder))
    return go_to(request, folder, "run")


def _latest(folder: Path) -> JobState | None:
    from reidrisk.assess.jobs import list_jobs

    return next((one for one in list_jobs(folder) if one.task == "assess" or one.is_alive), None)


def _known(folder: Path) -> dict[str, Any]:
    """What the page shows of the runs, and why none can be started."""
    from reidrisk.assess.jobs import list_jobs

    jobs = list_jobs(folder)
    latest = next((one for one in jobs if one.task == "assess" or one.is_alive), None)
    return {
        "latest": latest,
        "earlier": [one for one in jobs if one.task == "assess" and one != latest][:MOST_RUNS],
        "obstacle": None if latest is not None and latest.is_alive else _obstacle(folder),
        "log": _log_text(folder, latest),
    }


def _obstacle(folder: Path) -> ReidRiskError | None:
    """What is wrong with the release file."""
    from reidrisk.assess.release_file import read_release

    try:
        read_release(folder / RELEASE_FILE)
    except ReidRiskError as error:
        return error
    return None


def _log_text(folder: Path, job: JobState | None) -> str:
    """The log of a run, which has no values; its end if it is long."""
    if job is None:
        return ""
    try:
        path = confined(folder, ".reidrisk", "jobs", job.id, "log")
        return path.read_text(encoding="utf-8", errors="replace")[-MOST_LOG:]
    except (OSError, NotFound):
        return ""
