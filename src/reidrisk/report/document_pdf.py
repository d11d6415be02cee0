"""A document as a PDF: plain data for a Typst template; the same document gives the same bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unicodedata import category

from reidrisk.errors import FailedCheck, InvalidSetting, MissingPackage
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.svg import draw_missing, plain_svg
from reidrisk.report.document import (
    Block,
    Bullets,
    Chapter,
    Conditions,
    Formula,
    Notice,
    PageBreak,
    Pictures,
    Prose,
    References,
    ReportDocument,
    SectionHeading,
    Signature,
    block_kind,
)
from reidrisk.report.parts import Column, Fact, Facts, Source, Table, Verdict

ARCHIVE = ("a-2a", "ua-1")
"""With a date: an archive file (PDF/A-2a, stricter than 2b) that is accessible (PDF/UA-1)."""
DATELESS = ("ua-1",)
"""An archive file needs a date, and we do not make up a date that nobody stated."""
_SPACES = "\n\u00a0"
LONG = 30
"""Words with this many letters, such as hashes, may break across lines; all others stay whole."""
_SPECIAL = re.compile(rf"\S{{{LONG},}}|[\d.,]+ %|\S*\w[-/–—]\w\S*(?: %)?|--\w\S*")
"""Words that may break, numbers with their percent sign, words with hyphens or slashes, and options."""
_SIGN = re.compile(rf"[-/–—%]|\S{{{LONG}}}")
"""What every such text contains; quickly found."""
_PIECE = re.compile(r"[^_/.,:;=@+-]{1,8}[_/.,:;=@+-]*|[_/.,:;=@+-]+")
"""Where a long word may break: after a sign, or after eight letters."""
_MEASURED = 3
"""The longest words of a column: so many are measured, since letters differ in width."""
LEAST, NUMBER, MOST, GAP = 6.0, 15.0, 56.0, 2.5
"""In letters: the narrowest column, the widest column of numbers, the widest of text, and the gap."""
SHORT = 17.0
"""Texts up to this length get one line."""


def document_pdf(document: ReportDocument) -> bytes:
    """The PDF of a document; it uses no fonts of the computer, so it looks the same everywhere."""
    return prepare_pdf(document)()


def prepare_pdf(document: ReportDocument) -> Callable[[], bytes]:
    """Prepare everything that a PDF needs, charts too; what is returned sets it, in any thread."""
    if find_spec("typst") is None:
        raise MissingPackage.of_extra("typst", "report")
    date = release_date(document.date)
    draw_missing(document.charts)
    content = typst_input(document)
    template = (files("reidrisk.report") / "templates" / "document.typ").read_bytes()
    data = json.dumps(content.data, ensure_ascii=False, sort_keys=True).encode()
    return partial(_typeset, {"main.typ": template, "document.json": data, **content.files}, date)


def _typeset(sources: dict[str, bytes], date: datetime | None) -> bytes:
    import typst

    try:
        compiled: Any = typst.compile  # its type stubs do not know several files yet
        made: bytes = compiled(
            sources,
            font_paths=[fonts_folder()],
            ignore_system_fonts=True,
            pdf_standards=list(ARCHIVE if date else DATELESS),
            timestamp=date or datetime(1970, 1, 1, tzinfo=UTC),
        )
    except RuntimeError:
        raise FailedCheck(
            "The PDF of the report could not be made.",
            hint="Write a page with --html instead, and report this error.",
        ) from None
    return made


def release_date(text: str | None) -> datetime | None:
    """The date that a release states; an error if it is not one."""
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise InvalidSetting(
            "The date of the release is not a date.", hint="Write it as 2026-11-01."
        ) from None


def fonts_folder() -> Path:
    """The fonts that come with matplotlib; charts are drawn with them too."""
    found = find_spec("matplotlib")  # only its folder is needed; loading the library takes long
    if found is None or not found.submodule_search_locations:
        raise MissingPackage.of_extra("matplotlib", "report")
    return Path(found.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf"


@dataclass(frozen=True, slots=True)
class TypstInput:
    """The data for the template, and the pictures that they name."""

    data: dict[str, Any]
    files: dict[str, bytes]


def typst_input(document: ReportDocument) -> TypstInput:
    """Everything that the template needs; texts are data, never code."""
    files: dict[str, bytes] = {}
    chapters = [
        _chapter(chapter, number, files)
        for chapter, number in zip(document.chapters, document.numbers, strict=True)
    ]
    data = {
        "title": pieces(document.title),
        "subtitle": pieces(document.subtitle),
        "plain_title": f"{document.title}: {document.subtitle}",
        "facts": [_fact(fact) for fact in document.facts],
        "chapters": chapters,
        "is_annex": document.is_annex,
        "version": document.version,
        "audience": pieces(document.audience),
        "seals": [pieces(seal) for seal in document.seals],
        "date": document.date,
    }
    return TypstInput(data, files)


def printable(text: str) -> str:
    """The text without letters that nobody sees, which hide words from a search, or that cannot be drawn.

    >>> printable("length\\u200bof\\x07stay")
    'lengthof?stay'
    """
    if text.isascii() and text.isprintable():
        return text
    seen = (letter for letter in text if category(letter) != "Cf")
    return "".join(letter if letter.isprintable() or letter in _SPACES else "?" for letter in seen)


def pieces(text: str) -> str | list[str | list[str]]:
    """A printable text; in pieces if some of it must stay on one line, or may break where no space is.

    A list of one stays whole; a longer list is a word that may break between its pieces.

    >>> pieces("22 of them"), pieces("a 1.5 % share, pre-set")
    ('22 of them', ['a ', ['1.5 %'], ' share, ', ['pre-set']])
    >>> pieces("hash: " + "0123456789" * 3)
    ['hash: ', ['01234567', '89012345', '67890123', '456789']]
    """
    shown = printable(text)
    if _SIGN.search(shown) is None:
        return shown
    found: list[str | list[str]] = []
    last = 0
    for special in _SPECIAL.finditer(shown):
        found += [shown[last : special.start()]] if special.start() > last else []
        found.append(_PIECE.findall(special[0]) if len(special[0].split(" ")[0]) >= LONG else [special[0]])
        last = special.end()
    if not found:
        return shown
    return [*found, *([shown[last:]] if last < len(shown) else [])]


def _chapter(chapter: Chapter, number: str, files: dict[str, bytes]) -> dict[str, Any]:
    return {
        "name": chapter.name,
        "title": pieces(chapter.title),
        "number": number,
        "origin": pieces(chapter.origin),
        "is_appendix": chapter.is_appendix,
        "blocks": [
            _block(block, files) | {"level": 1 + depth}
            for block, depth in zip(chapter.blocks, chapter.depths, strict=True)
        ],
    }


def _block(block: Block, files: dict[str, bytes]) -> dict[str, Any]:
    return {"kind": block_kind(block)} | _inside(block, files)


def _inside(block: Block, files: dict[str, bytes]) -> dict[str, Any]:  # noqa: PLR0911 - one line per kind
    match block:
        case SectionHeading(text) | Notice(text):
            return {"text": pieces(text)}
        case Prose(paragraphs):
            return {"paragraphs": [pieces(text) for text in paragraphs]}
        case Bullets(title, items):
            return {"title": pieces(title), "items": [pieces(item) for item in items]}
        case Conditions(items):
            return {"items": [pieces(item) for item in items]}
        case Pictures(charts):
            return {"charts": [_chart(chart, files) for chart in charts]}
        case Formula():
            return _formula(block)
        case References(sources):
            return {"sources": [_source(one) for one in sources]}
        case Signature(roles):
            return {"roles": [pieces(role) for role in roles]}
        case Verdict():
            return _verdict(block)
        case Table():
            return _table(block)
        case Facts(title, explanation, facts):
            shown = [_fact(fact) for fact in facts]
            return {"title": pieces(title), "explanation": pieces(explanation), "facts": shown}
        case PageBreak():
            return {}


def _fact(fact: Fact) -> dict[str, Any]:
    return {"name": pieces(fact.name), "value": pieces(fact.value), "meaning": pieces(fact.meaning)}


def _source(source: Source) -> dict[str, Any]:
    shown = pieces(f"doi:{source.doi}")
    return {"citation": pieces(source.citation), "doi": source.doi, "shown": shown}


def _chart(chart: Chart, files: dict[str, bytes]) -> dict[str, Any]:
    name = None
    if chart.draw is not None:
        name = f"chart-{len(files) + 1}.svg"
        files[name] = plain_svg(chart).encode()
    return {
        "title": pieces(chart.title),
        "caption": pieces(chart.caption),
        "alt": chart.description,
        "file": name,
    }


def _formula(block: Formula) -> dict[str, Any]:
    return {
        "title": pieces(block.title),
        "code": block.expression.typst(),
        "alt": block.spoken,
        "letters": [_fact(letter) for letter in block.letters],
        "source": pieces(block.source),
    }


def _verdict(block: Verdict) -> dict[str, Any]:
    return {
        "word": pieces(block.word),
        "acceptable": block.acceptable,
        "reasons": [{"text": pieces(reason.text), "holds": reason.holds} for reason in block.reasons],
    }


def _table(block: Table) -> dict[str, Any]:
    return {
        "title": pieces(block.title),
        "explanation": pieces(block.explanation),
        "heads": [pieces(column.name) for column in block.columns],
        "numbers": [column.is_number for column in block.columns],
        "is_named": not block.columns[0].is_prose,
        "widths": widths(block),
        "words": [_longest_words(block, place) for place in range(len(block.columns))],
        "rows": [[_cell(cell) for cell in row] for row in block.rows],
        "marked": list(block.marked),
        "note": pieces(block.note),
    }


def _cell(cell: str) -> dict[str, Any]:
    return {"text": pieces(cell.strip()), "inner": cell.startswith("  ")}


def _longest_words(table: Table, place: int) -> dict[str, list[str]]:
    """The words that decide how narrow a column may be; its short cells, which should have one line."""
    cells = {printable(row[place]).strip() for row in table.rows}
    words = {word for cell in cells for word in cell.split(" ") if len(word) < LONG}
    return {
        "head": printable(table.columns[place].name).split(" "),
        "cells": _longest(words),
        "lines": _longest(cells) if all(len(cell) <= SHORT for cell in cells) else [],
    }


def _longest(texts: Iterable[str]) -> list[str]:
    return sorted(texts, key=lambda text: (-len(text), text))[:_MEASURED]


def widths(table: Table) -> list[float]:
    """Relative widths of the columns, from the lengths of cells and of the longest word of each head."""
    return [_letters(table, place, column) for place, column in enumerate(table.columns)]


def _letters(table: Table, place: int, column: Column) -> float:
    cells = [len(row[place]) for row in table.rows] or [0]
    head = max(len(word) for word in column.name.split() or [""])
    longest, mean = max(cells), sum(cells) / len(cells)
    if column.is_number:
        unbroken = max((len(piece) for row in table.rows for piece in row[place].split(" ")), default=0)
        return round(GAP + max(min(longest, NUMBER), unbroken, head, LEAST), 2)
    wanted = longest if longest <= SHORT else (longest + 2 * mean) / 3
    return round(GAP + min(max(wanted, head, LEAST), MOST), 2)
