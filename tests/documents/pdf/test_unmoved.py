"""What stays on a page stays where it was and as it was, in every program that shows it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pypdfium2
import pytest
from numpy.typing import NDArray
from pikepdf import Array, Dictionary, Name
from PIL import Image

from reidrisk.documents.pdf.format import write_pdf
from reidrisk.documents.pdf.pages import Pages
from reidrisk.documents.pdf.reading import opened
from tests.documents.pdf.building import changes, helvetica, one_page, texts
from tests.documents.pdf.test_mended import shown

Pixels = NDArray[np.int16]
needs_poppler = pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="Poppler is not installed")
FEW = 80
"""Pixels of two letters or three that PDFium, which sets letters on whole pixels, sets on the next one."""
LONG = "A line that goes on for quite a while before Kowalski and that goes on behind the name too."


def by_pdfium(path: Path) -> Pixels:
    document = pypdfium2.PdfDocument(path)
    try:
        document.init_forms()
        return np.asarray(document[0].render(scale=100 / 72).to_pil().convert("RGB"), dtype=np.int16)
    finally:
        document.close()


def by_poppler(path: Path) -> Pixels:
    subprocess.run(["pdftoppm", "-r", "100", "-singlefile", path, path.with_suffix("")], check=True)
    return np.asarray(Image.open(path.with_suffix(".ppm")).convert("RGB"), dtype=np.int16)


def moved(before: Pixels, after: Pixels) -> int:
    """Pixels that differ where no box is."""
    differ = np.abs(before - after).max(axis=2) > 32
    blue = np.argwhere((after[..., 2] > 150) & (after[..., 0] < 110) & (after[..., 1] < 110))
    (top, left), (bottom, right) = blue.min(axis=0), blue.max(axis=0)
    differ[top - 2 : bottom + 3, left - 2 : right + 3] = False
    assert after[top + 1 : bottom, left + 1 : right].min(axis=2).max() > 200, "the label is not white"
    return int(differ.sum())


both = pytest.mark.parametrize("show", [by_pdfium, pytest.param(by_poppler, marks=needs_poppler)])


def broken_widths(_: pikepdf.Pdf, page: Any) -> None:
    """Widths that are no whole numbers, as TeX writes them."""
    font = helvetica()
    font.FirstChar, font.LastChar = 32, 126
    font.Widths = Array([round(480.9 + code % 7 * 20.01, 2) for code in range(32, 127)])
    page.Resources.Font.F1 = font


@both
@pytest.mark.parametrize(
    "start", ["60 700 Td", "60.33333 712.12345 Td 0.33333 -12.12345 Td", "1 0.00001 0 1 60.1 700.3 Tm"]
)
def test_text_behind_a_box_stays_to_a_part_of_a_pixel(
    tmp_path: Path, show: Callable[[Path], Pixels], start: str
) -> None:
    content = f"BT /F1 9.963 Tf {start} ({LONG}) Tj 3.1 -14.3 Td ({LONG}) Tj ET"
    source, out = one_page(tmp_path / "in.pdf", content, more=broken_widths), tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, "Kowalski"))
    assert moved(show(source), show(out)) <= FEW
    assert shown(out).split() == [word.replace("Kowalski", "PPD") for word in LONG.split() * 2]


def test_what_some_programs_cut_off_widths_tells_only_in_steps_what_went(tmp_path: Path) -> None:
    told = set()
    for value in ("Kowalski", "Kowalsky", "Kovalski"):
        content = f"BT /F1 10 Tf 60 700 Td (Here is {value} today) Tj ET"
        source, out = one_page(tmp_path / "in.pdf", content, more=broken_widths), tmp_path / "out.pdf"
        write_pdf(source, out, changes(source, value))
        with pikepdf.open(out) as pdf:
            before, *_, hair = pdf.pages[0].Contents.read_bytes().partition(b" Tz <0060> Tj")
        assert hair
        told.add(before.split()[-1])
    assert len(told) == 1


def a_color_space(_: pikepdf.Pdf, page: Any) -> None:
    page.Resources.ColorSpace = Dictionary(
        Mine=Array([Name.CalRGB, Dictionary(WhitePoint=Array([0.95, 1, 1.09]))])
    )
    page.Resources.ExtGState = Dictionary(Half=Dictionary(ca=0.5))


def a_form(pdf: pikepdf.Pdf, page: Any) -> None:
    a_color_space(pdf, page)
    data = f"BT /F1 12 Tf 40 700 Td ({LONG}) Tj ET".encode()
    form = pdf.make_stream(data, Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 595, 842]))
    form.Resources = Dictionary(Font=Dictionary(F1=helvetica()))
    page.Resources.XObject = Dictionary(Fm=form)


@both
@pytest.mark.parametrize(
    "content",
    [
        f"BT 0 0.6 0 rg 80 Tz 0.5 Tc 2 Tw 3 Ts 2 Tr 1 0 0 RG /F1 12 Tf 40 700 Td ({LONG}) Tj ( more) Tj ET",
        f"BT /Mine cs 0.9 0.1 0.1 scn /F1 12 Tf 40 700 Td ({LONG}) Tj ( more) Tj ET",
        f"0 0.7 0.2 0 k BT /F1 12 Tf 14 TL 40 700 Td 1 0.3 ({LONG}) \" (more) ' ET",
        f"BT /Half gs 1 0 0 rg /F1 12 Tf 40 700 Td ({LONG}) Tj ( more) Tj ET",
        f"1 0 0 rg BT q 0 0.6 0 rg /F1 12 Tf 40 700 Td ({LONG}) Tj ( more) Tj Q ET",
        f"1 0 0 rg BT /F1 12 Tf 40 700 Td ({LONG}) Tj ET 40 600 50 50 re f",
        "0.8 0 0 rg /Fm Do BT /F1 12 Tf 40 600 Td (more) Tj ET",
        "/Mine cs 0.9 0.1 0.1 scn /Fm Do",
        "/Half gs 1 0 0 rg /Fm Do",
    ],
)
def test_text_behind_a_box_keeps_its_look(
    tmp_path: Path, show: Callable[[Path], Pixels], content: str
) -> None:
    source, out = one_page(tmp_path / "in.pdf", content, more=a_form), tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, "Kowalski"))
    assert moved(show(source), show(out)) == 0
    assert "before PPD and" in " ".join(shown(out).split())
    assert "PPD" in texts(out)[0]


def test_a_stamp_fills_its_place_exactly(tmp_path: Path) -> None:
    def stamped(pdf: pikepdf.Pdf, page: Any) -> None:
        data = b"0 0.5 0 RG 4 w 2 2 440.69 98.74 re S BT /F1 24 Tf 20 40 Td (A stamp at the edge) Tj ET"
        form = pdf.make_stream(data, Subtype=Name.Form, BBox=Array([0, 0, 444.69, 102.74]))
        form.Resources = Dictionary(Font=Dictionary(F1=helvetica()))
        rectangle = Array([352.909, 732.15, 611.956, 792])
        page.MediaBox = Array([0, 0, 612, 792])
        note = Dictionary(Type=Name.Annot, Subtype=Name.Stamp, Rect=rectangle, F=4, AP=Dictionary(N=form))
        page.Annots = Array([pdf.make_indirect(note)])

    source = one_page(tmp_path / "in.pdf", "BT /F1 12 Tf 60 700 Td (Here) Tj ET", more=stamped)
    with opened(source) as pdf:
        found = Pages(pdf, source).read(1).content.shows[-1].ctm
    exact = (259.047 / 444.69, 0, 0, 59.85 / 102.74, 352.909, 732.15)
    assert found == pytest.approx(exact, abs=1e-7)


@both
def test_a_value_that_every_font_names_takes_no_label_away(
    show: Callable[[Path], Pixels], tmp_path: Path
) -> None:
    """Fonts say who registered their letters, our own too: a value may be the same word."""
    content = "BT /F1 12 Tf 72 700 Td (Opened by Adobe and closed again) Tj ET"
    source, out = one_page(tmp_path / "in.pdf", content), tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, "Adobe"))
    assert moved(show(source), show(out)) <= FEW
