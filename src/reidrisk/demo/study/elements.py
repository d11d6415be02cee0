"""The elements of the report with marked identifiers, and the answer key.

PDF and DOCX are written from the same list of elements. The answer key is created together with the text,
not by searching it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from string import Formatter
from typing import Any, Literal

IdentifierKind = Literal["id", "date", "quasi", "event", "site", "staff", "study"]
"""The first four are about a participant; the others are sites, their staff, and dates of the study."""
PARTICIPANT: tuple[IdentifierKind, ...] = ("id", "date", "quasi", "event")


@dataclass(frozen=True, slots=True)
class MarkedValue:
    """A value as written at one position."""

    text: str
    kind: IdentifierKind
    variable: str | None = None
    """The variable in the data; None if the data do not have it, such as the day of a scan."""
    subjects: tuple[int, ...] = ()
    """Rows of ADSL, from 1."""


Part = str | MarkedValue | tuple["str | MarkedValue", ...]
"""The content of a template field: plain text, a marked value, or several of both."""


@dataclass(frozen=True, slots=True)
class Mention:
    """The position of a value; offsets count code points of the text, and the end is exclusive."""

    start: int
    end: int
    mark: MarkedValue


@dataclass(frozen=True, slots=True)
class MarkedText:
    """The text of a heading, paragraph or cell, with the positions of marked values."""

    text: str
    mentions: tuple[Mention, ...] = ()


def say(*parts: Part) -> MarkedText:
    """Build a text from plain text and marked values.

    >>> say("Age ", MarkedValue("54", "quasi", "AGE", (3,)), " years").mentions[0].start
    4
    """
    text, found = "", []
    for part in _flat(parts):
        if isinstance(part, MarkedValue):
            found.append(Mention(len(text), len(text) + len(part.text), part))
            text += part.text
        else:
            text += part
    return MarkedText(text, tuple(found))


def fill(template: str, parts: Mapping[str, Part]) -> MarkedText:
    """Fill in a template such as `Subject {id} was {age} years old.`, one field at a time."""
    said: list[Part] = []
    for before, name, _, _ in Formatter().parse(template):
        said.append(before)
        if name is not None:
            said.append(parts[name])
    return say(*said)


def join(pieces: Iterable[MarkedText], between: str = " ") -> MarkedText:
    """Join several pieces into one."""
    text, found = "", []
    for piece in pieces:
        text += between if text else ""
        at = len(text)
        found += [replace(each, start=each.start + at, end=each.end + at) for each in piece.mentions]
        text += piece.text
    return MarkedText(text, tuple(found))


def _flat(parts: Iterable[Part]) -> Iterable[str | MarkedValue]:
    for part in parts:
        if isinstance(part, tuple):
            yield from part
        else:
            yield part


@dataclass(frozen=True, slots=True)
class ReportHeading:
    """A heading with its number in the guideline ICH E3."""

    number: str
    title: MarkedText
    level: int


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; bold ones are titles that are not in the table of contents."""

    piece: MarkedText
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with its caption."""

    caption: MarkedText
    header: tuple[str, ...]
    rows: tuple[tuple[MarkedText, ...], ...]
    widths: tuple[int, ...]
    """Relative widths of the columns."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The table of contents."""


@dataclass(frozen=True, slots=True)
class Landscape:
    """All following pages are in landscape format."""


Element = ReportHeading | Paragraph | Grid | Contents | Landscape


def heading(number: str, title: str | MarkedText) -> ReportHeading:
    """A heading; its level follows from the number.

    >>> heading("12.3.2", "Narratives").level
    3
    """
    piece = say(title) if isinstance(title, str) else title
    return ReportHeading(number, piece, number.count(".") + 1)


def text(template: str) -> Paragraph:
    """A paragraph that mentions nobody."""
    return Paragraph(say(template))


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
