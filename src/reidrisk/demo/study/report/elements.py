"""What a report is made of; the typeset and the word-processed one are made from the same list."""

from __future__ import annotations

from dataclasses import dataclass

from reidrisk.demo.study.marks import Piece, say


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; its number is that of the guideline ICH E3."""

    number: str
    title: Piece
    level: int


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; bold ones are titles that stand in no list of contents."""

    piece: Piece
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with its caption."""

    caption: Piece
    header: tuple[str, ...]
    rows: tuple[tuple[Piece, ...], ...]
    widths: tuple[int, ...]
    """Of the columns, in relation to each other."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The list of all headings."""


@dataclass(frozen=True, slots=True)
class Landscape:
    """From here on the pages are turned."""


Element = Heading | Paragraph | Grid | Contents | Landscape


def heading(number: str, title: str | Piece) -> Heading:
    """A heading with its level from the number.

    >>> heading("12.3.2", "Narratives").level
    3
    """
    piece = say(title) if isinstance(title, str) else title
    return Heading(number, piece, number.count(".") + 1)


def text(template: str) -> Paragraph:
    """A paragraph that speaks of nobody."""
    return Paragraph(say(template))
