"""PDFs that are not written as they should be, as other people's programs make them."""

from __future__ import annotations

import shutil
import subprocess
import zlib
from collections import Counter
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name, String

from reidrisk.documents.anonymize.run import anonymize_documents
from reidrisk.documents.anonymize.settings import AnonymizeSettings
from reidrisk.documents.document import Change
from reidrisk.documents.pdf import damage
from reidrisk.documents.pdf.clean import clean_objects
from reidrisk.documents.pdf.contents import tokens
from reidrisk.documents.pdf.damage import PageLetters, letters_of, pages_that_differ, require_letters
from reidrisk.documents.pdf.format import opened_pdf, write_pdf
from reidrisk.documents.pdf.layout import in_logical_order
from reidrisk.documents.pdf.page_places import PagePlace
from reidrisk.documents.pdf.reading import read_pdf
from reidrisk.documents.pdf.rendering import drawn_by_poppler, saved_by_pdfium
from reidrisk.documents.pdf.values import RemovedValues
from reidrisk.errors import FailedPages, UnreadableFile
from tests.documents.pdf.building import changes, line, one_page, pages, texts
from tests.documents.pdf.test_read import below, cmap, font

poppler = pytest.mark.skipif(shutil.which("pdftotext") is None, reason="Poppler is not installed")


def shown(path: Path) -> str:
    """The text of the first page as PDFium reads it."""
    document = pypdfium2.PdfDocument(path)
    try:
        return str(document[0].get_textpage().get_text_range())
    finally:
        document.close()


def redacted(source: Path, *values: str, **settings: Any) -> dict[str, Any]:
    """What came of a document without these values."""
    out = source.parent / "out"
    done = anonymize_documents([source], out, values=values, settings=AnonymizeSettings(**settings))
    return dict(done.to_dict()["documents"][0])


def test_an_operator_within_an_array(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", "BT /F1 12 Tf 60 700 Td [(Jan) 0 Tc -300 (Kowalski) ] TJ ET")
    assert texts(source) == ["Jan Kowalski"]
    assert redacted(source, "Kowalski")["written"]
    assert shown(tmp_path / "out" / "in.pdf").split() == ["Jan", "PPD"]


def test_text_that_is_not_a_string_goes(tmp_path: Path) -> None:
    content = "BT /F1 12 Tf 60 700 Td (Jan Kowalski) Tj 12 TJ 5 ' 0 -40 Td (here) Tj ET"
    source, out = one_page(tmp_path / "in.pdf", content), tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, "Kowalski"))
    with pikepdf.open(out) as pdf:
        left = pdf.pages[0].Contents.read_bytes()
    assert b"12 TJ" not in left
    assert texts(out)[0].split() == ["Jan", "PPD", "here"]


def test_an_array_that_does_not_close(tmp_path: Path) -> None:
    assert texts(one_page(tmp_path / "in.pdf", "BT /F1 12 Tf 60 700 Td [(Jan) (Kow) TJ ET")) == ["JanKow"]


def test_tokens_know_strings_and_images() -> None:
    data = b"q [(a\\)(b)) <41 42>] TJ % no\nBI /W 1 ID \x00 (x EI Q (open"
    assert [token for token in tokens(data) if token not in (b"q", b"Q")] == [
        b"[", b"(a\\)(b))", b"<41 42>", b"]", b"TJ", b"BI", b"/W", b"1", b"ID \x00 (x EI", b"(open"
    ]  # fmt: skip


def test_a_string_that_goes_on_in_the_next_stream(tmp_path: Path) -> None:
    def split(pdf: pikepdf.Pdf, page: Any) -> None:
        parts = [b"BT /F1 12 Tf 60 700 Td (by Kowal", b"ski \\(him", b"self\\)) Tj ET", b"q Q"]
        page.Contents = Array([pdf.make_stream(part) for part in parts])

    source = one_page(tmp_path / "in.pdf", "", more=split)
    assert texts(source) == ["by Kowalski (himself)"]
    assert redacted(source, "Kowalski")["written"]
    assert "Kowal" not in shown(tmp_path / "out" / "in.pdf")


