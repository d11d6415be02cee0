"""Reports read back as their readers get them: the text of the PDF, the page and the Word document."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from reidrisk.core.audience import SHARED
from reidrisk.report import document_pdf as pdf_room
from reidrisk.report.case import case_of
from reidrisk.report.chart_table import shows_more
from reidrisk.report.document import (
    Block,
    Bullets,
    Chapter,
    Conditions,
    Notice,
    Pictures,
    Prose,
    ReportDocument,
    SectionHeading,
)
from reidrisk.report.document_docx import document_docx
from reidrisk.report.document_pdf import LONG, document_pdf
from reidrisk.report.documents.by_part import has_failed, judged_risk, measured_parts, part_word
from reidrisk.report.documents.summary import chance
from reidrisk.report.numbers import one_in, probability, span
from reidrisk.report.page import document_page
from reidrisk.report.parts import Column, Facts, Table, Verdict
from reidrisk.report.writing import TEMPLATES, document_of
from tests.report.assessed import accepted, assessment
from tests.report.test_document_docx import Word, style_of

EMPTY = (
    "does not apply here",
    "No checklist was filled in",
    "No changes were tried",
    "has no earlier state",
    "The result below names the variables",
    "not shown in a shared report",
    "Heading: ours",
)
"""What stood below headings that had nothing to say."""
UNFILLED = re.compile(r"\bNone\b(?! of)|\bnan\b|\{\w*\}|\[object|<[a-z]+ object")
JARGON = (
    *("quasi-identifier", "prosecutor", "equivalence", "statistic", "threshold", "upper limit", "attempt"),
    *("recall", "benchmark", "cell size", "interval", "generaliz"),
)
MOST_PAGES = 15


def failed() -> dict[str, Any]:
    """An acceptable release with one more part, which could not be measured."""
    given = accepted()
    broken = next(part for part in assessment()["parts"] if part["status"] == "failed")
    sentence = "The release could not be judged: second table failed."
    why = {"part": None, "text": "second table could not be measured.", "holds": False}
    return given | {
        "acceptable": False,
        "verdict": {"acceptable": False, "sentence": sentence},
        "reasons": [*given["reasons"], why],
        "parts": [*given["parts"], broken],
        "monitoring": given["monitoring"] | {"still_holds": False},
    }


CASES = {"refused": assessment, "acceptable": accepted, "failed": failed}


@pytest.fixture(scope="module")
def demo(demo_folder: Callable[[], Path]) -> Path:
    """The folder of the demo's assessment."""
    return demo_folder() / "demo-output" / "assessment"


@cache
def case(name: str) -> dict[str, Any]:
    return CASES[name]()


def files(document: ReportDocument) -> list[ReportDocument]:
    return [document, *([document.annex] if document.annex else [])]


def pages_of(pdf: bytes) -> list[str]:
    """The text of each page, with plain spaces."""
    opened = pypdfium2.PdfDocument(pdf)
    texts = [page.get_textpage().get_text_range() for page in opened]
    return [re.sub(r"[ \t\r\n\u00a0]+", " ", text) for text in texts]


@cache
def document(name: str, template: str) -> ReportDocument:
    return document_of(case(name), template=template)


@cache
def pdf(name: str, template: str) -> bytes:
    return document_pdf(document(name, template))


@cache
def pages(name: str, template: str) -> list[str]:
    return pages_of(pdf(name, template))


def plain(text: str) -> str:
    """A text with single spaces."""
    return " ".join(text.split())


def page_text(page: str) -> str:
    """What a browser shows of a page."""
    body = re.sub(r"<(style|title|desc)\b.*?</\1>", " ", page, flags=re.S)
    return plain(unescape(re.sub(r"</?(?:span|a)\b[^>]*>", "", body).replace("<", " <")))


def headline(name: str, template: str) -> Iterator[str]:
    """What every reader looks for: each part with its verdict, its risk and its limit."""
    yield case(name)["release"]["recipient"]
    for part in case(name)["parts"]:
        yield part["name"]
        yield part_word(part)
        if not has_failed(part):
            risk, limit = judged_risk(part["judged"]), part["judged"]["threshold"]
            cell_size = part["judged"]["cell_size"]
            board = template == "summary"
            if not board and risk == part["judged"]["risk"] and part["judged"]["low"] is not None:
                yield span(part["judged"])
            yield chance(risk) if board else probability(risk)
            yield chance(limit) if board else one_in(limit, cell_size)


