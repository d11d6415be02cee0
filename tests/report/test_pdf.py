"""Documents as PDF."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any
from unicodedata import category

import pypdfium2
import pytest
import typst
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting, MissingPackage
from reidrisk.report.document import Chapter, Formula, Prose, ReportDocument
from reidrisk.report.document_pdf import document_pdf, fonts_folder, printable, typst_input, widths
from reidrisk.report.documents.formulas import FORMULAS
from reidrisk.report.parts import Column, Table
from reidrisk.report.writing import TEMPLATES, document_of
from tests.report.assessed import accepted, assessment, part, table
from tests.report.test_document_page import hostile

DEEP = re.compile(rb"pdfaid:(part|conformance)>(\w)<|pdfuaid:(part)>(\d)<")


def claims(pdf: bytes) -> set[tuple[str, str]]:
    """The standards that a file claims to keep."""
    return {
        ((found[1] or b"ua " + found[3]).decode(), (found[2] or found[4]).decode())
        for found in DEEP.finditer(pdf)
    }


@cache
def pdf_of(given: Callable[[], dict[str, Any]], template: str = "general") -> bytes:
    """The file of one of the cases, set once for all tests."""
    return document_pdf(document_of(given(), template=template))


def pages(document: ReportDocument) -> int:
    content = typst_input(document)
    template = (files("reidrisk.report") / "templates" / "document.typ").read_bytes()
    given: Any = {"main.typ": template, "document.json": json.dumps(content.data).encode(), **content.files}
    made: Any = typst.compile(given, font_paths=[fonts_folder()], ignore_system_fonts=True, format="svg")
    return len(made) if isinstance(made, list) else 1


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_dated_report_is_an_archive_file_for_everybody(template: str) -> None:
    """Typst checks what is claimed: alternative texts, levels of headings, fonts, a date."""
    pdf = pdf_of(assessment, template)
    assert claims(pdf) == {("part", "2"), ("conformance", "A"), ("ua part", "1")}
    assert b"20261101" in pdf or b"2026-11-01" in pdf


def test_a_report_without_a_date_claims_no_archive_and_makes_no_date_up() -> None:
    pdf = pdf_of(table)
    assert claims(pdf) == {("ua part", "1")}
    assert re.search(rb"CreationDate|ModDate|CreateDate|ModifyDate|D:\d{4}", pdf) is None


def test_the_same_document_gives_the_same_bytes() -> None:
    assert document_pdf(document_of(assessment())) == pdf_of(assessment)
    assert document_pdf(document_of(table())) == pdf_of(table)


@pytest.mark.parametrize("template", TEMPLATES)
def test_no_text_of_the_release_is_code(template: str) -> None:
    assert document_pdf(document_of(hostile(), template=template)).startswith(b"%PDF")


@pytest.mark.parametrize("made", [assessment, accepted, hostile], ids=lambda made: made.__name__)
def test_the_summary_for_a_board_is_one_page(made: Any) -> None:
    assert pages(document_of(made(), template="summary")) == 1


def test_the_summary_chapter_is_one_page_however_many_parts() -> None:
    many = assessment()
    many["parts"] = [part(f"part {number}", table()) for number in range(30)]
    document = document_of(many)
    opening = ReportDocument("t", "s", document.facts, document.chapters[:1], "general", "1", document.date)
    assert pages(opening) == 1


def test_every_kind_of_result_can_be_set(of_any_kind: dict[str, Any]) -> None:
    assert document_pdf(document_of(of_any_kind)).startswith(b"%PDF")


def test_every_formula_can_be_set() -> None:
    blocks: tuple[Formula, ...] = tuple(FORMULAS.values())
    document = ReportDocument("t", "s", (), (Chapter("all", "All", blocks),), "general", "1")
    assert document_pdf(document).startswith(b"%PDF")


def test_letters_that_the_fonts_lack_stop_nothing() -> None:
    given = accepted()
    given["release"]["name"] = "市立病院 \U0001f3e5 \u202e abc \x07 العربية"
    assert claims(document_pdf(document_of(given)))


def test_charts_are_vectors_with_words() -> None:
    content = typst_input(document_of(assessment()))
    assert len(content.files) > 4
    assert all(b"<svg" in file and b"var(--" not in file for file in content.files.values())
    charts = [
        chart
        for chapter in content.data["chapters"]
        for block in chapter["blocks"]
        for chart in block.get("charts", ())
    ]
    assert all(chart["alt"] and chart["caption"] for chart in charts)


def test_a_date_that_is_none_is_refused() -> None:
    given = accepted()
    given["release"]["date"] = "first of November"
    with pytest.raises(InvalidSetting, match="not a date"):
        document_pdf(document_of(given))


def test_without_typst_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(MissingPackage, match="typst") as caught:
        document_pdf(document_of(table()))
    assert "reidrisk[report]" in caught.value.hint


@given(st.text(max_size=80))
@settings(max_examples=15)
def test_only_letters_that_nobody_sees_are_left_out(text: str) -> None:
    shown = printable(text)
    assert len(shown) == sum(category(letter) != "Cf" for letter in text)
    assert all(letter in "\n\u00a0" or letter.isprintable() for letter in shown)


@given(st.lists(st.text(alphabet="ab ", max_size=60), min_size=1, max_size=5), st.booleans())
def test_no_column_is_without_width(cells: list[str], is_number: bool) -> None:
    table = Table(
        "t", "e", (Column("name"), Column("x", is_number=is_number)), tuple(("a", c) for c in cells)
    )
    narrow, other = widths(table)
    assert 0 < narrow <= other


def test_long_names_break_without_a_letter_and_other_words_stay_whole() -> None:
    """A narrow column: the hash needs several lines, the name of the file is whole."""
    cells = (
        "kept-whole/in_one_piece.csv",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    )
    columns = tuple(Column(name, is_prose=True) for name in ("file", "hash", *"abcdef"))
    table = Table("t", "e", columns, ((*cells, *("words that fill the row " * 4 for _ in "abcdef")),))
    document = ReportDocument("t", "s", (), (Chapter("all", "All", (table,)),), "general", "1")
    page = pypdfium2.PdfDocument(document_pdf(document))[0].get_textpage().get_text_range()
    assert cells[0] in page
    assert cells[1] not in page
    assert cells[1] in re.sub(r"\s", "", page)
    assert "\u200b" not in page


def test_a_number_stays_with_its_sign() -> None:
    texts = tuple(f"{'x' * length} 22.4 % of them." for length in range(70, 100))
    document = ReportDocument("t", "s", (), (Chapter("all", "All", (Prose(texts),)),), "general", "1")
    pages = pypdfium2.PdfDocument(document_pdf(document))
    text = "".join(page.get_textpage().get_text_range() for page in pages)
    assert text.count("22.4 %") == len(texts)