def test_images_among_the_content_are_no_content(tmp_path: Path) -> None:
    def add(pdf: pikepdf.Pdf, page: Any) -> None:
        image = pdf.make_stream(b"\x97JB2", Filter=Name.JBIG2Decode)
        page.Contents = Array([page.Contents, image])

    source = one_page(tmp_path / "in.pdf", line("Jan Kowalski"), more=add)
    assert texts(source) == ["Jan Kowalski"]


def test_a_damaged_stream_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    content = line("Jan Kowalski").encode() + b"".join(
        line(f"line {number} {number * 7919 % 1000003}", y=600 - number).encode() for number in range(60)
    )
    packed = zlib.compress(content)
    damaged = packed[: len(packed) // 2] + b"\xff" * 20

    def cut(pdf: pikepdf.Pdf, page: Any) -> None:
        page.Contents = pikepdf.Stream(pdf, damaged, Filter=Name.FlateDecode)

    source = one_page(tmp_path / "in.pdf", "", more=cut)
    (block,) = read_pdf(source)
    assert block.text.startswith("Jan Kowalski")
    assert block.concern == ""


def test_content_that_nobody_can_read_is_a_concern(tmp_path: Path) -> None:
    def spoil(pdf: pikepdf.Pdf, page: Any) -> None:
        page.Contents = pikepdf.Stream(pdf, b"no packed data", Filter=Name.LZWDecode, DecodeParms=Name.X)

    source = one_page(tmp_path / "in.pdf", "", more=spoil)
    assert [block.concern for block in read_pdf(source)] == ["unreadable"]


def test_names_are_written_with_their_escapes(tmp_path: Path) -> None:
    content = f"/Text#20body <</MCID 0>> BDC {line('Jan Kowalski is here')} EMC"
    source, out = one_page(tmp_path / "in.pdf", content), tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, "Kowalski"))
    with pikepdf.open(out) as pdf:
        assert b"/Text#20body <<" in pdf.pages[0].Contents.read_bytes()


@poppler
def test_poppler_reads_what_stays(tmp_path: Path) -> None:
    content = f"/Text#20body <</MCID 0>> BDC {line('Jan Kowalski is here')} EMC"
    source, out = one_page(tmp_path / "in.pdf", content), tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, "Kowalski"))
    done = subprocess.run(["pdftotext", out, "-"], capture_output=True, check=True, text=True)
    assert done.stdout.split() == ["Jan", "PPD", "is", "here"]


def badly_named(pdf: pikepdf.Pdf, page: Any, font_name: bytes) -> None:
    """A font under a name that is not UTF-8."""
    known = b"<< /Type /Font /Subtype /Type1 /BaseFont " + font_name + b" /Encoding /WinAnsiEncoding >>"
    page.Resources.Font = pikepdf.Object.parse(b"<< /F#ef 5 >>")
    page.Resources.Font[next(iter(page.Resources.Font.keys()))] = pdf.make_indirect(
        pikepdf.Object.parse(known)
    )
    page.Contents = pdf.make_stream(b"BT /F#ef 12 Tf 60 700 Td (by Jan Kowalski) Tj ET \x85 odd")


def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", "", more=lambda pdf, page: badly_named(pdf, page, b"/Helvetica"))
    assert texts(source) == ["by Jan Kowalski"]
    assert redacted(source, "Kowalski")["written"]
    assert shown(tmp_path / "out" / "in.pdf").split() == ["by", "Jan", "PPD"]


