"""Write a report and its annex as pages, PDF files and Word documents of the same content."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from reidrisk.core.audience import INTERNAL, Audience, check_audience
from reidrisk.core.file_set import together
from reidrisk.core.files import write_bytes
from reidrisk.core.plugins import PREFIX, calling, installed_plugins, is_plugin, load_plugin
from reidrisk.core.result import Result
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.report import crosswalks
from reidrisk.report.case import Given, case_of, traced_case
from reidrisk.report.charts.drawings import drawings_from
from reidrisk.report.document import ReportDocument
from reidrisk.report.figures import with_figures, without_figures
from reidrisk.report.parts import Fact

TEMPLATES = ("general", "ema", "hipaa", "summary")
FORMATS = ("html", "pdf", "docx")
USUAL_FORMATS = ("html", "pdf")
REPORT, ANNEX = "report", "annex"
"""The names of the files, without their endings."""


def document_of(
    given: Given | Sequence[Given], *, template: str = "general", audience: Audience = INTERNAL
) -> ReportDocument:
    """The document of an assessment, of the folder of one, or of other results."""
    check_audience(audience)
    build = _template(str(template))
    built = build(case_of(given, audience=audience))
    try:
        marked, trace = traced_case(given, audience=audience)
        return with_figures(built, build(marked), trace)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return without_figures(built)  # a report matters more than its list of figures


def _template(name: str) -> Callable[[dict[str, Any]], ReportDocument]:
    """The function that writes a document of a case: one of ours, or that of a plug-in."""
    if is_plugin(name):
        return _plugged(name)
    if name not in TEMPLATES:
        raise InvalidSetting.among("A template", name, TEMPLATES)
    build: Callable[[dict[str, Any]], ReportDocument] = import_module(
        f"reidrisk.report.documents.{name}"
    ).document
    return build


def _plugged(name: str) -> Callable[[dict[str, Any]], ReportDocument]:
    """The function of a plug-in; the document says on its first page which one wrote it."""
    function = calling(name, load_plugin("templates", name))
    wrote = next(str(one) for one in installed_plugins("templates") if f"{PREFIX}{one.name}" == name)

    def build(case: dict[str, Any]) -> ReportDocument:
        document = function(case)
        if not isinstance(document, ReportDocument):
            raise BadData(
                f"{name} gave something that is not a document.",
                hint="Ask the author of the plug-in; docs/guides/plug-ins.md says what it must give.",
            )
        fact = Fact("Template", f"{name} ({wrote})", "Not a template of reidrisk.")
        return replace(document, facts=(*document.facts, fact), template="plugin")

    return build


def check_formats(formats: Sequence[str]) -> tuple[str, ...]:
    """Refuse a format that is unknown; each is written once, in the usual order."""
    wanted = (formats,) if isinstance(formats, str) else tuple(formats)
    for form in wanted:
        if form not in FORMATS:
            raise InvalidSetting.among("A format", str(form), FORMATS)
    if not wanted:
        raise InvalidSetting("No format was given.", hint=f"Choose from {', '.join(FORMATS)}.")
    return tuple(form for form in FORMATS if form in wanted)


def write_report(
    assessment: Given | Sequence[Given],
    folder: str | Path,
    *,
    template: str = "general",
    audience: Audience = INTERNAL,
    formats: Sequence[str] = USUAL_FORMATS,
) -> list[Path]:
    """Write report, annex and crosswalks into a folder: all files, or none.

    `assessment` is the result of `assess`, its dictionary or its folder. You can also give one or several
    other results, which are reported without a context. A report for a shared audience may be passed on with
    the released data: it has no counts below the cell size, and nothing to find suppressed values with.
    `formats` are `html`, `pdf` and `docx`; a Word document is made for editing.
    """
    target, wanted = Path(folder), check_formats(formats)
    with together() as files, drawings_from(folder_of(assessment)):
        files.make_folder(target)
        drawn = draw_files(document_of(assessment, template=template, audience=audience), wanted)
        drawn[crosswalks.FILE] = crosswalks.crosswalks_json(assessment, audience=audience).encode()
        for name, content in drawn.items():
            write_bytes(target / name, content)
    return [target / name for name in drawn]


def draw_files(document: ReportDocument, formats: Sequence[str]) -> dict[str, bytes]:
    """The files of a report and of its annex, by their names; nothing is written yet."""
    both = {REPORT: document} | ({ANNEX: document.annex} if document.annex else {})
    with ThreadPoolExecutor() as pool:  # a PDF is set without Python, so the other files are made meanwhile
        begun = {name: pool.submit(_prepare_pdf(one)) for name, one in both.items() if "pdf" in formats}
        return {
            f"{name}.{form}": begun[name].result() if form == "pdf" else draw(one, form)
            for name, one in both.items()
            for form in formats
        }


def _prepare_pdf(document: ReportDocument) -> Callable[[], bytes]:
    from reidrisk.report import document_pdf

    return document_pdf.prepare_pdf(document)


def draw(document: ReportDocument, form: str) -> bytes:
    """One file of a document, without its annex."""
    if form == "html":
        from reidrisk.report.page import document_page

        return document_page(document).encode()
    if form == "pdf":
        from reidrisk.report import document_pdf

        return document_pdf.document_pdf(document)
    from reidrisk.report import document_docx

    return document_docx.document_docx(document)


def folder_of(given: Given | Sequence[Given]) -> Path | None:
    """The folder of an assessment, which may contain its drawings; None for other results."""
    many = [given] if isinstance(given, Result | Mapping | str | Path) else list(given)
    if len(many) == 1 and isinstance(many[0], str | Path) and Path(many[0]).is_dir():
        return Path(many[0])
    return None


def write_document(
    document: ReportDocument,
    *,
    html: Path | None = None,
    pdf: Path | None = None,
    docx: Path | None = None,
) -> list[Path]:
    """Draw everything before writing, so that a failure leaves no incomplete report; without the annex."""
    targets = {"html": html, "pdf": pdf, "docx": docx}
    drawn = [(path, draw(document, form)) for form, path in targets.items() if path is not None]
    with together():
        for path, content in drawn:
            write_bytes(path, content)
    return [path for path, _ in drawn]
