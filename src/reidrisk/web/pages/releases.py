"""Making the demo from the first page, and the way into a release."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from reidrisk.errors import ReidRiskError
from reidrisk.web.first_pages import demo_of
from reidrisk.web.page import (
    ReleaseFolder,
    go_to,
    is_htmx,
    need_role,
    redirect,
    render,
    served,
    state_of,
    url_of,
    user_name,
)

router = APIRouter()


@router.post("/demo/start")
def start_demo(request: Request) -> Response:
    """Make the release of `reidrisk demo` in the served folder."""
    from reidrisk.assess import demo_job

    need_role(request, "preparer")
    demo_job.start_demo(served(request).root, by=user_name(request))
    return _after_demo(request)


@router.post("/demo/cancel")
def cancel_demo(request: Request) -> Response:
    """Stop making it, and remove what was made so far."""
    from reidrisk.assess import demo_job

    need_role(request, "preparer")
    demo_job.cancel_demo(served(request).root)
    return _after_demo(request)


def _after_demo(request: Request) -> Response:
    return show_demo(request) if is_htmx(request) else redirect(request, "/")


@router.get("/demo/status")
def show_demo(request: Request) -> Response:
    """How far the demo is, asked for every second; when it is finished, the browser goes on to it."""
    demo = demo_of(request)
    if demo is not None and demo.status == "done" and demo.release is not None and is_htmx(request):
        return redirect(request, url_of(demo.release))
    return render(request, "demo_status.html", demo=demo)


@router.get("/r/{release}")
def open_release(request: Request, folder: ReleaseFolder) -> Response:
    """Go on where the release is: to its verdict if it has one, otherwise to its first open step."""
    try:
        state = state_of(folder)
    except ReidRiskError:
        return go_to(request, folder, "files")
    return go_to(request, folder, "verdict" if state.verdict is not None else "files")
