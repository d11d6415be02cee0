"""Scanned pages made by the tests."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageDraw, ImageFont

from reidrisk.documents.pdf.lettering import shipped
from tests.documents.pdf.building import helvetica

WIDE, TALL = 1240, 1754
"""A4 at 150 dots per inch."""


def paper(lines: list[str], *, mode: str = "L") -> Any:
    """A sheet with lines of 24 points, the first 72 points from the top."""
    sheet = Image.new(mode, (WIDE, TALL), 1 if mode == "1" else "white")
    font = ImageFont.truetype(BytesIO(shipped().program), 50)
    for at, text in enumerate(lines):
        place = (150, 150 + 100 * at)
        ImageDraw.Draw(sheet).text(
            place, text, fill=0 if mode in ("1", "L") else "black", font=font, anchor="ls"
        )
    return sheet


def scan(path: Path, sheet: Any, *, layer: str = "", jpeg: bool = False, rotate: int = 0) -> Path:
    """A page that is only an image, with an invisible text layer if given."""
    with pikepdf.new() as pdf:
        colors = {"1": Name.DeviceGray, "L": Name.DeviceGray, "RGB": Name.DeviceRGB, "CMYK": Name.DeviceCMYK}
        data = BytesIO()
        if jpeg:
            sheet.save(data, "JPEG", quality=90)
        image = pdf.make_stream(
            data.getvalue() if jpeg else sheet.tobytes(), Type=Name.XObject, Subtype=Name.Image,
            Width=sheet.width, Height=sheet.height, ColorSpace=colors[sheet.mode],
            BitsPerComponent=1 if sheet.mode == "1" else 8,
        )  # fmt: skip
        if jpeg:
            image.Filter = Name.DCTDecode
        wide, tall = 0.48 * sheet.width, 0.48 * sheet.height
        content = f"q {wide} 0 0 {tall} 0 0 cm /Im Do Q\n{layer}".encode("cp1252")
        page = Dictionary(
            Type=Name.Page, MediaBox=Array([0, 0, wide, tall]), Contents=pdf.make_stream(content),
            Rotate=rotate,
            Resources=Dictionary(XObject=Dictionary(Im=image), Font=Dictionary(F1=helvetica())),
        )  # fmt: skip
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
        pdf.save(path)
    return path
