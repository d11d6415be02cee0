from __future__ import annotations

from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name

from reidrisk.documents.document import Change, Look
from reidrisk.documents.formats import prove_document
from reidrisk.documents.pdf.format import write_pdf
from reidrisk.errors import InvalidSetting
from tests.documents.pdf.building import changes, line, one_page, pages, texts

PERSON = "Jan Kowalski"


def places(path: Path, page: int = 0) -> list[tuple[str, float, float]]:
    """Letters and where they stand, as another reader sees it."""
    document = pypdfium2.PdfDocument(path)
    text = document[page].get_textpage()
    found = [
        (text.get_text_range(at, 1), round(text.get_charbox(at)[0], 1), round(text.get_charbox(at)[1], 1))
        for at in range(text.count_chars())
    ]
    document.close()
    return [(letter, x, y) for letter, x, y in found if letter.strip()]


@pytest.mark.parametrize(
    "content",
    [
        f"BT /F1 12 Tf 60 700 Td (Subject {PERSON} was seen.) Tj ET",
        "BT /F1 12 Tf 60 700 Td [(Subject Ja) 20 (n Kow) -15 (alski was) 30 ( seen.)] TJ ET",
        "BT /F1 12 Tf 60 700 Td (Subject ) Tj (Jan ) Tj (Kowal) Tj (ski was seen.) Tj ET",
        f"BT /F1 12 Tf 14 TL 60 714 Td ({PERSON} was) ' ({PERSON} seen.) ' ET",
        f'BT /F1 12 Tf 14 TL 60 714 Td 2 0.5 (Of {PERSON} we say) " (this.) Tj T* (And that.) Tj ET',
        f"BT /F1 12 Tf 80 Tz 1 Tc 3 Tw 60 700 Td (Subject {PERSON} was) Tj ( seen.) Tj 0 -20 Td (Next) Tj ET",
        f"q 0.5 0.2 -0.2 0.5 100 100 cm BT /F1 30 Tf 1 0 0 -1 60 700 Tm (Of {PERSON} it is) Tj ET Q",
        f"BT /F1 12 Tf 0 1 -1 0 300 200 Tm (Subject {PERSON} was seen.) Tj ET",
    ],
)
def test_glyphs_go_and_all_others_keep_their_place(tmp_path: Path, content: str) -> None:
    source = one_page(tmp_path / "in.pdf", content)
    out = tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, PERSON), look=Look(labels=False))
    assert prove_document(out, [PERSON]).holds
    left = places(out)
    every = places(source)
    gone = [place for place in every if place not in left]
    assert [place for place in left if place not in every] == []
    assert "".join(letter for letter, _, _ in gone).replace(PERSON.replace(" ", ""), "") == ""


def test_a_label_stands_in_the_text_where_the_value_was(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line(f"Subject {PERSON} was seen."))
    found = changes(source, PERSON)
    out = tmp_path / "out.pdf"
    written = write_pdf(source, out, found)
    assert (written.blocks, written.changes) == (1, 1)
    assert texts(out)[0].split() == ["Subject", "PPD", "was", "seen."]


