"""The content of a report: chapters of blocks, the same for a page and for a PDF."""

from __future__ import annotations

from dataclasses import dataclass

from reidrisk.core.audience import INTERNAL_TEXT
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.formula import Expression
from reidrisk.report.parts import Fact, Facts, Source, Table, Verdict


@dataclass(frozen=True, slots=True)
class SectionHeading:
    """A heading within a chapter, such as the name of a part of the release."""

    text: str


@dataclass(frozen=True, slots=True)
class Prose:
    """Paragraphs."""

    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list with bullet points."""

    title: str
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning that must be read before relying on the rest."""

    text: str


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions under which the verdict holds."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pictures:
    """Charts about one topic."""

    charts: tuple[Chart, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    """An equation with its symbols explained and its source."""

    title: str
    expression: Expression
    spoken: str
    """Text alternative for readers who cannot see it."""
    letters: tuple[Fact, ...]
    source: str


@dataclass(frozen=True, slots=True)
class References:
    """Publications."""

    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Signature:
    """Lines that people sign."""

    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageBreak:
    """In a PDF, the next block starts on a new page."""


Block = (
    SectionHeading
    | Prose
    | Bullets
    | Notice
    | Conditions
    | Pictures
    | Formula
    | References
    | Signature
    | PageBreak
    | Verdict
    | Table
    | Facts
)


def block_kind(block: Block) -> str:
    """The name of the block's type in templates."""
    return type(block).__name__.lower()


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter: its title and its blocks."""

    name: str
    """Short and unique; part of element ids."""
    title: str
    blocks: tuple[Block, ...]
    source: str = ""
    """Where the heading comes from."""
    origin: str = ""
    """What is said of that below the heading."""
    is_appendix: bool = False

    @property
    def depths(self) -> tuple[int, ...]:
        """The depth of each block's title below the chapter; one more below a heading."""
        found, below = [], 1
        for block in self.blocks:
            found.append(1 if isinstance(block, SectionHeading) else below)
            below = 2 if isinstance(block, SectionHeading) else below
        return tuple(found)


@dataclass(frozen=True, slots=True)
class ReportDocument:
    """A whole report."""

    title: str
    subtitle: str
    facts: tuple[Fact, ...]
    chapters: tuple[Chapter, ...]
    template: str
    version: str
    date: str | None = None
    """The date in the release file, YYYY-MM-DD; today's date is not filled in."""
    audience: str = INTERNAL_TEXT
    """Who may see it, in words."""
    seals: tuple[str, ...] = ()
    """The root hash of the assessment and who signed it, one line each."""
    annex: ReportDocument | None = None
    """What supports the report, in a file of its own: for those who check it, not for those who decide."""
    is_annex: bool = False
    """Whether it is an annex: it begins with its contents, not with a verdict."""

    @property
    def charts(self) -> tuple[Chart, ...]:
        """All charts in order."""
        blocks = [block for chapter in self.chapters for block in chapter.blocks]
        return tuple(chart for block in blocks if isinstance(block, Pictures) for chart in block.charts)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The number of each chapter, appendices by letters."""
        found: list[str] = []
        chapters = appendices = 0
        for chapter in self.chapters:
            if chapter.is_appendix:
                found.append(chr(ord("A") + appendices))
                appendices += 1
            else:
                chapters += 1
                found.append(str(chapters))
        return tuple(found)
