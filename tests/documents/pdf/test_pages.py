"""Pages are interpreted once, kept until they are written, and are the same then."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from reidrisk.documents.anonymize.run import anonymize_documents
from reidrisk.documents.document import Change
from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.formats import format_of
from reidrisk.documents.pdf.format import write_pdf
from reidrisk.documents.pdf.glyphs import TextShow
from reidrisk.documents.pdf.interpret import Interpreter
from reidrisk.documents.pdf.pages import Pages, ReadPage
from reidrisk.documents.pdf.reading import opened
from reidrisk.errors import InvalidSetting
from tests.documents.making import PERSON, found_in, pdf
from tests.documents.pdf.building import changes, line, pages, texts
from tests.documents.pdf.traps import TRAPS

TEXTS = [f"Page {number} tells of {PERSON}.\nShe took {number} mg." for number in range(1, 5)]

SHOW = [one.name for one in fields(TextShow) if one.name not in ("glyphs", "drawn", "font")]
MARKED = (
    f"/P <</MCID 0 /ActualText (a)>> BDC {line('Anna Kowalski')} EMC"
    f" /Span /Named BDC 2 Tr 90 Tz 1 Ts {line('and Anna', y=600)} EMC /Artifact BMC {line('1', y=20)} EMC"
)


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The pages that were interpreted, in order."""
    seen: list[Any] = []
    run = Interpreter.run

    def noted(self: Interpreter, source: Any, resources: Any) -> Any:
        if source.__class__ is pikepdf.Page:
            seen.append(source)
        return run(self, source, resources)

    monkeypatch.setattr(Interpreter, "run", noted)
    return seen


def told(page: ReadPage) -> tuple[Any, ...]:
    """All that is known of a page, without its objects."""
    glyphs = page.content.glyphs
    numbers = {glyph: place for place, glyph in enumerate(glyphs)}
    return (
        page.number,
        page.concern,
        page.text.letters,
        [tuple(numbers[glyph] for glyph in own) for own in page.text.glyphs],
        [
            (one.item, one.start, one.end, one.number, one.text, one.matrix, one.advance, one.step, one.span)
            for one in glyphs
        ],
        [[numbers[glyph] for glyph in show.glyphs] for show in page.content.shows],
        [all(glyph.show is show for glyph in show.glyphs) for show in page.content.shows],
        [[show.font.texts, *(getattr(show, name) for name in SHOW)] for show in page.content.shows],
        [
            (mark.tag, mark.first, mark.last, mark.properties and mark.properties.unparse())
            for mark in page.content.marks
        ],
        [len(drawn.instructions) for drawn in page.content.drawn],
    )


@pytest.mark.parametrize("name", sorted(TRAPS))
def test_a_kept_page_is_the_page_that_was_read(tmp_path: Path, name: str) -> None:
    hyphenated = line("Wilhel-", y=600) + line("mina Zott  and  others", y=586)
    source = pages(
        tmp_path / "in.pdf", [line("Anna Kowalski") + hyphenated, line("Subject 301")], more=TRAPS[name]
    )
    with opened(source) as document:
        kept = Pages(document, source)
        before = [told(page) for page in kept.kept()]
        assert [told(page) for page in kept] == before
        assert [told(page) for page in kept] == before


def test_marks_and_the_state_of_letters_are_kept(tmp_path: Path) -> None:
    def named(_: pikepdf.Pdf, page: Any) -> None:
        page.Resources.Properties = pikepdf.Dictionary(Named=pikepdf.Dictionary(Alt="a sign"))

    source = pages(tmp_path / "in.pdf", [MARKED], more=named)
    with opened(source) as document:
        kept = Pages(document, source)
        before = [told(page) for page in kept.kept()]
        assert [told(page) for page in kept] == before
    own = changes(source, "Anna Kowalski")
    with format_of(source).opened(source) as read:
        assert read.blocks
        read.write(tmp_path / "read.pdf", own, look=None, check=None)
    write_pdf(source, tmp_path / "unread.pdf", own)
    assert (tmp_path / "read.pdf").read_bytes() == (tmp_path / "unread.pdf").read_bytes()


def test_a_document_is_written_once(tmp_path: Path) -> None:
    source = pdf(tmp_path / "csr.pdf", TEXTS)
    with format_of(source).opened(source) as document:
        document.write(tmp_path / "first.pdf", [], look=None, check=None)
        with pytest.raises(InvalidSetting, match="was written and closed"):
            document.write(tmp_path / "second.pdf", [], look=None, check=None)
    assert not (tmp_path / "second.pdf").exists()


def test_detection_and_writing_share_one_interpretation(tmp_path: Path, interpreted: list[Any]) -> None:
    source = pdf(tmp_path / "csr.pdf", TEXTS)
    done = anonymize_documents([source], tmp_path / "out", values=[PERSON])
    assert done.acceptable
    assert len(interpreted) == len(TEXTS)


def test_findings_of_a_file_need_one_interpretation(tmp_path: Path, interpreted: list[Any]) -> None:
    source = pdf(tmp_path / "csr.pdf", TEXTS)
    file = FindingsFile(1, {}, (found_in(source),))
    interpreted.clear()
    assert anonymize_documents([source], tmp_path / "out", findings=file).acceptable
    assert len(interpreted) == len(TEXTS)


def test_writing_what_was_read_gives_the_same_bytes(tmp_path: Path) -> None:
    source = pdf(tmp_path / "csr.pdf", TEXTS)
    own = changes(source, PERSON)
    with format_of(source).opened(source) as document:
        assert [block.name for block in document.blocks] == [f"page {number}" for number in range(1, 5)]
        document.write(tmp_path / "read.pdf", own, look=None, check=None)
    write_pdf(source, tmp_path / "unread.pdf", own)
    assert (tmp_path / "read.pdf").read_bytes() == (tmp_path / "unread.pdf").read_bytes()


def test_pages_beyond_the_room_are_interpreted_again(tmp_path: Path, interpreted: list[Any]) -> None:
    source = pdf(tmp_path / "csr.pdf", TEXTS)
    with opened(source) as document:
        first = Pages(document, source).read(1).size
        interpreted.clear()
        kept = Pages(document, source, room=2 * first + 1)
        before = [told(page) for page in kept.kept()]
        assert [told(page) for page in kept] == before
    assert len(interpreted) == 2 * len(TEXTS) - 2


def test_a_page_that_comes_twice_is_two_pages(tmp_path: Path) -> None:
    def twice(document: pikepdf.Pdf, _: Any) -> None:
        document.Root.Pages.Kids.append(document.pages[0].obj)
        document.Root.Pages.Count = 2

    source = pages(tmp_path / "in.pdf", [line("Anna Kowalski saw Anna")], more=twice)
    own = [*changes(source, "Anna Kowalski"), Change("page 2", 18, 22, "Eve")]
    with format_of(source).opened(source) as document:
        assert len({block.text for block in document.blocks}) == 1
        document.write(tmp_path / "out.pdf", own, look=None, check=None)
    assert [text.split() for text in texts(tmp_path / "out.pdf")] == [
        ["PPD", "saw", "Anna"],
        ["PPD", "saw", "Eve"],
    ]