def test_a_font_whose_own_name_is_not_utf_8(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", "", more=lambda pdf, page: badly_named(pdf, page, b"/Ar#efal"))
    assert texts(source) == ["by Jan Kowalski"]
    assert redacted(source, "Kowalski")["written"]


def test_a_font_that_is_missing_is_read_as_readers_do(tmp_path: Path) -> None:
    assert texts(one_page(tmp_path / "in.pdf", "BT /F9 12 Tf 60 700 Td (Jan Kowalski) Tj ET")) == [
        "Jan Kowalski"
    ]


def test_a_composite_font_without_its_descendant(tmp_path: Path) -> None:
    told = cmap(
        "1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0001> <0003> <0041> endbfrange"
    )
    known = {"Subtype": Name.Type0, "Encoding": Name("/Identity-H"), "ToUnicode": told}
    source = one_page(
        tmp_path / "in.pdf",
        "BT /F2 12 Tf 60 700 Td <000100020003> Tj ET " + line("Jan", y=600),
        more=font(**known),
    )
    assert texts(source)[0].split() == ["ABC", "Jan"]
    assert redacted(source, "Jan")["written"]


def test_text_outside_a_text_object_stays_in_its_place(tmp_path: Path) -> None:
    content = "/F1 12 Tf 1 0 0 1 60 700 Tm (Jan Kowalski is here) Tj"
    source, out = one_page(tmp_path / "in.pdf", content), tmp_path / "out.pdf"
    written = write_pdf(source, out, changes(source, "Kowalski"))
    assert written.rasterised == ()
    assert texts(out) == ["Jan PPD is here"]


def test_forms_that_draw_themselves_lose_the_value(tmp_path: Path) -> None:
    def loop(pdf: pikepdf.Pdf, page: Any) -> None:
        form = pdf.make_stream(
            b"BT /F1 12 Tf 0 0 Td (Kowalski) Tj ET 1 0 0 1 0 -20 cm /Fm Do",
            Type=Name.XObject, Subtype=Name.Form, BBox=Array([-900, -900, 900, 900]),
        )  # fmt: skip
        form.Resources = Dictionary(Font=page.Resources.Font, XObject=Dictionary(Fm=form))
        page.Resources.XObject = Dictionary(Fm=form)

    source = one_page(tmp_path / "in.pdf", "1 0 0 1 60 700 cm /Fm Do", more=loop)
    assert redacted(source, "Kowalski")["written"]
    assert "Kowalski" not in shown(tmp_path / "out" / "in.pdf")


@pytest.mark.parametrize("head", [b"%PDF.1.4\n", b""])
def test_a_file_without_a_proper_head_is_read(tmp_path: Path, head: bytes) -> None:
    source = one_page(tmp_path / "good.pdf", line("Jan Kowalski"))
    data = source.read_bytes()
    bad = tmp_path / "in.pdf"
    bad.write_bytes(head + data[data.index(b"\n") + 1 :])
    assert texts(bad) == ["Jan Kowalski"]


def test_what_is_no_pdf_at_all_is_said(tmp_path: Path) -> None:
    source = tmp_path / "in.pdf"
    source.write_bytes(b"just words\n" * 40)
    with pytest.raises(UnreadableFile, match="is not a PDF file but something else"):
        list(read_pdf(source))


def test_a_damaged_file_is_opened_as_other_programs_do(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Jan Kowalski"))
    saved = saved_by_pdfium(source)
    assert saved is not None
    (tmp_path / "saved.pdf").write_bytes(saved)
    assert texts(tmp_path / "saved.pdf") == ["Jan Kowalski"]
    bad = tmp_path / "bad.pdf"
    bad.write_bytes(b"%PDF-1.4\nnothing")
    assert saved_by_pdfium(bad) is None
    assert drawn_by_poppler(bad) is None


@poppler
def test_a_file_whose_pages_go_in_a_circle_is_repaired(tmp_path: Path) -> None:
    def loop(pdf: pikepdf.Pdf, page: Any) -> None:
        pdf.Root.Pages.Kids.append(pdf.Root.Pages)

    source = one_page(tmp_path / "in.pdf", line("Jan Kowalski"), more=loop)
    with pytest.raises(pikepdf.PdfError):
        pikepdf.open(source).pages[0]
    assert "Kowalski" in texts(source)[0]
    assert redacted(source, "Kowalski")["written"]
    assert "Kowalski" not in texts(tmp_path / "out" / "in.pdf")[0]


@poppler
def test_poppler_draws_a_file_again_with_its_text(tmp_path: Path) -> None:
    drawn = drawn_by_poppler(one_page(tmp_path / "in.pdf", line("Jan Kowalski")))
    assert drawn is not None
    (tmp_path / "drawn.pdf").write_bytes(drawn)
    assert "Kowalski" in shown(tmp_path / "drawn.pdf")


def right_to_left(tmp_path: Path, codes: str) -> Path:
    """A page whose letters 1, 2, 3 … are Hebrew, 11 to 19 digits and 32 a space, drawn from left to right."""
    told = cmap(
        "1 begincodespacerange <00> <FF> endcodespacerange "
        "2 beginbfrange <01> <0A> <05D0> <0B> <14> <0031> endbfrange "
        "1 beginbfchar <20> <0020> endbfchar"
    )
    known = {"Subtype": Name.Type1, "BaseFont": Name.Helvetica, "ToUnicode": told}
    widths = {"FirstChar": 0, "LastChar": 40, "Widths": Array([600] * 41)}
    content = f"BT /F2 12 Tf 60 700 Td <{codes}> Tj ET"
    return one_page(tmp_path / "in.pdf", content, more=font(**known, **widths))


def test_hebrew_is_read_from_the_right_and_numbers_from_the_left(tmp_path: Path) -> None:
    source = right_to_left(tmp_path, "0302010B0C0D200504")
    assert texts(source) == ["\u05d3\u05d4 123\u05d0\u05d1\u05d2"]
    done = redacted(source, "\u05d0\u05d1\u05d2")
    assert done["written"]
    (block,) = read_pdf(tmp_path / "out" / "in.pdf")
    assert sorted(block.text.split()) == ["123", "PPD", "\u05d3\u05d4"]


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        ("ab 12", "ab 12"),
        ("\u05d1\u05d0", "\u05d0\u05d1"),
        ("12 \u05d1\u05d0", "\u05d0\u05d1 12"),
        ("abc \u05d1\u05d0 d", "abc \u05d0\u05d1 d"),
    ],
)
def test_letters_from_left_to_right_as_they_are_read(drawn: str, said: str) -> None:
    shown: list[Any] = [SimpleNamespace(text=letter) for letter in drawn]
    read: list[Any] = in_logical_order(shown)
    assert "".join(glyph.text for glyph in read) == said


