"""The answer key: the identifiers in the synthetic report, with their positions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from reidrisk.demo.study.marks import MarkedText, join, say
from reidrisk.demo.study.report.elements import Contents, Element, Grid, Paragraph, ReportHeading


def answer_key(elements: Sequence[Element]) -> Iterator[dict[str, Any]]:
    """One record per heading, paragraph, caption or cell."""
    section: str | None = None
    for element in elements:
        if isinstance(element, ReportHeading):
            section = element.number
        for kind, piece in _pieces(element, elements):
            yield {"kind": kind, "section": section, "text": piece.text, "mentions": _mentions(piece)}


def heading_text(heading: ReportHeading) -> MarkedText:
    """The printed text of a heading."""
    return join([say(heading.number), heading.title])


def key_lines(elements: Sequence[Element]) -> Iterable[str]:
    """The answer key as JSON lines."""
    for number, record in enumerate(answer_key(elements), start=1):
        yield json.dumps({"piece": number} | record, ensure_ascii=False) + "\n"


def _pieces(element: Element, elements: Sequence[Element]) -> Iterator[tuple[str, MarkedText]]:
    if isinstance(element, ReportHeading):
        yield "heading", heading_text(element)
    elif isinstance(element, Contents):
        yield from (("contents", heading_text(each)) for each in elements if isinstance(each, ReportHeading))
    elif isinstance(element, Grid):
        yield "caption", element.caption
        yield from (("head", say(cell)) for cell in element.header)
        yield from (("cell", cell) for row in element.rows for cell in row)
    elif isinstance(element, Paragraph):
        yield "paragraph", element.piece


def _mentions(piece: MarkedText) -> list[dict[str, Any]]:
    return [
        {
            "start": each.start,
            "end": each.end,
            "kind": each.mark.kind,
            "variable": each.mark.variable,
            "subjects": list(each.mark.subjects),
        }
        for each in piece.mentions
    ]
