"""A part of a release: on to the page of its kind."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from reidrisk.web.page import PAGE_OF_KIND, NotFound, ReleaseFolder, go_to, part_settings
from reidrisk.web.pages.relational import is_group

router = APIRouter()


@router.get("/r/{release}/part/{part}")
def show(request: Request, folder: ReleaseFolder, part: str) -> Response:
    """Go on to the page of the part's kind; parts that were judged together have a page of their own."""
    if is_group(folder, part):
        return go_to(request, folder, "together", part)
    page = PAGE_OF_KIND.get(str(part_settings(folder, part).get("kind")))
    if page is None:
        raise NotFound
    return go_to(request, folder, page, part)
