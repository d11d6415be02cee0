"""What there is to show of a kind of result, declared once; every view is drawn from the declaration."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from reidrisk.core.audience import SHARED, LeftOut, audience_of, audience_text
from reidrisk.report.blocks.evidence import evidence_reason, evidence_table
from reidrisk.report.charts.canvas import PALETTE, WIDTH, Chart, drawing
from reidrisk.report.document import Block, Notice, Pictures, Prose
from reidrisk.report.parts import Column, Facts, Guide, Reason, Table, Verdict
from reidrisk.report.plain_text import block_lines, listed_lines, note_lines, verdict_lines, wrap
from reidrisk.report.section import Gallery, Section, draw_charts, number_names

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

ResultDict = dict[str, Any]
"""What `to_dict()` returns; views see nothing else of a result."""


T = TypeVar("T")


def when_shown(build: Callable[[], T], result: ResultDict, otherwise: T) -> T:
    """What a builder makes of a result; `otherwise` if it needs figures that a shared result leaves out."""
    try:
        return build()
    except LeftOut:
        return otherwise
    except (TypeError, ValueError, AttributeError, ZeroDivisionError):
        if audience_of(result) == SHARED:  # it calculates with "fewer than 5"
            return otherwise
        raise


def shown_of(result: ResultDict, *builds: Callable[[ResultDict], Any]) -> list[Any]:
    """The blocks of several builders, without those that need figures that were left out."""
    found: list[Any] = []
    for build in builds:
        found += when_shown(partial(_built, build, result), result, [])
    return found


def _built(build: Callable[[ResultDict], Any], result: ResultDict) -> list[Any]:
    made = build(result)
    if made is None:
        return []
    return list(made) if isinstance(made, tuple | list) else [made]


@dataclass(frozen=True, slots=True)
class ChartGroup:
    """Small charts that belong together, shown below the tables of a page."""

    title: str
    explanation: str
    charts: tuple[Chart, ...]


Shown = Table | Facts | ChartGroup
Build = Callable[[ResultDict], Shown | Iterable[Shown] | None]
"""Makes one block, several, or none from a result."""


@dataclass(frozen=True, slots=True)
class Show:
    """A block of a kind, and how each view shows it."""

    build: Build
    page: bool = True
    """Whether pages and notebooks have it."""
    terminal: bool | Build = True
    """Whether the terminal has it; or the block to show there instead, such as one with fewer rows."""
    lines: Callable[[ResultDict], Iterable[str]] | None = None
    """The lines of the terminal, where a table or a list of facts would not be readable there."""

    def in_page(self, result: ResultDict) -> list[Shown]:
        """The blocks for a page."""
        return _blocks(self.build, result) if self.page else []

    def in_terminal(self, result: ResultDict) -> list[str]:
        """The lines for a terminal."""
        lines = self.lines
        if lines is not None:
            return when_shown(lambda: list(lines(result)), result, [])
        if self.terminal is False:
            return []
        build = self.build if self.terminal is True else self.terminal
        blocks = [block for block in _blocks(build, result) if not isinstance(block, ChartGroup)]
        return [line for block in blocks for line in block_lines(block)]


def only_in_terminal(lines: Callable[[ResultDict], Iterable[str]]) -> Show:
    """Lines for the terminal only."""
    return Show(lambda _: None, page=False, lines=lines)


def _blocks(build: Build, result: ResultDict) -> list[Shown]:
    def made() -> list[Shown]:
        found = build(result)
        if found is None:
            return []
        return [found] if isinstance(found, Table | Facts | ChartGroup) else list(found)

    return when_shown(made, result, [])


@dataclass(frozen=True, slots=True)
class Comparison:
    """What several results of a kind are compared by: one row per result."""

    explanation: str
    first: str
    """The head of the first column, which names the results."""
    columns: tuple[tuple[Column, Callable[[ResultDict], str]], ...]
    note: Callable[[Sequence[ResultDict]], str] = lambda _: ""
    """A warning if the results cannot be compared."""

    def table(self, results: Sequence[ResultDict], names: Sequence[str]) -> Table:
        """The results side by side."""
        rows = tuple(
            (name, *(when_shown(partial(cell, result), result, "not shown") for _, cell in self.columns))
            for name, result in zip(names, results, strict=True)
        )
        note = when_shown(lambda: self.note(results), results[0], "")
        heads = (Column(self.first), *(column for column, _ in self.columns))
        return Table("Overview", self.explanation, heads, rows, note)


Chapter = Callable[[ResultDict], Iterable[Block | None]]


def prose(text: str) -> Chapter:
    """A chapter of one paragraph."""
    return lambda _: (Prose((text,)),)


def _nothing(_: ResultDict) -> tuple[Block, ...]:
    return ()


NOT_IN_LINE = ("verdict", "result", "population", "gold standard", "date")
"""Columns of a comparison that repeat the verdict or name a file."""
LONGEST_IN_LINE = 30
"""Letters of a figure; a list of steps is longer."""
UNCHANGED = prose("Nothing was generalized, suppressed or otherwise changed here.")
NOTHING_LOST = prose("Nothing was changed in this part, so no information was lost.")


@dataclass(frozen=True, slots=True)
class Chapters:
    """What a report says about a result of this kind, chapter by chapter; a chapter may be empty."""

    key: Chapter | None = None
    """The few figures that a decision needs, with at most one chart; the verdict alone if it is None."""
    initial: Chapter = _nothing
    """The risk before anything was done."""
    measures: Chapter = _nothing
    """What was done to reduce the risk."""
    final: Chapter | None = None
    """The risk that remains; everything on the page of the kind where nothing else is said."""
    sensitivity: Chapter = _nothing
    """How the result changes with other choices."""
    identifiers: Chapter = _nothing
    """Which variables count as identifiers."""
    utility: Chapter = _nothing
    """How useful the data still are."""
    settings: Chapter = _nothing
    """Everything that was chosen."""
    formulas: tuple[str, ...] = ()
    """Names of the formulas that the report explains."""


def _own_warnings(result: ResultDict) -> tuple[str, ...]:
    return tuple(result["warnings"])


def _no_texts(_: ResultDict) -> tuple[str, ...]:
    return ()


def _no_charts(_: ResultDict) -> tuple[Chart, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """Everything there is to show of one kind of result."""

    title: str
    """The title of a page with such results."""
    name_of: Callable[[ResultDict], str]
    """What was measured, in a few words that distinguish results of this kind."""
    about: Callable[[ResultDict], str]
    """What was measured on what, in a sentence."""
    verdict: Callable[[ResultDict], Verdict]
    shows: tuple[Show, ...]
    """The tables and facts, in order."""
    guide: Guide
    """Terms, limits and sources for newcomers."""
    comparison: Comparison
    charts: Callable[[ResultDict], tuple[Chart, ...]] = _no_charts
    warnings: Callable[[ResultDict], Iterable[str]] = _own_warnings
    """What to keep in mind while reading."""
    alarms: Callable[[ResultDict], Iterable[str]] = _no_texts
    """Warnings that must be read before relying on the verdict."""
    conditions: Callable[[ResultDict], Iterable[str]] = _no_texts
    """The conditions under which the verdict holds."""
    headline: Callable[[ResultDict], str] | None = None
    """The first line in the terminal, if it differs from the name and the sentence."""
    notes: Callable[[ResultDict], Iterable[str]] | None = None
    """Warnings below the verdict in the terminal, where they differ from those of a page."""
    leaves: Callable[[ResultDict], str] | None = None
    """What is released, in a few plain words for somebody who has seen nothing of it."""
    figure_title: Callable[[ResultDict], str] | None = None
    names: Callable[[Sequence[ResultDict]], list[str]] | None = None
    """Names that distinguish several results, if their own names are not enough."""
    following: Callable[[ResultDict, str], list[Section]] | None = None
    """Sections of a page below that of the result, such as those of its groups; given the section's id."""
    chapters: Chapters = field(default_factory=Chapters)

    def terminal(self, result: ResultDict) -> str:
        """Plain text: the verdict first, then the evidence."""
        headline = self.headline or (lambda shown: f"{self.name_of(shown)}: {self.about(shown)}")
        conditions = self._texts(self.conditions, result)
        lines = [
            *wrap(when_shown(lambda: headline(result), result, self.title_of(result)), first="", rest=""),
            *(wrap(f"Audience: {audience_text(result)}") if audience_of(result) == SHARED else ()),
            "",
            *verdict_lines(self.graded_verdict(result)),
            *listed_lines(self._texts(self.alarms, result), "  !! "),
            *(wrap("Only under these conditions:") if conditions else ()),
            *listed_lines(conditions, "  - "),
            *note_lines(self._texts(self.notes or self.warnings, result)),
        ]
        return "\n".join([*lines, *(line for show in self.shows for line in show.in_terminal(result))])

    def line(self, result: ResultDict) -> str:
        """The verdict and the three figures that results are compared by first, for `repr`."""
        cells = (
            (column.name, when_shown(partial(cell, result), result, "not shown"))
            for column, cell in self.comparison.columns
            if column.name not in NOT_IN_LINE
        )
        figures = [f"{name}: {text}" for name, text in cells if len(text) <= LONGEST_IN_LINE]
        return "; ".join([self.verdict_of(result).word, *figures[:3]])

    def title_of(self, result: ResultDict) -> str:
        """What was measured; the title of the kind if a shared result does not say it."""
        return when_shown(lambda: self.name_of(result), result, self.title)

    def verdict_of(self, result: ResultDict) -> Verdict:
        """The verdict; of a shared result only what it says itself, if the rest was left out."""
        if audience_of(result) != SHARED:
            return self.verdict(result)
        decided = result.get("acceptable") if result.get("decided", True) else None
        plain = Verdict(decided, tuple(Reason(str(text), decided) for text in result["reasons"]))
        return when_shown(lambda: self.verdict(result), result, plain)

    def graded_verdict(self, result: ResultDict) -> Verdict:
        """The verdict, and the weakest evidence that it rests on."""
        found = self.verdict_of(result)
        return replace(found, reasons=(*found.reasons, *evidence_reason(result)))

    def _texts(self, build: Callable[[ResultDict], Iterable[str]], result: ResultDict) -> tuple[str, ...]:
        return when_shown(lambda: tuple(build(result)), result, ())

    def _charts(self, result: ResultDict) -> tuple[Chart, ...]:
        """All charts; none of a shared result, since a drawing gives its figures with all their digits."""
        return () if audience_of(result) == SHARED else self.charts(result)

    def _in_page(self, result: ResultDict) -> list[Shown]:
        shown = [block for show in self.shows for block in show.in_page(result)]
        evidence = evidence_table(result)
        shown += [] if evidence is None else [evidence]
        if audience_of(result) == SHARED:
            return [block for block in shown if not isinstance(block, ChartGroup)]
        return shown

    def section(self, result: ResultDict, *, id: str, title: str) -> Section:  # noqa: A002 - an element's id
        """One result on a page."""
        shown = self._in_page(result)
        return Section(
            id=id,
            title=title,
            about=when_shown(lambda: self.about(result), result, ""),
            verdict=self.graded_verdict(result),
            warnings=self._texts(self.warnings, result),
            pictures=draw_charts(self._charts(result), prefix=id),
            blocks=tuple(_gallery(block, id) if isinstance(block, ChartGroup) else block for block in shown),
            alarms=self._texts(self.alarms, result),
            conditions=self._texts(self.conditions, result),
        )

    def titles(self, results: Sequence[ResultDict]) -> list[str]:
        """The name of each result, with a number where two are the same."""
        own = number_names([self.title_of(result) for result in results])
        names = self.names
        return own if names is None else when_shown(lambda: names(results), results[0], own)

    def figure(self, result: ResultDict) -> Figure:
        """All charts in one matplotlib figure."""

        title = self.figure_title or (lambda shown: f"{self.verdict_of(shown).word}: {self.title_of(shown)}")
        shown = self._in_page(result)
        groups = [chart for block in shown if isinstance(block, ChartGroup) for chart in block.charts]
        return figure_of(title(result), (*self._charts(result), *groups))

    def chapter(self, name: str, result: ResultDict) -> tuple[Block, ...]:
        """What a chapter of a report says about this result."""
        build: Chapter | None = getattr(self.chapters, name)
        if build is None:
            return () if name == "key" else self._everything(result)
        made = build
        hidden: tuple[Block, ...] = ()
        found = when_shown(
            lambda: tuple(block for block in made(result) if block is not None), result, hidden
        )
        if audience_of(result) == SHARED:
            return tuple(block for block in found if not isinstance(block, Pictures))
        return found

    def _everything(self, result: ResultDict) -> tuple[Block, ...]:
        shown = self._in_page(result)
        return (
            *(
                Notice(text)
                for text in (*self._texts(self.alarms, result), *self._texts(self.warnings, result))
            ),
            Pictures(self._charts(result)),
            *(block for block in shown if not isinstance(block, ChartGroup)),
        )


