"""Images under a value lose its pixels, and nothing else."""

from __future__ import annotations

import struct
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pypdfium2
import pytest
from pikepdf import Dictionary, Name
from PIL import Image, ImageDraw

from reidrisk.documents.pdf.format import write_pdf
from tests.documents.pdf.building import changes, line, one_page, texts

WIDE, TALL = 400, 100


def scan() -> Image.Image:
    """Black on white, with something to see in and beside the place of a name."""
    image = Image.new("1", (WIDE, TALL), 1)
    pen = ImageDraw.Draw(image)
    for x in range(0, WIDE, 8):
        pen.rectangle((x, 20, x + 3, 80), fill=0)
    return image


def jbig2(image: Image.Image) -> bytes:
    """A stream of JBIG2 for a PDF: one region, coded as in fax machines."""
    data = BytesIO()
    image.save(data, "TIFF", compression="group4", tiffinfo={262: 0, 278: image.height})
    with Image.open(data) as written:
        tags: Any = written.tag_v2  # type: ignore[attr-defined]
        start, length = tags[273][0], tags[279][0]
    coded = data.getvalue()[start : start + length]
    page = struct.pack(">IIIIBH", image.width, image.height, 0, 0, 0, 0)
    region = struct.pack(">IIIIBB", image.width, image.height, 0, 0, 0, 1) + coded
    return b"".join(
        struct.pack(">IBBBI", number, kind, 0, 1, len(part)) + part
        for number, (kind, part) in enumerate(((48, page), (38, region)))
    )


def with_image(path: Path, content: str, data: bytes, **entries: Any) -> Path:
    def add(pdf: pikepdf.Pdf, page: Any) -> None:
        image = pdf.make_stream(data, Type=Name.XObject, Subtype=Name.Image, **entries)
        page.Resources.XObject = Dictionary(Im=image)

    return one_page(path, content, more=add)


def shown(path: Path) -> Any:
    """Blue, green and red of the pixels of a page."""
    return pypdfium2.PdfDocument(path)[0].render(scale=2).to_numpy()[..., :3].astype(int)


def image_of(path: Path) -> Any:
    with pikepdf.open(path) as pdf:
        image: Any = next(iter(pdf.pages[0].get_images().values()))
        return np.asarray(pikepdf.PdfImage(image).as_pil_image())


@pytest.mark.parametrize("coding", ["plain", "jbig2"])
def test_a_scan_over_its_text_stays_black_and_white(tmp_path: Path, coding: str) -> None:
    """The text of a scan may be under it: the box is on top, and the image is no picture of the page."""
    image, entries = scan(), {"Width": WIDE, "Height": TALL, "ColorSpace": Name.DeviceGray}
    entries["BitsPerComponent"] = 1
    data = image.tobytes()
    if coding == "jbig2":
        data, entries["Filter"] = jbig2(image), Name.JBIG2Decode
    content = "3 Tr " + line("Jan Kowalski was here", y=700, size=20) + "q 400 0 0 100 50 650 cm /Im Do Q"
    source, out = with_image(tmp_path / "in.pdf", content, data, **entries), tmp_path / "out.pdf"
    before = shown(source)
    assert (before[2 * (842 - 700)] < 50).any()  # it can be decoded
    assert write_pdf(source, out, changes(source, "Kowalski")).rasterised == ()
    assert texts(out) == ["Jan PPD was here"]
    after = shown(out)
    row, box = 2 * (842 - 702), slice(2 * 105, 2 * 170)
    assert (after[row, box, 0] > 200).all()
    assert (after[row, box, 2].min(), after[row, 2 * 104 + 30, 1]) == (0, 0)
    assert (after[:, 2 * 220 :] == before[:, 2 * 220 :]).all()
    pixels = image_of(out)
    assert pixels.dtype == bool
    assert len(set(pixels[45:50, 60:110].ravel())) == 1


def test_an_image_too_coarse_to_show_letters_stays(tmp_path: Path) -> None:
    squares = np.indices((4, 4)).sum(axis=0) % 2 * 255
    entries = {"Width": 4, "Height": 4, "ColorSpace": Name.DeviceGray, "BitsPerComponent": 8}
    content = "q 80 0 0 80 60 680 cm /Im Do Q 1 0 0 rg " + line("Jan Kowalski was here")
    data = squares.astype(np.uint8).tobytes()
    source, out = with_image(tmp_path / "in.pdf", content, data, **entries), tmp_path / "out.pdf"
    assert write_pdf(source, out, changes(source, "Kowalski")).rasterised == ()
    above = slice(0, 2 * (842 - 715))
    assert (shown(source)[above] == shown(out)[above]).all()
    assert (image_of(out) == squares).all()


@pytest.mark.parametrize("what", ["finer", "mask", "unseen text"])
def test_pixels_that_could_show_letters_go(tmp_path: Path, what: str) -> None:
    size = 20 if what == "finer" else 4
    squares = np.indices((size, size)).sum(axis=0) % 2 * 255
    entries = {"Width": size, "Height": size, "ColorSpace": Name.DeviceGray, "BitsPerComponent": 8}
    content = "q 60 0 0 60 60 680 cm /Im Do Q 1 0 0 rg " + line("Jan Kowalski was here")
    data = squares.astype(np.uint8).tobytes()
    source, out = tmp_path / "in.pdf", tmp_path / "out.pdf"
    with_image(source, ("3 Tr " if what == "unseen text" else "") + content, data, **entries)
    if what == "mask":
        with pikepdf.open(source, allow_overwriting_input=True) as pdf:
            mask = pdf.make_stream(bytes(range(256)) * 40, Type=Name.XObject, Subtype=Name.Image)
            mask.Width, mask.Height, mask.BitsPerComponent, mask.ColorSpace = 128, 80, 8, Name.DeviceGray
            pdf.pages[0].Resources.XObject.Im.SMask = mask
            pdf.save()
    write_pdf(source, out, changes(source, "Kowalski"))
    assert image_of(out).shape != squares.shape or (image_of(out) != squares).any()
