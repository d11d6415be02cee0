"""Write a report: the page and the PDF of one document."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from reidrisk.core.files import write_bytes
from reidrisk.errors import InvalidSetting
from reidrisk.report.case import Given, case_of
from reidrisk.report.document import Document

TEMPLATES = ("general", "ema", "hipaa", "summary")


def document_of(given: Given | Sequence[Given], *, template: str = "general") -> Document:
    """The document of an assessment, of its folder, or of other results."""
    if template not in TEMPLATES:
        raise InvalidSetting.among("A template", str(template), TEMPLATES)
    made: Document = import_module(f"reidrisk.report.documents.{template}").document(case_of(given))
    return made


def write_report(
    assessment: Given | Sequence[Given], folder: str | Path, *, template: str = "general"
) -> list[Path]:
    """Write `report.html` and `report.pdf` into a folder; both appear, or none.

    `assessment` is what `assess` gave, its dictionary or its folder. A single result, or several,
    are reported as they are, without a context.
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    return write_document(
        document_of(assessment, template=template),
        html=target / "report.html",
        pdf=target / "report.pdf",
    )


def write_document(document: Document, *, html: Path | None = None, pdf: Path | None = None) -> list[Path]:
    """Draw first, write then: a drawing that fails leaves no half of a report."""
    from reidrisk.report.html.document import document_page
    from reidrisk.report.pdf.compile import document_pdf

    drawn = []
    if html is not None:
        drawn.append((html, document_page(document).encode()))
    if pdf is not None:
        drawn.append((pdf, document_pdf(document)))
    for path, content in drawn:
        write_bytes(path, content)
    return [path for path, _ in drawn]