def test_forms_of_letters_are_spelled_out(tmp_path: Path) -> None:
    told = cmap(
        "1 begincodespacerange <00> <FF> endcodespacerange "
        "4 beginbfchar <01> <FEE1> <02> <FB01> <03> <FF21> <04> <2F00> endbfchar"
    )
    source = one_page(
        tmp_path / "in.pdf",
        "BT /F2 12 Tf 60 700 Td <02> Tj 0 -40 Td <01> Tj 0 -40 Td <03> Tj 0 -40 Td <04> Tj ET",
        more=font(Subtype=Name.Type1, BaseFont=Name.Helvetica, ToUnicode=told),
    )
    assert texts(source)[0].split() == ["fi", "\u0645", "A", "\u4e00"]


def test_dots_that_lead_to_a_number_do_not_join_words(tmp_path: Path) -> None:
    content = "BT /F1 12 Tf 60 700 Td [(Event) -300 (tickets)] TJ 6 Tc (................) Tj ET"
    assert texts(one_page(tmp_path / "in.pdf", content))[0].startswith("Event tickets")


def test_drawn_letters_have_the_height_of_their_box(tmp_path: Path) -> None:
    def add(pdf: pikepdf.Pdf, page: Any) -> None:
        square = pdf.make_stream(b"30 0 0 0 30 50 d1 0 0 25 50 re f")
        page.Resources.Font.F2 = pdf.make_indirect(
            Dictionary(
                Type=Name.Font, Subtype=Name.Type3, FontBBox=Array([0, 0, 30, 50]),
                FontMatrix=Array([1, 0, 0, 1, 0, 0]), CharProcs=Dictionary(a=square, b=square),
                Encoding=Dictionary(Type=Name.Encoding, Differences=Array([97, Name.a, Name.b])),
                FirstChar=97, LastChar=98, Widths=Array([30, 30]),
            )
        )  # fmt: skip

    source = one_page(tmp_path / "in.pdf", "BT /F2 0.24 Tf 60 700 Td (abab) Tj ET", more=add)
    with opened_pdf(source) as document:
        assert document._pages is not None
        (glyph, *_) = document._pages.read(1).content.glyphs
    assert glyph.matrix[3] == pytest.approx(12)
    assert glyph.advance == pytest.approx(0.6)


