"""Documents of a trial: review of findings on the pages, then redaction or replacement, proof and risk.

Pictures and texts of pages are shown after a click that is logged, once per document and session. Decisions
go to the journal of the reviewer (`documents/findings/journal.py`), which the command line reads and writes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import FileResponse, JSONResponse, Response

from reidrisk.core.shell import shell_word
from reidrisk.errors import InvalidSetting, ReidRiskError
from reidrisk.web.page import (
    NotFound,
    ReleaseFolder,
    confined,
    go_to,
    has_role,
    log_click,
    need_role,
    part_result,
    part_settings,
    render,
    result_view,
    served,
    status_of,
    user_name,
    writing,
)
from reidrisk.web.review_room import LocatedPart, ReviewRoom, room_of

if TYPE_CHECKING:
    from reidrisk.documents.page_view import DocumentView, ShownBlock
    from reidrisk.documents.review.desk import DeskFinding, ReviewDesk

router = APIRouter()
BASE = "/r/{release}/document/{part}"
MOST_BYTES, MOST_LINES, MOST_SAME = 2**20, 500, 20_000
TYPES = (
    *("NAME", "DATE", "AGE", "ID", "IDNUM", "LOCATION", "CITY", "COUNTRY", "HOSPITAL", "PHONE", "EMAIL"),
    *("PROFESSION", "OTHER"),
)
"""Types that are offered besides those of the document."""
DocumentName = Annotated[str, Query(max_length=300)]
BlockName = Annotated[str, Query(max_length=300)]


@dataclass(frozen=True, slots=True)
class ReviewPlace:
    """The part of a request, and who asks."""

    room: ReviewRoom
    folder: Path
    name: str
    part: LocatedPart
    session: str
    reviewer: str

    @property
    def findings(self) -> Path:
        """The findings; 404 if nothing was detected yet."""
        if self.part.findings is None:
            raise NotFound
        return self.part.findings

    @property
    def desk(self) -> ReviewDesk:
        """The findings under review."""
        return self.room.desk(self.findings)

    def require_shown(self, document: Path) -> None:
        """Refuse unless this session clicked on the button that says so."""
        if not self.room.is_shown(self.session, document):
            raise InvalidSetting("The pages are hidden.", hint="Click on Show the pages.")


def review_place(request: Request, folder: ReleaseFolder, part: str) -> ReviewPlace:
    """The documents part that the URL names; 404 if there is none."""
    if part_settings(folder, part).get("kind") != "documents":
        raise NotFound
    room = room_of(request)
    session = str(request.scope["state"].get("session_name"))
    reviewer = room.called(session) or user_name(request)
    return ReviewPlace(room, folder, part, room.part(folder, part), session, reviewer)


Here = Annotated[ReviewPlace, Depends(review_place)]


async def json_body(request: Request) -> Any:
    """What a script sent, of bounded size."""
    found = bytearray()
    async for piece in request.stream():
        found += piece
        if len(found) > MOST_BYTES:
            raise InvalidSetting("This request is too large.", hint="Send fewer decisions at a time.")
    try:
        return json.loads(bytes(found))
    except (ValueError, RecursionError):
        raise InvalidSetting("This request is not JSON.", hint="Load the page again.") from None


Sent = Annotated[Any, Depends(json_body)]


def for_script(function: Callable[..., Any]) -> Callable[..., Response]:
    """Answer a script with JSON, errors too."""

    @wraps(function)
    def answer(*given: Any, **named: Any) -> Response:
        try:
            found = function(*given, **named)
        except ReidRiskError as error:
            told = {"problem": error.problem, "hint": error.hint}
            return JSONResponse(told, status_code=status_of(error))
        return found if isinstance(found, Response) else JSONResponse(found)

    return answer


# --- the overview ---


@router.get(BASE)
def show(request: Request, here: Here) -> Response:
    """Documents with their progress, and what can be done with them."""
    return _overview(request, here)


def _overview(request: Request, here: ReviewPlace, *, status: int = 200, **more: Any) -> Response:
    from reidrisk.assess.document_jobs import last_document_job

    detection = last_document_job(here.folder, here.name, "detect")
    values: dict[str, Any] = {
        "part": here.name,
        "reviewer": here.reviewer,
        "may_review": has_role(request, "reviewer"),
        "may_run": has_role(request, "preparer"),
        "documents": [],
        "missing": here.part.missing,
        "reviewers": {},
        "detection": detection,
        "has_findings": here.part.findings is not None,
        "names": list(here.part.documents),
        "commands": {},
        **_made(here),
    }
    try:
        if here.part.findings is not None:
            values |= _progress(here)
            values["commands"] = _commands(here)
    except ReidRiskError as error:
        values["problem"] = error
    result = part_result(here.folder, here.name)
    view = None if result is None else result_view(result, folder=here.folder)
    return render(
        request,
        "document.html",
        folder=here.folder,
        step="verdict",
        status=status,
        view=view,
        **values | more,
    )


def _progress(here: ReviewPlace) -> dict[str, Any]:
    desk = here.desk
    rows = []
    for document in desk.file.documents:
        path = here.part.documents.get(document.document)
        pages = desk.pages(document.document, here.reviewer)
        rows.append(
            {
                "name": document.document,
                "pages": len(pages),
                "findings": len(document.findings),
                "decided": sum(one.decided for one in pages),
                "added": sum(one.added for one in pages),
                "seen": sum(one.is_seen for one in pages),
                "concerns": document.concerns,
                "is_missing": path is None,
                "is_changed": path is not None and here.room.sha256(path) != document.sha256,
            }
        )
    known = {one.document for one in desk.file.documents}
    reviewers = desk.reviewers()
    return {
        "documents": rows,
        "undetected": [name for name in here.part.documents if name not in known],
        "reviewers": reviewers,
        "is_finished": desk.is_finished(here.reviewer),
        "is_open": all(reviewers.values()) or set(reviewers) <= {here.reviewer},
        "has_reviews": bool(reviewers) or bool(desk.file.reviews),
    }


def _commands(here: ReviewPlace) -> dict[str, str]:
    """The same on the command line."""
    study = str(part_settings(here.folder, here.name).get("study", ""))
    findings = here.findings.relative_to(here.folder.resolve()).as_posix()
    return {
        "review": f"reidrisk document review {shell_word(findings)}",
        "anonymize": f"reidrisk document anonymize --study {shell_word(study)} --findings "
        f"{shell_word(findings)} --out DIR",
    }


def _made(here: ReviewPlace) -> dict[str, Any]:
    """The last documents that were redacted or replaced."""
    from reidrisk.assess.document_jobs import last_document_job

    job = last_document_job(here.folder, here.name, "redact", "replace")
    if job is None:
        return {"job": None, "work": None, "written": [], "made": None}
    view = None if job.result is None else result_view(job.result, prefix="m")
    written = []
    if job.status == "done" and job.out is not None:
        out = confined(here.folder, job.out)
        written = sorted(one.name for one in out.iterdir() if one.is_file()) if out.is_dir() else []
    return {"work": job, "written": written, "made": view}


@router.get(f"{BASE}/summary")
def summary(request: Request, here: Here) -> Response:
    """What the reviewers decided and how far they agree; not before all of them have finished."""
    from reidrisk.documents.review.run import review_documents

    reviewers = here.desk.reviewers()
    if not all(reviewers.values()) and not set(reviewers) <= {here.reviewer}:
        raise NotFound
    found = review_documents(here.findings).to_dict()
    named = here.findings.relative_to(here.folder.resolve()).as_posix()
    found["settings"] = {**found["settings"], "findings": [named]}  # as the command in the release folder
    return render(request, "document_summary.html", view=result_view(found, prefix="s"))


@router.get(f"{BASE}/work")
def work(request: Request, here: Here) -> Response:
    """How far the work on the documents is; asked for every second."""
    from reidrisk.assess.document_jobs import last_document_job

    job = last_document_job(here.folder, here.name)
    if job is None:
        raise NotFound
    return render(request, "document_work.html", folder=here.folder, part=here.name, work=job)


@router.post(f"{BASE}/work")
def start_work(request: Request, here: Here, task: Annotated[str, Form(max_length=20)]) -> Response:
    """Detect, redact or replace."""
    from reidrisk.assess.document_jobs import TASKS, start_document_job

    need_role(request, "preparer")
    wanted = next((one for one in TASKS if one == task), None)
    if wanted is None:
        raise NotFound
    try:
        start_document_job(here.folder, here.name, wanted, by=user_name(request))
    except ReidRiskError as error:
        return _overview(request, here, status=status_of(error), problem=error)
    return go_to(request, here.folder, "document", here.name)


@router.get(f"{BASE}/file")
def download(here: Here, document: DocumentName) -> Response:
    """A document that was redacted or replaced last."""
    from reidrisk.assess.document_jobs import last_document_job

    job = last_document_job(here.folder, here.name, "redact", "replace")
    if job is None or job.status != "done" or job.out is None or document != Path(document).name:
        raise NotFound
    path = confined(here.folder, job.out, document)
    if not path.is_file():
        raise NotFound
    return FileResponse(path, filename=document, content_disposition_type="attachment")


@router.post(f"{BASE}/name")
def choose_name(request: Request, here: Here, name: Annotated[str, Form(max_length=80)]) -> Response:
    """Review under another name, on the user's own machine; accounts have their names."""
    if served(request).accounts is not None:
        raise NotFound
    plain = " ".join(name.split())
    if not plain or not plain.isprintable():
        problem = InvalidSetting("A reviewer needs a name.", hint="Type the name that the review shows.")
        return _overview(request, here, status=422, problem=problem)
    here.room.call(here.session, plain)
    return go_to(request, here.folder, "document", here.name)


