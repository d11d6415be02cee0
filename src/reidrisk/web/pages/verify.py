"""Verify the assessment, as `reidrisk verify` does: run it again, compare, and tell who signed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from reidrisk.errors import InvalidSetting
from reidrisk.web.page import ASSESSMENT, ReleaseFolder, go_to, render, user_name
from reidrisk.web.pages.context import form_fields

if TYPE_CHECKING:
    from reidrisk.assess.jobs import JobState

router = APIRouter()
Fields = Annotated[dict[str, str], Depends(form_fields)]
_HASH = re.compile(r"[0-9a-f]{64}")


@router.get("/r/{release}/verify")
def show(request: Request, folder: ReleaseFolder) -> Response:
    """The last verification, and the form for another."""
    return render(request, "verify.html", folder=folder, step="sign", is_polled=False, **_known(folder))


@router.get("/r/{release}/verify/status")
def status(request: Request, folder: ReleaseFolder) -> Response:
    """The same while it runs."""
    return render(request, "verify_status.html", folder=folder, is_polled=True, **_known(folder))


@router.post("/r/{release}/verify")
def start(request: Request, folder: ReleaseFolder, fields: Fields) -> Response:
    """Verify in a process of its own; anybody who sees the release may do that."""
    from reidrisk.assess.jobs import start_verification

    root, trusted = fields.get("root", "").strip().lower(), fields.get("trusted", "").strip()
    if root and not _HASH.fullmatch(root):
        raise InvalidSetting("This is not a root hash.", hint="It has 64 letters and digits.")
    if "PRIVATE KEY" in trusted:
        raise InvalidSetting("This is a private key.", hint="Choose the public key: the file .pub.")
    if not (folder / ASSESSMENT).is_dir():
        raise InvalidSetting("There is no assessment to verify.", hint="Run the assessment first.")
    start_verification(
        folder,
        by=user_name(request),
        trusted=f"{trusted}\n" if trusted else None,
        root=root or None,
        quick=fields.get("quick") == "yes",
    )
    return go_to(request, folder, "verify")


def _known(folder: Path) -> dict[str, Any]:
    from reidrisk.assess.jobs import job_result, list_jobs
    from reidrisk.assess.verify import verification_words

    latest: JobState | None = next((one for one in list_jobs(folder) if one.task == "verify"), None)
    found = None if latest is None else job_result(folder, latest.id)
    headline, sentence = ("", "") if found is None else verification_words(found)
    return {"latest": latest, "found": found, "headline": headline, "sentence": sentence}