def content(block: Block) -> Iterator[str]:
    """Every text of a block that is set as text; charts are drawings."""
    match block:
        case SectionHeading(text) | Notice(text):
            yield text
        case Prose(texts) | Conditions(texts):
            yield from texts
        case Bullets(title, texts):
            yield from (title, *texts)
        case Verdict():
            yield from (block.word, *(reason.text for reason in block.reasons))
        case Facts(title, explanation, facts):
            yield from (title, explanation, *(text for one in facts for text in (one.name, one.value)))
        case Table():
            yield from (block.title, block.explanation, block.note, *(one.name for one in block.columns))
            yield from (cell for row in block.rows for cell in row)
        case _:
            return


def words(document: ReportDocument) -> set[str]:
    told = (text for one in document.chapters for block in one.blocks for text in content(block))
    return {word for text in told for word in text.split() if len(word) < LONG}


def check_words(document: ReportDocument) -> None:
    """Each word is whole in the PDF, and nothing invisible is in it or in the page."""
    text = " ".join(pages_of(document_pdf(document)))
    assert words(document) - set(text.split(" ")) == set()
    assert "\u200b" not in text
    assert "\u00ad" not in text
    page = document_page(document)
    assert "\u200b" not in page
    assert UNFILLED.search(re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.S)) is None


def check_sections(document: ReportDocument) -> None:
    """Something stands below each heading, and headings go down step by step."""
    for one in document.chapters:
        assert one.blocks
        assert not isinstance(one.blocks[-1], SectionHeading)
        for block, after in pairwise(one.blocks):
            assert not (isinstance(block, SectionHeading) and isinstance(after, SectionHeading))
        for block in one.blocks:
            assert not isinstance(block, Pictures) or all(shows_more(chart) for chart in block.charts)
            assert not isinstance(block, Table) or block.rows or block.note
    page = document_page(document)
    check_levels(page)
    assert [text for text in EMPTY if text in page] == []


