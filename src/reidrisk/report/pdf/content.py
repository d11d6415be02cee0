"""A document as plain data that the Typst template draws: no text of ours or of others is ever code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.svg import plain_svg
from reidrisk.report.document import (
    Block,
    Bullets,
    Chapter,
    Conditions,
    Document,
    Formula,
    Heading,
    Notice,
    PageBreak,
    Pictures,
    Prose,
    References,
    Signature,
    kind_of,
)
from reidrisk.report.parts import Fact, Facts, Table, Verdict
from reidrisk.report.pdf.columns import widths
from reidrisk.report.words.book import LANGUAGE, phrases

_LONG = re.compile(r"\S{14,}")
_PERCENT = re.compile(r"(?<=\d) %")
_JOINT = re.compile(r"([_/.,:;=@+-])(?=\S)")
_SPACES = "\n\u00a0"
_PIECE = 12
"""Letters of a word without a joint, after which it may break."""


@dataclass(frozen=True, slots=True)
class Content:
    """The data of the template, and the pictures that it names."""

    data: dict[str, Any]
    files: dict[str, bytes]


def content_of(document: Document) -> Content:
    """Everything that the template needs."""
    files: dict[str, bytes] = {}
    chapters = [
        _chapter(chapter, number, files)
        for chapter, number in zip(document.chapters, document.numbers, strict=True)
    ]
    data = {
        "title": document.title,
        "subtitle": breakable(document.subtitle),
        "plain_title": f"{document.title}: {document.subtitle}",
        "facts": [_fact(fact) for fact in document.facts],
        "chapters": chapters,
        "version": document.version,
        "date": document.date,
        "language": LANGUAGE,
        "words": phrases("document"),
    }
    return Content(data, files)


def breakable(text: str) -> str:
    """Long words may break after a joint, or somewhere; a number stays with its sign.

    >>> breakable("length_of_stay_in_days").replace("\\u200b", "|")
    'length_|of_|stay_|in_|days'
    """
    clean = "".join(letter if letter.isprintable() or letter in _SPACES else "?" for letter in text)
    return _PERCENT.sub("\u00a0%", _LONG.sub(lambda found: _broken(found.group()), clean))


def _broken(word: str) -> str:
    pieces = _JOINT.sub("\\1\u200b", word).split("\u200b")
    return "\u200b".join(
        piece[at : at + _PIECE] for piece in pieces for at in range(0, max(len(piece), 1), _PIECE)
    )


def _chapter(chapter: Chapter, number: str, files: dict[str, bytes]) -> dict[str, Any]:
    return {
        "name": chapter.name,
        "title": chapter.title,
        "number": number,
        "origin": chapter.origin,
        "is_appendix": chapter.is_appendix,
        "blocks": [
            _block(block, files) | {"level": 1 + depth}
            for block, depth in zip(chapter.blocks, chapter.depths, strict=True)
        ],
    }


def _block(block: Block, files: dict[str, bytes]) -> dict[str, Any]:
    return {"kind": kind_of(block)} | _inside(block, files)


def _inside(block: Block, files: dict[str, bytes]) -> dict[str, Any]:  # noqa: PLR0911 - one line a kind
    match block:
        case Heading(text) | Notice(text):
            return {"text": breakable(text)}
        case Prose(paragraphs):
            return {"paragraphs": [breakable(text) for text in paragraphs]}
        case Bullets(title, items):
            return {"title": title, "items": [breakable(item) for item in items]}
        case Conditions(items):
            return {"items": [breakable(item) for item in items]}
        case Pictures(charts):
            return {"charts": [_chart(chart, files) for chart in charts]}
        case Formula():
            return _formula(block)
        case References(sources):
            return {"sources": [{"citation": one.citation, "doi": one.doi} for one in sources]}
        case Signature(roles):
            return {"roles": list(roles)}
        case Verdict():
            return _verdict(block)
        case Table():
            return _table(block)
        case Facts(title, explanation, facts):
            return {"title": title, "explanation": explanation, "facts": [_fact(fact) for fact in facts]}
        case PageBreak():
            return {}


def _fact(fact: Fact) -> dict[str, str]:
    return {"name": breakable(fact.name), "value": breakable(fact.value), "meaning": fact.meaning}


def _chart(chart: Chart, files: dict[str, bytes]) -> dict[str, Any]:
    name = None
    if chart.draw is not None:
        name = f"chart-{len(files) + 1}.svg"
        files[name] = plain_svg(chart).encode()
    return {
        "title": breakable(chart.title),
        "caption": breakable(chart.caption),
        "alt": chart.description,
        "file": name,
    }


def _formula(block: Formula) -> dict[str, Any]:
    return {
        "title": block.title,
        "code": block.expression.typst(),
        "alt": block.spoken,
        "letters": [_fact(letter) for letter in block.letters],
        "source": block.source,
    }


def _verdict(block: Verdict) -> dict[str, Any]:
    return {
        "word": block.word,
        "acceptable": block.acceptable,
        "reasons": [{"text": breakable(reason.text), "holds": reason.holds} for reason in block.reasons],
    }


def _table(block: Table) -> dict[str, Any]:
    return {
        "title": breakable(block.title),
        "explanation": breakable(block.explanation),
        "heads": [breakable(column.name) for column in block.columns],
        "numbers": [column.is_number for column in block.columns],
        "is_named": not block.columns[0].is_prose,
        "widths": widths(block),
        "rows": [[_cell(cell) for cell in row] for row in block.rows],
        "marked": list(block.marked),
        "note": breakable(block.note),
    }


def _cell(cell: str) -> dict[str, Any]:
    return {"text": breakable(cell.strip()), "inner": cell.startswith("  ")}
