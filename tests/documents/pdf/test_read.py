from __future__ import annotations

from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from reidrisk.documents.document import Change
from reidrisk.documents.pdf.format import write_pdf
from reidrisk.documents.pdf.reading import read_pdf
from tests.documents.pdf.building import changes, line, one_page, pages, texts


def read(tmp_path: Path, content: str, more: Any = None) -> str:
    return texts(one_page(tmp_path / "in.pdf", content, more=more))[0]


def test_lines_words_and_cells(tmp_path: Path) -> None:
    content = (
        line("First line", y=700)
        + line("second", y=686)
        + line("Age", x=60, y=600)
        + line("24", x=200, y=600)
    )
    assert read(tmp_path, content) == "First line\nsecond\n\nAge\t24"


def test_gaps_are_spaces_and_spaced_out_words_are_words(tmp_path: Path) -> None:
    assert read(tmp_path, "BT /F1 12 Tf 60 700 Td [(Jan) -300 (Kowalski)] TJ ET") == "Jan Kowalski"
    assert read(tmp_path, "BT /F1 12 Tf 4 Tc 60 700 Td (Kowalski) Tj ET") == "Kowalski"


def test_a_word_that_goes_on_in_the_next_line_is_one(tmp_path: Path) -> None:
    content = line("by Kowal-", y=700) + line("ski himself", y=686)
    assert read(tmp_path, content) == "by Kowalski himself"
    source = tmp_path / "in.pdf"
    out = tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, "Kowalski"))
    assert texts(out)[0].split() == ["by", "PPD", "PPD", "himself"]


def test_numbers_keep_their_hyphen_at_the_end_of_a_line(tmp_path: Path) -> None:
    assert read(tmp_path, line("No 1001-", y=700) + line("0004 and", y=686)) == "No 1001-\n0004 and"


def test_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    left = "".join(line(f"left {at}", x=60, y=700 - 14 * at) for at in range(5))
    right = "".join(line(f"right {at}", x=320, y=700 - 14 * at) for at in range(5))
    words = read(tmp_path, left + right).split()
    assert words[0::2] == ["left"] * 5 + ["right"] * 5


def test_lines_that_were_drawn_upside_down_are_read_from_the_top(tmp_path: Path) -> None:
    content = "".join(line(f"line {at}", y=700 - 14 * at) for at in reversed(range(6)))
    assert read(tmp_path, content).split()[1::2] == ["0", "1", "2", "3", "4", "5"]