def test_boxes_are_blue_for_persons_and_black_for_what_is_confidential(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Secret", y=700, size=40) + line("Recipe", y=500, size=40))
    blue = Change("page 1", 0, 6)
    black = Change(
        "page 1", texts(source)[0].index("Recipe"), len(texts(source)[0]), label="CCI", category="CCI"
    )
    out = tmp_path / "out.pdf"
    write_pdf(source, out, [blue, black])
    picture = pypdfium2.PdfDocument(out)[0].render().to_numpy()
    assert tuple(picture[842 - 725, 64]) == (255, 0, 0)  # blue, green, red
    assert tuple(picture[842 - 525, 64]) == (0, 0, 0)


def test_a_new_value_is_read_in_its_place(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("She is 24 years old, from Paris, well."))
    out = tmp_path / "out.pdf"
    found = [*changes(source, "24", new="20-25"), *changes(source, "Paris", new="Łódź")]
    write_pdf(source, out, found)
    assert texts(out)[0].replace(" ,", ",") == "She is 20-25 years old, from Łódź, well."


def test_offsets_that_the_document_does_not_have_are_refused(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Short."))
    with pytest.raises(InvalidSetting, match="after the end"):
        write_pdf(source, tmp_path / "out.pdf", [Change("page 1", 2, 99)])
    with pytest.raises(InvalidSetting, match="page 7"):
        write_pdf(source, tmp_path / "out.pdf", [Change("page 7", 0, 1)])
    assert not (tmp_path / "out.pdf").exists()


def test_a_failed_check_leaves_nothing(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Text."))

    def refuse(part: Path) -> None:
        assert part.read_bytes().startswith(b"%PDF")
        raise InvalidSetting("No.", hint="Never.")

    with pytest.raises(InvalidSetting):
        write_pdf(source, tmp_path / "out.pdf", [], check=refuse)
    assert [path.name for path in tmp_path.iterdir()] == ["in.pdf"]


def test_pages_without_changes_say_the_same(tmp_path: Path) -> None:
    source = pages(tmp_path / "in.pdf", [line("First."), line("Second."), line("Third.")])
    out = tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, "Second"))
    assert texts(out)[0::2] == ["First.", "Third."]
    assert "Second" not in texts(out)[1]


def test_a_colour_that_is_none_is_refused(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Secret"))
    with pytest.raises(InvalidSetting, match="color"):
        write_pdf(source, tmp_path / "out.pdf", [Change("page 1", 0, 6)], look=Look(personal="blue"))


def test_a_long_new_value_is_made_to_fit_or_reaches_into_free_room(tmp_path: Path) -> None:
    long = "a very long new value indeed"
    source = one_page(tmp_path / "in.pdf", line("24 years") + line("Age 24", y=600))
    out = tmp_path / "out.pdf"
    written = write_pdf(source, out, changes(source, "24", new=long))
    assert written.cramped == 1
    assert " ".join(texts(out)[0].split()) == f"{long} years Age {long}"
    ends = {y: x for _, x, y in places(out)}
    assert max(ends.values()) < 100 + 12 * 14, "so far behind the end of the old value it may reach"


def test_a_value_over_two_lines_is_shared_among_them(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("seen by Anna", y=700) + line("Nowakowska today", y=686))
    out = tmp_path / "out.pdf"
    whole = texts(source)[0]
    start = whole.index("Anna")
    end = whole.index(" today")
    write_pdf(source, out, [Change("page 1", start, end, "Dr B")])
    assert texts(out)[0].split() == ["seen", "by", "Dr", "B", "today"]


def test_links_that_tell_nothing_stay(tmp_path: Path) -> None:
    def link(pdf: pikepdf.Pdf, page: Any) -> None:
        rest: dict[str, Any] = {"/Type": Name.Annot, "/Subtype": Name.Link}
        goes: list[dict[str, Any]] = [
            {"/Dest": Array([page, Name.Fit]), "/Rect": Array([0, 0, 9, 9])},
            {"/A": Dictionary(S=Name.URI, URI="https://example.org"), "/Rect": Array([20, 0, 29, 9])},
            {
                "/A": Dictionary(S=Name.URI, URI="https://example.org/Kowalski"),
                "/Rect": Array([40, 0, 49, 9]),
            },
            {"/A": Dictionary(S=Name.URI, URI="https://example.org"), "/Rect": Array([60, 695, 100, 715])},
            {"/A": Dictionary(S=Name.Launch, F="x.exe"), "/Rect": Array([60, 0, 69, 9])},
        ]
        page.Annots = Array([pdf.make_indirect(Dictionary(rest | one)) for one in goes])

    source = one_page(tmp_path / "in.pdf", line("Jan Kowalski"), more=link)
    out = tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, "Jan Kowalski"))
    with pikepdf.open(out) as pdf:
        left = [float(annotation.Rect[0]) for annotation in pdf.pages[0].obj.Annots]
    assert left == [0, 20]


def test_a_new_value_uses_free_room_before_it_is_made_smaller(tmp_path: Path) -> None:
    """As in a column of a table."""
    source = one_page(tmp_path / "in.pdf", line("24") + line("24", y=600) + line("F", x=160, y=600))
    out = tmp_path / "out.pdf"
    written = write_pdf(source, out, changes(source, "24", new="20-24"))
    assert written.cramped == 0
    last = [x for letter, x, _ in places(out) if letter == "4"]
    assert len(last) == 2
    assert min(last) > 82, "letters are as wide as those around"


def test_a_new_value_stops_before_the_box_of_another(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("USA") + line("1967", x=100))
    out = tmp_path / "out.pdf"
    write_pdf(source, out, [*changes(source, "USA", new="North America"), *changes(source, "1967")])
    assert max(x for text, x, _ in places(out) if text == "a") < 100
