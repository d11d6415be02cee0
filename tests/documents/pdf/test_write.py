from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from reidrisk.documents.document import Change, Look
from reidrisk.documents.pdf.write import write_pdf
from reidrisk.documents.proof.prove import prove
from reidrisk.errors import InvalidSetting
from tests.documents.pdf.building import changes, line, one_page, pages, texts

NAME = "Jan Kowalski"


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
        f"BT /F1 12 Tf 60 700 Td (Subject {NAME} was seen.) Tj ET",
        "BT /F1 12 Tf 60 700 Td [(Subject Ja) 20 (n Kow) -15 (alski was) 30 ( seen.)] TJ ET",
        "BT /F1 12 Tf 60 700 Td (Subject ) Tj (Jan ) Tj (Kowal) Tj (ski was seen.) Tj ET",
        f"BT /F1 12 Tf 14 TL 60 714 Td ({NAME} was) ' ({NAME} seen.) ' ET",
        f'BT /F1 12 Tf 14 TL 60 714 Td 2 0.5 (Of {NAME} we say) " (this.) Tj T* (And that.) Tj ET',
        f"BT /F1 12 Tf 80 Tz 1 Tc 3 Tw 60 700 Td (Subject {NAME} was) Tj ( seen.) Tj 0 -20 Td (Next) Tj ET",
        f"q 0.5 0.2 -0.2 0.5 100 100 cm BT /F1 30 Tf 1 0 0 -1 60 700 Tm (Of {NAME} it is) Tj ET Q",
        f"BT /F1 12 Tf 0 1 -1 0 300 200 Tm (Subject {NAME} was seen.) Tj ET",
    ],
)
def test_glyphs_go_and_all_others_keep_their_place(tmp_path: Path, content: str) -> None:
    source = one_page(tmp_path / "in.pdf", content)
    out = tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, NAME), look=Look(labels=False))
    assert prove(out, [NAME]).holds
    left = places(out)
    every = places(source)
    gone = [place for place in every if place not in left]
    assert [place for place in left if place not in every] == []
    assert "".join(letter for letter, _, _ in gone).replace(NAME.replace(" ", ""), "") == ""


def test_a_label_stands_in_the_text_where_the_value_was(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line(f"Subject {NAME} was seen."))
    found = changes(source, NAME)
    out = tmp_path / "out.pdf"
    written = write_pdf(source, out, found)
    assert (written.pages, written.changes) == (1, 1)
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
