"""Write a report: the page and the PDF of one document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from reidrisk.core.files import write_bytes
from reidrisk.core.result import Result
from reidrisk.errors import InvalidSetting
from reidrisk.report.case import Given, case_of
from reidrisk.report.charts.kept import kept_in, name_of, write_drawings
from reidrisk.report.charts.svg import draw_missing, plain_svg
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
    with kept_in(folder_of(assessment)):
        return write_document(
            document_of(assessment, template=template),
            html=target / "report.html",
            pdf=target / "report.pdf",
        )


def folder_of(given: Given | Sequence[Given]) -> Path | None:
    """The folder of an assessment, where its drawings may lie; None for results of other places."""
    many = [given] if isinstance(given, Result | Mapping | str | Path) else list(given)
    if len(many) == 1 and isinstance(many[0], str | Path) and Path(many[0]).is_dir():
        return Path(many[0])
    return None


def write_charts(folder: str | Path) -> list[str]:
    """Draw the charts of all templates into the folder of an assessment; their names in it.

    Reports of the folder take them from there, once its manifest lists them.
    """
    place = Path(folder)
    charts = {
        name_of(chart): chart
        for template in TEMPLATES
        for chart in document_of(place, template=template).charts
        if chart.draw is not None
    }
    draw_missing(charts.values())
    return write_drawings(((chart, plain_svg(chart)) for chart in charts.values()), place)


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
