from __future__ import annotations

import struct
from pathlib import Path

import pikepdf
import pytest

from reidrisk.documents import page_view
from reidrisk.documents.formats import read_document
from reidrisk.documents.page_view import PageBox, open_view
from reidrisk.documents.pdf.reading import BESIDES
from reidrisk.errors import InvalidSetting
from tests.documents.making import DAY, NUMBER, PERSON, TEXT, docx, pdf, txt


def size(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def place(text: str, value: str) -> tuple[int, int]:
    return text.index(value), text.index(value) + len(value)


def dark(picture: bytes, box: PageBox, scale: float) -> float:
    """The share of dark pixels in a box."""
    from io import BytesIO

    from PIL import Image

    image = Image.open(BytesIO(picture)).convert("L")
    left, top = box.left * scale, box.top * scale
    part = image.crop((int(left), int(top), int(left + box.width * scale), int(top + box.height * scale)))
    values = list(part.tobytes())
    return sum(value < 128 for value in values) / len(values)


def test_pages_have_sizes_pictures_and_the_text_of_their_blocks(tmp_path: Path) -> None:
    path = pdf(tmp_path / "csr.pdf", [TEXT, "Page two."])
    with open_view(path) as view:
        assert [one.name for one in view.blocks] == ["page 1", "page 2"]
        first = view.blocks[0]
        assert first.is_page
        assert first.width is not None
        assert first.height is not None
        assert size(view.picture("page 1", scale=2)) == (round(2 * first.width), round(2 * first.height))
        assert {block.name: block.text for block in read_document(path)} == {
            one.name: view.text(one.name) for one in view.blocks
        }


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_boxes_are_where_the_text_is_drawn_however_the_page_is_turned(tmp_path: Path, turned: int) -> None:
    path = pdf(tmp_path / "flat.pdf")
    with pikepdf.open(path) as file:
        file.pages[0].Rotate = turned
        file.save(tmp_path / "csr.pdf")
    with open_view(tmp_path / "csr.pdf") as view:
        text = view.text("page 1")
        spans = [place(text, value) for value in (PERSON, NUMBER, DAY)]
        found = view.boxes("page 1", spans)
        picture = view.picture("page 1", scale=2)
        for boxes, span in zip(found, spans, strict=True):
            assert len(boxes) == 1
            assert dark(picture, boxes[0], 2) > 0.05
            assert (boxes[0].height > boxes[0].width) == (turned in (90, 270))
            assert view.spans_in("page 1", boxes[0]) == [span]


def test_a_rectangle_takes_whole_words_without_punctuation(tmp_path: Path) -> None:
    with open_view(pdf(tmp_path / "csr.pdf")) as view:
        text = view.text("page 1")
        start, end = place(text, PERSON)
        half = view.boxes("page 1", [(start + 4, end - 2)])[0][0]
        assert view.spans_in("page 1", half) == [(start, end)]
        everything = PageBox(0, 0, 2000, 2000)
        assert view.spans_in("page 1", everything) == [(0, len(text.rstrip()) - 1)]
        assert view.spans_in("page 1", PageBox(0, 0, 5, 5)) == []


def test_text_over_two_lines_has_two_boxes(tmp_path: Path) -> None:
    with open_view(pdf(tmp_path / "csr.pdf")) as view:
        text = view.text("page 1")
        assert len(view.boxes("page 1", [(text.index("woman"), text.index("was enrolled"))])[0]) == 2


def test_only_the_last_pages_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_view, "MOST_PAGES", 2)
    path = pdf(tmp_path / "csr.pdf", [f"Page {number} of Anna." for number in range(1, 8)])
    view = page_view.PdfView(path)
    try:
        for number in range(1, 8):
            assert view.boxes(f"page {number}", [(0, 4)])[0]
        assert len(view._kept) == 2
        assert view.boxes("page 1", [(0, 4)])[0]
        assert view.text("page 1") == "Page 1 of Anna."
    finally:
        view.close()


def test_pictures_have_a_largest_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_view, "MOST_PIXELS", 10_000)
    with open_view(pdf(tmp_path / "csr.pdf")) as view:
        width, height = size(view.picture("page 1", scale=1000))
        assert width * height < 11_000


def test_bookmarks_are_text_without_boxes(tmp_path: Path) -> None:
    with pikepdf.open(pdf(tmp_path / "flat.pdf", ["One.", "Two."])) as file:
        with file.open_outline() as outline:
            outline.root.append(pikepdf.OutlineItem("About Wilhelmina", 0))
        file.save(tmp_path / "csr.pdf")
    with open_view(tmp_path / "csr.pdf") as view:
        assert view.text(BESIDES) == "About Wilhelmina"
        assert view.boxes(BESIDES, [(6, 16)]) == [()]


@pytest.mark.parametrize("make", [docx, txt])
def test_documents_without_pages_have_blocks_of_text(tmp_path: Path, make: object) -> None:
    path = tmp_path / f"csr.{make.__name__}"  # type: ignore[attr-defined]
    make(path)  # type: ignore[operator]
    with open_view(path) as view:
        block = view.blocks[0]
        assert not block.is_page
        assert PERSON in view.text(block.name)
        assert view.boxes(block.name, [(0, 3)]) == [()]
        assert view.spans_in(block.name, PageBox(0, 0, 9, 9)) == []
        with pytest.raises(InvalidSetting, match="no pages"):
            view.picture(block.name, scale=1)


@pytest.mark.parametrize("block", ["page 9", "page 0", "page", "body", BESIDES])
def test_blocks_that_are_not_there_are_refused(tmp_path: Path, block: str) -> None:
    with open_view(pdf(tmp_path / "csr.pdf")) as view, pytest.raises(InvalidSetting, match="no block"):
        view.text(block)
