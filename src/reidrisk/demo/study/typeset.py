"""The report as PDF, set by Typst with the fonts that it brings: the same report gives the same bytes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reidrisk.demo.study.cohort import STUDY
from reidrisk.demo.study.key import headed
from reidrisk.demo.study.report.elements import Contents, Element, Grid, Heading, Landscape
from reidrisk.errors import MissingPackage

_TEMPLATE = Path(__file__).with_name("report.typ")


def report_pdf(elements: Sequence[Element]) -> bytes:
    """The report as it would be sent to an authority: bookmarks, running titles, turned pages."""
    try:
        import typst
    except ImportError as error:
        raise MissingPackage.of_extra("typst", "report") from error
    content = {"study": STUDY, "elements": [_described(element) for element in elements]}
    sources = {"main.typ": _TEMPLATE.read_bytes(), "report.json": json.dumps(content).encode()}
    compiled: Any = typst.compile  # its types do not know of several files yet
    made: bytes = compiled(sources, ignore_system_fonts=True, timestamp=datetime(2021, 2, 17, tzinfo=UTC))
    return made


def _described(element: Element) -> dict[str, Any]:
    if isinstance(element, Heading):
        return {"kind": "heading", "level": element.level, "text": headed(element).text}
    if isinstance(element, Contents):
        return {"kind": "contents"}
    if isinstance(element, Grid):
        return {
            "kind": "grid",
            "caption": element.caption.text,
            "header": element.header,
            "rows": [[cell.text for cell in row] for row in element.rows],
            "widths": element.widths,
        }
    if isinstance(element, Landscape):
        return {"kind": "landscape"}
    return {"kind": "paragraph", "bold": element.bold, "text": element.piece.text}
