"""A document as a page that works offline, on paper, on a phone and with a screen reader."""

from __future__ import annotations

from typing import Any

from reidrisk.report.charts.svg import draw_missing
from reidrisk.report.document import Block, Chapter, Pictures, ReportDocument, block_kind
from reidrisk.report.page import environment
from reidrisk.report.section import draw_charts


def document_page(document: ReportDocument) -> str:
    """A complete page: it needs no network, no script and no font."""
    draw_missing(document.charts)
    chapters = [
        {"chapter": chapter, "number": number, "blocks": _blocks(chapter)}
        for chapter, number in zip(document.chapters, document.numbers, strict=True)
    ]
    return environment().get_template("document.html").render(document=document, chapters=chapters)


def _blocks(chapter: Chapter) -> list[dict[str, Any]]:
    """Each block with its kind, its id and its drawn charts."""
    found = []
    for number, (block, depth) in enumerate(zip(chapter.blocks, chapter.depths, strict=True), start=1):
        id_ = f"{chapter.name}-{number}"
        found.append(
            {
                "kind": block_kind(block),
                "block": block,
                "id": id_,
                "level": 2 + depth,
                "pictures": _pictures(block, id_),
            }
        )
    return found


def _pictures(block: Block, prefix: str) -> tuple[Any, ...]:
    return draw_charts(block.charts, prefix=prefix) if isinstance(block, Pictures) else ()
