"""A new release: files are dropped, recognized, and drafted as `reidrisk init` does it.

Files arrive in a hidden folder of the served one, which becomes the folder of the release at the end.
"""

from __future__ import annotations

import re
import secrets
import shutil
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, Response

from reidrisk.core.trail import RELEASE_FILE
from reidrisk.errors import InvalidSetting
from reidrisk.web.page import (
    NotFound,
    confined,
    need_role,
    redirect,
    release_name,
    render,
    served,
    url_of,
    writing,
)
from reidrisk.web.uploads import ARRIVING, MOST_BYTES, UploadTooLarge, arrive, place, safe_name

if TYPE_CHECKING:
    from reidrisk.assess.drafting import DraftedPart

router = APIRouter()
STAGED, UPLOADS = ".new-", "uploads"
_ID = re.compile(r"[0-9a-f]{16}")
ABANDONED = 24 * 3600.0
"""Seconds after which files that never became a release are removed."""
Title = Annotated[str, Form(max_length=200)]


def staged_folder(request: Request, staged: str) -> Path:
    """Where the files of a new release are until it is one."""
    if not _ID.fullmatch(staged):
        raise NotFound
    found = confined(served(request).root, f"{STAGED}{staged}")
    if not (found / UPLOADS).is_dir():
        raise NotFound
    return found


StagedFolder = Annotated[Path, Depends(staged_folder)]


@router.get("/new")
def show(request: Request) -> Response:
    """The drop zone."""
    need_role(request, "preparer")
    _remove_abandoned(served(request).root)
    return render(request, "new.html", staged=None, most=MOST_BYTES, unknown=(), files=())


@router.post("/new")
def begin(request: Request) -> Response:
    """Make a place for files; the answer says where to send them."""
    need_role(request, "preparer")
    staged = secrets.token_hex(8)
    folder = served(request).root / f"{STAGED}{staged}"
    folder.mkdir(mode=0o700)
    (folder / UPLOADS).mkdir(mode=0o700)
    return JSONResponse({"staged": staged, "url": f"/new/{staged}"})


@router.put("/new/{staged}/file")
async def upload(
    request: Request, folder: StagedFolder, name: Annotated[str, Query(max_length=1000)]
) -> Response:
    """Take one file in; its body is the file itself."""
    need_role(request, "preparer")
    await take_file(request, folder / UPLOADS, name)
    return JSONResponse({"name": name})


async def take_file(request: Request, folder: Path, name: str) -> Path:
    """Take the body of a request into a folder under a name."""
    wanted = safe_name(name)
    stated = request.headers.get("content-length", "")
    if stated.isdecimal() and int(stated[:20]) > MOST_BYTES:
        raise UploadTooLarge(f"{wanted} is larger than {MOST_BYTES / 10**9:g} GB.", hint="Leave it out.")
    part = await arrive(request.stream(), folder, wanted)

    def finish() -> Path:
        with writing(request, folder, "file added"):
            return place(part, wanted)

    return await run_in_threadpool(finish)


@router.get("/new/{staged}")
def recognized(request: Request, folder: StagedFolder, staged: str) -> Response:
    """What cannot be part of a release, for a person to decide."""
    need_role(request, "preparer")
    from reidrisk.assess.drafting import draft_parts

    draft = draft_parts(folder)
    files = sorted(one.name for one in (folder / UPLOADS).iterdir() if not one.name.startswith(ARRIVING))
    return render(
        request, "new.html", staged=staged, most=MOST_BYTES, draft=draft, unknown=draft.unknown, files=files
    )


@router.post("/new/{staged}/remove")
def remove(
    request: Request, folder: StagedFolder, staged: str, name: Annotated[str, Form(max_length=500)]
) -> Response:
    """Leave a file out."""
    need_role(request, "preparer")
    found = confined(folder / UPLOADS, safe_name(Path(name).name))
    if not found.is_file():
        raise NotFound
    found.unlink()
    return redirect(request, f"/new/{staged}")


@router.post("/new/{staged}/make")
def make(request: Request, folder: StagedFolder, staged: str, title: Title = "") -> Response:
    """Draft the release and go on to its files; if a file is unknown, ask about it first."""
    need_role(request, "preparer")
    from reidrisk.assess.drafting import draft_parts
    from reidrisk.assess.editing import edit_release, release_sha256
    from reidrisk.core.file_set import at_once
    from reidrisk.core.files import write_text

    draft = draft_parts(folder)
    if draft.unknown or not draft.parts:
        return redirect(request, f"/new/{staged}")
    with writing(request, folder, "new release"):
        with at_once():
            write_text(folder / RELEASE_FILE, draft.text)
        make_keys(folder, draft.parts)
        if title.strip():
            known = release_sha256(folder / RELEASE_FILE)
            change = {"release.name": title.strip()}
            edit_release(folder / RELEASE_FILE, change, expected_sha256=known)
    target = free_folder(served(request).root, title.strip() or "-".join(one.name for one in draft.parts))
    folder.rename(target)
    target.chmod(0o755 & ~_mask())
    return redirect(request, url_of(release_name(request, target), "files"))


def make_keys(folder: Path, parts: Iterable[DraftedPart]) -> None:
    """Make the keys that drafted parts name and nobody has made: on a page nobody types a command."""
    from reidrisk.core.key import make_key

    for one in parts:
        key = one.settings.get("key")
        if isinstance(key, str) and not confined(folder, key).exists():
            make_key(folder / key)


@router.post("/new/{staged}/discard")
def discard(request: Request, folder: StagedFolder) -> Response:
    """Remove the files of a release that was not made."""
    need_role(request, "preparer")
    shutil.rmtree(folder)
    return redirect(request, "/")


def free_folder(root: Path, title: str) -> Path:
    """A new folder after the title of a release."""
    bare = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60].strip("-") or "release"
    for number in range(1, 1000):
        found = root / (bare if number == 1 else f"{bare}-{number}")
        if not found.exists():
            return found
    raise InvalidSetting("There are too many releases of this name.", hint="Choose another name.")


def _mask() -> int:
    import os

    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _remove_abandoned(root: Path) -> None:
    for one in root.glob(f"{STAGED}*"):
        is_ours = _ID.fullmatch(one.name.removeprefix(STAGED)) and one.is_dir() and not one.is_symlink()
        if is_ours and one.stat().st_mtime < time.time() - ABANDONED:
            shutil.rmtree(one, ignore_errors=True)
