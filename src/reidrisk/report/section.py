"""One result on a page, as the templates need it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.svg import svg
from reidrisk.report.parts import Facts, Table, Verdict


@dataclass(frozen=True, slots=True)
class ChartDrawing:
    """A chart with its drawing."""

    chart: Chart
    svg: str
    """SVG markup; empty if there is nothing to draw."""

    @classmethod
    def of(cls, chart: Chart, *, prefix: str) -> ChartDrawing:
        """Draw the chart with ids that begin with `prefix`."""
        return cls(chart, svg(chart, prefix=prefix))


def draw_charts(charts: Iterable[Chart], *, prefix: str) -> tuple[ChartDrawing, ...]:
    """Draw the charts of a result."""
    return tuple(ChartDrawing.of(chart, prefix=prefix) for chart in charts)


def number_names(names: list[str]) -> list[str]:
    """Return the names, with numbers added if two are the same."""
    if len(set(names)) == len(names):
        return names
    return [f"{name}, result {number}" for number, name in enumerate(names, start=1)]


@dataclass(frozen=True, slots=True)
class Gallery:
    """Small charts that belong together."""

    title: str
    explanation: str
    pictures: tuple[ChartDrawing, ...]


Block = Table | Facts | Gallery


@dataclass(frozen=True, slots=True)
class Section:
    """One result on a page."""

    id: str
    title: str
    about: str
    """What was measured on what, in a sentence."""
    verdict: Verdict
    warnings: tuple[str, ...]
    pictures: tuple[ChartDrawing, ...]
    blocks: tuple[Block, ...]
    alarms: tuple[str, ...] = ()
    """Warnings that must be read before relying on the verdict."""
    conditions: tuple[str, ...] = ()
    """The conditions under which the verdict holds."""
