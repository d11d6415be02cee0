"""Sign the assessment, as `reidrisk sign` does: name, role, meaning and key. The key is never stored."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi import Path as InPath
from fastapi.responses import Response

from reidrisk.assess.state import ReleaseState
from reidrisk.errors import InvalidSetting, ReidRiskError
from reidrisk.web.page import (
    ASSESSMENT,
    NotFound,
    ReleaseFolder,
    go_to,
    need_role,
    render,
    served,
    session_of,
    state_of,
    user_name,
    writing,
)
from reidrisk.web.pages.context import form_fields

router = APIRouter()
Fields = Annotated[dict[str, str], Depends(form_fields)]
ROLES = {
    "preparer": "I made this assessment",
    "reviewer": "I checked this assessment",
    "approver": "I decide about the release",
}
SHORTEST_PASSPHRASE = 8


@router.get("/r/{release}/sign")
def show(request: Request, folder: ReleaseFolder) -> Response:
    """The form, or why it cannot be signed now; and the signatures so far."""
    return _page(request, folder, {})


@router.post("/r/{release}/sign")
def sign_it(request: Request, folder: ReleaseFolder, fields: Fields) -> Response:
    """Sign, and draw the report again with the signature."""
    from reidrisk.assess.signature import Signer, check_other_person
    from reidrisk.report.assessment_folder import sign

    role = fields.get("role") or "approver"
    need_role(request, role if role in ROLES else "approver")
    state = state_of(folder)
    name = fields.get("name", "") if _may_choose_name(request) else user_name(request)
    try:
        if state.unsignable is not None:
            raise InvalidSetting("This cannot be signed now.", hint=state.unsignable)
        if fields.get("root") != state.root:
            raise InvalidSetting(
                "The assessment was run again since you opened this page.",
                hint="Read the new verdict, and sign that one.",
            )
        signer = Signer(name, role, fields.get("meaning", ""))
        if not _may_choose_name(request):
            check_other_person(folder / ASSESSMENT, signer)
        with writing(request, folder, "sign"):
            sign(
                folder / ASSESSMENT,
                name=signer.name,
                role=signer.role,
                meaning=signer.meaning,
                key=fields.get("key", "").encode(),
                passphrase=fields.get("passphrase") or None,
            )
    except ReidRiskError as error:
        return _page(request, folder, fields, _plain(error))
    return go_to(request, folder, "sign")


@router.post("/r/{release}/sign/key")
def make_key(request: Request, folder: ReleaseFolder, fields: Fields) -> Response:
    """A new private key as a file to keep; it is not stored here."""
    from reidrisk.core.signing_key import clean_name, ed25519_pair

    del folder
    name = fields.get("name", "") if _may_choose_name(request) else user_name(request)
    passphrase = fields.get("passphrase", "")
    if len(passphrase) < SHORTEST_PASSPHRASE:
        raise InvalidSetting(
            "The passphrase is too short.", hint=f"Use at least {SHORTEST_PASSPHRASE} letters."
        )
    if passphrase != fields.get("again", passphrase):
        raise InvalidSetting("The two passphrases differ.", hint="Type the same one twice.")
    pair = ed25519_pair(passphrase, clean_name(name))
    return Response(
        pair.private,
        media_type="application/x-pem-file",
        headers={"Content-Disposition": f'attachment; filename="{_slug(name)}.key"'},
    )


@router.get("/r/{release}/sign/public/{number}")
def public_key(folder: ReleaseFolder, number: Annotated[int, InPath(ge=1, le=999)]) -> Response:
    """The public key of a signature, for those who verify it."""
    from reidrisk.assess.signature import read_signatures
    from reidrisk.core.signing_key import public_key_text

    for one in read_signatures(folder / ASSESSMENT):
        if one.number == number:
            return Response(
                public_key_text(one.public_key, one.name),
                media_type="application/x-pem-file",
                headers={"Content-Disposition": f'attachment; filename="{_slug(one.name)}.pub"'},
            )
    raise NotFound


def _may_choose_name(request: Request) -> bool:
    """On the user's own machine a name is as typed; an account signs under its own name."""
    session = session_of(request)
    return served(request).accounts is None and (session is None or session.user is None)


def _page(
    request: Request, folder: Path, fields: dict[str, str], problem: ReidRiskError | None = None
) -> Response:
    state = state_of(folder)
    session = session_of(request)
    own = session.roles if session is not None else ()
    return render(
        request,
        "sign.html",
        folder=folder,
        step="sign",
        status=200 if problem is None else 422,
        state=state,
        problem=problem,
        fields={name: fields.get(name, "") for name in ("name", "role", "meaning")},
        choices={role: text for role, text in ROLES.items() if role in own},
        meanings=_meanings(state),
        fixed_name=None if _may_choose_name(request) else user_name(request),
        signatures=_signatures(folder),
    )


def _meanings(state: ReleaseState) -> dict[str, str]:
    """What a signature usually means, by role and given the verdict."""
    is_good = state.verdict == "acceptable"
    return {
        "preparer": "I prepared this assessment, and it is complete",
        "reviewer": "I have reviewed this assessment",
        "approver": "I approve this release" if is_good else "I confirm that this release is refused",
    }


def _signatures(folder: Path) -> list[dict[str, Any]]:
    from reidrisk.assess.signature import read_signatures

    return [one.to_dict() for one in read_signatures(folder / ASSESSMENT)]


def _plain(error: ReidRiskError) -> ReidRiskError:
    """Hints that name options of the command line, in the words of this page."""
    if "--passphrase-file" in error.hint:
        return InvalidSetting(error.problem, hint="Type the passphrase of the key.")
    if "--as" in error.hint:
        return InvalidSetting(error.problem, hint="Fill in both your name and what your signature means.")
    if "reidrisk key new" in error.hint:
        return InvalidSetting(error.problem, hint="Choose the file of your key, or make a new one below.")
    return error


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower()[:40] or "my"