@router.post(f"{BASE}/finish")
def finish(request: Request, here: Here, *, again: Annotated[bool, Form()] = False) -> Response:
    """Say that the review is finished, or that it goes on."""
    from reidrisk.documents.findings.journal import JournalLine

    need_role(request, "reviewer")
    desk, now = here.desk, _now()
    line = desk.finish_line(here.reviewer)
    with writing(request, here.folder, "review finished" if not again else "review goes on"):
        if again and line is not None:
            desk.record(here.reviewer, [JournalLine(_new_id(), now, "undo", of=line)])
        elif not again and line is None:
            desk.record(here.reviewer, [JournalLine(_new_id(), now, "finish")])
    return go_to(request, here.folder, "document", here.name)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _new_id() -> str:
    from secrets import token_hex

    return token_hex(12)


# --- the desk ---


@router.get(f"{BASE}/review")
def review(request: Request, here: Here, document: DocumentName) -> Response:
    """The pages of a document with their findings; pictures follow after a click."""
    path = here.part.document(document)
    here.room.warm_up(here.findings, path)
    return render(
        request,
        "document_review.html",
        folder=here.folder,
        part=here.name,
        document=document,
        reviewer=here.reviewer,
        may_review=has_role(request, "reviewer"),
        is_shown=here.room.is_shown(here.session, path),
    )