def test_drawn_letters_are_as_high_as_they_say(tmp_path: Path) -> None:
    """The box of the font is wrong, letters hang in their own space, and the font turns them upright."""

    def add(pdf: pikepdf.Pdf, page: Any) -> None:
        square = pdf.make_stream(b"84 0 8 -62 76 -1 d1 8 -62 60 60 re f")
        page.Resources.Font.F2 = pdf.make_indirect(
            Dictionary(
                Type=Name.Font, Subtype=Name.Type3, FontBBox=Array([0, 0, 1000, 1000]),
                FontMatrix=Array([0.012, 0, 0, -0.012, 0, 0]), CharProcs=Dictionary(a=square, b=square),
                Encoding=Dictionary(Type=Name.Encoding, Differences=Array([97, Name.a, Name.b])),
                FirstChar=97, LastChar=98, Widths=Array([84, 84]),
            )
        )  # fmt: skip

    source, out = (
        one_page(tmp_path / "in.pdf", "BT /F2 10 Tf 60 700 Td (abab) Tj ET", more=add),
        tmp_path / "out.pdf",
    )
    written = write_pdf(source, out, [Change("page 1", 0, 4)])
    assert written.rasterised == ()
    with opened_pdf(source) as document:
        assert document._pages is not None
        (glyph, *_) = document._pages.read(1).content.glyphs
    assert 5 < glyph.matrix[3] < 12


