"""Texts that no page shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pikepdf
import pytest

from reidrisk.documents.document import Change
from reidrisk.documents.formats import prove_document
from reidrisk.documents.pdf.format import write_pdf
from reidrisk.documents.pdf.reading import read_pdf
from reidrisk.errors import InvalidSetting
from tests.documents.pdf.building import changes, line, one_page
from tests.documents.pdf.traps import TRAPS, VALUE


def outline(pdf: pikepdf.Pdf, _: Any) -> None:
    with pdf.open_outline() as items:
        items.root.append(pikepdf.OutlineItem("Narrative of Jan Kowalski", 0))
        items.root.append(pikepdf.OutlineItem("Tables", 0))


def titles(path: Path) -> list[str]:
    with pikepdf.open(path) as pdf, pdf.open_outline() as items:
        return [item.title for item in items.root]


def test_bookmarks_are_a_block_and_can_be_changed(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Rest."), more=outline)
    page, besides = read_pdf(source)
    assert (page.text, besides.name) == ("Rest.", "besides the pages")
    assert besides.text == "Narrative of Jan Kowalski\nTables"
    out = tmp_path / "out.pdf"
    write_pdf(source, out, changes(source, "Jan Kowalski"))
    assert titles(out) == ["Narrative of PPD", "Tables"]
    write_pdf(source, out, changes(source, "Jan Kowalski", new="subject 7"))
    assert titles(out) == ["Narrative of subject 7", "Tables"]


def test_bookmarks_lose_what_the_pages_lose(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Of JAN KOWALSKI."), more=outline)
    out = tmp_path / "out.pdf"
    write_pdf(source, out, [change for change in changes(source, "JAN KOWALSKI") if change.block == "page 1"])
    assert titles(out) == ["Narrative of PPD", "Tables"]


@pytest.mark.parametrize("name", ["actual_text", "structure", "bookmarks"])
def test_values_that_no_page_shows_go(tmp_path: Path, name: str) -> None:
    source = one_page(tmp_path / "in.pdf", line("Rest."), more=TRAPS[name])
    assert any(VALUE.casefold() in block.text.casefold() for block in read_pdf(source))
    out = tmp_path / "out.pdf"
    write_pdf(source, out, [], values=[VALUE])
    assert prove_document(out, [VALUE]).holds


def test_what_tells_nothing_stays(tmp_path: Path) -> None:
    def mark(pdf: pikepdf.Pdf, page: Any) -> None:
        outline(pdf, page)
        page.Contents = pdf.make_stream(
            b"/Span <</Lang (en) /ActualText (etc.)>> BDC " + page.Contents.read_bytes() + b" EMC"
        )

    source = one_page(tmp_path / "in.pdf", line("and so on"), more=mark)
    out = tmp_path / "out.pdf"
    write_pdf(source, out, [], values=["Nobody"])
    assert titles(out) == ["Narrative of Jan Kowalski", "Tables"]
    with pikepdf.open(out) as pdf:
        content = pdf.pages[0].obj.Contents.read_bytes()
    assert b"/ActualText (etc.)" in content
    assert b"/Lang (en)" in content


def test_offsets_beyond_the_text_are_refused(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Rest."), more=outline)
    with pytest.raises(InvalidSetting, match="after the end"):
        write_pdf(source, tmp_path / "out.pdf", [Change("besides the pages", 3, 999)])