@router.post(f"{BASE}/show")
@for_script
def show_pages(request: Request, here: Here, document: DocumentName) -> Any:
    """Show the pages of a document in this session: the click is logged."""
    path = here.part.document(document)
    if not here.room.is_shown(here.session, path):
        log_click(request, here.folder, f"show pages of {document} of {here.name}")
        here.room.show(here.session, path)
    return {"shown": True}


@router.get(f"{BASE}/pages")
@for_script
def pages(
    here: Here,
    document: DocumentName,
    *,
    type: Annotated[str | None, Query(max_length=100)] = None,  # noqa: A002 - the name in the URL
    source: Annotated[str | None, Query(max_length=100)] = None,
    subject: Annotated[int | None, Query(ge=1, le=10**9)] = None,
    differ: bool = False,
) -> Any:
    """The progress on all pages, of all findings or of those of a filter."""
    from reidrisk.documents.review.desk import FindingFilter

    path = here.part.document(document)
    here.room.paint(path, lambda _: None)  # opened first: pictures do not wait until findings are read
    desk = here.desk
    only = FindingFilter(type, source, subject) if type or source or subject else None
    states = [one.to_dict() for one in desk.pages(document, here.reviewer, only=only)]
    desk.require(document, here.room.sha256(path))
    differences = desk.differences(document)
    found: dict[str, Any] = {"pages": states, "differences": len(differences)}
    if differ:
        found["differing"] = sorted(differences)
    if only is None:
        kinds = desk.kinds(document)
        found |= {"kinds": kinds, "types": _types(one["value"] for one in kinds["types"])}
        found |= {"finished": desk.is_finished(here.reviewer)}
    return found


