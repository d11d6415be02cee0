"""Copy a release, and compare its assessment with that of another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from reidrisk.assess.state import list_releases
from reidrisk.web.page import (
    ReleaseFolder,
    assessment_of,
    go_to,
    need_role,
    release_folder,
    release_name,
    render,
    served,
    state_of,
    writing,
)
from reidrisk.web.pages.new import free_folder

router = APIRouter()


@router.get("/r/{release}/copy")
def ask(request: Request, folder: ReleaseFolder) -> Response:
    """Ask for the name of the copy."""
    need_role(request, "preparer")
    return render(request, "copy.html", folder=folder)


@router.post("/r/{release}/copy")
def copy(
    request: Request, folder: ReleaseFolder, title: Annotated[str, Form(min_length=1, max_length=200)]
) -> Response:
    """Copy files and settings into a new folder; the copy is to be assessed anew."""
    need_role(request, "preparer")
    from reidrisk.assess.copying import copy_release

    root = served(request).root
    target = free_folder(root.parent if folder == root else root, title)
    if folder == root:  # the served folder is the release itself: a copy inside of it would be part of it
        from reidrisk.errors import InvalidSetting

        raise InvalidSetting(
            "This release is the served folder itself, so there is no place beside it.",
            hint="Start `reidrisk serve` on the folder above it.",
        )
    with writing(request, folder, "release copied"):
        copy_release(folder, target, name=title)
    return go_to(request, target, "files")


@router.get("/r/{release}/compare")
def compare(
    request: Request,
    folder: ReleaseFolder,
    other: Annotated[str, Query(alias="with", max_length=300)] = "",
) -> Response:
    """What differs from the assessment of another release, in the words of the report."""
    from reidrisk.assess.result import compare_assessments
    from reidrisk.report.kinds.assessment import monitoring

    now, found, title = assessment_of(folder), None, ""
    if other and now is not None:
        earlier = release_folder(request, other)
        previous, title = assessment_of(earlier), state_of(earlier).title
        if previous is not None:
            found = monitoring({**now, "monitoring": compare_assessments(now, previous)})
    return render(
        request,
        "compare.html",
        folder=folder,
        others=_others(request, folder),
        chosen=other,
        chosen_title=title,
        has_assessment=now is not None,
        table=found,
    )


def _others(request: Request, folder: Path) -> list[tuple[str, str]]:
    """Other releases that were assessed: their names in URLs and their titles."""
    root = served(request).root
    found = []
    for state in list_releases(root):
        place = root if Path(state.folder) == root else root / Path(state.folder).name
        if place != folder and state.verdict is not None:
            found.append((release_name(request, place), state.title))
    return found
