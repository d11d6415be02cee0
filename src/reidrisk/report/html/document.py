"""A document as a page: offline, printable, readable on a phone and without eyes."""

from __future__ import annotations

from typing import Any

from reidrisk.report.charts.svg import draw_missing
from reidrisk.report.document import Block, Chapter, Document, Pictures, kind_of
from reidrisk.report.page import environment
from reidrisk.report.section import drawn
from reidrisk.report.words.book import LANGUAGE, phrases


def document_page(document: Document) -> str:
    """A complete page that needs nothing else: no network, no script, no font."""
    draw_missing(document.charts)
    chapters = [
        {"chapter": chapter, "number": number, "blocks": _blocks(chapter)}
        for chapter, number in zip(document.chapters, document.numbers, strict=True)
    ]
    return (
        environment()
        .get_template("document.html")
        .render(document=document, chapters=chapters, words=phrases("document"), language=LANGUAGE)
    )


def _blocks(chapter: Chapter) -> list[dict[str, Any]]:
    """Each block with its kind and an id; charts are drawn."""
    found = []
    for number, (block, depth) in enumerate(zip(chapter.blocks, chapter.depths, strict=True), start=1):
        id_ = f"{chapter.name}-{number}"
        found.append(
            {
                "kind": kind_of(block),
                "block": block,
                "id": id_,
                "level": 2 + depth,
                "pictures": _pictures(block, id_),
            }
        )
    return found


def _pictures(block: Block, prefix: str) -> tuple[Any, ...]:
    return drawn(block.charts, prefix=prefix) if isinstance(block, Pictures) else ()