@router.get(f"{BASE}/items")
@for_script
def items(here: Here, document: DocumentName) -> Any:
    """Sizes of pages, or pieces of text, in their order: what pictures need."""
    found = here.room.paint(here.part.document(document), lambda view: [_item(one) for one in view.blocks])
    return {"items": found}


def _item(one: ShownBlock) -> dict[str, Any]:
    if one.is_page:
        return {"block": one.name, "width": one.width, "height": one.height}
    return {"block": one.name, "start": one.start, "end": one.end}


def _types(own: Iterable[str]) -> list[str]:
    return list(dict.fromkeys((*own, *TYPES)))


@router.get(f"{BASE}/picture")
@for_script
def picture(
    here: Here,
    document: DocumentName,
    block: BlockName,
    scale: Annotated[float, Query(ge=0.2, le=4)] = 1.5,
) -> Any:
    """The picture of a page."""
    path = here.part.document(document)
    here.require_shown(path)
    found = here.room.paint(path, lambda view: view.picture(block, scale=scale))
    return Response(found, media_type="image/png")


@router.get(f"{BASE}/boxes")
@for_script
def boxes(
    here: Here,
    document: DocumentName,
    block: BlockName,
    start: Annotated[int, Query(ge=0, le=10**9)] = 0,
    end: Annotated[int | None, Query(ge=0, le=10**9)] = None,
) -> Any:
    """The findings of a page with their boxes; of a stretch of text with the text."""
    path, desk = here.part.document(document), here.desk
    here.require_shown(path)
    found = [
        one
        for one in desk.page(document, block, here.reviewer)
        if start <= one.found.start and (end is None or one.found.start < end)
    ]

    def read(view: DocumentView) -> tuple[list[Any], str | None]:
        desk.require(document, view.sha256)
        is_page = any(one.name == block and one.is_page for one in view.blocks)
        places = view.boxes(block, [(one.found.start, one.found.end) for one in found])
        desk.take_in(document, block, view.text(block))
        return places, None if is_page else view.text(block)[start:end]

    places, text = here.room.read(path, read)
    here.room.read_ahead(here.findings, path)
    differences = desk.differences(document)
    rows = [_row(one, list(map(list, box)), differences) for one, box in zip(found, places, strict=True)]
    return {"findings": rows} if text is None else {"findings": rows, "text": text}


def _row(
    one: DeskFinding, places: list[Any], differences: dict[str, dict[str, str | None]]
) -> dict[str, Any]:
    row = one.to_dict() | {"boxes": places}
    return row | {"opinions": differences[one.name]} if one.name in differences else row


