"""What readers see: new values in the font and size of their line, and boxes side by side as one."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from pdfminer.high_level import extract_pages
from pdfminer.layout import LTChar, LTTextContainer, LTTextLine

from reidrisk.documents.document import Change
from reidrisk.documents.pdf.format import write_pdf
from reidrisk.documents.pdf.lettering import fit_width
from tests.documents.pdf.building import changes, line, one_page, pages, texts


def letters(path: Path, page: int = 0) -> list[LTChar]:
    """The letters of a page as another reader sees them, without spaces."""
    content = list(extract_pages(str(path)))[page]
    lines = [one for box in content if isinstance(box, LTTextContainer) for one in box]
    found = [sign for one in lines if isinstance(one, LTTextLine) for sign in one]
    return [sign for sign in found if isinstance(sign, LTChar) and sign.get_text().strip()]


def fonts(path: Path, page: int = 0) -> set[str]:
    return {sign.fontname for sign in letters(path, page)}


def test_a_new_value_has_the_font_of_its_line(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Day 20-09 of 24 years."))
    out = tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, "24", new="20-29"))
    assert texts(out)[0] == "Day 20-09 of 20-29 years."
    assert fonts(out) == {"Helvetica"}
    assert {round(sign.size) for sign in letters(out)} == {round(letters(source)[0].size)}


def test_letters_of_earlier_pages_may_be_used(tmp_path: Path) -> None:
    def shared(pdf: object, page: object) -> None:
        own = pdf.make_indirect(page.Resources.Font.F1)  # type: ignore[attr-defined]
        for each in pdf.pages:  # type: ignore[attr-defined]
            each.obj.Resources.Font.F1 = own

    source = pages(tmp_path / "in.pdf", [line("0-123 4567"), line("Aged 24")], more=shared)
    out = tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, "24", new="20-30"))
    assert texts(out)[1] == "Aged 20-30"
    assert fonts(out, 1) == {"Helvetica"}


def test_a_letter_that_nobody_else_has_is_set_in_the_shipped_font(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Aged 24 years."))
    out = tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, "24", new="20-29"))
    assert texts(out)[0] == "Aged 20-29 years."
    assert len(fonts(out)) == 2


def test_what_stands_behind_a_new_value_makes_room(tmp_path: Path) -> None:
    content = line("From 0-2-5-9: 24 F, 55 M, Ann.") + line("A line below that is as long as it gets.", y=680)
    source = one_page(tmp_path / "in.pdf", content)
    out = tmp_path / "out.pdf"
    new = [*changes(source, "24", new="20-29"), *changes(source, "55", new="50-59"), *changes(source, "Ann")]
    written = write_pdf(source, out, sorted(new))
    assert texts(out)[0].split("\n")[0].replace("PPD .", "PPD.") == "From 0-2-5-9: 20-29 F, 50-59 M, PPD."
    assert written.cramped == 0
    before = {(sign.get_text(), round(sign.x0)) for sign in letters(source) if sign.y0 < 690}
    after = [sign for sign in letters(out) if sign.y0 < 690]
    assert {(sign.get_text(), round(sign.x0)) for sign in after} == before, "the other line is as it was"
    told = [sign for sign in letters(out) if sign.y0 > 690 and sign.fontname == "Helvetica"]
    assert min(sign.size for sign in told) > 0.95 * letters(source)[0].size
    assert all(one.x1 < two.x0 + 0.5 for one, two in pairwise(told)), "none overlaps"


def test_text_of_another_operator_does_not_move(tmp_path: Path) -> None:
    content = "BT /F1 12 Tf 60 700 Td (Day 0-9: 24 F) Tj ( and so on) Tj 0 -20 Td (below) Tj ET"
    source = one_page(tmp_path / "in.pdf", content)
    out = tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, "24", new="20-29"))
    places = [{s.x0 for s in letters(path) if s.get_text() in "sobelw"} for path in (source, out)]
    assert sorted(places[0]) == pytest.approx(sorted(places[1]), abs=0.01)


@pytest.mark.parametrize(
    ("size", "width", "least"), [(10.0, 9.0, 6.0), (7.0, 6.0, 5.6), (12.0, 12.0, 6.0), (6.0, 6.0, 4.8)]
)
def test_letters_keep_a_readable_size(size: float, width: float, least: float) -> None:
    fit = fit_width(2.4, size=size, neighbours=size, width=width, room=width)
    assert fit.size >= least - 1e-9
    assert fit.width <= width + 1e-9
    assert not fit.cramped


def test_boxes_side_by_side_are_one(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Of Jan Kowalski we say Jan/Kowalski."))
    out = tmp_path / "out.pdf"
    write_pdf(source, out, sorted(changes(source, "Jan", "Kowalski")))
    assert "".join(texts(out)[0].split()) == "OfPPDwesayPPD/PPD."


def test_boxes_of_two_kinds_stay_apart(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Of Jan Kowalski we say."))
    out = tmp_path / "out.pdf"
    write_pdf(source, out, [Change("page 1", 3, 6), Change("page 1", 7, 15, None, "CCI", "CCI")])
    assert texts(out)[0].split() == ["Of", "PPD", "CCI", "we", "say."]
