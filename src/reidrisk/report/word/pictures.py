"""Charts as pictures in a Word document, drawn from the same SVG as in the other formats."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree as ET

from reidrisk.errors import FailedCheck, MissingPackage
from reidrisk.report.charts.canvas import WIDTH, Chart
from reidrisk.report.charts.svg import draw_missing, plain_svg
from reidrisk.report.document_pdf import fonts_folder
from reidrisk.report.word.markup import NAMESPACES, clean, element, full_name, w

DOTS = 220
"""Dots per inch: sharp on paper."""
EMU = 914_400
"""English metric units per inch, in which pictures are measured."""


def chart_pngs(charts: Iterable[Chart]) -> list[bytes]:
    """The pictures of charts that have a drawing, in order."""
    drawn = [chart for chart in charts if chart.draw is not None]
    if not drawn:
        return []
    try:
        import typst
    except ImportError:
        raise MissingPackage.of_extra("typst", "report") from None
    draw_missing(drawn)
    files = {f"{place}.svg": plain_svg(chart).encode() for place, chart in enumerate(drawn)}
    pages = [f'#page(image("{name}", width: {WIDTH * 72}pt))' for name in files]
    look = "#set page(width: auto, height: auto, margin: 0pt, fill: white)\n"
    compiled: Any = typst.compile  # its type stubs do not know several files yet
    try:
        made: bytes | list[bytes] = compiled(
            {"main.typ": (look + "\n".join(pages)).encode(), **files},
            font_paths=[fonts_folder()],
            ignore_system_fonts=True,
            format="png",
            ppi=DOTS,
        )
    except RuntimeError:
        raise FailedCheck(
            "The charts of the Word document could not be drawn.",
            hint="Write a page with --format html instead, and report this error.",
        ) from None
    return [made] if isinstance(made, bytes) else made


def picture(chart: Chart, relation: str, number: int) -> ET.Element:
    """A picture in the line of text, with its text alternative."""
    size = (round(WIDTH * EMU), round(chart.height * EMU))
    said = {"name": f"Picture {number}", "descr": clean(chart.description)}
    inline = element(
        "wp:inline",
        element("wp:extent", cx=size[0], cy=size[1]),
        element("wp:docPr", id=number, **said, title=clean(chart.title)),
        element(
            "a:graphic",
            element("a:graphicData", _drawing(relation, number, said, size), uri=NAMESPACES["pic"]),
        ),
        distT=0,
        distB=0,
        distL=0,
        distR=0,
    )
    return w("r", w("drawing", inline))


def _drawing(relation: str, number: int, said: dict[str, str], size: tuple[int, int]) -> ET.Element:
    blip = element("a:blip")
    blip.set(full_name("r:embed"), relation)
    shape = element(
        "pic:spPr",
        element("a:xfrm", element("a:off", x=0, y=0), element("a:ext", cx=size[0], cy=size[1])),
        element("a:prstGeom", element("a:avLst"), prst="rect"),
    )
    return element(
        "pic:pic",
        element("pic:nvPicPr", element("pic:cNvPr", id=number, **said), element("pic:cNvPicPr")),
        element("pic:blipFill", blip, element("a:stretch", element("a:fillRect"))),
        shape,
    )
