"""Write a report as a page and a PDF of the same document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from reidrisk.core.audience import INTERNAL, Audience, check_audience
from reidrisk.core.file_set import together
from reidrisk.core.files import write_bytes
from reidrisk.core.result import Result
from reidrisk.errors import InvalidSetting
from reidrisk.report.case import Given, case_of
from reidrisk.report.charts.drawings import drawings_from
from reidrisk.report.document import ReportDocument

TEMPLATES = ("general", "ema", "hipaa", "summary")


def document_of(
    given: Given | Sequence[Given], *, template: str = "general", audience: Audience = INTERNAL
) -> ReportDocument:
    """The document of an assessment, of the folder of one, or of other results."""
    check_audience(audience)
    if template not in TEMPLATES:
        raise InvalidSetting.among("A template", str(template), TEMPLATES)
    built: ReportDocument = import_module(f"reidrisk.report.documents.{template}").document(
        case_of(given, audience=audience)
    )
    return built


def write_report(
    assessment: Given | Sequence[Given],
    folder: str | Path,
    *,
    template: str = "general",
    audience: Audience = INTERNAL,
) -> list[Path]:
    """Write `report.html` and `report.pdf` into a folder: both, or neither if one fails.

    `assessment` is the result of `assess`, its dictionary or its folder. You can also give one or several
    other results, which are reported without a context. A report for a shared audience may be passed on with
    the released data: it has no counts below the cell size, and nothing to find suppressed values with.
    """
    target = Path(folder)
    with together() as files, drawings_from(folder_of(assessment)):
        files.make_folder(target)
        return write_document(
            document_of(assessment, template=template, audience=audience),
            html=target / "report.html",
            pdf=target / "report.pdf",
        )


def folder_of(given: Given | Sequence[Given]) -> Path | None:
    """The folder of an assessment, which may contain its drawings; None for other results."""
    many = [given] if isinstance(given, Result | Mapping | str | Path) else list(given)
    if len(many) == 1 and isinstance(many[0], str | Path) and Path(many[0]).is_dir():
        return Path(many[0])
    return None


def write_document(
    document: ReportDocument, *, html: Path | None = None, pdf: Path | None = None
) -> list[Path]:
    """Draw everything before writing, so that a failure leaves no incomplete report."""
    from reidrisk.report.document_pdf import document_pdf
    from reidrisk.report.page import document_page

    drawn = []
    if html is not None:
        drawn.append((html, document_page(document).encode()))
    if pdf is not None:
        drawn.append((pdf, document_pdf(document)))
    with together():
        for path, content in drawn:
            write_bytes(path, content)
    return [path for path, _ in drawn]