@router.post(f"{BASE}/within")
@for_script
def within(here: Here, document: DocumentName, block: BlockName, sent: Sent) -> Any:
    """The words in a rectangle of a page, or the places of words that were typed."""
    from reidrisk.documents.page_view import PageBox
    from reidrisk.documents.review.sheet import written

    path, desk = here.part.document(document), here.desk
    here.require_shown(path)
    given = sent if isinstance(sent, dict) else {}

    def read(view: DocumentView) -> tuple[list[tuple[int, int]], list[Any]]:
        desk.require(document, view.sha256)
        words, sides = given.get("words"), given.get("box")
        if isinstance(words, str):
            if not words.strip():
                raise InvalidSetting(
                    "There is nothing to look for.", hint="Type the words as the page has them."
                )
            text = view.text(block)
            spans = [(one.start, one.end) for one in written(document, block, words[:200], "OTHER", text)]
        elif isinstance(sides, list) and len(sides) == 4 and all(_is_length(one) for one in sides):
            spans = view.spans_in(block, PageBox(*map(float, sides)))
        else:
            raise InvalidSetting("This is not a rectangle.", hint="Drag over the words again.")
        return spans, view.boxes(block, spans)

    spans, places = here.room.read(path, read)
    return {
        "spans": [
            {"start": start, "end": end, "boxes": list(map(list, box))}
            for (start, end), box in zip(spans, places, strict=True)
        ]
    }


def _is_length(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -1e6 < value < 1e6


@router.get(f"{BASE}/same")
@for_script
def same(here: Here, document: DocumentName, id: Annotated[str, Query(max_length=40)]) -> Any:  # noqa: A002
    """How often the value of a finding was found; pages are read on demand, as far as a second allows."""
    import time

    path, desk = here.part.document(document), here.desk
    here.require_shown(path)
    blocks, end = desk.blocks_with_findings(document), time.monotonic() + 1.0
    for block in blocks:
        if time.monotonic() > end:
            break
        here.room.take_in(desk, path, block)
    read = sum(desk.has_taken_in(document, block) for block in blocks)
    if read < len(blocks):
        return {"read": read, "pages": len(blocks), "ready": False}
    found = desk.same_value(document, id)
    return {
        "ready": True,
        "count": len(found),
        "pages": len({one.block for one in found}),
        "ids": [one.name_in(document) for one in found][:MOST_SAME],
    }


@router.post(f"{BASE}/decide")
@for_script
def decide(request: Request, here: Here, document: DocumentName, sent: Sent) -> Any:
    """Append decisions to the journal of the reviewer; they are on the disk when this answers."""
    need_role(request, "reviewer")
    desk = here.desk
    given = sent.get("lines") if isinstance(sent, dict) else None
    if not isinstance(given, list) or not 0 < len(given) <= MOST_LINES:
        raise InvalidSetting("There is no decision.", hint="Load the page again.")
    lines = [line for one in given for line in _lines(desk, document, here.reviewer, one)]
    new = desk.record(here.reviewer, lines)
    return {"saved": len(given), "new": new}


def _lines(desk: ReviewDesk, document: str, reviewer: str, given: Any) -> list[Any]:
    """The lines of the journal that a script asks for; one may stand for all findings with a value."""
    from reidrisk.documents.findings.journal import JournalLine

    if not isinstance(given, dict):
        raise InvalidSetting("A decision is not an object.", hint="Load the page again.")
    plain = {name: value for name, value in given.items() if name not in ("everywhere", "group")}
    timed = {**plain, "time": _now()}
    if given.get("action") in ("accept", "reject", "retype", "add", "seen"):
        timed["document"] = document
    if isinstance(given.get("everywhere"), str):
        found = desk.same_value(document, given["everywhere"])
        base = str(given.get("id", ""))[:40]
        return [
            JournalLine.from_dict(
                {**timed, "id": f"{base}-{one.name_in(document)}", "block": one.block}
                | {"start": one.start, "end": one.end}
            )
            for one in found
        ]
    if isinstance(given.get("group"), str) and given.get("action") == "undo":
        own = desk.lines_of(reviewer, given["group"])
        base = str(given.get("id", ""))[:24]
        return [
            JournalLine.from_dict(
                {"id": f"{base}-{line.rpartition('-')[2]}", "time": _now()} | {"action": "undo", "of": line}
            )
            for line in own
        ]
    return [JournalLine.from_dict(timed)]