def test_a_picture_shows_nothing_of_a_value_beyond_its_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if the box is drawn in a wrong place."""
    source, out = one_page(tmp_path / "in.pdf", line("Kowalski came", size=20)), tmp_path / "out.pdf"
    monkeypatch.setattr("reidrisk.documents.pdf.format.pages_that_differ", lambda *_, **__: {1: 1.0})
    corners = PagePlace.padded
    monkeypatch.setattr(PagePlace, "padded", lambda place: [(x, y + 18) for x, y in corners(place)])
    written = write_pdf(source, out, changes(source, "Kowalski"))
    assert written.rasterised == (1,)
    picture = pypdfium2.PdfDocument(out)[0].render(grayscale=True).to_numpy()[842 - 712 : 842 - 698]
    assert not (picture[:, 60:140] < 100).any(), "the value"
    assert (picture[:, 150:200] < 100).any(), "the word after it"


def field(pdf: pikepdf.Pdf, page: Any) -> None:
    """A text field and a check box, filled in and with drawings of their own."""
    text = pdf.make_stream(
        b"q 0 0 150 20 re s Q BT /F1 12 Tf 2 5 Td (Anna Nowak) Tj ET",
        Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 150, 20]), Resources=page.Resources,
    )  # fmt: skip
    box = pdf.make_stream(
        b"0 0 12 12 re s 2 2 m 10 10 l S 2 10 m 10 2 l S",
        Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 12, 12]),
    )  # fmt: skip
    fields = [
        Dictionary(
            Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T=String("name"), V=String("Anna Nowak"), F=4,
            Rect=Array([60, 600, 210, 620]), AP=Dictionary(N=text), DA=String("/Helv 12 Tf 0 g"),
        ),
        Dictionary(
            Type=Name.Annot, Subtype=Name.Widget, FT=Name.Btn, T=String("yes"), V=Name.Yes, AS=Name.Yes, F=4,
            Rect=Array([60, 560, 72, 572]), AP=Dictionary(N=Dictionary(Yes=box)),
        ),
    ]  # fmt: skip
    listed = Array([pdf.make_indirect(one) for one in fields])
    page.Annots = listed
    pdf.Root.AcroForm = Dictionary(Fields=listed, DR=Dictionary(Font=Dictionary(Helv=page.Resources.Font.F1)))


def test_filled_fields_stay_as_they_are_seen(tmp_path: Path) -> None:
    source, out = one_page(tmp_path / "in.pdf", line("Jan Kowalski"), more=field), tmp_path / "out.pdf"
    written = write_pdf(source, out, changes(source, "Kowalski"))
    assert written.rasterised == ()
    assert shown(out).split() == ["Jan", "PPD", "Anna", "Nowak"]
    document = pypdfium2.PdfDocument(out)
    picture = document[0].render(grayscale=True).to_numpy()
    assert (picture[842 - 572 : 842 - 560, 60:72] < 128).any(), "the cross in the box"


NOTES = [
    {"Subtype": Name.Line, "L": [60, 500, 300, 500]},
    {"Subtype": Name.PolyLine, "Vertices": [60, 500, 100, 540, 140, 500]},
    {"Subtype": Name.Polygon, "Vertices": [60, 500, 100, 540, 140, 500]},
    {"Subtype": Name.Ink, "InkList": [[60, 500, 100, 540, 140, 500]]},
    {"Subtype": Name.Square, "IC": [0, 1, 0]},
    {"Subtype": Name.Circle, "IC": [0, 1, 0]},
    {"Subtype": Name.Highlight, "QuadPoints": [60, 520, 300, 520, 60, 500, 300, 500]},
    {"Subtype": Name.Underline, "QuadPoints": [60, 520, 300, 520, 60, 500, 300, 500]},
    {"Subtype": Name.StrikeOut, "QuadPoints": [60, 520, 300, 520, 60, 500, 300, 500]},
]


@pytest.mark.parametrize("known", NOTES, ids=lambda known: str(known["Subtype"]))
def test_notes_that_only_readers_draw_stay(tmp_path: Path, known: dict[str, Any]) -> None:
    def add(pdf: pikepdf.Pdf, page: Any) -> None:
        note = Dictionary(
            Type=Name.Annot, Rect=Array([60, 480, 300, 560]), C=Array([1, 0, 0]), F=4, BS=Dictionary(W=3)
        )
        for name, value in known.items():
            note[f"/{name}"] = (
                value
                if isinstance(value, Name)
                else Array([Array(part) if isinstance(part, list) else part for part in value])
            )
        page.Annots = Array([pdf.make_indirect(note)])

    source, out = one_page(tmp_path / "in.pdf", line("Jan Kowalski"), more=add), tmp_path / "out.pdf"
    assert write_pdf(source, out, changes(source, "Kowalski")).rasterised == ()
    picture = pypdfium2.PdfDocument(out)[0].render().to_numpy().astype(int)
    red = (picture[..., 2] > 150) & (picture[..., 0] < 100)
    assert red[842 - 570 : 842 - 470, 50:310].any()


def test_a_highlight_does_not_hide_the_text_under_it(tmp_path: Path) -> None:
    def add(pdf: pikepdf.Pdf, page: Any) -> None:
        state = Dictionary(ExtGState=Dictionary(G=Dictionary(BM=Name.Multiply)))
        form = pdf.make_stream(
            b"/G gs 1 1 0 rg 50 690 400 30 re f", Type=Name.XObject, Subtype=Name.Form, Resources=state,
            BBox=Array([50, 690, 450, 720]), Group=Dictionary(S=Name.Transparency),
        )  # fmt: skip
        page.Annots = Array([
            pdf.make_indirect(
                Dictionary(
                    Type=Name.Annot, Subtype=Name.Highlight, Rect=Array([50, 690, 450, 720]), F=4,
                    C=Array([1, 1, 0]), AP=Dictionary(N=form),
                    QuadPoints=Array([50, 720, 450, 720, 50, 690, 450, 690]),
                )
            )
        ])  # fmt: skip

    source, out = one_page(tmp_path / "in.pdf", line("Jan Kowalski is here"), more=add), tmp_path / "out.pdf"
    assert write_pdf(source, out, changes(source, "Kowalski")).rasterised == ()
    assert texts(out) == ["Jan PPD is here"]


def test_printed_images_keep_their_colors(tmp_path: Path) -> None:
    from PIL import Image

    data = BytesIO()
    Image.new("CMYK", (60, 20), (0, 200, 0, 0)).save(data, "JPEG", quality=95)

    def add(pdf: pikepdf.Pdf, page: Any) -> None:
        image = pdf.make_stream(
            data.getvalue(), Type=Name.XObject, Subtype=Name.Image, Width=60, Height=20,
            ColorSpace=Name.DeviceCMYK, BitsPerComponent=8, Filter=Name.DCTDecode,
        )  # fmt: skip
        page.Resources.XObject = Dictionary(Im=image)

    content = "q 300 0 0 100 50 650 cm /Im Do Q " + line("Jan Kowalski")
    source, out = one_page(tmp_path / "in.pdf", content, more=add), tmp_path / "out.pdf"
    assert write_pdf(source, out, changes(source, "Kowalski")).rasterised == ()
    before, after = (pypdfium2.PdfDocument(path)[0].render().to_numpy() for path in (source, out))
    assert abs(before[842 - 660, 300].astype(int) - after[842 - 660, 300].astype(int)).max() <= 3


def unreadable(pdf: pikepdf.Pdf, page: Any) -> None:
    """Words of a font that tells nobody what it says, drawn so small that nobody recognises them."""
    known = {"Subtype": Name.Type0, "Encoding": Name("/Identity-H"), "DescendantFonts": below()}
    font(**known)(pdf, page)
    page.Contents = pdf.make_stream(b"BT /F2 1 Tf 60 700 Td <000100020003000400050006> Tj ET")


def test_pages_that_cannot_be_read_are_refused_or_left_out(tmp_path: Path) -> None:
    source = pages(tmp_path / "in.pdf", ["", line("Jan Kowalski"), line("the end")], more=unreadable)
    refused = redacted(source, "Kowalski")
    assert not refused["written"]
    assert refused["error"].startswith("page 1 has fonts that do not tell what they say")
    assert "--per-page" in refused["hint"]
    done = redacted(source, "Kowalski", per_page=True)
    assert done["written"]
    assert done["concerns"] == ["Left out, with an explanation in their place: page 1."]
    first, second, third = texts(tmp_path / "out" / "in.pdf")
    assert first.startswith("Page 1 of this document was left out.")
    assert second.split() == ["Jan", "PPD"]
    assert third == "the end"


def test_not_every_page_can_be_left_out(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", "", more=unreadable)
    refused = redacted(source, "Kowalski", per_page=True)
    assert refused["error"] == "Every page would be left out."
    assert not (tmp_path / "out" / "in.pdf").exists()


def test_a_value_that_only_other_readers_see_goes(tmp_path: Path) -> None:
    """Our own text has the words of two overlapping lines apart; along the line they make up the value."""
    content = line("True", x=60) + line("x", x=300, y=650) + line("With a note", x=86, y=700.4)
    source = one_page(tmp_path / "in.pdf", content)
    with opened_pdf(source) as document:
        places = document.seen_by_others({1: ("TrueWith",)})
        (text,) = [block.text for block in document.blocks]
    assert "".join(text[start:end] for _, start, end in places).replace(" ", "") == "TrueWith"


def test_a_number_that_a_reader_joins_at_the_end_of_a_line_goes(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("see 2008-", y=700) + line("02 there", y=686))
    with opened_pdf(source) as document:
        (place,) = document.seen_by_others({0: ("200802",)})
        assert document.blocks[0].text[place[1] : place[2]] == "2008-\n02"


def test_letters_that_are_lost_stop_a_release(tmp_path: Path) -> None:
    before = one_page(tmp_path / "before.pdf", line("Jan Kowalski came home and went to bed early"))
    after = one_page(tmp_path / "after.pdf", line("Jan came home"))
    everything = letters_of([shown(before)])
    with pytest.raises(FailedPages, match=r"Page 1 would lose 1\d of \d+ letters") as failed:
        require_letters(before, after, {1: PageLetters(everything, letters_of(["Kowalski"]))})
    assert failed.value.pages == (1,)
    require_letters(
        before, after, {1: PageLetters(everything, letters_of(["Kowalski and went to bed early"]))}
    )
    require_letters(before, after, {1: PageLetters(letters_of(["Jan came home"]), Counter())})
    require_letters(before, after, {})


def test_pages_that_look_different_are_found_by_each_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = one_page(tmp_path / "before.pdf", line("Jan Kowalski came home") + line("and stayed", y=600))
    after = one_page(tmp_path / "after.pdf", line("Jan Kowalski came home"))
    assert list(pages_that_differ(before, after, {})) == [1]
    assert pages_that_differ(before, after, {1: [(55, 590, 200, 620)]}) == {}
    assert pages_that_differ(before, after, {}, besides=[1]) == {}
    both = damage._both_by_pdfium
    monkeypatch.setattr(damage, "_both_by_pdfium", lambda old, _, number: both(old, old, number))
    assert list(pages_that_differ(before, after, {})) == ([1] if shutil.which("pdftoppm") else [])


def test_a_change_is_not_lost_with_pages_left_out(tmp_path: Path) -> None:
    source = pages(tmp_path / "in.pdf", [line("Jan Kowalski"), line("Anna Nowak")])
    with opened_pdf(source) as document:
        document.leave_out({"page 1": "Because."})
        written = document.write(tmp_path / "out.pdf", [Change("page 2", 5, 10)])
    assert written.left_out == (1,)
    first, second = texts(tmp_path / "out.pdf")
    assert first.split("\n")[1] == "Because."
    assert second == "Anna PPD"


@pytest.mark.parametrize(
    ("of_page", "of_picture", "pictures"),
    [(0.001, 0.02, ()), (0.001, 0.0015, (1,)), (0.001, 0.0, (1,)), (0.2, 0.9, (1,))],
)
def test_a_page_stays_text_if_its_picture_would_be_less_like_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    of_page: float,
    of_picture: float,
    pictures: tuple[int, ...],
) -> None:
    """Programs disagree about damaged pages; a picture shows what one of them makes of it."""

    def compared(*_: Any, only: Any = None, **__: Any) -> dict[int, float]:
        return {1: of_page if only is None else of_picture}

    monkeypatch.setattr("reidrisk.documents.pdf.format.pages_that_differ", compared)
    source, out = one_page(tmp_path / "in.pdf", line("Jan Kowalski was here")), tmp_path / "out.pdf"
    assert write_pdf(source, out, changes(source, "Kowalski")).rasterised == pictures
    assert shown(out).split() == ([] if pictures else ["Jan", "PPD", "was", "here"])


def test_a_page_that_would_lose_text_does_not_stay_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "reidrisk.documents.pdf.format.pages_that_differ",
        lambda *_, only=None, **__: {1: 0.001 if only is None else 0.02},
    )
    monkeypatch.setattr("reidrisk.documents.pdf.format.lost_letters", lambda *_: iter([(1, 20, 40)]))
    source, out = one_page(tmp_path / "in.pdf", line("Jan Kowalski was here")), tmp_path / "out.pdf"
    assert write_pdf(source, out, changes(source, "Kowalski")).rasterised == (1,)


def test_a_font_named_as_a_value_looks_the_same(tmp_path: Path) -> None:
    """A font that the file does not bring is chosen by its name."""

    def add(_: pikepdf.Pdf, page: Any) -> None:
        page.Resources.Font.F1 = Dictionary(
            Type=Name.Font, Subtype=Name.TrueType, BaseFont=Name.CourierNewPSMT, FirstChar=32, LastChar=126,
            Widths=Array([600] * 95), Encoding=Name.WinAnsiEncoding,
        )  # fmt: skip

    source = one_page(tmp_path / "in.pdf", line("Courier was here"), more=add)
    assert redacted(source, "Courier")["written"]
    assert shown(tmp_path / "out" / "in.pdf").split() == ["PPD", "was", "here"]
    with pikepdf.open(tmp_path / "out" / "in.pdf") as pdf:
        assert pdf.pages[0].Resources.Font.F1.BaseFont == "/Courier"


@pytest.mark.parametrize(
    ("base", "value", "embedded", "like"),
    [
        ("Roman-BoldItalic", "Roman", False, "Times-BoldItalic"),
        ("Kowalski-Bold", "Kowalski", False, "Font"),
        ("Kowalski-Bold", "Kowalski", True, "Font"),
        ("Kowalski-Bold", "Jan", False, "Kowalski-Bold"),
    ],
)
def test_names_of_fonts_that_tell_a_value(base: str, value: str, embedded: bool, like: str) -> None:
    values = RemovedValues()
    values.add(value, "PPD")
    with pikepdf.new() as pdf:
        described = pdf.make_indirect(Dictionary(FontName=Name(f"/{base}")))
        if embedded:
            described.FontFile2 = pdf.make_stream(b"")
        below = pdf.make_indirect(Dictionary(BaseFont=Name(f"/{base}"), FontDescriptor=described))
        font = pdf.make_indirect(Dictionary(BaseFont=Name(f"/{base}"), DescendantFonts=Array([below])))
        clean_objects(pdf, values)
        assert {font.BaseFont, below.BaseFont, described.FontName} == {Name(f"/{like}")}


@pytest.mark.parametrize(
    ("base", "value", "like"),
    [("Kowalski-Bold", "Kowalski", "Helvetica-Bold"), ("Oblique-Jan", "Oblique", "Helvetica")],
)
def test_a_font_that_only_its_name_describes_gets_the_name_of_one_like_it(
    base: str, value: str, like: str
) -> None:
    values = RemovedValues()
    values.add(value, "PPD")
    with pikepdf.new() as pdf:
        font = pdf.make_indirect(Dictionary(BaseFont=Name(f"/{base}")))
        clean_objects(pdf, values)
        assert font.BaseFont == Name(f"/{like}")
