"""A report before it is drawn: chapters of blocks, the same for a page and for a PDF."""

from __future__ import annotations

from dataclasses import dataclass

from reidrisk.report.charts.canvas import Chart
from reidrisk.report.formula import Expression
from reidrisk.report.parts import Fact, Facts, Source, Table, Verdict


@dataclass(frozen=True, slots=True)
class SectionHeading:
    """What the blocks below it are about, such as a part of the release."""

    text: str


@dataclass(frozen=True, slots=True)
class Prose:
    """Paragraphs."""

    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bullets:
    """Points below each other."""

    title: str
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """What must be read before the rest is relied on."""

    text: str


@dataclass(frozen=True, slots=True)
class Conditions:
    """What must be in place for the verdict to hold."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pictures:
    """Charts of one idea."""

    charts: tuple[Chart, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    """An equation, what its letters mean, and where it is from."""

    title: str
    expression: Expression
    spoken: str
    """For those who do not see it."""
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
    """The next block begins a page, where there are pages."""


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
    """The name by which templates know a block."""
    return type(block).__name__.lower()


@dataclass(frozen=True, slots=True)
class Chapter:
    """A heading and what stands below it."""

    name: str
    """Short and unique; part of element ids."""
    title: str
    blocks: tuple[Block, ...]
    source: str = ""
    """Where the heading comes from."""
    is_ours: bool = False
    """Whether no source asks for it under this heading."""
    origin: str = ""
    """What is said of that below the heading."""
    is_appendix: bool = False

    @property
    def depths(self) -> tuple[int, ...]:
        """How deep below the chapter the title of each block stands: below a heading it is one deeper."""
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
    """As the release states it, YYYY-MM-DD; never the clock."""

    @property
    def charts(self) -> tuple[Chart, ...]:
        """All of them, in their order."""
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
