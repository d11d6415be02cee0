"""The report: a preview in a frame that can run nothing, for whom it is, and files to download."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from reidrisk.assess.state import ReleaseState
from reidrisk.core.audience import AUDIENCES, INTERNAL
from reidrisk.core.regular_files import read_regular
from reidrisk.web.page import _DRAWING, ASSESSMENT, NotFound, ReleaseFolder, confined, render, state_of
from reidrisk.web.security import PREVIEW

if TYPE_CHECKING:
    from reidrisk.report.document import ReportDocument

router = APIRouter()
ABOUT_TEMPLATES = {
    "general": ("General", "everything about the release, for your own files"),
    "ema": ("EMA and Health Canada", "the chapters of EMA Policy 0070 and of Health Canada's PRCI"),
    "hipaa": ("HIPAA", "an expert determination"),
    "summary": ("Summary", "one page for those who decide"),
}
ABOUT_AUDIENCES = {
    "internal": ("Internal", "all figures; do not pass it on with the data"),
    "shared": ("Shared", "may be passed on; has no small counts and no suppressed values"),
}
FORMATS = {"html": "page", "pdf": "PDF", "docx": "Word"}
"""The formats to download, and how buttons call them."""
TYPES = {
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
PAPERS = ("report", "annex")
STORED = ("report.html", "report.pdf", "annex.html", "annex.pdf")
"""What an assessment keeps of its general report."""
MOST_BYTES = 2**29
Template = Annotated[str, Query(max_length=20)]


@router.get("/r/{release}/report")
def show(
    request: Request, folder: ReleaseFolder, template: Template = "general", audience: Template = INTERNAL
) -> Response:
    """The preview and its choices."""
    _check(template, audience)
    is_assessed = state_of(folder).verdict is not None
    has_annex = is_assessed and _document(folder, template, audience).annex is not None
    return render(
        request,
        "report.html",
        folder=folder,
        step="report",
        chosen=template,
        audience=audience,
        templates=ABOUT_TEMPLATES,
        audiences=ABOUT_AUDIENCES,
        formats=FORMATS,
        has_annex=has_annex,
    )


@router.get("/r/{release}/report/preview")
def preview(folder: ReleaseFolder, template: Template = "general", audience: Template = INTERNAL) -> Response:
    """The page of a report, which is shown in a frame."""
    _check(template, audience)
    content = _drawn(folder, template, audience, "report.html")
    return Response(content, media_type=TYPES["html"], headers={PREVIEW.decode(): "1"})


@router.get("/r/{release}/report/download/{form}")
def download(
    folder: ReleaseFolder,
    form: str,
    template: Template = "general",
    audience: Template = INTERNAL,
    paper: Template = "report",
) -> Response:
    """A report, or its annex, as a file."""
    _check(template, audience)
    if form not in FORMATS or paper not in PAPERS:
        raise NotFound
    name = paper if (template, audience) == ("general", INTERNAL) else f"{paper}-{template}-{audience}"
    return Response(
        _drawn(folder, template, audience, f"{paper}.{form}"),
        media_type=TYPES[form],
        headers={"Content-Disposition": f'attachment; filename="{name}.{form}"'},
    )


def _check(template: str, audience: str) -> None:
    if template not in ABOUT_TEMPLATES or audience not in AUDIENCES:
        raise NotFound


_KEPT: OrderedDict[tuple[str, ...], bytes] = OrderedDict()
_KEEPING = threading.Lock()
MOST_KEPT = 8
"""Reports that were drawn and are kept in memory, with their charts a few megabytes each."""


def _drawn(folder: Path, template: str, audience: str, name: str) -> bytes:
    """The file of the assessment itself, or the same as `reidrisk report` writes for others."""
    state = state_of(folder)
    if state.verdict is None:
        raise NotFound
    stored = confined(folder, ASSESSMENT, name)
    if (template, audience) == ("general", INTERNAL) and name in STORED and stored.is_file():
        return read_regular(stored, most=MOST_BYTES)
    key = (str(folder), str(state.root), _signed(state), template, audience, name)
    with _KEEPING:
        if key in _KEPT:
            _KEPT.move_to_end(key)
            return _KEPT[key]
    content = _draw(folder, template, audience, name)
    with _KEEPING:
        _KEPT[key] = content
        while len(_KEPT) > MOST_KEPT:
            _KEPT.popitem(last=False)
    return content


def _signed(state: ReleaseState) -> str:
    return "|".join(one.time for one in state.signed)


def _document(folder: Path, template: str, audience: str) -> ReportDocument:
    from reidrisk.core.audience import check_audience
    from reidrisk.report.writing import document_of

    return document_of(folder / ASSESSMENT, template=template, audience=check_audience(audience))


def _draw(folder: Path, template: str, audience: str, name: str) -> bytes:
    from reidrisk.report.charts.drawings import drawings_from
    from reidrisk.report.writing import draw

    paper, _, form = name.partition(".")
    with _DRAWING, drawings_from(folder / ASSESSMENT):
        document = _document(folder, template, audience)
        wanted = document.annex if paper == "annex" else document
        if wanted is None:
            raise NotFound
        return draw(wanted, form)