def test_a_shadow_is_another_piece_and_goes_with_the_text(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Kowalski") + line("Kowalski", x=60.5, y=699.5))
    assert texts(source)[0].split() == ["Kowalski", "Kowalski"]
    out = tmp_path / "out.pdf"
    write_pdf(source, out, [Change("page 1", 0, 8)])
    assert texts(out)[0].split() == ["PPD"]


def font(**more: Any) -> Any:
    def add(pdf: pikepdf.Pdf, page: Any) -> None:
        entries = {f"/{name}": entry(pdf) if callable(entry) else entry for name, entry in more.items()}
        page.Resources.Font.F2 = Dictionary({"/Type": Name.Font, "/BaseFont": Name("/ABCDEF+X")} | entries)

    return add


def cmap(body: str) -> Any:
    return lambda pdf: pdf.make_stream(body.encode())


WIDE = "1 begincodespacerange <0000> <FFFF> endcodespacerange "


def below(**more: Any) -> Any:
    return Array([Dictionary(Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name("/ABCDEF+X"), **more)])


@pytest.mark.parametrize(
    ("shown", "entries", "said"),
    [
        ("(A\\002)", {"Encoding": Dictionary(Differences=Array([2, Name.f_i]))}, "Afi"),
        (
            "(\\001\\002)",
            {"Encoding": Dictionary(Differences=Array([1, Name.uni0141, Name("/odieresis.alt")]))},
            "Łö",
        ),
        ("(\\001)", {"ToUnicode": cmap("1 beginbfchar <01> <FB01> endbfchar")}, "fi"),
        (
            "(\\001\\002)",
            {"ToUnicode": cmap("1 beginbfrange <01> <02> [<0041> <00660066>] endbfrange")},
            "Aff",
        ),
        ("(\\344)", {"Encoding": Name.WinAnsiEncoding}, "ä"),
        ("(\\212)", {"Encoding": Name.MacRomanEncoding}, "ä"),
    ],
)
def test_simple_fonts(tmp_path: Path, shown: str, entries: dict[str, Any], said: str) -> None:
    widths = {"Subtype": Name.Type1, "FirstChar": 0, "Widths": Array([500] * 256)}
    assert read(tmp_path, f"BT /F2 12 Tf 60 700 Td {shown} Tj ET", font(**widths, **entries)) == said


@pytest.mark.parametrize(
    ("shown", "entries", "said"),
    [
        ("<00010002>", {"ToUnicode": cmap(WIDE + "1 beginbfrange <0001> <0002> <0041> endbfrange")}, "AB"),
        ("<0001>", {"ToUnicode": cmap(WIDE + "1 beginbfchar <0001> <D83DDE00> endbfchar")}, "\U0001f600"),
        ("<82A0>", {"Encoding": Name("/90ms-RKSJ-H")}, "あ"),
        ("<4182A041>", {"Encoding": Name("/90ms-RKSJ-H")}, "AあA"),
    ],
)
def test_composite_fonts(tmp_path: Path, shown: str, entries: dict[str, Any], said: str) -> None:
    system = Dictionary(Registry="Adobe", Ordering="Japan1", Supplement=2)
    known = {
        "Subtype": Name.Type0,
        "Encoding": Name("/Identity-H"),
        "DescendantFonts": below(CIDSystemInfo=system),
    }
    assert read(tmp_path, f"BT /F2 12 Tf 60 700 Td {shown} Tj ET", font(**(known | entries))) == said


def test_vertical_writing(tmp_path: Path) -> None:
    told = cmap(WIDE + "1 beginbfrange <0001> <0006> <0041> endbfrange")
    known = {
        "Subtype": Name.Type0,
        "Encoding": Name("/Identity-V"),
        "DescendantFonts": below(),
        "ToUnicode": told,
    }
    content = "BT /F2 12 Tf 60 700 Td <000100020003000400050006> Tj ET"
    assert read(tmp_path, content, font(**known)) == "ABCDEF"
    source, out = tmp_path / "in.pdf", tmp_path / "out.pdf"
    write_pdf(source, out, [Change("page 1", 2, 4)])
    assert texts(out)[0].split() == ["AB", "PPD", "EF"]


def test_a_font_that_does_not_tell_is_a_concern(tmp_path: Path) -> None:
    known = {"Subtype": Name.Type0, "Encoding": Name("/Identity-H"), "DescendantFonts": below()}
    source = one_page(tmp_path / "in.pdf", "BT /F2 12 Tf 60 700 Td <000100020003> Tj ET", more=font(**known))
    (block,) = read_pdf(source)
    assert (block.text, block.concern) == ("\ufffd\ufffd\ufffd", "unreadable")
    written = write_pdf(source, tmp_path / "out.pdf", [])
    assert written.unreadable == (1,)
    assert "page 1" in written.concerns[0]


def test_a_text_that_stands_for_unreadable_glyphs_is_read(tmp_path: Path) -> None:
    known = {"Subtype": Name.Type0, "Encoding": Name("/Identity-H"), "DescendantFonts": below()}
    content = "/Span <</ActualText (Jan)>> BDC BT /F2 12 Tf 60 700 Td <000100020003> Tj ET EMC " + line(
        "Rest", y=600
    )
    source = one_page(tmp_path / "in.pdf", content, more=font(**known))
    (block,) = read_pdf(source)
    assert (block.text, block.concern) == ("Jan\n\nRest", "")
    out = tmp_path / "out.pdf"
    write_pdf(source, out, [Change("page 1", 1, 2)])
    assert texts(out)[0].split() == ["PPD", "Rest"]


def test_pages_are_read_one_at_a_time(tmp_path: Path) -> None:
    source = pages(tmp_path / "in.pdf", [line("One."), line("Two.")])
    blocks = read_pdf(source)
    assert next(blocks).name == "page 1"
    assert next(blocks).text == "Two."


def test_no_text_is_shown_by_the_blocks(tmp_path: Path) -> None:
    (block,) = read_pdf(one_page(tmp_path / "in.pdf", line("Kowalski")))
    assert "Kowalski" not in repr(block)


def test_a_form_that_pages_share_is_changed_on_one_of_them_only(tmp_path: Path) -> None:
    def share(pdf: pikepdf.Pdf, _: Any) -> None:
        form = pdf.make_stream(
            line("Kowalski").encode(), Subtype=Name.Form, BBox=Array([0, 0, 600, 900]),
            Resources=Dictionary(Font=pdf.pages[0].obj.Resources.Font),
        )  # fmt: skip
        for page in pdf.pages:
            page.obj.Resources.XObject = Dictionary(X=form)

    source = pages(tmp_path / "in.pdf", ["/X Do", "/X Do"], more=share)
    out = tmp_path / "out.pdf"
    write_pdf(source, out, [Change("page 1", 0, 8)])
    assert [text.strip() for text in texts(out)] == ["PPD", "Kowalski"]
    write_pdf(source, out, changes(source, "Kowalski"))
    with pikepdf.open(out) as pdf:
        drawn = {form.objgen for page in pdf.pages for form in page.obj.Resources.XObject.values()}
    assert len(drawn) == 1
