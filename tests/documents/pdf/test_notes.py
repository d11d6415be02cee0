"""Notes and form fields look as before when they have become part of the page."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pypdfium2
import pytest
from numpy.typing import NDArray
from pikepdf import Array, Dictionary, Name, String

from reidrisk.documents.formats import prove_document
from reidrisk.documents.pdf.format import write_pdf
from reidrisk.documents.verify import verify_document
from tests.documents.pdf.building import changes, helvetica, line, one_page, texts

poppler = pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="Poppler is not installed")
Picture = NDArray[np.int16]
QUAD = (50.3, 714.6, 450.3, 714.6, 50.3, 694.7, 450.3, 694.7)


def by_pdfium(path: Path) -> Picture:
    drawn = pypdfium2.PdfDocument(path)[0].render(scale=100 / 72).to_numpy()
    return np.asarray(drawn[..., :3], dtype=np.int16)


def by_poppler(path: Path) -> Picture:
    from PIL import Image

    subprocess.run(["pdftoppm", "-r", "100", "-singlefile", path, path.with_suffix("")], check=True)
    with Image.open(path.with_suffix(".ppm")) as picture:
        return np.asarray(picture).astype(np.int16)


def differ(one: Picture, other: Picture) -> int:
    """How many pixels are clearly different."""
    return int((np.abs(one - other).max(axis=2) > 32).sum())


def highlighted(tmp_path: Path, form: Any = None) -> tuple[Path, Path]:
    """A page with a highlight, and the same without a name; `form` makes the drawing of the highlight."""

    def add(pdf: pikepdf.Pdf, page: Any) -> None:
        note = Dictionary(
            Type=Name.Annot, Subtype=Name.Highlight, Rect=Array([50, 690, 451, 720]), F=4,
            C=Array([1, 1, 0]), QuadPoints=Array(QUAD),
        )  # fmt: skip
        if form is not None:
            note.AP = Dictionary(N=form(pdf))
        page.Annots = Array([pdf.make_indirect(note)])

    content = line("Jan Kowalski is here", y=699, size=14)
    source, out = one_page(tmp_path / "in.pdf", content, more=add), tmp_path / "out.pdf"
    assert write_pdf(source, out, changes(source, "Kowalski")).rasterised == ()
    return source, out


def drawing(pdf: pikepdf.Pdf, content: bytes, **more: Any) -> Any:
    box = Array([50, 690, 451, 720])
    return pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=box, **more)


STRIPE = b"1 1 0 rg 50.3 694.7 m 50.3 714.6 l 450.3 714.6 l 450.3 694.7 l f"


def test_a_box_keeps_its_color_under_a_highlight(tmp_path: Path) -> None:
    _, out = highlighted(tmp_path)
    picture = by_pdfium(out)
    blue = (picture[..., 0] > 200) & (picture[..., 1] < 40) & (picture[..., 2] < 40)
    assert blue.sum() > 500
    assert texts(out) == ["Jan PPD is here"]


@poppler
def test_a_highlight_that_readers_draw_themselves(tmp_path: Path) -> None:
    def form(pdf: pikepdf.Pdf) -> Any:
        state = Dictionary(G=Dictionary(BM=Name.Multiply))
        inner = drawing(pdf, b"/G gs " + STRIPE, Resources=Dictionary(ExtGState=state))
        return drawing(pdf, b"/X Do", Resources=Dictionary(XObject=Dictionary(X=inner)))

    source, out = highlighted(tmp_path, form)
    for show in (by_pdfium, by_poppler):
        before, after = show(source), show(out)
        middle = slice(300, 600)  # the ends are round to some readers
        assert differ(before[:, middle], after[:, middle]) == 0


def test_a_group_that_is_mixed_as_a_whole_stays_one(tmp_path: Path) -> None:
    def form(pdf: pikepdf.Pdf) -> Any:
        stripe = Dictionary(XObject=Dictionary(X=drawing(pdf, b"1 0.5 0.6 rg" + STRIPE[8:])))
        inner = drawing(pdf, b"/X Do", Resources=stripe, Group=Dictionary(S=Name.Transparency))
        states = Dictionary(A=Dictionary(ca=0.8), B=Dictionary(BM=Name.Multiply))
        resources = Dictionary(XObject=Dictionary(X=inner), ExtGState=states)
        return drawing(pdf, b"/A gs /B gs /X Do", Resources=resources)

    source, out = highlighted(tmp_path, form)
    right = slice(230, 630)  # beside the box
    assert differ(by_pdfium(source)[:, right], by_pdfium(out)[:, right]) == 0


def test_a_field_without_a_drawing_is_seen(tmp_path: Path) -> None:
    def add(pdf: pikepdf.Pdf, page: Any) -> None:
        field = pdf.make_indirect(
            Dictionary(
                Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T=String("city"), V=String("Warsaw"),
                DA=String("/Helv 12 Tf 0 g"), Rect=Array([60, 600, 260, 620]), F=4,
                MK=Dictionary(BG=Array([0.5, 0.9, 0.9]), BC=Array([1, 0, 0])),
            )
        )  # fmt: skip
        page.Annots = Array([field])
        fonts = Dictionary(Font=Dictionary(Helv=helvetica()))
        pdf.Root.AcroForm = Dictionary(Fields=Array([field]), DR=fonts)

    source, out = one_page(tmp_path / "in.pdf", line("Jan Kowalski"), more=add), tmp_path / "out.pdf"
    assert write_pdf(source, out, changes(source, "Kowalski")).rasterised == ()
    assert texts(out) == ["Jan PPD\n\nWarsaw"]
    picture = by_pdfium(out)
    assert tuple(picture[321, 300]) == (230, 230, 128)  # blue, green, red
    assert picture[308:312, 300, 0].min() < 100 < picture[308:312, 300, 2].min()

    write_pdf(source, out, changes(source, "Warsaw"))
    assert texts(out) == ["Jan Kowalski\n\nPPD"]


VALUE = "Anna Nowak"
TELLING: dict[str, Any] = {
    "Contents": String(VALUE), "T": String(VALUE), "Subj": String(VALUE), "NM": String("AnnaNowak"),
    "RC": String(f"<p>{VALUE}</p>"), "M": String("D:19620517"), "Lang": String(VALUE), "Nowak": 19620517,
}  # fmt: skip


def sign(**more: Any) -> Any:
    entries = {"Rect": Array([300, 400, 307, 408]), "C": Array([1, 0.8, 0]), "CA": 0.9, "Name": Name.Note}
    return Dictionary(**{"Type": Name.Annot, "Subtype": Name.Text, **TELLING, **entries, **more})


def stroke(**more: Any) -> Any:
    entries = {"Rect": Array([0, 0, 0, 0]), "L": Array([90, 300, 500, 340]), "C": Array([1, 0, 0]), "F": 4}
    width = Dictionary(W=3, Nowak=String(VALUE))
    return Dictionary(**{"Type": Name.Annot, "Subtype": Name.Line, "BS": width, **TELLING, **entries, **more})


def noted(path: Path, *notes: Any) -> Path:
    def add(pdf: pikepdf.Pdf, page: Any) -> None:
        page.Annots = Array([pdf.make_indirect(note) for note in notes])

    return one_page(path, line(f"Patient {VALUE} was seen."), more=add)


def kept_notes(path: Path) -> list[Any]:
    with pikepdf.open(path) as pdf:
        return [{name: str(part) for name, part in one.items()} for one in pdf.pages[0].get("/Annots", [])]


@poppler
@pytest.mark.parametrize("note", [sign, stroke])
def test_a_note_that_programs_draw_in_their_own_way_looks_as_before(tmp_path: Path, note: Any) -> None:
    source, out = noted(tmp_path / "in.pdf", note()), tmp_path / "out.pdf"
    assert write_pdf(source, out, changes(source, VALUE)).rasterised == ()
    for show in (by_pdfium, by_poppler):
        assert differ(show(source)[250:], show(out)[250:]) == 0  # the line with the name is above
    assert differ(by_poppler(source)[250:], by_poppler(noted(tmp_path / "none.pdf"))[250:]) > 50


def test_such_a_note_tells_nothing_and_a_note_with_text_is_refused(tmp_path: Path) -> None:
    source, out = noted(tmp_path / "in.pdf", sign(), stroke()), tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, VALUE))
    look = {"/Type", "/Subtype", "/Rect", "/F", "/C", "/CA"}
    assert [set(one) - look for one in kept_notes(out)] == [{"/Name"}, {"/L", "/BS"}]
    assert "Nowak" not in str(kept_notes(out))
    values = [VALUE, "Nowak", "AnnaNowak", "19620517"]
    assert prove_document(out, values).holds
    assert verify_document(out, values).acceptable
    with pikepdf.open(out, allow_overwriting_input=True) as pdf:
        pdf.pages[0].Annots[0].Contents = String(f"about {VALUE}")
        pdf.save(out)
    assert not prove_document(out, values).holds
    assert not verify_document(out, values).acceptable


@pytest.mark.parametrize(
    "note",
    [
        sign(Rect=Array([100, 680, 110, 690])),
        sign(Name=Name.Nowak),
        sign(F=2),
        sign(Rect=Array([19620517, 400, 19620518, 410])),
        sign(Subtype=Name.FreeText, DA=String("/Helv 12 Tf 0 g")),
        stroke(L=Array([60, 690, 300, 720])),
        Dictionary(Type=Name.Annot, Subtype=Name.Popup, Rect=Array([300, 400, 400, 500]), **TELLING),
    ],
    ids=["beside a box", "a name of its own", "hidden", "far away", "words", "through a box", "popup"],
)
def test_other_notes_go(tmp_path: Path, note: Any) -> None:
    source, out = noted(tmp_path / "in.pdf", note), tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, VALUE))
    assert kept_notes(out) == []
    assert prove_document(out, [VALUE, "Nowak", "19620517"]).holds


@poppler
@pytest.mark.parametrize(
    "more",
    [
        {"Rect": Array([90, 300, 500, 340])},
        {"LE": Array([Name.OpenArrow, Name.Nowak])},
        {"LE": Array([pikepdf.Object.parse(b"/N#ff"), 3])},
        {"BS": Dictionary(W=2, S=Name.D)},
        {"BS": 5, "Border": 3, "Rect": Array([90, 300, 500, 340])},
        {"Border": Array([0, 0, 500]), "BS": Dictionary(W=500)},
    ],
    ids=["with a place", "with an arrow", "with odd ends", "dashed", "with an odd style", "wide"],
)
def test_other_lines_become_part_of_the_page(tmp_path: Path, more: dict[str, Any]) -> None:
    source, out = noted(tmp_path / "in.pdf", stroke(**more)), tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, VALUE))
    assert kept_notes(out) == []
    assert (by_pdfium(out)[600:, :, 1] < 100).sum() > 200
