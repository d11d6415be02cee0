"""The elements of a report; PDF and DOCX are written from the same list."""

from __future__ import annotations

from dataclasses import dataclass

from reidrisk.demo.study.marks import MarkedText, say


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
