"""Write the synthetic report as PDF and DOCX."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from reidrisk.demo.study.cohort import STUDY
from reidrisk.demo.study.elements import (
    Contents,
    Element,
    Grid,
    Landscape,
    Paragraph,
    ReportHeading,
    heading_text,
)
from reidrisk.errors import MissingPackage

_TEMPLATE = Path(__file__).with_name("report.typ")


def report_pdf(elements: Sequence[Element]) -> bytes:
    """The report as submitted to a regulator, with bookmarks, page headers and landscape pages."""
    try:
        import typst
    except ImportError:
        raise MissingPackage.of_extra("typst", "report") from None
    content = {"study": STUDY, "elements": [_describe(element) for element in elements]}
    sources = {"main.typ": _TEMPLATE.read_bytes(), "report.json": json.dumps(content).encode()}
    compiled: Any = typst.compile  # the type stubs do not support several files yet
    made: bytes = compiled(sources, ignore_system_fonts=True, timestamp=datetime(2021, 2, 17, tzinfo=UTC))
    return made


def _describe(element: Element) -> dict[str, Any]:
    if isinstance(element, ReportHeading):
        return {"kind": "heading", "level": element.level, "text": heading_text(element).text}
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


_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_START = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_RUNNING = f"Clinical Study Report {STUDY} – Confidential"
_PAGE = (
    '<w:p><w:r><w:t xml:space="preserve">Final version, page </w:t></w:r>'
    '<w:fldSimple w:instr=" PAGE "><w:r><w:t>1</w:t></w:r></w:fldSimple></w:p>'
)
_BREAK = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
_PORTRAIT, _LANDSCAPE = (11906, 16838), (16838, 11906)
_FONT = '<w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman" w:cs="Times New Roman"/>'
_MARGIN = 1134
_TABLE = (
    "<w:tblBorders>"
    + "".join(
        f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="999999"/>'
        for side in ("top", "bottom", "insideH")
    )
    + "</w:tblBorders>"
)


def report_docx(elements: Sequence[Element]) -> bytes:
    """The report as saved by a word processor."""
    parts = {
        "[Content_Types].xml": _content_types(),
        "_rels/.rels": _relations(
            ("rId1", f"{_OFFICE}/officeDocument", "word/document.xml"),
            ("rId2", f"{_PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml"),
        ),
        "docProps/core.xml": _properties(),
        "word/document.xml": _document(elements),
        "word/_rels/document.xml.rels": _relations(
            ("rId1", f"{_OFFICE}/styles", "styles.xml"),
            ("rId2", f"{_OFFICE}/header", "header1.xml"),
            ("rId3", f"{_OFFICE}/footer", "footer1.xml"),
        ),
        "word/styles.xml": _styles(),
        "word/header1.xml": f"{_START}<w:hdr {_W}>{_paragraph(_RUNNING)}</w:hdr>",
        "word/footer1.xml": f"{_START}<w:ftr {_W}>{_PAGE}</w:ftr>",
    }
    return _zip(parts)


def _document(elements: Sequence[Element]) -> str:
    return f"{_START}<w:document {_W} {_R}><w:body>{''.join(_body(elements))}</w:body></w:document>"


def _body(elements: Sequence[Element]) -> Iterator[str]:
    page = _PORTRAIT
    for element in elements:
        if isinstance(element, Landscape):
            yield f"<w:p><w:pPr>{_section(page)}</w:pPr></w:p>"
            page = _LANDSCAPE
        else:
            yield _BREAK if _starts_page(element) else ""
            yield _written(element, elements, room=page[0] - 2 * _MARGIN)
    yield _section(page)


def _starts_page(element: Element) -> bool:
    return isinstance(element, Contents) or (isinstance(element, ReportHeading) and element.number == "2")


def _written(element: Element, elements: Sequence[Element], *, room: int) -> str:
    if isinstance(element, ReportHeading):
        return _paragraph(heading_text(element).text, style=f"Heading{element.level}")
    if isinstance(element, Paragraph):
        return _paragraph(element.piece.text, bold=element.bold)
    if isinstance(element, Grid):
        return _table(element, room)
    listed = (each for each in elements if isinstance(each, ReportHeading))
    return "".join(_paragraph(heading_text(each).text, style=f"TOC{each.level}") for each in listed)


def _table(grid: Grid, room: int) -> str:
    widths = [room * width // sum(grid.widths) for width in grid.widths]
    columns = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths)
    head = _row(grid.header, widths, head=True)
    rows = "".join(_row([cell.text for cell in row], widths) for row in grid.rows)
    return (
        f"{_paragraph(grid.caption.text, style='Caption')}<w:tbl><w:tblPr>"
        f'<w:tblW w:w="{sum(widths)}" w:type="dxa"/>{_TABLE}<w:tblLayout w:type="fixed"/></w:tblPr>'
        f"<w:tblGrid>{columns}</w:tblGrid>{head}{rows}</w:tbl>{_paragraph('')}"
    )


def _row(cells: Iterable[str], widths: Sequence[int], *, head: bool = False) -> str:
    written = "".join(
        f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr>'
        f"{_paragraph(cell, style='Cell', bold=head)}</w:tc>"
        for cell, width in zip(cells, widths, strict=True)
    )
    return f"<w:tr>{'<w:trPr><w:tblHeader/></w:trPr>' if head else ''}{written}</w:tr>"


def _paragraph(text: str, *, style: str = "", bold: bool = False) -> str:
    """A paragraph split into runs at arbitrary positions, as spell checking and edits do."""
    look = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    strong = "<w:rPr><w:b/></w:rPr>" if bold else ""
    runs = "".join(
        f'<w:r>{strong}<w:t xml:space="preserve">{escape(part)}</w:t></w:r>' for part in _runs(text)
    )
    return f"<w:p>{look}{runs}</w:p>"


def _runs(text: str) -> Iterator[str]:
    """Cut after every 37th character.

    >>> [len(run) for run in _runs("x" * 80)]
    [37, 37, 6]
    """
    for at in range(0, len(text), 37):
        yield text[at : at + 37]


def _section(page: tuple[int, int]) -> str:
    turned = ' w:orient="landscape"' if page == _LANDSCAPE else ""
    return (
        '<w:sectPr><w:headerReference w:type="default" r:id="rId2"/>'
        '<w:footerReference w:type="default" r:id="rId3"/>'
        f'<w:pgSz w:w="{page[0]}" w:h="{page[1]}"{turned}/>'
        f'<w:pgMar w:top="1417" w:right="{_MARGIN}" w:bottom="{_MARGIN}" w:left="{_MARGIN}" '
        'w:header="708" w:footer="567" '
        'w:gutter="0"/></w:sectPr>'
    )


def _styles() -> str:
    sizes = {1: 30, 2: 25, 3: 23, 4: 21}
    made = [_style("Normal", "Normal", 21, after=120)]
    for level, size in sizes.items():
        outline = f'<w:keepNext/><w:outlineLvl w:val="{level - 1}"/>'
        made.append(_style(f"Heading{level}", f"heading {level}", size, after=100, more=outline, bold=True))
        indent = f'<w:ind w:left="{220 * (level - 1)}"/>'
        made.append(_style(f"TOC{level}", f"toc {level}", 20, after=20, more=indent))
    made.append(_style("Caption", "caption", 18, after=60, more="<w:keepNext/>", bold=True))
    made.append(_style("Cell", "Table Cell", 16, after=0))
    return f"{_START}<w:styles {_W}>{''.join(made)}</w:styles>"


def _style(name: str, title: str, size: int, *, after: int, more: str = "", bold: bool = False) -> str:
    default = ' w:default="1"' if name == "Normal" else ""
    return (
        f'<w:style w:type="paragraph" w:styleId="{name}"{default}>'
        f'<w:name w:val="{title}"/><w:pPr>{more}<w:spacing w:after="{after}"/></w:pPr>'
        f'<w:rPr>{_FONT}{"<w:b/>" if bold else ""}<w:sz w:val="{size}"/></w:rPr></w:style>'
    )


def _content_types() -> str:
    kinds = {"document": "document.main", "styles": "styles", "header1": "header", "footer1": "footer"}
    parts = "".join(
        f'<Override PartName="/word/{part}.xml" ContentType="{_TYPE}.{kind}+xml"/>'
        for part, kind in kinds.items()
    )
    core = "application/vnd.openxmlformats-package.core-properties+xml"
    return (
        f'{_START}<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{parts}'
        f'<Override PartName="/docProps/core.xml" ContentType="{core}"/></Types>'
    )


def _relations(*relations: tuple[str, str, str]) -> str:
    listed = "".join(f'<Relationship Id="{a}" Type="{b}" Target="{c}"/>' for a, b, c in relations)
    return f'{_START}<Relationships xmlns="{_PACKAGE}/relationships">{listed}</Relationships>'


def _properties() -> str:
    return (
        f'{_START}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Clinical Study Report '
        f"{STUDY}</dc:title><dc:creator>Marieke Van Houtte</dc:creator></cp:coreProperties>"
    )


def _zip(parts: dict[str, str]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as package:
        for name, content in parts.items():
            info = zipfile.ZipInfo(name, (2021, 2, 17, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            package.writestr(info, content.encode())
    return held.getvalue()
