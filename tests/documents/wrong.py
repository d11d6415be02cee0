"""Files that somebody redacted wrongly: each still holds the value in one way."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String
from PIL import Image, ImageDraw, ImageFont

from reidrisk.documents.pdf.lettering import shipped
from tests.documents.docx.building import Made, paragraph
from tests.documents.pdf.building import line, one_page, pages
from tests.documents.pdf.scans import paper, scan

VALUE = "Wilhelmina Trapowski"
SHOWN = f"Patient {VALUE} was seen."
Maker = Callable[[Path], Path]
KINDS: dict[str, Maker] = {}
PICTURES = {"scan_of_a_page", "scan_under_a_box", "figure", "drawn_figure", "picture_in_a_word_document"}
"""Kinds that only OCR can read."""


def kind(make: Maker) -> Maker:
    KINDS[make.__name__] = make
    return make


def picture(text: str, *, size: int = 40) -> Any:
    """A figure with a line of text."""
    sheet = Image.new("L", (900, 200), 255)
    font = ImageFont.truetype(BytesIO(shipped().program), size)
    ImageDraw.Draw(sheet).text((30, 120), text, fill=0, font=font, anchor="ls")
    return sheet


def png(text: str) -> bytes:
    data = BytesIO()
    picture(text).save(data, "PNG")
    return data.getvalue()


def stream(pdf: pikepdf.Pdf, sheet: Any) -> Any:
    return pdf.make_stream(
        sheet.tobytes(), Type=Name.XObject, Subtype=Name.Image, Width=sheet.width, Height=sheet.height,
        ColorSpace=Name.DeviceGray, BitsPerComponent=8,
    )  # fmt: skip


@kind
def box_on_top(path: Path) -> Path:
    return one_page(path, line(SHOWN) + "0 g 50 690 300 25 re f")


@kind
def white_text(path: Path) -> Path:
    return one_page(path, "1 g " + line(SHOWN))


@kind
def image_over_text(path: Path) -> Path:
    def cover(pdf: pikepdf.Pdf, page: Any) -> None:
        page.Resources.XObject = Dictionary(Im=stream(pdf, Image.new("L", (40, 12), 0)))

    return one_page(path, line(SHOWN) + "q 300 0 0 25 50 690 cm /Im Do Q", more=cover)


@kind
def old_revision(path: Path) -> Path:
    """The old text is packed, so that no search of the bytes finds it."""
    one_page(path, line(SHOWN))
    data = path.read_bytes()
    with pikepdf.open(path) as pdf:
        number, root, size = pdf.pages[0].obj.Contents.objgen[0], pdf.Root.objgen[0], len(pdf.objects) + 1
    new = line("Patient was seen.").encode()
    body = b"\n%d 0 obj\n<</Length %d>>\nstream\n%s\nendstream\nendobj\n" % (number, len(new), new)
    before = int(data[data.rindex(b"startxref") + 9 :].split()[0])
    table = b"xref\n%d 1\n%010d 00000 n \ntrailer\n<</Size %d/Root %d 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF\n"
    path.write_bytes(data + body + table % (number, len(data) + 1, size, root, before, len(data) + len(body)))
    return path


def attached(path: Path, data: bytes) -> Path:
    def attach(pdf: pikepdf.Pdf, page: Any) -> None:
        pdf.attachments["notes"] = data

    return one_page(path, line("Patient was seen."), more=attach)


@kind
def attachment(path: Path) -> Path:
    return attached(path, gzip.compress(SHOWN.encode()))


@kind
def attachment_in_attachment(path: Path) -> Path:
    inner = attached(path.with_name("inner.pdf"), zipped("a.txt", SHOWN.encode()))
    docx = Made(paragraph("Patient was seen.")).save(path.with_name("inner.docx"))
    with zipfile.ZipFile(docx, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/embeddings/file1.bin", inner.read_bytes())
    return attached(path, docx.read_bytes())


def zipped(name: str, data: bytes) -> bytes:
    held = BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return held.getvalue()


@kind
def form_value(path: Path) -> Path:
    def fill(pdf: pikepdf.Pdf, page: Any) -> None:
        field = pdf.make_indirect(
            Dictionary(
                Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T=String("a"), V=String(VALUE),
                Rect=Array([100, 600, 300, 620]),
            )
        )  # fmt: skip
        page.Annots = Array([field])
        pdf.Root.AcroForm = Dictionary(Fields=Array([field]))

    return one_page(path, line("Patient was seen."), more=fill)


@kind
def comment(path: Path) -> Path:
    def note(pdf: pikepdf.Pdf, page: Any) -> None:
        own = Dictionary(Type=Name.Annot, Subtype=Name.Text, Rect=Array([9, 9, 30, 30]), Contents=SHOWN)
        page.Annots = Array([pdf.make_indirect(own)])

    return one_page(path, line("Patient was seen."), more=note)


@kind
def metadata(path: Path) -> Path:
    def describe(pdf: pikepdf.Pdf, page: Any) -> None:
        xmp = f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>{VALUE.replace("e", "&#101;")}</a></x:xmpmeta>'
        page.Metadata = pdf.make_stream(xmp.encode(), Type=Name.Metadata, Subtype=Name.XML)

    return one_page(path, line("Patient was seen."), more=describe)


@kind
def properties(path: Path) -> Path:
    def describe(pdf: pikepdf.Pdf, page: Any) -> None:
        pdf.docinfo["/Author"] = String(f"Łucja {VALUE}")

    return one_page(path, line("Patient was seen."), more=describe)


@kind
def scan_of_a_page(path: Path) -> Path:
    return scan(path, paper([SHOWN, "It was a Tuesday, and it rained."]))


@kind
def scan_under_a_box(path: Path) -> Path:
    sheet = paper([SHOWN, "It was a Tuesday, and it rained."])
    return scan(path, sheet, layer="0 g 0 700 600 200 re f")


@kind
def figure(path: Path) -> Path:
    def draw(pdf: pikepdf.Pdf, page: Any) -> None:
        page.Resources.XObject = Dictionary(Im=stream(pdf, picture(SHOWN)))

    return one_page(path, line("Figure 1 shows it.") + "q 450 0 0 100 60 500 cm /Im Do Q", more=draw)


@kind
def drawn_figure(path: Path) -> Path:
    """Letters as shapes, such as programs that draw figures make them."""
    from matplotlib.path import Path as Shape
    from matplotlib.textpath import TextPath

    operators = {
        Shape.MOVETO: "m",
        Shape.LINETO: "l",
        Shape.CURVE3: "v",
        Shape.CURVE4: "c",
        Shape.CLOSEPOLY: "h",
    }
    drawn = ["q 1 0 0 1 60 500 cm"]
    for points, code in TextPath((0, 0), SHOWN, size=14).iter_segments(simplify=False):
        operands = "" if code == Shape.CLOSEPOLY else " ".join(f"{number:.3f}" for number in points)
        drawn.append(f"{operands} {operators[code]}")
    return one_page(path, line("Figure 1 shows it.") + "\n".join([*drawn, "f Q"]))


@kind
def hidden_layer(path: Path) -> Path:
    def hide(pdf: pikepdf.Pdf, page: Any) -> None:
        layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("x")))
        pdf.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary(OFF=Array([layer])))
        page.Resources.Properties = Dictionary(L1=layer)

    return pages(path, [f"/OC /L1 BDC {line(SHOWN)} EMC " + line("Nothing.", y=300)], more=hide)


@kind
def picture_in_a_word_document(path: Path) -> Path:
    made = Made(paragraph("Patient was seen.")).save(path.with_suffix(".docx"))
    with zipfile.ZipFile(made, "a") as archive:
        archive.writestr("word/media/image1.png", png(SHOWN))
    return made


@kind
def table_in_a_word_document(path: Path) -> Path:
    made = Made(paragraph("Patient was seen.")).save(path.with_suffix(".docx"))
    sheet = zipped("xl/sharedStrings.xml", f"<sst><si><t>{SHOWN}</t></si></sst>".encode())
    with zipfile.ZipFile(made, "a") as archive:
        archive.writestr("word/embeddings/sheet1.xlsx", sheet)
    return made
