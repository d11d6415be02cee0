from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from reidrisk.documents.document import Change, Look
from reidrisk.documents.formats import prove_document
from reidrisk.documents.pdf.format import write_pdf
from reidrisk.documents.pdf.reading import read_pdf
from reidrisk.errors import FailedCheck
from tests.documents.pdf.building import changes, one_page, texts
from tests.documents.pdf.scans import paper, scan
from tests.documents.pdf.traps import TRAPS, VALUE

LINES = ["Subject Kowalski", "was seen in March."]
LAYER = (
    "BT 3 Tr /F1 24 Tf 72 769.92 Td 115 Tz (Subject ) Tj 115 Tz 1 0 0 1 175 769.92 Tm (Kowalski) Tj "
    "1 0 0 1 72 721.92 Tm (was seen in March.) Tj ET"
)
"""What a scanner recognised, lying on the picture."""


def image_of(path: Path) -> Any:
    with pikepdf.open(path) as pdf:
        found = [item for _, item in pdf.pages[0].obj.Resources.XObject.items()]
        assert isinstance(found[0], pikepdf.Stream)
        return pikepdf.PdfImage(found[0]).as_pil_image().convert("RGB")


def dark(image: Any, box: tuple[int, int, int, int]) -> int:
    """Black pixels in a part of an image."""
    part = image.convert("L").crop(box)
    return sum(part.histogram()[:60])


NAME = (360, 110, 620, 160)
REST = (150, 205, 620, 262)


@pytest.mark.parametrize(
    ("mode", "jpeg"), [("1", False), ("L", False), ("RGB", False), ("L", True), ("RGB", True)]
)
def test_pixels_under_a_recognised_value_go(tmp_path: Path, mode: str, jpeg: bool) -> None:
    source = scan(tmp_path / "in.pdf", paper(LINES, mode=mode), layer=LAYER, jpeg=jpeg)
    assert next(iter(read_pdf(source))).concern == "recognised"
    out = tmp_path / "out.pdf"
    written = write_pdf(source, out, changes(source, "Kowalski"), look=Look(personal="#ffffff", labels=False))
    assert written.scanned == (1,)
    assert "page 1" in written.concerns[0]
    before, after = image_of(source), image_of(out)
    assert dark(before, NAME) > 1000
    assert dark(after, NAME) == 0
    assert abs(dark(after, REST) - dark(before, REST)) < 20
    assert prove_document(out, ["Kowalski"]).holds


def test_a_page_that_is_only_a_picture_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    source = scan(tmp_path / "in.pdf", paper(LINES))
    (block,) = read_pdf(source)
    assert (block.text, block.concern) == ("", "scanned")
    assert write_pdf(source, tmp_path / "out.pdf", []).scanned == (1,)


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")
@pytest.mark.parametrize("rotate", [0, 90])
def test_tesseract_reads_a_scan_and_its_pixels_go(tmp_path: Path, rotate: int) -> None:
    sheet = paper(["Subject Johnson", "was seen in March."]).rotate(rotate, expand=True)
    source = scan(tmp_path / "in.pdf", sheet, rotate=rotate)
    (block,) = read_pdf(source)
    assert block.concern == "recognised"
    out = tmp_path / "out.pdf"
    start, look = block.text.index("Johnson"), Look(personal="#ffffff", labels=False)
    write_pdf(source, out, [Change(block.name, start, start + len("Johnson"))], look=look)
    (after,) = read_pdf(out)
    assert "Johnson" not in after.text
    assert "March" in after.text


def undecodable(path: Path) -> Path:
    scan(path, paper(LINES), layer=LAYER)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        image = pdf.pages[0].obj.Resources.XObject.Im
        image.Mask = pdf.make_stream(
            b"\xff", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Image, Width=1, Height=1,
            ImageMask=True, BitsPerComponent=1,
        )  # fmt: skip
        pdf.save(path)
    return path


def test_an_image_that_cannot_be_decoded_makes_the_page_a_picture(tmp_path: Path) -> None:
    source, out = undecodable(tmp_path / "in.pdf"), tmp_path / "out.pdf"
    written = write_pdf(source, out, changes(source, "Kowalski"))
    assert written.rasterised == (1,)
    assert prove_document(out, ["Kowalski", "Subject"]).holds


def test_a_picture_never_shows_what_was_removed_elsewhere(tmp_path: Path) -> None:
    source, out = undecodable(tmp_path / "in.pdf"), tmp_path / "out.pdf"
    with pikepdf.open(source, allow_overwriting_input=True) as pdf:
        TRAPS["patterns"](pdf, pdf.pages[0].obj)
        pdf.save(source)
    with pytest.raises(FailedCheck, match="Page 1"):
        write_pdf(source, out, changes(source, "Kowalski"), values=[VALUE])
    assert not out.exists()


def test_a_background_picture_keeps_its_colour_under_a_new_value(tmp_path: Path) -> None:
    sheet = paper([], mode="RGB")
    sheet.paste((200, 230, 200), (0, 0, *sheet.size))
    rest = f"0 -40 Td ({'and so on for long ' * 2}) Tj 0 -40 Td ({'and so on for long ' * 2}) Tj"
    source = scan(tmp_path / "in.pdf", sheet, layer=f"BT /F1 24 Tf 72 769.92 Td (Age 24 years) Tj {rest} ET")
    out = tmp_path / "out.pdf"
    written = write_pdf(source, out, changes(source, "24", new="20-25"))
    assert image_of(out).getcolors() == [(sheet.width * sheet.height, (200, 230, 200))]
    assert written.rasterised == ()
    assert "20-25" in texts(out)[0]


def test_an_image_written_into_the_content_loses_its_pixels(tmp_path: Path) -> None:
    pixels = "00" * 20_000
    content = f"q 200 0 0 100 60 650 cm BI /W 200 /H 100 /BPC 8 /CS /G /F /AHx ID {pixels}> EI Q"
    text = "BT /F1 20 Tf 1 g 70 690 Td (Kowalski) Tj ET"
    source = one_page(tmp_path / "in.pdf", f"{content} {text}")
    out = tmp_path / "out.pdf"
    written = write_pdf(source, out, changes(source, "Kowalski"), look=Look(personal="#ffffff", labels=False))
    assert written.rasterised == ()
    assert dark(image_of(out), (12, 46, 80, 60)) == 0
    assert dark(image_of(out), (0, 0, 200, 40)) == 8000


def test_a_mask_of_an_image_loses_its_picture_too(tmp_path: Path) -> None:
    source = scan(tmp_path / "in.pdf", paper([]), layer=LAYER)
    with pikepdf.open(source, allow_overwriting_input=True) as pdf:
        mask = paper(LINES)
        pdf.pages[0].obj.Resources.XObject.Im.SMask = pdf.make_stream(
            mask.tobytes(), Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Image, Width=mask.width,
            Height=mask.height, ColorSpace=pikepdf.Name.DeviceGray, BitsPerComponent=8,
        )  # fmt: skip
        pdf.save(source)
    out = tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, "Kowalski"))
    with pikepdf.open(out) as pdf:
        (image,) = (item for item in pdf.pages[0].obj.Resources.XObject.values() if "/SMask" in item)
        assert isinstance(image.SMask, pikepdf.Stream)
        left = pikepdf.PdfImage(image.SMask).as_pil_image()
    assert dark(left, NAME) == 0
    assert dark(left, REST) > 1000