def check_levels(page: str) -> None:
    """Headings of a page go down step by step."""
    levels = [int(level) for level in re.findall(r"<h(\d)", page)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def wrong_in(text: str, name: str, template: str) -> list[str]:
    """Figures of the headline that a text lacks, fields left open, and letters that nobody sees."""
    lacking = [one for one in headline(name, template) if plain(one) not in text]
    return [*lacking, *UNFILLED.findall(text), *re.findall("[\u200b\u00ad\ufeff]", text)]


def check_headline(given: dict[str, Any], text: str) -> None:
    """Every part with its risk, its limit and its verdict."""
    for part in measured_parts(given):
        judged = part["judged"]
        assert part["name"] in text
        assert probability(judged_risk(judged)) in text
        assert one_in(judged["threshold"], judged["cell_size"]) in text


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("name", CASES)
def test_words_are_whole_and_no_section_is_empty(name: str, template: str) -> None:
    for one in files(document(name, template)):
        check_words(one)
        check_sections(one)


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("name", CASES)
def test_every_format_has_the_headline_and_nothing_is_unfilled(name: str, template: str) -> None:
    made = document(name, template)
    word = Word(document_docx(made))
    page = re.sub(r"<[^>]+>", " ", page_text(document_page(made)))
    for text in (" ".join(pages(name, template)), plain(page), plain(word.text)):
        assert wrong_in(text, name, template) == []
    told = [text for one in made.chapters for block in one.blocks for text in content(block)]
    assert len(told) > 20
    assert [text for text in told if plain(text) not in plain(page)] == []
    assert [text for text in told if plain(text) not in plain(word.text)] == []


@pytest.mark.parametrize("template", TEMPLATES)
def test_harm_done_to_a_text_is_noticed(template: str) -> None:
    """Each figure of the headline taken out, a word broken, a field left open."""
    text = " ".join(pages("refused", template))
    figures = set(headline("refused", template))
    assert len(figures) > 10
    for one in figures:
        assert wrong_in(text.replace(plain(one), ""), "refused", template)
    for harm in (
        "re\u200bidentified",
        "soft\u00adhyphen",
        "by None.",
        "risk nan",
        "{name}",
        "[object Object]",
    ):
        assert wrong_in(f"{text} {harm}", "refused", template)


def test_harm_done_to_a_document_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A heading without a section, an empty table, a level left out, and broken words."""
    made = document("refused", "general")
    first, second, *rest = made.chapters
    head, nothing = SectionHeading("Nothing below"), Table("t", "", (Column("name"),), (), "")
    harmed = (
        (*second.blocks, head),
        (head, SectionHeading("Another"), *second.blocks),
        (*second.blocks, nothing),
        (*second.blocks, Prose((EMPTY[0],))),
        (),
    )
    check_sections(made)
    for blocks in harmed:
        with pytest.raises(AssertionError):
            check_sections(replace(made, chapters=(first, replace(second, blocks=blocks), *rest)))
    with pytest.raises(AssertionError):
        check_levels(document_page(made).replace("<h3", "<h5"))
    whole = pdf_room.printable
    monkeypatch.setattr(pdf_room, "printable", lambda text: re.sub(r"(\w{5})(\w{5})", r"\1 \2", whole(text)))
    with pytest.raises(AssertionError):
        check_words(made)


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("name", CASES)
def test_headings_go_down_step_by_step_in_every_format(name: str, template: str) -> None:
    made = document(name, template)
    levels = [one.level for one in pypdfium2.PdfDocument(pdf(name, template)).get_toc()]
    assert levels[0] == 0
    assert all(after <= before + 1 for before, after in pairwise(levels))
    body = Word(document_docx(made)).every("w:body")[0]
    ranks = [int(style[-1]) if (style := style_of(one)).startswith("Heading") else 9 for one in body]
    found = [rank for rank in ranks if rank < 9]
    assert found[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(found))
    assert [at for at, (rank, after) in enumerate(pairwise(ranks)) if after <= rank < 9] == []
    assert ranks[-2] == 9


@pytest.mark.parametrize("name", CASES)
def test_the_first_page_has_the_answer_and_what_it_rests_on(name: str) -> None:
    first, second = pages(name, "general")[:2]
    given = case(name)
    check_headline(given, first)
    may = "may be released to" if given["acceptable"] else "may not be released to"
    assert f"These data {may} {given['release']['recipient']}" in first
    assert "What leaves" in first
    assert "Who must sign" in first
    assert ("Only under these conditions" in first) is given["acceptable"]
    assert ("second table could not be measured" in first) is (name != "acceptable")
    assert second.strip().startswith("Contents")


@pytest.mark.parametrize("name", CASES)
def test_the_page_for_a_board_is_one_page_without_jargon(name: str) -> None:
    (page,) = pages(name, "summary")
    own = page
    for one in case(name)["remedies"]:  # as the assessment says it
        own = own.replace(one["text"], "")
    assert [word for word in JARGON if word in own.lower()] == []
    assert page.count("Date and signature") == 1
    assert "What would change this answer" in page
    assert "For Children's hospital, pharmacy" in page.replace("’", "'")


def test_the_demo_s_release_is_told_in_few_pages(demo: Path) -> None:
    """Its general report, its annex, and the page for a board; all from the folder, with its root hash."""
    given = json.loads((demo / "assessment.json").read_text(encoding="utf-8"))
    report = document_of(demo)
    text = pages_of(document_pdf(report))
    assert len(text) <= MOST_PAGES
    assert case_of(demo)["root"] in text[0]
    check_headline(given, text[0])
    for one in files(report):
        check_words(one)
        check_sections(one)
    assert len(pages_of(document_pdf(document_of(demo, template="summary")))) == 1
    assert document_pdf(document_of(demo)) == document_pdf(report)


def test_what_supports_the_report_is_in_its_annex() -> None:
    report = document("refused", "general")
    assert report.annex is not None
    names = [one.name for one in report.annex.chapters]
    assert {"methods", "references", "settings", "remedies", "sensitivity"} <= set(names)
    assert not {"methods", "settings", "checklist"} & {one.name for one in report.chapters}
    assert report.annex.is_annex
    text = " ".join(pages_of(document_pdf(report.annex)))
    assert "Annex: Risk of re-identification" in text


def test_of_many_missing_practices_the_first_are_named_and_the_annex_has_all() -> None:
    given = accepted()
    missing = [{"practice": f"own_{number}", "text": f"Practice {number}."} for number in range(38)]
    core = {"practice": "sanctions", "text": "Sanctions are named."}
    given["context"]["next_threshold"] |= {"missing": [*missing, core], "missing_count": 39}
    report = document_of(given)
    assert report.annex is not None
    (shown,) = (
        block
        for one in report.chapters
        for block in one.blocks
        if isinstance(block, Bullets) and block.title.startswith("Missing for the next threshold")
    )
    assert shown.items[0] == core["text"]
    assert shown.items[-1] == "34 more are in the annex."
    every = " ".join(text for one in report.annex.chapters for block in one.blocks for text in content(block))
    assert all(one["text"] in every for one in missing)


@pytest.mark.parametrize("template", ["general", "summary"])
def test_a_shared_report_has_no_empty_sections_either(template: str) -> None:
    for one in files(document_of(case("refused"), template=template, audience=SHARED)):
        check_sections(one)


def test_signers_are_named_by_the_state_that_they_signed() -> None:
    one = {"number": 1, "name": "Ann Lee", "role": "approver", "meaning": "I approve", "clock": "own"}
    signed = [
        one | {"time": "2026-11-02T10:00:00Z", "root": "a" * 64, "key": "k"},
        one | {"name": "Bo Ek", "time": "2026-11-03T10:00:00Z", "root": "b" * 64, "key": "k"},
    ]
    given = accepted() | {"root": "a" * 64, "signatures": signed}
    first = pages_of(document_pdf(document_of(given)))[0]
    assert "signed by Ann Lee, 2026-11-02" in first
    assert "Bo Ek, 2026-11-03" not in first
    assert len(pages_of(document_pdf(document_of(given, template="summary")))) == 1


def test_a_release_with_a_part_that_failed_says_what_to_do_and_promises_nothing() -> None:
    report, board = (" ".join(pages("failed", template)) for template in ("general", "summary"))
    assert '"second table" must be measured first.' in report
    assert "None of the single changes" not in report
    assert "In the parts that could be measured: at worst" in board
    assert 'Correct what stops the measurement of "second table"' in board


def test_a_hint_that_ends_with_an_option_is_a_sentence_on_its_own() -> None:
    given = failed()
    given["parts"][-1]["error"] = {"problem": "No.", "hint": "To count them: --set unmatched=allow"}
    said = " ".join(pages_of(document_pdf(document_of(given))))
    assert "--set unmatched=allow. Then assess the release again." in said


def test_a_condition_that_the_context_has_checked_is_not_stated_again() -> None:
    assert case("acceptable")["parts"][0]["result"]["conditions"]
    assert "not checked here" not in " ".join(pages("acceptable", "general"))


@pytest.mark.parametrize("template", ["ema", "hipaa"])
def test_parts_with_a_limit_of_their_own_are_named_with_it(template: str) -> None:
    assert "Other limits apply to: released (1/3)." in " ".join(pages("acceptable", template))


def test_the_note_of_a_table_is_on_the_page_of_its_last_row() -> None:
    columns = (Column("name"), Column("number", is_number=True))
    for length in range(38, 54):
        rows = tuple((f"row{number}", f"{number}") for number in range(length))
        table = Table("Rows", "All of them.", columns, rows, "A note about the last row.")
        one = ReportDocument("t", "s", (), (Chapter("all", "All", (table,)),), "general", "1")
        (with_note,) = (text for text in pages_of(document_pdf(one)) if "A note about" in text)
        assert f"row{length - 1} " in with_note


def test_a_long_table_does_not_begin_with_one_row_at_the_end_of_a_page() -> None:
    columns = (Column("name"), Column("number", is_number=True))
    rows = tuple((f"row{number}", f"{number}") for number in range(20))
    table = Table("Rows", "", columns, rows)
    for lines in range(34, 48):
        blocks = (Prose(("line",) * lines), SectionHeading("Part"), table)
        one = ReportDocument("t", "s", (), (_FIRST, Chapter("all", "All", blocks)), "general", "1")
        (start,) = (text for text in pages_of(document_pdf(one)) if "row0 " in text)
        assert "row2 " in start
        assert "Part" in start


_FIRST = Chapter("first", "First", (Prose(("x",)),))
