"""Run Typst: the same document gives the same bytes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reidrisk.errors import FailedCheck, InvalidSetting, MissingPackage
from reidrisk.report.charts.svg import draw_missing
from reidrisk.report.document import Document
from reidrisk.report.pdf.content import content_of

ARCHIVE = ("a-2a", "ua-1")
"""With a date: to be kept (PDF/A-2a, which is more than 2b) and to be read by everybody (PDF/UA-1)."""
DATELESS = ("ua-1",)
"""An archive file must be dated, and a date that nobody stated would be made up."""


def document_pdf(document: Document) -> bytes:
    """The PDF of a document; no font of the machine is used, so that it looks alike everywhere."""
    try:
        import typst
    except ImportError as error:
        raise MissingPackage.of_extra("typst", "report") from error
    date = _date(document.date)
    draw_missing(document.charts)
    content = content_of(document)
    template = (files("reidrisk.report") / "templates" / "document.typ").read_bytes()
    data = json.dumps(content.data, ensure_ascii=False, sort_keys=True).encode()
    try:
        compiled: Any = typst.compile  # its types do not know of several files yet
        made: bytes = compiled(
            {"main.typ": template, "document.json": data, **content.files},
            font_paths=[_fonts()],
            ignore_system_fonts=True,
            pdf_standards=list(ARCHIVE if date else DATELESS),
            timestamp=date or datetime(1970, 1, 1, tzinfo=UTC),
        )
    except RuntimeError as error:
        raise FailedCheck(
            "The PDF of the report could not be set.", hint="Write the page with --html, and report this."
        ) from error
    return made


def _date(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise InvalidSetting("The date of the release is no date.", hint="Write it as 2026-11-01.") from None


def _fonts() -> Path:
    """The fonts that come with matplotlib; charts are drawn with them too."""
    found = find_spec("matplotlib")  # its folder is asked for, not the library, which takes long to load
    if found is None or not found.submodule_search_locations:
        raise MissingPackage.of_extra("matplotlib", "report")
    return Path(found.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf"
