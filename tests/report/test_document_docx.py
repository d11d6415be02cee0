"""Documents as Word files, read back."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from reidrisk.errors import InvalidSetting
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.document import (
    Block,
    Bullets,
    Chapter,
    Formula,
    Notice,
    PageBreak,
    Prose,
    ReportDocument,
    SectionHeading,
)
from reidrisk.report.document_docx import document_docx
from reidrisk.report.documents.formulas import FORMULAS
from reidrisk.report.numbers import probability
from reidrisk.report.parts import Column, Facts, Source, Table
from reidrisk.report.word.markup import full_name
from reidrisk.report.word.styles import ROOM
from reidrisk.report.word.tables import fitting_columns
from reidrisk.report.writing import TEMPLATES, document_of
from tests.report.assessed import accepted, assessment, table
from tests.report.test_document_page import hostile

CASES = [assessment, accepted, hostile, table]
VAL = full_name("w:val")


class Word:
    """A Word file, read back."""

    def __init__(self, content: bytes) -> None:
        with zipfile.ZipFile(BytesIO(content)) as package:
            self.files = {name: package.read(name) for name in package.namelist()}
            self.times = {info.date_time for info in package.infolist()}
        self.parts = {
            name: ET.fromstring(data)  # noqa: S314 - we wrote it ourselves
            for name, data in self.files.items()
            if name.endswith((".xml", ".rels"))
        }
        self.body = self.parts["word/document.xml"]

    def every(self, name: str, part: str = "word/document.xml") -> list[ET.Element]:
        return list(self.parts[part].iter(full_name(name)))

    def values(self, name: str, attribute: str = "w:val", part: str = "word/document.xml") -> list[str]:
        found = (one.get(full_name(attribute)) for one in self.every(name, part))
        return [value for value in found if value is not None]

    def styled(self, style: str) -> list[str]:
        return [words(one) for one in self.every("w:p") if style_of(one) == style]

    @property
    def text(self) -> str:
        return "\n".join(words(one) for one in self.every("w:p"))

    @property
    def relations(self) -> dict[str, str]:
        listed = self.parts["word/_rels/document.xml.rels"]
        return {str(one.get("Id")): str(one.get("Target")) for one in listed}


def words(given: ET.Element) -> str:
    signs = {full_name("w:tab"): "\t", full_name("w:br"): "\n"}
    kept = {full_name("w:t"), full_name("m:t")}
    return "".join(
        (one.text or "") if one.tag in kept else signs.get(one.tag, "")
        for one in given.iter()
        if one.tag in kept or one.tag in signs
    )


def style_of(given: ET.Element) -> str:
    found = given.find(f"{full_name('w:pPr')}/{full_name('w:pStyle')}")
    return "" if found is None else str(found.get(VAL))


def said(thing: Any) -> Iterator[str]:
    """Every text of a document that a reader sees."""
    hidden = {"name", "source", "origin", "description", "short", "doi", "template"}
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, tuple):
        for one in thing:
            yield from said(one)
    elif is_dataclass(thing):
        skipped = hidden if isinstance(thing, Chapter | Chart) else {"short", "doi"}
        skipped = skipped | ({"expression"} if isinstance(thing, Formula) else set())
        for one in fields(thing):
            if one.name not in skipped:
                yield from said(getattr(thing, one.name))


@cache
def word_of(given: Callable[[], dict[str, Any]], template: str = "general") -> Word:
    """The file of one of the cases, written once for all tests."""
    return Word(document_docx(document_of(given(), template=template)))


def small(*blocks: Block, **more: Any) -> ReportDocument:
    chapters = (Chapter("one", "First things", blocks), Chapter("two", "Second things", (Prose(("End.",)),)))
    last = Chapter("last", "Last things", (Prose(("x",)),), is_appendix=True)
    return ReportDocument("A report", "of a test", (), (*chapters, last), "general", "1", **more)


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("given", CASES)
def test_everything_that_is_named_is_there(given: Any, template: str) -> None:
    word = word_of(given, template)
    styles = set(word.values("w:style", "w:styleId", "word/styles.xml"))
    named = [*word.values("w:pStyle"), *word.values("w:rStyle"), *word.values("w:tblStyle")]
    assert set(named) <= styles
    lists = set(word.values("w:num", "w:numId", "word/numbering.xml"))
    assert set(word.values("w:numId")) <= lists
    marks = word.values("w:bookmarkStart", "w:name")
    assert [name for name, count in Counter(marks).items() if count > 1] == []
    fields_named = [one.text or "" for one in word.every("w:instrText")]
    referred = [found[1] for text in fields_named if (found := re.match(r" REF (\S+)", text))]
    assert {*word.values("w:hyperlink", "w:anchor"), *referred} <= set(marks)
    used = [*word.values("w:hyperlink", "r:id"), *word.values("a:blip", "r:embed")]
    assert set(used) <= set(word.relations)
    inside = [target for target in word.relations.values() if not target.startswith("https://doi.org/")]
    assert {f"word/{target}" for target in inside} <= set(word.files)
    ids = [one.get("id") for one in word.every("wp:docPr")]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("given", CASES)
def test_it_says_what_the_document_says(given: Any, template: str) -> None:
    document, word = document_of(given(), template=template), word_of(given, template)
    text = re.sub(r"\s+", " ", word.text)
    for one in said((document.title, document.subtitle, document.facts, document.chapters)):
        printed = "".join(letter if letter.isprintable() or letter in "\n\u00a0" else "?" for letter in one)
        assert re.sub(r"\s+", " ", printed).strip() in text
    assert "\u200b" not in text


@pytest.mark.parametrize("template", ["general", "ema", "hipaa"])
def test_the_figures_of_the_headline_are_in_it(template: str) -> None:
    text = word_of(assessment, template).text
    for part in assessment()["parts"]:
        if part["status"] == "measured":
            assert part["name"] in text
            assert probability(part["judged"]["risk"]) in text
            assert probability(part["judged"]["overall"]) in text
    assert "Not acceptable" in text


@pytest.mark.parametrize("template", TEMPLATES)
def test_headings_are_real_and_in_order(template: str) -> None:
    document, word = document_of(assessment(), template=template), word_of(assessment, template)
    assert style_of(word.every("w:p")[0]) == "Title"
    assert word.styled("Title") == [document.title]
    assert word.styled("Heading1") == [chapter.title for chapter in document.chapters]
    levels = [int(style[-1]) for one in word.every("w:p") if re.match(r"Heading\d", style := style_of(one))]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    sections = [
        block.text for one in document.chapters for block in one.blocks if isinstance(block, SectionHeading)
    ]
    assert set(sections) <= {*word.styled("Heading2"), *word.styled("Heading3")}


def test_the_contents_lead_to_every_chapter() -> None:
    document, word = document_of(assessment()), word_of(assessment)
    lines = [line.split("\t") for line in word.styled("TOC1")]
    numbers = [
        f"Appendix {number}" if chapter.is_appendix else number
        for chapter, number in zip(document.chapters, document.numbers, strict=True)
    ]
    assert lines == [[n, one.title] for n, one in zip(numbers, document.chapters, strict=True)]
    assert any("TOC" in (one.text or "") for one in word.every("w:instrText"))
    assert word_of(assessment, "summary").styled("TOC1") == []


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_table_has_a_header_row_and_fits_the_page(template: str) -> None:
    word = word_of(assessment, template)
    tables = word.every("w:tbl")
    assert tables
    for one in tables:
        first, *others = one.findall(full_name("w:tr"))
        header = f"{full_name('w:trPr')}/{full_name('w:tblHeader')}"
        assert first.find(header) is not None
        assert words(first)
        assert all(row.find(header) is None for row in others)
        sizes = [int(column.get(full_name("w:w"), 0)) for column in one.iter(full_name("w:gridCol"))]
        assert all(size > 0 for size in sizes)
        assert sum(sizes) <= ROOM
        assert len(sizes) == len(first.findall(full_name("w:tc")))


def test_captions_count_tables_and_figures() -> None:
    document, word = document_of(assessment()), word_of(assessment)
    captions = word.styled("Caption")
    codes = Counter(text.split()[1] for one in word.every("w:instrText") if "SEQ" in (text := one.text or ""))
    for kind in ("Table", "Figure"):
        own = [text for text in captions if text.startswith(f"{kind} ")]
        assert [text.partition(":")[0] for text in own] == [f"{kind} {n}" for n in range(1, len(own) + 1)]
        assert codes[kind] == len(own) >= 5
    titled = [
        block.title
        for chapter in document.chapters
        for block in chapter.blocks
        if (isinstance(block, Table) and block.rows) or (isinstance(block, Facts) and block.facts)
    ]
    assert [text.partition(": ")[2] for text in captions if text.startswith("Table ")] == titled


def test_charts_are_pictures_with_words() -> None:
    drawn = [chart for chart in document_of(assessment()).charts if chart.draw is not None]
    word = word_of(assessment)
    assert [one.get("descr") for one in word.every("wp:docPr")] == [chart.description for chart in drawn]
    pictures = [data for name, data in word.files.items() if name.endswith(".png")]
    assert len(pictures) == len(drawn) >= 5
    assert all(data.startswith(b"\x89PNG") for data in pictures)


def test_formulas_are_equations_and_said_in_words() -> None:
    word = Word(document_docx(small(*FORMULAS.values())))
    assert len(word.every("m:oMath")) == len(FORMULAS)
    assert {words(one).replace(" ", "") for one in word.every("m:oMath")} >= {
        "R=c+Q(1−c)",
        "Dhigh≤Bhigh,Qhigh≤τ",
    }
    assert all(one.spoken in word.text for one in FORMULAS.values())
    assert word.every("m:f")
    assert word.every("m:limLow")


def test_places_that_the_text_names_are_cross_references() -> None:
    text = (
        'See the last appendix, chapter 2, Appendix A, "Sizes" and the chapter on second things. '
        "Not chapter 9, Appendix Q or chapter 2 of the guidance."
    )
    sizes = Table("Sizes", "", (Column("a"),), (("b",),))
    word = Word(document_docx(small(Prose((text,)), sizes)))
    codes = [one.text for one in word.every("w:instrText") if "REF" in (one.text or "")]
    last, second, table_ = " REF _Ref003 \\r \\h ", " REF _Ref002 \\r \\h ", " REF _RefTable001 \\h "
    assert codes == [last, second, last, table_]
    assert text.replace("the last appendix", "Appendix A") in word.text
    assert next(words(one) for one in word.every("w:hyperlink")) == "second things"


def test_lists_boxes_and_page_breaks_have_their_marks() -> None:
    word = Word(
        document_docx(small(Bullets("Why", ("a", "b")), Notice("Beware."), PageBreak(), Prose(("c",))))
    )
    assert word.styled("ListBullet") == ["a", "b"]
    assert word.styled("BoxNotice") == ["Beware."]
    broken = [
        words(one) for one in word.every("w:p") if one.find(f"*/{full_name('w:pageBreakBefore')}") is not None
    ]
    assert broken == ["c", "Contents"]


def test_references_are_numbered_and_linked() -> None:
    from reidrisk.report.document import References

    lists = (References((Source("First", "10.1/x"),)), References((Source("Second"),)))
    word = Word(document_docx(small(*lists)))
    assert word.styled("ListNumber") == ["First doi:10.1/x", "Second"]
    assert "https://doi.org/10.1/x" in word.relations.values()
    assert len(set(word.values("w:numId"))) == 3, "two lists and the appendix"


def test_properties_name_title_author_and_language() -> None:
    core = word_of(accepted).files["docProps/core.xml"].decode()
    assert "Risk of re-identification: Prescription records" in core
    assert "<dc:creator>Privacy office</dc:creator>" in core
    assert "2026-11-01T00:00:00Z" in core
    assert "<dc:language>en-US</dc:language>" in core
    undated = word_of(table).files["docProps/core.xml"].decode()
    assert "dcterms" not in undated
    assert "<dc:creator>reidrisk " in undated


def test_pages_are_counted_in_the_footer() -> None:
    word = word_of(accepted)
    for part in ("word/footer1.xml", "word/footer2.xml"):
        codes = [one.text for one in word.every("w:instrText", part)]
        assert codes == [" PAGE ", " NUMPAGES "]
        assert "Audience: internal." in words(word.parts[part])


def test_the_same_document_gives_the_same_bytes_without_the_time() -> None:
    made = [document_docx(document_of(accepted())) for _ in range(2)]
    assert made[0] == made[1]
    assert Word(made[0]).times == {(1980, 1, 1, 0, 0, 0)}


def test_letters_that_xml_forbids_stop_nothing() -> None:
    word = Word(
        document_docx(small(Prose(("a\x07b\ud800c 市 \U0001f3e5 \u202e d\u200be",)), date="2026-11-01"))
    )
    assert "a?b?c 市 \U0001f3e5 ? d?e" in word.text


def test_a_date_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="not a date"):
        document_docx(replace(small(), date="first of November"))


def test_words_are_not_broken_by_narrow_columns() -> None:
    columns = tuple(Column(f"heading_{number}", is_number=number > 0) for number in range(10))
    style, sizes = fitting_columns(Table("t", "", columns, (tuple("123456789 of 10" for _ in columns),)))
    assert style == "TableTextSmallest"
    assert min(sizes) > 9 * 13 * 5
    assert fitting_columns(Table("t", "", columns[:2], (("a", "b"),)))[0] == "TableText"


def test_every_kind_of_result_can_be_written(of_any_kind: dict[str, Any]) -> None:
    word = Word(document_docx(document_of(of_any_kind)))
    assert word.styled("Heading1")


@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_libreoffice_opens_it(tmp_path: Path) -> None:
    (tmp_path / "report.docx").write_bytes(document_docx(document_of(assessment())))
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    given = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", str(tmp_path)]
    subprocess.run([*given, str(tmp_path / "report.docx")], check=True, capture_output=True, timeout=300)
    from pdfminer.high_level import extract_text

    text = re.sub(r"\s+", " ", extract_text(str(tmp_path / "report.pdf")))
    document = document_of(assessment())
    assert all(chapter.title in text for chapter in document.chapters)
    assert "5 What would change the verdict" in text
    assert "Page 2 of" in text
    assert "Figure 1: " in text
