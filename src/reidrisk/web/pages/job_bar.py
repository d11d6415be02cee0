"""The bar at the foot of every page of a release while an assessment runs."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from reidrisk.web.page import ReleaseFolder, render

router = APIRouter()


@router.get("/r/{release}/job-bar")
def show(request: Request, folder: ReleaseFolder) -> Response:
    """The bar as it is now; it asks for itself again while the job is alive."""
    from reidrisk.assess.jobs import list_jobs

    latest = next(iter(list_jobs(folder)), None)
    return render(request, "job_bar.html", folder=folder, job=latest)