def _gallery(group: ChartGroup, prefix: str) -> Gallery:
    return Gallery(group.title, group.explanation, draw_charts(group.charts, prefix=prefix))


def reasons_of(result: ResultDict) -> tuple[Reason, ...]:
    """The reasons of a verdict, each with whether it holds; files of older versions do not say."""
    texts = result["reasons"]
    holds = result.get("holds") or [None] * len(texts)
    return tuple(Reason(text, one) for text, one in zip(texts, holds, strict=True))


FIGURE_TITLE = 0.55
"""Height of the title of the figure, in inches."""
CHART_TITLE = 0.4
"""Height of the title of a chart, in inches."""


def figure_of(title: str, charts: Sequence[Chart]) -> Figure:
    """Return a figure with all charts, for a notebook or a file."""
    rows = [charts[at : at + 2] for at in range(0, len(charts), 2)]
    heights = [CHART_TITLE + max(chart.height for chart in row) for row in rows]
    with drawing():
        from reidrisk.report.charts.notebook_figure import NotebookFigure

        figure = NotebookFigure(figsize=(2 * WIDTH, sum(heights) + FIGURE_TITLE))
        figure.text(
            0.012, 1 - 0.32 / figure.get_figheight(), title, fontsize=14, fontweight="bold", va="center"
        )
        outer: Any = figure.subfigures(len(rows) + 1, 1, height_ratios=[FIGURE_TITLE, *heights], hspace=0)
        for row, height, band in zip(rows, heights, outer[1:], strict=True):
            for chart, cell in zip(row, band.subfigures(1, 2, wspace=0), strict=False):
                _place_chart(cell, chart, height)
    return figure


def _place_chart(cell: SubFigure, chart: Chart, height: float) -> None:
    """Draw a chart below its title, at its own height; the rest of the cell stays empty."""
    ratios = [CHART_TITLE, chart.height, max(height - CHART_TITLE - chart.height, 1e-6)]
    cells: Any = cell.subfigures(3, 1, height_ratios=ratios, hspace=0)
    head, body, _ = cells
    head.text(0.025, 0.4, chart.title, fontsize=11, fontweight="bold", va="center")
    if chart.draw is None:
        text = textwrap.fill(chart.caption, 70)
        body.text(0.025, 0.8, text, color=PALETTE["muted"], va="top")
    else:
        chart.draw(body)
