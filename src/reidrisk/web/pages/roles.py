"""What each column is: the suggested role with its reason, to be confirmed by a person."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from reidrisk.errors import InvalidSetting, ReidRiskError
from reidrisk.web.page import (
    NotFound,
    ReleaseFolder,
    go_to,
    need_role,
    release_content,
    render,
    status_of,
    writing,
)
from reidrisk.web.pages.files import Hash

router = APIRouter()
LongList = Annotated[list[str], Form(max_length=7000)]


def tables_of(folder: Path) -> tuple[str, ...]:
    """The names of the table parts."""
    parts = release_content(folder).get("parts")
    listed = [one for one in parts if isinstance(one, Mapping)] if isinstance(parts, list) else []
    return tuple(str(one.get("name")) for one in listed if one.get("kind") == "table")


@router.get("/r/{release}/roles")
def first(request: Request, folder: ReleaseFolder) -> Response:
    """The first table whose roles nobody has confirmed."""
    names = tables_of(folder)
    if not names:
        return render(request, "roles.html", folder=folder, step="roles", tables=(), found=None, part=None)
    parts = release_content(folder)["parts"]
    waiting = [
        str(one["name"]) for one in parts if one.get("kind") == "table" and one.get("confirmed") is False
    ]
    return show(request, folder, (waiting or list(names))[0])


@router.get("/r/{release}/roles/{part}")
def show(request: Request, folder: ReleaseFolder, part: str) -> Response:
    """The columns of a table."""
    if part not in tables_of(folder):
        raise NotFound
    return _page(request, folder, part)


@router.post("/r/{release}/roles/{part}")
def save(  # noqa: PLR0913, PLR0917 - the fields of the form
    request: Request,
    folder: ReleaseFolder,
    part: str,
    sha256: Hash,
    column: LongList = [],  # noqa: B006 - as FastAPI has it
    role: LongList = [],  # noqa: B006
    why: LongList = [],  # noqa: B006
    read: LongList = [],  # noqa: B006
    act: Annotated[str, Form(max_length=20)] = "save",
) -> Response:
    """Save the roles, and confirm the table if every column was read."""
    need_role(request, "preparer")
    from reidrisk.assess.roles import part_roles, set_roles

    if part not in tables_of(folder):
        raise NotFound
    chosen = dict(zip(column, role, strict=False))
    reasons = {name: text for name, text in zip(column, why, strict=False) if text.strip()}
    try:
        if len(column) != len(role) or len(column) != len(why):
            raise InvalidSetting("The form is not complete.", hint="Reload the page.")
        found = part_roles(folder, part)
        unread = [one.name for one in found.columns if one.name not in read]
        if act == "read" and unread:
            raise InvalidSetting(
                f"These columns are not marked as read: {', '.join(unread)}.",
                hint="Read their roles and mark them, or confirm all at once.",
            )
        wanted = {
            one.name: chosen[one.name] for one in found.columns if chosen.get(one.name, "open") != "open"
        }
        with writing(request, folder, f"roles of {part}"):
            set_roles(
                folder, part, wanted, reasons=reasons, confirm=act in ("read", "all"), expected_sha256=sha256
            )
    except ReidRiskError as error:
        if status_of(error) == 409:
            raise
        return _page(request, folder, part, problem=error, chosen=chosen, read=read)
    left = [one for one in tables_of(folder) if not _is_confirmed(folder, one)]
    if act == "save":
        return go_to(request, folder, "roles", part)
    return go_to(request, folder, "roles", left[0]) if left else go_to(request, folder, "context")


def _is_confirmed(folder: Path, part: str) -> bool:
    parts = release_content(folder).get("parts", [])
    return any(one.get("name") == part and one.get("confirmed", True) is True for one in parts)


def _page(
    request: Request,
    folder: Path,
    part: str,
    *,
    problem: ReidRiskError | None = None,
    chosen: Mapping[str, str] | None = None,
    read: list[str] | None = None,
) -> Response:
    from reidrisk.assess.roles import ROLE_MEANINGS, ROLE_WORDS, part_roles

    try:
        found = part_roles(folder, part)
    except ReidRiskError as error:
        found, problem = None, problem or error
    return render(
        request,
        "roles.html",
        folder=folder,
        step="roles",
        status=422 if problem else 200,
        tables=tables_of(folder),
        part=part,
        found=found,
        words=ROLE_WORDS,
        meanings=ROLE_MEANINGS,
        problem=problem,
        chosen=chosen or {},
        read=set(read or ()),
    )
